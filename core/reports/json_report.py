"""The report as JSON, `lockwarden.report/1`, described by `docs/report.schema.json`.

It says everything that the screens show, with full values in a stable order, and derives nothing of its own. New
members may be added to it; none changes its meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, Self

from msgspec import UNSET, Struct, UnsetType

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.bounds import Room, Shares
from lockwarden.core.reports.configuration_lines import ConfigurationJson
from lockwarden.core.reports.evidence_lines import EvidenceJson
from lockwarden.core.reports.headline import answer_of, answer_of_run, loudest_of, loudest_of_all
from lockwarden.core.reports.json_module_check import ModuleCheckJson
from lockwarden.core.reports.json_provider import ProviderJson
from lockwarden.core.reports.json_rereleases import RereleaseJson
from lockwarden.core.reports.json_standards import BaseJson, LoudestJson, StandardsJson
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.reports.json_values import ProblemJson, SourceJson, ToolJson
from lockwarden.core.reports.result import FileProblem, FileResult, LeftOut, RunResult
from lockwarden.core.review.drift import BothRegistries, Drift, DriftForm, DriftKind
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.rereleases import Rerelease
from lockwarden.core.review.review import Review

MAX_SIZE: Final = 16_000_000
"""Bytes before the text is indented, which makes it up to three times as large: less than 50 MB in the end."""


class LockFileJson(Struct, frozen=True, kw_only=True):
    """One lock file. It has no providers when it cannot be read; the problems tell why."""

    path: str
    answer: str
    """Whether to commit, in words."""
    loudest: LoudestJson | None
    """Null when nothing is loud."""
    base: BaseJson | None
    """Null when there is none."""
    standards: StandardsJson | None
    """Null when the lock file cannot be read."""
    problems: list[ProblemJson]
    providers: list[ProviderJson]

    @classmethod
    def of(cls, result: FileResult, shares: Shares) -> Self:
        """One file of the run, each provider with its share."""
        review = result.review
        problems: list[Problem | FileProblem] = [*result.problems, *(() if review is None else review.problems)]
        return cls(
            path=result.path,
            answer=answer_of(result),
            loudest=LoudestJson.of(loudest_of(result)),
            base=None if review is None else BaseJson.of(review),
            standards=None if review is None else StandardsJson.of(review.standards),
            problems=[ProblemJson.of(problem) for problem in problems],
            providers=[] if review is None else _providers(review, shares),
        )


class DriftFormJson(Struct, frozen=True, kw_only=True):
    """One way in which a provider is locked, and by which files."""

    version: str
    kinds: list[DriftKind]
    """In what it differs from what most files have."""
    hashes: list[str]
    lacking: list[str]
    """Hashes that other files lock for the same version."""
    paths: list[str]

    @classmethod
    def of(cls, drift: Drift, form: DriftForm) -> Self:
        """One of several ways."""
        return cls(
            version=str(form.version),
            kinds=list(form.kinds),
            hashes=[str(each) for each in sorted(form.hashes)],
            lacking=[str(each) for each in sorted(drift.lacking(form))],
            paths=list(form.paths),
        )


class DriftJson(Struct, frozen=True, kw_only=True):
    """A provider that the lock files lock in more than one way."""

    address: str
    kinds: list[DriftKind]
    """In what the files differ, the loudest first: `zh` hashes of one version, or versions. What is ordinary: that some
    have no `zh` hashes for a version (`no zh`), and `h1` hashes, where files are used on different platforms."""
    forms: list[DriftFormJson]
    """The newest version first, and of one version what most files lock."""

    @classmethod
    def of(cls, drift: Drift) -> Self:
        """One provider."""
        forms = [DriftFormJson.of(drift, form) for form in drift.forms]
        return cls(address=str(drift.address), kinds=list(drift.kinds), forms=forms)


class RegistryPlaceJson(Struct, frozen=True, kw_only=True):
    """A provider at one of the registries that it is locked under."""

    address: str
    paths: list[str]


class BothRegistriesJson(Struct, frozen=True, kw_only=True):
    """A provider that is locked under both default registries."""

    places: list[RegistryPlaceJson]

    @classmethod
    def of(cls, both: BothRegistries) -> Self:
        """One provider."""
        return cls(places=[RegistryPlaceJson(address=str(each), paths=list(paths)) for each, paths in both.places])


class LeftOutJson(Struct, frozen=True, kw_only=True):
    """What a search through folders did not look at, or could not tell."""

    count: int
    """How many files or links; 0 where it is about none in particular."""
    message: str

    @classmethod
    def of(cls, left_out: LeftOut) -> Self:
        """One thing that was left out."""
        return cls(count=left_out.count, message=left_out.message)


class ReportJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden check --format json` writes. Members may be added; none is removed or changes its meaning within
    version 1."""

    schema: Literal["lockwarden.report/1"] = "lockwarden.report/1"
    answer: str
    """Whether to commit, in words; of several files, that of the worst."""
    loudest: LoudestJson | None
    """Null when nothing is loud."""
    exit_code: ExitCode
    """0 nothing to object to, 1 findings, 2 a lock file cannot be read, 3 something could not be verified and nothing
    worse was found."""
    sources: list[SourceJson]
    configuration: ConfigurationJson | None
    """Null where none was looked for."""
    lock_files: list[LockFileJson]
    drift: list[DriftJson]
    """Providers that the lock files lock in more than one way; it objects to nothing."""
    both_registries: list[BothRegistriesJson]
    """Providers that the lock files lock under both default registries; it objects to nothing."""
    left_out: list[LeftOutJson]
    """What a search through folders did not look at, or could not tell."""
    tool: ToolJson
    evidence: EvidenceJson | UnsetType = UNSET
    """The evidence bundle that answered in the sources' place; absent where they were asked."""
    modules: ModuleCheckJson | UnsetType = UNSET
    """The modules of the configurations; absent without --modules."""
    rereleases: list[RereleaseJson] | UnsetType = UNSET
    """Packages that earlier runs or backfills saw, of locked hashes that nothing vouches for now; absent without
    --verbose, and where there are none."""
    omitted: int | UnsetType = UNSET
    """How many things are left out because the report would be too large; absent when nothing is."""


