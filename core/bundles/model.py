"""What an evidence bundle says, as the members of its one JSON document, `lockwarden.evidence/1`.

All of it is the word of whoever made it. What can be verified again are the signatures over documents that it holds,
and that the documents have the digests by which they are named.
"""

from __future__ import annotations

import hashlib
from typing import Final, Literal, Self

from msgspec import Struct

from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.store.known_facts import WrittenError, WrittenPackage
from lockwarden.core.store.unpacked_folders import FolderFacts
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.hashes import H1, Hash
from lockwarden.core.values.problem_codes import ProblemCode

SCHEMA: Final = "lockwarden.evidence/1"
ErrorKind = Literal["not there", "no answer", "bad answer"]
_KINDS: Final[dict[ErrorKind, type[SourceError]]] = {
    "not there": NotThereError,
    "no answer": NoAnswerError,
    "bad answer": BadAnswerError,
}


class _Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One part of it."""


class ErrorRecord(_Record, frozen=True, kw_only=True):
    """A question that ended with an error."""

    kind: ErrorKind
    stage: Stage
    message: str
    hint: str = ""
    code: ProblemCode | None = None

    @classmethod
    def of(cls, error: SourceError, message: str, hint: str) -> Self:
        """The error as it is written. `message` and `hint` replace its own, which may name paths of this machine."""
        kind: ErrorKind = "no answer"
        for name, type_ in _KINDS.items():
            kind = name if isinstance(error, type_) else kind
        return cls(kind=kind, stage=error.stage, message=message, hint=hint, code=error.code)

    def error(self) -> SourceError:
        """The error again."""
        return _KINDS[self.kind](self.message, stage=self.stage, hint=self.hint, code=self.code)


class AnswerRecord(_Record, frozen=True, kw_only=True):
    """One final answer of a server."""

    status: int
    url: str
    """Where it came from in the end: host and path."""
    body: str
    """SHA-256 of the document as the bundle has it."""
    sha256: str
    """SHA-256 of the body as it came. It differs from `body` where URLs in the document lost their queries."""
    content_type: str = ""
    headers: dict[str, str] = {}
    redirects: list[str] = []
    credentials_sent: bool = False
    said: str = ""


class HeardRecord(_Record, frozen=True, kw_only=True):
    """What came of one question: exactly one of `answer` and `error`."""

    answer: AnswerRecord | None = None
    error: ErrorRecord | None = None


class DocumentRecord(_Record, frozen=True, kw_only=True):
    """One question for a document, and what came of it each time that it was something else."""

    url: str
    """Host and path; a number behind a question mark tells apart what only differed in its query."""
    method: str = "GET"
    accept: str = ""
    client: str = ""
    heard: list[HeardRecord]


class PackageRecord(_Record, frozen=True, kw_only=True):
    """What a package is: exactly one of `package` and `error`."""

    place: str
    """Host and path of its URL; in a folder, its path below that."""
    package: WrittenPackage | None = None
    error: ErrorRecord | None = None


class FolderContent(_Record, frozen=True, kw_only=True):
    """What an unpacked package holds."""

    h1: str
    files: int
    size: int
    executables: list[str]

    @classmethod
    def of(cls, facts: FolderFacts) -> Self:
        """The facts, written."""
        return cls(h1=facts.h1.value, files=facts.files, size=facts.size, executables=list(facts.executables))

    def facts(self) -> FolderFacts:
        """The facts again. Raises InvalidHashError."""
        return FolderFacts(
            h1=Hash(f"{H1}:{self.h1}"), files=self.files, size=self.size, executables=tuple(self.executables)
        )


class UnpackedRecord(_Record, frozen=True, kw_only=True):
    """What an unpacked package is: exactly one of `content` and `error`."""

    place: str
    content: FolderContent | None = None
    error: WrittenError | None = None


class FoundRecord(_Record, frozen=True, kw_only=True):
    """One package that a folder holds, by its name."""

    version: str
    platform: str
    place: str
    packed: bool


class SearchRecord(_Record, frozen=True, kw_only=True):
    """What a search for a provider in a folder found."""

    address: str
    packed: bool
    packages: list[FoundRecord] = []
    folders: list[str] = []
    ignored: list[str] = []
    error: ErrorRecord | None = None


class FolderRecord(_Record, frozen=True, kw_only=True):
    """A folder of packages on the machine on which the bundle was made; where it lay is not told."""

    source: str
    searches: list[SearchRecord]
    archives: list[PackageRecord] = []
    unpacked: list[UnpackedRecord] = []


class SourceRecord(_Record, frozen=True, kw_only=True):
    """One source."""

    id: str
    kind: SourceKind
    location: str
    trusted: bool = False
    """The CLI configuration there let its whole lists count once a package matched."""
    repositories: dict[str, str] = {}
    """Of an OCI mirror: address to repository."""


class ReleaseRecord(_Record, frozen=True, kw_only=True):
    """One release that was audited, and by whom it was served."""

    address: str
    version: str
    sources: list[str]
    chain: list[str] = []


class PlanRecord(_Record, frozen=True, kw_only=True):
    """The releases of the lock files of one client."""

    client: Client
    releases: list[ReleaseRecord]


class PlatformsRecord(_Record, frozen=True, kw_only=True):
    """Which platforms' packages were looked at."""

    wanted: list[str]
    explain: bool = False
    every: bool = False


class BundleRecord(_Record, frozen=True, kw_only=True):
    """The whole document."""

    schema: Literal["lockwarden.evidence/1"]
    tool: str
    made: int
    """Seconds since 1970."""
    lock_files: list[str]
    """SHA-256 of each lock file that it was made for."""
    platforms: PlatformsRecord
    sources: list[SourceRecord]
    plans: list[PlanRecord]
    services: dict[str, dict[str, str | None]] = {}
    """By host, what the CLI configuration there said that it offers, so that it was not asked."""
    services_to_terraform: dict[str, dict[str, str | None]] = {}
    """The same for hosts of which Terraform reads otherwise what it says."""
    documents: list[DocumentRecord] = []
    packages: list[PackageRecord] = []
    folders: list[FolderRecord] = []


class Bundle(Struct, frozen=True, kw_only=True):
    """A bundle that was read: its document, and the documents of servers by their digests."""

    record: BundleRecord
    documents: dict[str, bytes]
    digest: str
    """SHA-256 of the file."""


def lock_file_digest(data: bytes) -> str:
    """How a bundle names a lock file: the SHA-256 of its bytes, in lower-case digits."""
    return hashlib.sha256(data).hexdigest()
