"""What is read from a repository, as frozen values. Texts in them are as git has them: reveal before showing."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from lockwarden.core.lockfile.read import MAX_BYTES


class GitLimits(Struct, frozen=True, kw_only=True):
    """How much one question to git may cost; what passes a limit is an error that names it."""

    seconds: float = 30.0
    """For one run of git; then it is killed."""
    file_bytes: int = MAX_BYTES
    """Size of a file at a revision: that of a lock file."""
    object_bytes: int = 16 * 1024 * 1024
    """Size of one commit or of the list of one folder. A folder of 300,000 files fits."""
    listing_bytes: int = 256 * 1024 * 1024
    """Names of all files of one revision, or of everything else that git prints. Two million files fit."""
    candidates: int = 200
    """Files of a revision that a renamed file is compared with."""
    links: int = 40
    """Symbolic links that lead to one file."""
    renames: int = 20
    """Renames of one file that its history is followed through."""


class Commit(Struct, frozen=True, kw_only=True):
    """One commit."""

    id: str
    """All hexadecimal digits: 40, or 64 in a SHA-256 repository."""
    name: str
    """How it was asked for, such as `origin/main`; the short id where it was found otherwise."""
    ref: str = ""
    """The same in full, such as `refs/remotes/origin/main~2`; empty where it was asked for by an id."""


class Revision(Commit, frozen=True, kw_only=True):
    """A commit as people know it. Authors, dates and subjects are what the committer wrote."""

    short: str
    """As few digits of its id as are unique in this repository."""
    subject: str
    """First paragraph of its message, on one line."""
    authored: datetime | None
    """The author's time, aware; None when the commit has none that can be read."""
    parents: tuple[str, ...] = ()
    """Full ids; none in the first commit and where a shallow clone ends."""


class FileAtRevision(Struct, frozen=True, kw_only=True):
    """The bytes of a file at a commit, checked against the commit's id step by step.

    They are what was committed: line ends are not those of a working tree that git converts.
    """

    path: str
    """Where it was looked for, relative to the root, with slashes."""
    data: bytes
    renamed_from: str | None = None
    """The path that it had at the revision, when that is another one."""
    linked_to: str | None = None
    """Where the bytes stood, when the path was a symbolic link at the revision or went through one."""


class PastRevision(Struct, frozen=True, kw_only=True):
    """A commit that changed a file, and the path that the file had there, relative to the root."""

    revision: Revision
    path: str


class Suggestion(Struct, frozen=True, kw_only=True):
    """A branch worth comparing with; its revision's name is what to ask for. `reason` says what it is."""

    revision: Revision
    reason: str


class Side(Struct, frozen=True, kw_only=True):
    """One side of a merge, a rebase or a cherry-pick that is not finished."""

    label: str
    """For people: what this side is."""
    revision: Commit


class ObjectKind(StrEnum):
    """What an entry of a folder is."""

    FILE = "file"
    FOLDER = "folder"
    SYMLINK = "symbolic link"
    SUBMODULE = "submodule"


class Entry(Struct, frozen=True, kw_only=True):
    """One entry of a folder at a revision; its name is in the keys of what holds it."""

    kind: ObjectKind
    id: str