def json_report(
    result: RunResult, *, version: str = "", limit: int = MAX_SIZE, rereleases: Sequence[Rerelease] = ()
) -> str:
    """The whole report as one JSON object, indented, with a line feed at the end. It is plain ASCII.

    Where it would be larger than some `limit` bytes, before they are indented, each provider has its share; what has no
    room in it is left out and counted, the hashes that nothing speaks against first.
    """
    shares = Shares(limit, sum(len(each.review.providers) for each in result.files if each.review is not None))
    files = [LockFileJson.of(each, shares) for each in result.files]
    room = Room(shares.left)
    drift = room.taken("drift", map(DriftJson.of, result.drift))
    both = room.taken("both_registries", map(BothRegistriesJson.of, result.both_registries))
    modules = UNSET if result.modules is None else ModuleCheckJson.of(result.modules, room)
    anew = room.taken("rereleases", map(RereleaseJson.of, rereleases))
    omitted = shares.omitted + sum(room.omitted.values())
    document = ReportJson(
        answer=answer_of_run(result),
        loudest=LoudestJson.of(loudest_of_all(result)),
        exit_code=result.exit_code,
        sources=[SourceJson.of(source) for source in result.sources],
        configuration=ConfigurationJson.of(result.configuration),
        lock_files=files,
        drift=drift,
        both_registries=both,
        left_out=[LeftOutJson.of(each) for each in result.left_out],
        tool=ToolJson(version=version),
        evidence=UNSET if result.evidence is None else EvidenceJson.of(result.evidence),
        modules=modules,
        rereleases=anew or UNSET,
        omitted=omitted or UNSET,
    )
    return json_text(document)


def _providers(review: Review, shares: Shares) -> list[ProviderJson]:
    described = []
    for each in review.providers:
        room = shares.give()
        described.append(ProviderJson.of(review, each, room))
        shares.settle(room)
    return described
