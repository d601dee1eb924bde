"""What a revision's name stands for: its full name, or the refusal of one that stands for several commits.

git takes the first of many places in which a short name may stand: a tag before a branch, a local branch before one of
a remote. Whoever can push a tag could so choose the commit that their own change is compared with. So a name counts
only where every place that it may stand in leads to one commit.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.git.objects import OBJECT_ID, commit_of, sizes
from lockwarden.core.git.program import Git
from lockwarden.core.values.errors import UnknownRevisionError
from lockwarden.core.values.printable import reveal

_BEHIND: Final = re.compile(r"[~^:]|@\{")
"""Where the name of a reference ends and what git does with it begins."""
_PLACES: Final = ("refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
"""Where git looks for a short name, in its order (gitrevisions(7)); its own folder comes before."""
_REFS: Final = "refs/"
_KINDS: Final = frozenset(("heads", "tags", "remotes"))
_OWN: Final = re.compile(r"[A-Z]+(?:_[A-Z]+)*")
"""What git's own notes are called, such as FETCH_HEAD."""
_NOTE: Final = re.compile(r"[A-Z]+(?:_[A-Z]+)*_HEAD")
_DIGITS: Final = re.compile(r"(?:.+-g)?([0-9a-fA-F]{4,64})")
"""The beginning of an id, also behind what git describe puts before it."""
_MOST_OBJECTS: Final = 50
_COMMITS: Final = frozenset(("commit", "tag"))


class NamedCommit(Struct, frozen=True, kw_only=True):
    """One thing that a name stands for."""

    full: str
    """The full name of a reference, or a whole id."""
    commit: str
    is_id: bool = False


def full_name(git: Git, name: str, id_: str) -> str:
    """The full name of the reference that `name` goes by, with what follows it; empty where it goes by an id.

    `id_` is what git takes the name for. Raises UnknownRevisionError where it may stand for another commit, and
    GitError when git cannot tell.
    """
    if name.startswith(":/"):
        raise _any_commit(name)
    end = _BEHIND.search(name)
    head, rest = (name, "") if end is None else (name[: end.start()], name[end.start() :])
    if OBJECT_ID.fullmatch(head.lower()) and len(head) == len(id_):
        return ""  # git takes a whole id for itself, whatever else is called so
    if head in {"", "@", "HEAD"}:
        return _of_head(git, rest) if head else _symbolic(git, name)
    meanings = tuple(_meanings(git, head))
    if not meanings:
        # Nothing that anyone could push: a note of git's own, or one of another working tree.
        return _symbolic(git, name)
    if len({each.commit for each in meanings}) > 1 or (len(meanings) > 1 and rest.startswith("@{")):
        raise _several(head, meanings)
    if not _is_expected(git, head, meanings):
        raise _another(head, meanings)
    chosen = meanings[0]
    if chosen.is_id:
        return ""
    return (_symbolic(git, name) if rest.startswith("@{") else "") or f"{chosen.full}{rest}"


def beginning_with(git: Git, digits: str) -> UnknownRevisionError:
    """The refusal of digits that several objects begin with, with the commits among them. Raises GitError."""
    match = _DIGITS.match(digits)
    found = () if match is None else tuple(_objects(git, match[1], f"tell what {reveal(digits)} stands for"))
    if found:
        return _several(digits, found)
    return UnknownRevisionError(
        f"several objects begin with {reveal(digits)}", code="ambiguous-revision", hint="write more of its digits"
    )


def _meanings(git: Git, name: str) -> Iterator[NamedCommit]:
    doing = f"tell what {reveal(name)} stands for"
    if _OWN.fullmatch(name) and _is_note(git, name, doing):
        yield from _meaning(git, name, doing)
    wanted = [place.format(name) for place in _PLACES]
    if name.startswith(_REFS):
        wanted.insert(0, name)
    there = frozenset(_existing(git, wanted, doing))
    if not there.isdisjoint(wanted[:1]) and name.startswith(_REFS):
        yield from _meaning(git, name, doing)  # in full, so that nothing else can be meant
        return
    for ref in wanted:
        if ref in there:
            yield from _meaning(git, ref, doing)
    if (digits := _DIGITS.fullmatch(name)) is not None:
        yield from _objects(git, digits[1], doing)


def _meaning(git: Git, ref: str, doing: str) -> Iterator[NamedCommit]:
    yield NamedCommit(full=ref, commit=commit_of(git, ref, doing=doing) or f"no commit at {ref}")


def _existing(git: Git, refs: Sequence[str], doing: str) -> list[str]:
    printed = git.tell("for-each-ref", "--format=%(refname)", *refs, doing=doing)
    return os.fsdecode(printed).split("\n")


