"""Finds commits by what a person calls them, and lists those that changed a file."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from msgspec.structs import replace

from lockwarden.core.git.failures import is_refused, refusal
from lockwarden.core.git.full_names import beginning_with, full_name
from lockwarden.core.git.model import Commit, Revision
from lockwarden.core.git.objects import OBJECT_ID, commit_of, object_named, sizes
from lockwarden.core.git.program import Git
from lockwarden.core.git.running import GitOutput
from lockwarden.core.values.errors import GitError, UnknownRevisionError
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.printable import reveal

_MAX_NAME: Final = 1024
"""Characters of what a revision may be called."""
_MAX_SUBJECT: Final = 500
_CONTROL: Final = LatePattern(r"[\x00-\x1f\x7f-\x9f]")
_MEANING: Final = LatePattern(rb"[*?\[\\]")
"""What means something in a pattern of names."""
_FORMAT: Final = "--format=%H%x00%h%x00%at%x00%P%x00%s"
_FIELDS: Final = 5
_BRANCH_OF_ORIGIN: Final = LatePattern(r"(?:refs/remotes/)?origin/([A-Za-z0-9_./-]+)")


def resolve(git: Git, name: str) -> Revision:
    """The same as `commit_at`, with what people know it by."""
    commit = commit_at(git, name)
    doing = f"find the revision {reveal(name)}"
    (revision,) = _listed(git, ["--no-walk", commit.id], doing=doing, name=name)
    return replace(revision, ref=commit.ref)


def commit_at(git: Git, name: str) -> Commit:
    """The commit that `name` stands for by git's rules: a branch, a tag, an id, `HEAD~2`, `@{upstream}` and so on.

    A name that may stand for another commit as well is refused; see `full_names`. Raises UnknownRevisionError when it
    stands for none, for several, or for something that is no commit; GitError when git cannot tell.
    """
    shown = reveal(name[:_MAX_NAME])
    if not name or len(name) > _MAX_NAME or name.startswith("-") or _CONTROL.search(name):
        raise UnknownRevisionError(
            f"“{shown}” is not a revision", code="bad-revision", hint="name a branch, a tag or a commit, such as HEAD~1"
        )
    doing = f"find the revision {shown}"
    id_ = _known_object(git, name, doing=doing) or _told_by_rev_parse(git, name, doing=doing)
    commit = commit_of(git, id_, doing=doing)
    if not commit:
        answer = git.ask("rev-parse", "--verify", "--end-of-options", f"{id_}^{{commit}}", doing=doing)
        raise _no_commit(git, name, id_, answer)
    if (name, id_) not in git.full_names:
        git.full_names[name, id_] = full_name(git, name, id_)
    return Commit(id=commit, name=name, ref=git.full_names[name, id_])


def _known_object(git: Git, name: str, *, doing: str) -> str:
    """The id of the object that a name stands for; empty where there is none, or where only git's words tell why."""
    try:
        return object_named(git, name, doing=doing)
    except GitError as error:
        if error.code == "timeout":
            raise
        return ""  # git ends over some names, such as that of an upstream that there is not


def _told_by_rev_parse(git: Git, name: str, *, doing: str) -> str:
    """The id that a name stands for without an object of it, or else why it stands for none. Raises GitError."""
    answer = git.ask("rev-parse", "--verify", "--end-of-options", name, doing=doing)
    id_ = answer.printed.decode("utf-8", "replace").strip()
    if answer.exit_code != 0 or OBJECT_ID.fullmatch(id_) is None:
        if "short object ID" in answer.complaint:
            raise beginning_with(git, name)
        if is_refused(answer):
            raise refusal(answer, doing=doing, folder=git.folder)
        raise _unknown(git, name)
    return id_


def left_at(git: Git, revision: Commit) -> Commit:
    """Where the current commit's history left that of a revision: their best common ancestor, under the same name.

    It is the revision itself where the current commit builds on it, and where no common ancestor is to be found: in
    histories that share none, and in a clone that is too shallow. Raises GitError.
    """
    doing = f"find where this branch left {reveal(revision.name)}"
    if commit_of(git, "HEAD", doing=doing) == revision.id:
        return revision
    answer = git.ask("merge-base", revision.id, "HEAD", doing=doing)
    id_ = answer.printed.decode("ascii", "replace").strip()
    if answer.exit_code != 0 or id_ == revision.id or OBJECT_ID.fullmatch(id_) is None:
        return revision
    return Commit(id=id_, name=revision.name, ref=revision.ref)


def touching(git: Git, start: str, paths: Sequence[bytes], *, limit: int) -> list[Revision]:
    """The commits from `start` (a full id) back that changed one of these paths, newest first. Raises GitError."""
    names = [os.fsdecode(path) for path in paths]
    doing = f"list the revisions of {reveal(names[0])}"
    return _listed(git, [f"--max-count={limit}", start, "--", *names], doing=doing, name=None)


