"""Which repositories an operator means: by their folders, by folders of clones, by patterns and by lists.

What lies in a folder of clones may be the doing of whoever is cloned there. So links in it are told and not followed,
and nothing is looked for within a clone.
"""

from __future__ import annotations

import glob
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.organisation.repository_lists import read_list, split_revision
from lockwarden.core.git.clones import is_clone
from lockwarden.core.reports.organisation.result import RepositoryProblem
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

MOST_REPOSITORIES: Final = 20_000
"""Repositories of one run."""
_MOST_FOLDERS: Final = 200_000
"""So many folders are looked into in search of clones; more are an error."""
_DEPTH: Final = 8
"""Folders between a folder of clones and a clone, such as host, team and name."""
_BARE: Final = ".git"


class RepositoryRef(Struct, frozen=True, kw_only=True):
    """One repository at one revision, or why a name leads to none."""

    name: str
    """As the report calls it."""
    written: str
    """The path to it as it was written or found, which tells namesakes apart."""
    folder: Path | None
    """Absolute and without links; None where there is nothing to read."""
    revision: str = ""
    """As it was written; empty for what the clone stands on."""
    problem: RepositoryProblem | None = None


def places_of(words: Iterable[str], *, directory: Path, clones: Path | None = None) -> tuple[RepositoryRef, ...]:
    """The repositories that words stand for, each at each revision once, in their order. It blocks.

    A word is the folder of a repository, a folder that holds clones, a pattern, a list of repositories, or a folder
    with `@REVISION`. Relative names in a list start at `clones`; without it, at the list's own folder.

    Raises InputError for a list that cannot be read, a pattern that fits nothing, and more than the limits allow. That
    a folder is returned does not say that it is a repository: the reader finds that out.
    """
    found: dict[tuple[Path | str, str], RepositoryRef] = {}
    for word in words:
        for place in _of_word(word, directory, clones):
            found.setdefault((place.folder or place.written, place.revision), place)
            if len(found) > MOST_REPOSITORIES:
                raise InputError(
                    f"there are more than {MOST_REPOSITORIES} repositories, which is the limit",
                    hint="look at fewer of them at a time",
                )
    return _told_apart(tuple(found.values()))


def _of_word(word: str, directory: Path, clones: Path | None) -> Iterator[RepositoryRef]:
    path = _absolute(word, directory)
    if _is_folder(path):
        yield from _of_folder(path, word)
    elif os.path.exists(path):  # noqa: PTH110 - the method raises
        start = path.parent if clones is None else clones
        for each in read_list(path, name=word):
            yield _named(each.name, start, each.revision, origin=f"{word}:{each.line}")
    elif glob.has_magic(word):
        hits = sorted(glob.glob(word, root_dir=directory))  # noqa: PTH207
        if not hits:
            raise InputError(f"“{word}” fits nothing", hint="name a folder that has clones, or a list of repositories")
        for hit in hits:
            yield from _hit(hit, word, directory)
    else:
        name, revision = split_revision(word)
        yield _named(name, directory, revision, origin="")


def _absolute(word: str, directory: Path) -> Path:
    if not word or "\0" in word:
        raise InputError("a name is empty, or no path", hint="name a folder that has clones, or a list of repositories")
    return directory / word


def _named(name: str, start: Path, revision: str, *, origin: str) -> RepositoryRef:
    """A repository that was named by itself. Links lead where the operator has them lead."""
    path = _absolute(name, start)
    if not _is_folder(path) and path.name and _is_folder(path.with_name(f"{path.name}{_BARE}")):
        path = path.with_name(f"{path.name}{_BARE}")
    written = os.path.normpath(name)
    place = RepositoryRef(name=written, written=str(path), folder=None, revision=revision)
    where = f" ({origin})" if origin else ""
    if not _is_folder(path):
        hint = "clone it, or correct its name"
        return _refused(place, ProblemCode.REPOSITORY_MISSING, f"there is no folder {path}{where}", hint)
    if not is_clone(path):
        hint = "clone it there, or correct its name"
        return _refused(place, ProblemCode.REPOSITORY_MISSING, f"{path} is no git repository{where}", hint)
    return replace(place, folder=_real(path))


