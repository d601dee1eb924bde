"""The lock files that a command was given: each is read or its problems are known, and one bad file stops no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.client_lock_files import read_for_client
from lockwarden.core.engine.lock_file_reading import is_folder
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.reports.result import FileProblem, LeftOut
from lockwarden.core.review.locked_elsewhere import locked_in_run
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import GitError, InputError, LockFileError, LockFileInvalidError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    from lockwarden.core.engine.displaced_lock_files import BaseFiles, Displaced  # what only a base needs

MAX_HASHES: Final = 40_000
"""Different ones in all lock files of a run; of an entry without any, the entry. Large repositories have a tenth."""
_ANEW: Final = "correct the file, or make it anew with tofu init or terraform init"


class Loaded(Struct, frozen=True, kw_only=True):
    """One lock file as it was read, or None with the problems that tell why not."""

    path: str
    lock_file: LockFile | None
    problems: tuple[FileProblem, ...]
    standards: Standards = NO_STANDARDS
    """What it is held against."""


class LoadedFiles(Struct, frozen=True, kw_only=True):
    """All lock files of a run, and what a search for them did not look at."""

    files: tuple[Loaded, ...]
    left_out: tuple[LeftOut, ...] = ()


class Search(Struct, frozen=True, kw_only=True):
    """The lock files that paths stand for."""

    in_sight: tuple[str | LockFileError, ...]
    """Paths, and what could not be searched."""
    displaced: tuple[Displaced, ...]
    """Those of the base that are out of sight."""
    order: tuple[str, ...]
    """The paths of both, each once, as they were found."""
    left_out: tuple[LeftOut, ...]


def search(
    paths: Iterable[str], finder: StandardsFinder, base_files: BaseFiles | None, *, recursive: bool = False
) -> Search:
    """The lock files that are named, or the current folder's when none is named, and with `recursive` all below.

    With a base, also those that it has and that are out of sight now. Raises GitError and ToolError.
    """
    found: dict[str, str | LockFileError | Displaced] = {}
    left_out: list[LeftOut] = []
    for path in tuple(paths) or (".",):
        for each in _searched(path, finder, base_files, left_out, recursive=recursive):
            found.setdefault(each if isinstance(each, str) else each.path, each)
    return Search(
        in_sight=tuple(each for each in found.values() if isinstance(each, str | LockFileError)),
        displaced=tuple(each for each in found.values() if not isinstance(each, str | LockFileError)),
        order=tuple(found),
        left_out=tuple(left_out),
    )


def load_all(
    paths: Iterable[str],
    finder: StandardsFinder,
    *,
    base: str = "",
    recursive: bool = False,
    client: Client | None = None,
) -> LoadedFiles:
    """Read every lock file that `search` finds, and what each is held against. `client` is as for `load`.

    Raises InputError for a policy, approvals or a base that cannot be used, and for more hashes than a run may have;
    ToolError when git is missing.
    """
    base_files = _base_files(finder, base) if base else None
    found = search(paths, finder, base_files, recursive=recursive)
    total = _Total()
    loaded: dict[str, Loaded] = {}
    for each in found.in_sight:
        name = each if isinstance(each, str) else each.path
        one = load(each, finder.second_reader, client=client) if isinstance(each, str) else _unreadable(each)
        one = held(one, finder, base=base)
        if one.lock_file is not None:
            total.add(one.lock_file)
        loaded[name] = one
    if base_files is not None:
        loaded |= load_displaced(found.displaced, base_files, loaded.values(), finder.second_reader, client=client)
    files = tuple(loaded[each] for each in found.order if each in loaded)
    return LoadedFiles(files=_held_against_each_other(files), left_out=found.left_out)


def _base_files(finder: StandardsFinder, base: str) -> BaseFiles:
    from lockwarden.core.engine.displaced_lock_files import BaseFiles

    return BaseFiles(finder, base)


class _Total:
    """Counts what has to be judged, each entry's hash once in however many lock files it stands."""

    def __init__(self) -> None:
        self._seen: set[object] = set()

    def add(self, lock_file: LockFile) -> None:
        """Count one more lock file. Raises InputError when there is too much."""
        for entry in lock_file.entries:
            self._seen.update((entry.address, entry.version, each) for each in entry.hash_set or (None,))
            if len(self._seen) > MAX_HASHES:
                raise InputError(
                    f"the lock files of this run have more than {MAX_HASHES} different hashes, which is the limit",
                    hint=f"check fewer of them at a time; {lock_file.path} is the one that goes beyond",
                )


def _held_against_each_other(files: tuple[Loaded, ...]) -> tuple[Loaded, ...]:
    """The files with what they lock for different versions of one provider among what each is held against."""
    in_run = locked_in_run(each.lock_file for each in files if each.lock_file is not None)
    return tuple(replace(each, standards=each.standards.with_run(in_run)) for each in files) if in_run else files


