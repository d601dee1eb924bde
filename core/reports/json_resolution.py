"""What lock files of several sides are resolved to as JSON, `lockwarden.resolution/1`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, Self

from msgspec import Struct

from lockwarden.core.lockfile.conflict_markers import Hunk
from lockwarden.core.lockfile.conflict_sides import ConflictKind, ConflictSide
from lockwarden.core.reports.bounds import Room, shortened
from lockwarden.core.reports.differences import difference
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import ProblemJson, SourceJson, ToolJson, hashes_json, platforms_json
from lockwarden.core.reports.reason_lines import reason_lines
from lockwarden.core.reports.resolution_lines import diff_line
from lockwarden.core.reports.result import FileProblem, RunResult
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.resolution import ResolvedFile
from lockwarden.core.review.resolving import Candidate, LeftOutHash, ResolvedProvider
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict

_LONGEST: Final = 1_000
_ROOM: Final = 16_000_000
"""Bytes, roughly, of the difference of one file."""


def _bounded(lines: list[str]) -> list[str]:
    """The lines that there is room for, and how many more there are."""
    kept = Room(_ROOM).taken("lines", lines)
    more = len(lines) - len(kept)
    return [*kept, f"… ({more} more lines)"] if more else kept


class HunkJson(Struct, frozen=True, kw_only=True):
    """One conflict in the file."""

    first: int
    """The line of its first marker."""
    last: int
    ours: str
    """What its markers call our side; whoever wrote the file chose it."""
    theirs: str
    has_base: bool
    """Whether it shows what both sides come from. That counts for nothing."""

    @classmethod
    def of(cls, hunk: Hunk) -> Self:
        """One conflict."""
        return cls(
            first=hunk.first,
            last=hunk.last,
            ours=shortened(hunk.ours, _LONGEST),
            theirs=shortened(hunk.theirs, _LONGEST),
            has_base=hunk.has_base,
        )


class SideJson(Struct, frozen=True, kw_only=True):
    """One side that stands in the file."""

    name: str
    """`ours`, `theirs`, `block-2` and so on: what `--take` knows."""
    label: str
    """What the merge calls it; may be empty."""
    providers: int
    """How many it locks."""

    @classmethod
    def of(cls, side: ConflictSide) -> Self:
        """One side."""
        return cls(name=side.name, label=shortened(side.label, _LONGEST), providers=len(side.lock_file.providers))


class SideHashJson(Struct, frozen=True, kw_only=True):
    """A hash that a side locks, with its verdict for the version of that side."""

    hash: str
    line: int | None
    """Line in the file as it lies on disk; where git's index was read, in the side."""
    verdict: Verdict
    platforms: list[str]
    reasons: list[str]
    """Empty for a confirmed hash."""

    @classmethod
    def of(cls, row: HashRow) -> Self:
        """One row of a side's review."""
        return cls(
            hash=row.hash.text,
            line=row.line,
            verdict=row.verdict,
            platforms=platforms_json(row.platforms),
            reasons=[] if row.verdict is Verdict.CONFIRMED else list(reason_lines(row.reasons)),
        )


class CandidateJson(Struct, frozen=True, kw_only=True):
    """What one side locks for a provider."""

    side: str
    version: str
    constraints: str
    line: int
    hashes: list[SideHashJson]

    @classmethod
    def of(cls, candidate: Candidate) -> Self:
        """One side's block."""
        return cls(
            side=candidate.side,
            version=str(candidate.entry.version),
            constraints=candidate.entry.constraints,
            line=candidate.entry.line,
            hashes=[SideHashJson.of(row) for row in candidate.review.rows if row.locked],
        )


class LeftOutHashJson(Struct, frozen=True, kw_only=True):
    """A hash that some side has and the resolved entry has not."""

    hash: str
    sides: list[str]
    verdict: Verdict
    """For the version that is taken."""
    other_version: bool
    """Whether only sides with another version have it."""
    reasons: list[str]

    @classmethod
    def of(cls, left: LeftOutHash) -> Self:
        """One hash."""
        return cls(
            hash=left.row.hash.text,
            sides=list(left.sides),
            verdict=left.row.verdict,
            other_version=left.other_version,
            reasons=list(reason_lines(left.row.reasons)),
        )


