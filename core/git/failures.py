"""Turns git's refusals into errors that say what to do."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

from lockwarden.core.git.running import GitOutput
from lockwarden.core.values.errors import GitError
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.printable import reveal

MAX_WORDS: Final = 200
"""Characters of git's own words in a message."""
_PREFIX: Final = LatePattern(r"^(?:fatal|error): ")
_SECRETS: Final = LatePattern(r"(://)[^/@\s]*@")
_UNTRUSTED: Final = ("dubious ownership", "unsafe repository")
_NO_REPOSITORY: Final = "not a git repository"
_BAD_SETTING: Final = "bad config"
_NOT_FETCHED: Final = ("could not fetch", "lazy fetching disabled", "promisor", "fatal: transport '")
"""What git says of an object that it may not fetch; the last where it cannot be told not to try."""


def refusal(answer: GitOutput, *, doing: str, folder: Path) -> GitError:
    """The error for a run in `folder` that failed; `doing` is what it was for, as words after “git could not”."""
    said = answer.complaint
    shown = reveal(str(folder))
    if any(words in said for words in _UNTRUSTED):
        return GitError(
            f"git does not trust the repository {shown}, because it belongs to another user",
            code="untrusted-repository",
            hint="when you know who made it, allow it with: "
            f"git config --global --add safe.directory {reveal(shlex.quote(str(folder)))}",
        )
    if _NO_REPOSITORY in said:
        return GitError(
            f"{shown} has a .git, but git does not take it for a repository",
            code="not-a-repository",
            hint="see what git status says there; the repository may be damaged or half copied",
        )
    if _BAD_SETTING in said:
        return GitError(
            f"git could not {doing} in {shown}: {words_of(answer)}",
            code="bad-configuration",
            hint="mend that line; when it is right again this tells it: "
            f"git -C {reveal(shlex.quote(str(folder)))} config --list",
        )
    if any(words in said for words in _NOT_FETCHED):
        return missing(doing)
    return GitError(
        f"git could not {doing} in {shown}: {words_of(answer)}",
        code="damaged",
        hint="git fsck tells whether the repository is damaged",
    )


def is_refused(answer: GitOutput) -> bool:
    """Whether git did not even open the repository."""
    return any(words in answer.complaint for words in (*_UNTRUSTED, _NO_REPOSITORY))


def missing(doing: str) -> GitError:
    """The error for an object that this clone lacks; Lockwarden never fetches it."""
    return GitError(
        f"git could not {doing}: this clone does not hold the objects that it takes",
        code="missing-object",
        hint="in a partial clone, git fetch --refetch --no-filter gets them; otherwise git fsck tells what is lost",
    )


def words_of(answer: GitOutput) -> str:
    """What git complained about, made safe to show, without the warnings around it."""
    lines = [line for line in answer.complaint.splitlines() if line.strip()]
    said = next((line for line in lines if _PREFIX.match(line)), lines[-1] if lines else "")
    words = reveal(_SECRETS.sub(r"\1", _PREFIX.sub("", said)))[:MAX_WORDS]
    return words or f"it ended with exit code {answer.exit_code} and no word"