def load_displaced(
    displaced: Iterable[Displaced],
    base_files: BaseFiles,
    others: Iterable[Loaded],
    second_reader: SecondReader,
    *,
    client: Client | None = None,
) -> dict[str, Loaded]:
    """Lock files out of sight with what there is to say of them; without those that lie elsewhere now."""
    from lockwarden.core.engine.displaced_lock_files import moved_places

    moved = moved_places(each.standards for each in others)
    read = partial(load, second_reader=second_reader)
    found = {
        each.path: _displaced(each, base_files, read, moved=each.place in moved, given=client) for each in displaced
    }
    return {path: each for path, each in found.items() if each is not None}


def _searched(
    path: str, finder: StandardsFinder, base_files: BaseFiles | None, left_out: list[LeftOut], *, recursive: bool
) -> Iterator[str | LockFileError | Displaced]:
    """The lock files that one path stands for."""
    if recursive and is_folder(path):
        from lockwarden.core.engine.tracked_lock_files import tree_of

        tree = tree_of(Path(path), finder.opened)
        left_out += tree.left_out
        hidden = () if base_files is None else tuple(base_files.out_of_sight(tree))
        paths = {each.path for each in hidden}
        yield from (each for each in tree.files if isinstance(each, LockFileError) or each not in paths)
        yield from hidden
        if tree.nothing is not None and not hidden:
            yield tree.nothing
        return
    named = None if base_files is None else base_files.named(path)
    missing = () if base_files is None or not recursive else base_files.below_missing(path)
    yield from missing or (named or path,)
    if "\0" not in path:
        from lockwarden.core.system.lock_file_search import beside

        yield from map(str, beside(Path(path)))


def _displaced(
    displaced: Displaced, base_files: BaseFiles, read: Callable[..., Loaded], *, moved: bool, given: Client | None
) -> Loaded | None:
    """What there is to say of a lock file out of sight; None when it lies elsewhere now and nothing needs it here."""
    from lockwarden.core.engine.displaced_lock_files import How
    from lockwarden.core.review.absence_rules import ABSENCE_CODES

    path = displaced.path
    try:
        sides = base_files.sides(displaced)
        named = next((each.client for each in sides if each.client is not None), None)
        loaded = read(path, client=given or named) if displaced.how.readable else None
        if loaded is not None and loaded.lock_file is None:
            return loaded
        client = given or named or Client.OPENTOFU
        empty = LockFile(path=path, data=b"", providers=(), warnings=(), client=client)
        lock_file = empty if loaded is None or loaded.lock_file is None else loaded.lock_file
        standards = base_files.standards(displaced, lock_file, moved=moved)
    except GitError as error:
        problem = FileProblem(
            code=ProblemCode.BASE_UNREADABLE, severity=Severity.ERROR, message=error.message, hint=error.hint
        )
        return Loaded(path=path, lock_file=None, problems=(problem,))
    if moved and displaced.how is How.GONE and not any(each.code in ABSENCE_CODES for each in standards.problems):
        return None
    problems = () if loaded is None else loaded.problems
    return Loaded(path=path, lock_file=lock_file, problems=problems, standards=standards)


def load(path: str, second_reader: SecondReader, *, client: Client | None = None) -> Loaded:
    """Read one lock file, or the one in a folder, as `client` does or else as the one that it names.

    What is wrong with it is told by the value, never raised.
    """
    return loaded_by(lambda: read_for_client(Path(path), second_reader, client=client))


def held(loaded: Loaded, finder: StandardsFinder, *, base: str = "") -> Loaded:
    """A lock file that was read with what it is held against, as the client reads it by whose rules it is judged.

    Raises InputError and ToolError as `StandardsFinder.standards` does.
    """
    read = loaded.lock_file
    if read is None:
        return loaded
    judged = loaded_by(lambda: finder.as_judged(read, base=base))
    if judged.lock_file is None:
        return judged
    return replace(judged, standards=finder.standards(judged.lock_file, base=base))


def loaded_by(read: Callable[[], LockFile]) -> Loaded:
    """What `read` gives, or what is wrong with it where it raises LockFileError."""
    try:
        lock_file = read()
    except LockFileError as error:
        return _unreadable(error)
    return Loaded(path=lock_file.path, lock_file=lock_file, problems=tuple(map(_of_diagnostic, lock_file.warnings)))


def _unreadable(error: LockFileError) -> Loaded:
    return Loaded(path=error.path, lock_file=None, problems=problems_of(error))


def problems_of(error: LockFileError) -> tuple[FileProblem, ...]:
    """Everything that an error says of a lock file, each with its line where that is known."""
    if isinstance(error, LockFileInvalidError):
        return tuple(map(_of_diagnostic, error.diagnostics))
    return (
        FileProblem(
            code=ProblemCode.LOCK_FILE_UNREADABLE, severity=Severity.ERROR, message=error.message, hint=error.hint
        ),
    )


def within_limits(files: Iterable[Loaded]) -> None:
    """Raises InputError for more hashes than a run may have."""
    total = _Total()
    for each in files:
        if each.lock_file is not None:
            total.add(each.lock_file)


def _of_diagnostic(diagnostic: Diagnostic) -> FileProblem:
    return FileProblem(
        code=LockFileSummary(diagnostic.summary).code,
        severity=Severity(diagnostic.severity.value),
        message=diagnostic.message,
        hint=diagnostic.hint or (_ANEW if diagnostic.severity.value == Severity.ERROR else ""),
        line=diagnostic.line,
    )
