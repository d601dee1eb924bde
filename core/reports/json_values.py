"""What several objects of the JSON reports have in common: forms of values, sources, problems and documents.

`scripts/schemas.py` makes the published schemas from these structs: the types, and the docstrings as descriptions.
Values are full and in a stable order.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Literal, Self, overload

from msgspec import Meta, Struct

from lockwarden.core.evidence.observations import Document
from lockwarden.core.evidence.source_answers import Problem, SourceKind, SourceRef
from lockwarden.core.reports.result import FileProblem
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity

HexDigits = Annotated[str, Meta(pattern="^[0-9A-F]*$")]
"""Of a fingerprint or of a key's ID; may be empty."""
SourceId = Annotated[str, Meta(description="The source's id.")]
Time = Annotated[str, Meta(description="RFC 3339, UTC, to the second.")]


class ToolJson(Struct, frozen=True, kw_only=True):
    """The program that wrote it."""

    name: Literal["Lockwarden"] = "Lockwarden"
    version: str


class SourceJson(Struct, frozen=True, kw_only=True):
    """A place that was asked."""

    id: str
    """Short name, unique in the report."""
    kind: SourceKind
    location: str

    @classmethod
    def of(cls, source: SourceRef) -> Self:
        """One source of the run."""
        return cls(id=source.id, kind=source.kind, location=source.location)


class ProblemJson(Struct, frozen=True, kw_only=True):
    """Something that a person should know beyond the verdict on one hash. An error objects to the lock file."""

    code: str
    """A stable word."""
    severity: Severity
    message: str
    hint: str
    """What to do about it; may be empty."""
    source: str
    """The source's id; empty when the problem is of the lock file itself."""
    line: int | None
    """Line in the lock file, from 1; null where no line is to blame."""

    @classmethod
    def of(cls, problem: Problem | FileProblem) -> Self:
        """A problem of a provider, of a source, or of a lock file as it lies on disk."""
        return cls(
            code=problem.code,
            severity=problem.severity,
            message=problem.message,
            hint=problem.hint,
            source=problem.source if isinstance(problem, Problem) else "",
            line=problem.line if isinstance(problem, FileProblem) else None,
        )


class DocumentJson(Struct, frozen=True, kw_only=True):
    """A document that a source answered with."""

    name: str
    url: str
    """Without query and user information."""
    sha256: str

    @classmethod
    def of(cls, document: Document) -> Self:
        """The same as evidence has it."""
        return cls(name=document.name, url=document.url, sha256=document.sha256)


@overload
def time_json(time: datetime) -> str: ...
@overload
def time_json(time: datetime | None) -> str | None: ...
def time_json(time: datetime | None) -> str | None:
    """A time in UTC to the second, as RFC 3339 has it."""
    return None if time is None else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def hash_json(hash_: Hash | None) -> str | None:
    """A hash in full."""
    return None if hash_ is None else hash_.text


def hashes_json(hashes: Iterable[Hash]) -> list[str]:
    """Hashes in full, in byte order."""
    return sorted(hash_.text for hash_ in hashes)


def platform_json(platform: Platform | None) -> str | None:
    """A platform as `OS_ARCH`."""
    return None if platform is None else str(platform)


def platforms_json(platforms: Iterable[Platform]) -> list[str]:
    """Platforms in the order of their names."""
    return sorted(str(platform) for platform in platforms)