def ever_changing(git: Git, start: str, paths: Sequence[bytes], *, limit: int) -> list[Revision]:
    """All commits up to `start` (a full id) that changed one of these paths, by whichever parents, newest first.

    Merges do not hide what one of their sides had, as they do in `touching`. Raises GitError.
    """
    names = [os.fsdecode(path) for path in paths]
    doing = f"list all revisions of {reveal(names[0])}"
    return _listed(git, ["--full-history", f"--max-count={limit}", start, "--", *names], doing=doing, name=None)


def is_shallow(git: Git) -> bool:
    """Whether the clone lacks what commits come from. Raises GitError."""
    doing = "tell whether the clone is shallow"
    return git.tell("rev-parse", "--is-shallow-repository", doing=doing).strip() == b"true"


def changing_any(git: Git, start: str, name: bytes, *, limit: int) -> list[Revision]:
    """The commits from `start` (a full id) back by way of first parents that changed a file of this name, in whatever
    folder, newest first. Raises GitError.
    """
    pattern = os.fsdecode(_MEANING.sub(rb"\\\g<0>", name))
    doing = f"list the revisions of {reveal(os.fsdecode(name))}"
    arguments = ["--first-parent", f"--max-count={limit}", start, "--", f":(top,glob)**/{pattern}"]
    return _listed(git, arguments, doing=doing, name=None, patterns=True)


def current_branch(git: Git) -> str | None:
    """The name of the branch that is checked out; None when none is. It may have no commit yet. Raises GitError."""
    answer = git.ask("symbolic-ref", "--quiet", "--short", "HEAD", doing="tell the current branch")
    return os.fsdecode(answer.printed).removesuffix("\n") if answer.exit_code == 0 else None


def _listed(
    git: Git, arguments: Sequence[str], *, doing: str, name: str | None, patterns: bool = False
) -> list[Revision]:
    """What `rev-list` lists. Each commit's fields are on one line of their own, under one that repeats its id."""
    pathspecs = ("--no-literal-pathspecs",) if patterns else ()
    printed = git.tell(*pathspecs, "rev-list", "--encoding=UTF-8", _FORMAT, *arguments, doing=doing)
    lines = [line.split(b"\0", _FIELDS - 1) for line in printed.split(b"\n")]
    return [_revision(*fields, name=name) for fields in lines if len(fields) == _FIELDS]


def _revision(id_: bytes, short: bytes, when: bytes, parents: bytes, subject: bytes, *, name: str | None) -> Revision:
    abbreviated = short.decode("ascii", "replace")
    return Revision(
        id=id_.decode("ascii", "replace"),
        short=abbreviated,
        name=abbreviated if name is None else name,
        subject=subject.decode("utf-8", "replace")[:_MAX_SUBJECT],
        authored=_time(when),
        parents=tuple(parents.decode("ascii", "replace").split()),
    )


def _time(seconds: bytes) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _no_commit(git: Git, name: str, id_: str, answer: GitOutput) -> GitError:
    """The error for an id that was found and that no commit can be had from. Raises GitError when that is damage."""
    doing = f"find the revision {reveal(name)}"
    (found,) = sizes(git, [id_], doing=doing)
    if found is None:
        return _unknown(git, name)
    if found[0] == "commit":
        return refusal(answer, doing=doing, folder=git.folder)
    return UnknownRevisionError(
        f"the revision {reveal(name)} is a {found[0]} from which no commit can be had here",
        code="not-a-commit",
        hint="name a branch, a tag or a commit",
    )


def _unknown(git: Git, name: str) -> UnknownRevisionError:
    """The error for a revision that is not here; says how to get it where the clone is not a whole one."""
    shallow = is_shallow(git)
    branch = _BRANCH_OF_ORIGIN.fullmatch(name)
    if branch is not None:
        spec = shlex.quote(f"+refs/heads/{branch[1]}:refs/remotes/origin/{branch[1]}")
        fetch = f"git fetch {'--depth=1 ' if shallow else ''}origin {spec}"
    elif OBJECT_ID.fullmatch(name):
        fetch = f"git fetch {'--depth=1 ' if shallow else ''}origin {name}"
    else:
        fetch = "git fetch --deepen=50" if shallow else ""
    if shallow:
        return UnknownRevisionError(
            f"the revision {reveal(name)} is not in this shallow clone, which holds only the newest commits",
            code="unknown-revision",
            hint=f"fetch it first: {fetch}; or clone without a depth",
        )
    return UnknownRevisionError(
        f"there is no revision {reveal(name)} in this repository",
        code="unknown-revision",
        hint=f"if the remote has it, fetch it first: {fetch}"
        if fetch
        else "git log --all --oneline lists what there is",
    )