def _objects(git: Git, digits: str, doing: str) -> Iterator[NamedCommit]:
    """The commits whose ids begin with some digits, tags that lead to one included."""
    answer = git.ask("rev-parse", f"--disambiguate={digits.lower()}", doing=doing)
    ids = [each for each in answer.printed.decode("ascii", "replace").split() if OBJECT_ID.fullmatch(each)]
    for id_, found in zip(
        ids[:_MOST_OBJECTS], sizes(git, ids[:_MOST_OBJECTS], doing=doing) if ids else (), strict=True
    ):
        if found is not None and found[0] in _COMMITS:
            (meaning,) = _meaning(git, id_, doing)
            yield NamedCommit(full=id_, commit=meaning.commit, is_id=True)


def _is_note(git: Git, name: str, doing: str) -> bool:
    """Whether git has a note of its own that is called so."""
    path = os.fsdecode(git.tell("rev-parse", "--git-path", name, doing=doing).removesuffix(b"\n"))
    return os.path.lexists(Path(git.folder, path))


def _is_expected(git: Git, name: str, meanings: Sequence[NamedCommit]) -> bool:
    """Whether a name stands for what it looks like: a tag `origin/main` is not that branch of `origin`."""
    full = {each.full for each in meanings}
    first, slash, _ = name.partition("/")
    if name.startswith(_REFS):
        return name in full
    if _NOTE.fullmatch(name):
        return name in full
    if slash and first in _KINDS:
        return f"{_REFS}{name}" in full
    doing = f"tell what {reveal(name)} stands for"
    if slash and (first == "origin" or any(_existing(git, [f"refs/remotes/{first}/"], doing))):
        return f"refs/remotes/{name}" in full
    if full == {f"refs/tags/{name}"}:
        # Without the local branch, people mean the one of a remote.
        branches = [each for each in _existing(git, [f"refs/remotes/*/{name}"], doing) if each]
        there = {meaning.commit for ref in branches for meaning in _meaning(git, ref, doing)}
        return there <= {each.commit for each in meanings}
    return True


def _of_head(git: Git, rest: str) -> str:
    """The branch that is checked out, with what follows; nothing else may be called HEAD.

    Where that branch is not there, git takes a tag or another branch that is called HEAD. Raises UnknownRevisionError.
    """
    if rest.startswith("@{") and (found := _symbolic(git, f"HEAD{rest}")):
        return found
    found = _symbolic(git, "HEAD")  # empty where anything else is called so
    if found == "HEAD" or (found.startswith("refs/heads/") and found != "refs/heads/HEAD"):
        return f"{found}{rest}"
    doing = "tell the current branch"
    answer = git.ask("symbolic-ref", "--quiet", "HEAD", doing=doing)
    branch = os.fsdecode(answer.printed).removesuffix("\n") if answer.exit_code == 0 else ""
    if branch and git.ask("show-ref", "--verify", "--quiet", branch, doing=doing).exit_code != 0:
        raise UnknownRevisionError(
            f"HEAD leads to {reveal(branch)}, which is not there",
            code="unknown-revision",
            hint="check out a branch that is there; in a bare clone: git symbolic-ref HEAD refs/heads/main",
        )
    return f"{branch or 'HEAD'}{rest}"


def _symbolic(git: Git, name: str) -> str:
    """The reference that git itself says a name stands for, such as `@{upstream}`; empty where it is none."""
    command = ("rev-parse", "--symbolic-full-name", "--verify", "--quiet", "--end-of-options", name)
    answer = git.ask(*command, doing=f"tell what {reveal(name)} stands for")
    lines = [line for line in os.fsdecode(answer.printed).splitlines() if line != "--end-of-options"]
    return lines[0] if answer.exit_code == 0 and len(lines) == 1 else ""


def _listed(meanings: Sequence[NamedCommit]) -> str:
    return ", ".join(
        reveal(each.full)
        if each.is_id
        else f"{reveal(each.full)} ({each.commit[:12]})"
        if OBJECT_ID.fullmatch(each.commit)
        else f"{reveal(each.full)} (no commit)"
        for each in meanings
    )


def _likeliest(meanings: Sequence[NamedCommit]) -> str:
    """The full name that people most likely mean: a branch of a remote, else what git would take."""
    found = (each.full for each in meanings if each.full.startswith("refs/remotes/"))
    return reveal(next(found, meanings[0].full))


def _several(name: str, meanings: Sequence[NamedCommit]) -> UnknownRevisionError:
    return UnknownRevisionError(
        f"“{reveal(name)}” stands for several commits: {_listed(meanings)}",
        code="ambiguous-revision",
        hint=f"write the full name of the one that is meant, such as {_likeliest(meanings)}",
    )


def _another(name: str, meanings: Sequence[NamedCommit]) -> UnknownRevisionError:
    return UnknownRevisionError(
        f"“{reveal(name)}” is not what it looks like; all that is called so is {_listed(meanings)}",
        code="ambiguous-revision",
        hint=f"fetch the branch that is meant and write its full name, or write {reveal(meanings[0].full)}",
    )


def _any_commit(name: str) -> UnknownRevisionError:
    return UnknownRevisionError(
        f"“{reveal(name)}” stands for any commit with such a message, which whoever makes one can choose",
        code="ambiguous-revision",
        hint="write the full name of a branch, such as refs/remotes/origin/main, or a whole commit id",
    )