def _of_folder(path: Path, word: str) -> Iterator[RepositoryRef]:
    if is_clone(path):
        name = os.path.normpath(word)
        yield RepositoryRef(name=path.resolve().name if name == os.curdir else name, written=word, folder=_real(path))
        return
    found = False
    for place in _below(path, word):
        found = True
        yield place
    if not found:
        place = RepositoryRef(name=os.path.normpath(word), written=word, folder=None)
        hint = "name a folder that has clones, or a list of repositories"
        yield _refused(place, ProblemCode.REPOSITORY_MISSING, f"there is no git repository in {path} or below it", hint)


def _below(top: Path, word: str) -> Iterator[RepositoryRef]:
    """The clones below a folder, by path."""
    waiting: list[tuple[Path, int]] = [(top, 0)]
    seen = 0
    while waiting:
        folder, depth = waiting.pop()
        seen += 1
        name = folder.relative_to(top).as_posix()
        here = RepositoryRef(name=name, written=os.path.join(word, name), folder=None)  # noqa: PTH118
        if seen > _MOST_FOLDERS:
            raise InputError(f"{top} has more than {_MOST_FOLDERS} folders", hint="name the folders that have clones")
        try:
            with os.scandir(folder) as entries:
                found = sorted(entries, key=lambda each: each.name)
        except OSError as error:
            message = f"{folder} cannot be looked into: {error.strerror or error}"
            yield _refused(here, ProblemCode.REPOSITORY_UNREADABLE, message, "check what you may read there")
            continue
        below = []
        for each in found:
            path = folder / each.name
            within = path.relative_to(top).as_posix()
            inner = replace(here, name=within, written=os.path.join(word, within))  # noqa: PTH118
            if each.is_symlink():
                if _leads_to_folder(each):
                    yield _link(inner, path)
            elif each.is_dir(follow_symlinks=False):
                if is_clone(path):
                    yield replace(inner, folder=_real(path))
                elif depth < _DEPTH:
                    below.append((path, depth + 1))
        waiting += reversed(below)


def _hit(hit: str, pattern: str, directory: Path) -> Iterator[RepositoryRef]:
    """What a pattern has found: a link is no better there than in a folder of clones, wherever on the way it stands.

    Up to the first part that fits several names it is the operator's own way.
    """
    path = _absolute(hit, directory)
    if not _is_folder(path):
        return
    first = next(at for at, part in enumerate(Path(pattern).parts) if glob.has_magic(part))
    parts = Path(hit).parts
    for end in range(first + 1, len(parts) + 1):
        on_the_way = str(Path(*parts[:end]))
        if os.path.islink(directory / on_the_way):  # noqa: PTH114 - the method raises
            place = RepositoryRef(name=os.path.normpath(on_the_way), written=on_the_way, folder=None)
            yield _link(place, directory / on_the_way)
            return
    yield from _of_folder(path, hit)


def _link(place: RepositoryRef, path: Path) -> RepositoryRef:
    message = f"{path} is a link, and was not followed"
    hint = "name the repository that it leads to, if that is meant"
    return _refused(place, ProblemCode.REPOSITORY_IS_A_LINK, message, hint, severity=Severity.NOTE)


def _leads_to_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:
        return False  # a circle, or nothing that may be looked at


def _refused(
    place: RepositoryRef, code: ProblemCode, message: str, hint: str, severity: Severity = Severity.ERROR
) -> RepositoryRef:
    return replace(place, problem=RepositoryProblem(code=code, severity=severity, message=message, hint=hint))


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - the method raises


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _told_apart(places: tuple[RepositoryRef, ...]) -> tuple[RepositoryRef, ...]:
    """The places with names that no two repositories share: namesakes are called by their paths."""
    for called in (_as_written, _by_folder):
        folders: defaultdict[str, set[str]] = defaultdict(set)
        for each in places:
            folders[each.name].add(_by_folder(each))
        places = tuple(replace(each, name=called(each)) if len(folders[each.name]) > 1 else each for each in places)
    return places


def _as_written(place: RepositoryRef) -> str:
    return place.written


def _by_folder(place: RepositoryRef) -> str:
    return str(place.folder or place.written)