class ResolvedProviderJson(Struct, frozen=True, kw_only=True):
    """One provider of which the sides do not say the same."""

    address: str
    sides: list[CandidateJson]
    version: str
    """The one that is taken."""
    why: str
    resolved: bool
    """False where nothing of it is confirmed, so that nothing is written."""
    constraints: str
    hashes: list[str]
    """What the resolved entry locks; all of it is confirmed."""
    left_out: list[LeftOutHashJson]
    notes: list[str]

    @classmethod
    def of(cls, provider: ResolvedProvider) -> Self:
        """One provider."""
        entry = provider.entry
        return cls(
            address=str(provider.address),
            sides=[CandidateJson.of(each) for each in provider.candidates],
            version=str(provider.version),
            why=provider.why,
            resolved=entry is not None,
            constraints="" if entry is None else entry.constraints,
            hashes=[] if entry is None else hashes_json(entry.hash_set),
            left_out=[LeftOutHashJson.of(each) for each in provider.left_out],
            notes=list(provider.notes),
        )


class ResolvedFileJson(Struct, frozen=True, kw_only=True):
    """One lock file."""

    path: str
    conflict: ConflictKind | None
    """How several sides came into it; null where only one stands there, or it cannot be read."""
    exit_code: ExitCode
    written: bool
    hunks: list[HunkJson]
    sides: list[SideJson]
    providers: list[ResolvedProviderJson]
    alike: list[str]
    """The providers of which the sides say the same; they stay as they are."""
    difference: list[str]
    """What writing changes, or has changed: a unified difference without its head, line ends other than a line feed
    written out."""
    problems: list[ProblemJson]

    @classmethod
    def of(cls, made: ResolvedFile, *, written: bool, problems: Iterable[FileProblem] = ()) -> Self:
        """A file in conflict."""
        found = made.resolution
        lines = [] if made.after is None else difference(found.conflict.data, made.after)
        told = list(problems)
        return cls(
            path=made.path,
            conflict=found.conflict.kind,
            exit_code=worst((code_for(unusable=bool(told)), made.exit_code)),
            written=written,
            hunks=[HunkJson.of(each) for each in found.conflict.hunks],
            sides=[SideJson.of(each) for each in found.conflict.sides],
            providers=[ResolvedProviderJson.of(each) for each in found.providers],
            alike=[str(each.address) for each in found.alike],
            difference=_bounded(list(map(diff_line, lines))),
            problems=[ProblemJson.of(each) for each in told],
        )

    @classmethod
    def without(cls, path: str, problems: Iterable[FileProblem]) -> Self:
        """A file with one side only, or one that cannot be read."""
        told = list(problems)
        return cls(
            path=path,
            conflict=None,
            exit_code=code_for(unusable=bool(told)),
            written=False,
            hunks=[],
            sides=[],
            providers=[],
            alike=[],
            difference=[],
            problems=[ProblemJson.of(each) for each in told],
        )


class ResolutionJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden resolve --format json` writes. Members may be added; none is removed or changes its meaning
    within version 1."""

    schema: Literal["lockwarden.resolution/1"] = "lockwarden.resolution/1"
    tool: ToolJson
    exit_code: ExitCode
    """Of the files as they are resolved: 0 nothing to object to, 1 findings, 2 a file cannot be read or written,
    3 something could not be verified and nothing worse was found."""
    sources: list[SourceJson]
    lock_files: list[ResolvedFileJson]


def json_resolution(
    result: RunResult,
    files: Mapping[str, ResolvedFileJson],
    exit_code: ExitCode,
    *,
    version: str,
) -> str:
    """The files of a run as one JSON object; `result` is that of the audit of their sides."""
    document = ResolutionJson(
        tool=ToolJson(version=version),
        exit_code=exit_code,
        sources=[SourceJson.of(each) for each in result.sources],
        lock_files=list(files.values()),
    )
    return json_text(document)
