"""Runs the sources side by side and returns audits; tells what happens through one `report` callable.

A source that fails is a value in a answer. Cancelling an audit keeps what is known: a release whose audit was under
way is reported with what was not asked marked as such.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.events import AuditFinished, AuditPlanned, ProviderAudited, Report
from lockwarden.core.evidence.source_answers import Audit, Outcome, PackageFacts, Problem, SourceAnswer
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.sources.port import OpenRelease, Source
from lockwarden.core.system.allowance import AuditLimits, Total, begin_allowance
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import H1, Hash
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

if TYPE_CHECKING:
    from lockwarden.core.oci_signatures.given import GivenBundle

DEFAULT_JOBS: Final = 8
"""Packages that are fetched and hashed at the same time."""
_RELEASES_AT_ONCE: Final = 16
"""Releases whose documents are asked for at the same time: nearly all of that is waiting."""
_CANCELLED: Final = "the audit was cancelled before it was asked"


class ReleasePlan(Struct, frozen=True, kw_only=True):
    """One provider version to audit, and the hashes that the audit should explain."""

    address: ProviderAddress
    version: Version
    locked: frozenset[Hash]
    sources: frozenset[str] | None = None
    """Ids of the sources that serve the provider; None for all. The others are no part of its audit."""
    chain: tuple[str, ...] = ()
    """Ids of the sources that are a client's installation methods, in its order; empty where they are no chain."""
    problems: tuple[Problem, ...] = ()
    """What is known before any source is asked; it becomes part of the audit."""


class PlatformChoice(Struct, frozen=True, kw_only=True):
    """Which platforms' packages are looked at."""

    wanted: frozenset[Platform]
    """Always looked at; their hashes are the ones that a lock file should hold."""
    explain: bool = False
    """Look at as many more as it takes to explain every locked `h1`, the likeliest first."""
    every: bool = False
    """Look at every platform of the release."""


class AuditPlan(Struct, frozen=True, kw_only=True):
    """What to audit, against which sources, for which platforms."""

    releases: tuple[ReleasePlan, ...]
    sources: tuple[Source, ...]
    platforms: PlatformChoice
    jobs: int = DEFAULT_JOBS
    """Packages that are downloaded and hashed at the same time."""
    limits: AuditLimits = msgspec.field(default_factory=AuditLimits)
    """What each release may cost."""
    bundles: tuple[GivenBundle, ...] = ()
    """Signatures that the operator gives as files, for whatever release they are about."""


async def run_audit(plan: AuditPlan, report: Report) -> tuple[Audit, ...]:
    """Audit every release of the plan; the audits come back in the plan's order, whatever finished first.

    Every audit is also reported when it ends. Cancelling reports those under way with what is known of them.
    """
    report(AuditPlanned(releases=tuple((each.address, each.version) for each in plan.releases)))
    at_once = asyncio.Semaphore(_RELEASES_AT_ONCE)
    slots = asyncio.Semaphore(plan.jobs)
    total = Total()

    async def one(release: ReleasePlan) -> Audit:
        async with at_once:
            return await _ReleaseAudit(plan, release, report, slots, total).run()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(release)) for release in plan.releases]
    report(AuditFinished())
    return tuple(task.result() for task in tasks)


class _ReleaseAudit(Struct, dict=True):
    """The audit of one release while it runs."""

    plan: AuditPlan
    release: ReleasePlan
    report: Report
    slots: asyncio.Semaphore
    total: Total
    opened: dict[str, OpenRelease] = msgspec.field(default_factory=dict)
    asked: set[tuple[str, Platform]] = msgspec.field(default_factory=set)
    out_of_time: bool = False

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        chosen = self.release.sources
        return tuple(source for source in self.plan.sources if chosen is None or source.ref.id in chosen)

    async def run(self) -> Audit:
        begin_allowance(self.plan.limits, self.total)
        try:
            async with asyncio.timeout(self.plan.limits.seconds):
                await self._open_all()
                await self._check((source, platform) for source in self.opened for platform in self._wanted(source))
                if self.plan.platforms.explain:
                    await self._explain()
        except TimeoutError:
            # A source's own would come in the group of errors of the tasks that it was raised in.
            self.out_of_time = True
        finally:
            audit = self.audit()
            self.report(ProviderAudited(audit=audit))
        return audit

    async def _open_all(self) -> None:
        first = sorted(self.plan.platforms.wanted, key=by_popularity)

        async def open_one(source: Source) -> None:
            release = self.release
            self.opened[source.ref.id] = await source.open(
                release.address, release.version, platforms=first, report=self.report
            )

        async with asyncio.TaskGroup() as group:
            for source in self.sources:
                group.create_task(open_one(source))

    def _wanted(self, source: str) -> frozenset[Platform]:
        choice = self.plan.platforms
        every = self.opened[source].platforms if choice.every else None
        return choice.wanted | (every or frozenset())

    async def _check(self, packages: Iterable[tuple[str, Platform]]) -> None:
        async def check_one(source: str, platform: Platform) -> None:
            self.asked.add((source, platform))
            async with self.slots:
                await self.opened[source].check(platform)

        async with asyncio.TaskGroup() as group:
            for source, platform in packages:
                group.create_task(check_one(source, platform))

    async def _explain(self) -> None:
        """Look at further platforms until every locked `h1` is explained or none is left."""
        round_size = 0
        while unexplained := self._unexplained():
            source = self._explainer()
            if source is None:
                return
            likely = self._likely(source, unexplained)
            if not likely:
                return
            round_size = max(len(unexplained), 2 * round_size)
            await self._check((source, platform) for platform in likely[:round_size])

    def _unexplained(self) -> frozenset[Hash]:
        evidence = Evidence(self.audit(), self.plan.platforms.wanted)
        return frozenset(
            hash_
            for hash_ in self.release.locked
            if hash_.scheme == H1
            and hash_.usable
            and not any(evidence.counts(hash_, observation) for observation in evidence.observations(hash_))
        )

    def _explainer(self) -> str | None:
        """The source whose packages decide: the origin if it is among the sources and knows the release, else the
        first that has platforms left to look at."""
        for source in self.sources:
            if source.ref.is_origin and self.opened[source.ref.id].source_answer().outcome is not Outcome.NOT_THERE:
                return source.ref.id
        return next((source.ref.id for source in self.sources if self._left(source.ref.id)), None)

    def _left(self, source: str) -> frozenset[Platform]:
        platforms = self.opened[source].platforms or frozenset()
        return frozenset(platform for platform in platforms if (source, platform) not in self.asked)

    def _likely(self, source: str, unexplained: frozenset[Hash]) -> Sequence[Platform]:
        claimed = self.opened[source].claimed
        return sorted(
            self._left(source),
            key=lambda platform: (not (claimed.get(platform, frozenset()) & unexplained), by_popularity(platform)),
        )

    def audit(self) -> Audit:
        """What is known so far, in the order of the sources."""
        return Audit(
            address=self.release.address,
            version=self.release.version,
            source_answers=tuple(self._with_given(self._finding(source)) for source in self.sources),
            problems=(*self.release.problems, *([self._timeout_problem()] if self.out_of_time else [])),
            chain=self.release.chain,
        )

    def _with_given(self, answer: SourceAnswer) -> SourceAnswer:
        if not self.plan.bundles:
            return answer
        from lockwarden.core.oci_signatures.given import with_given

        return with_given(answer, self.plan.bundles)

    @property
    def _why_unasked(self) -> str:
        seconds = f"{self.plan.limits.seconds:g} seconds"
        return f"the {seconds} for this release had passed before it was asked" if self.out_of_time else _CANCELLED

    @property
    def _to_ask(self) -> str:
        return "give it more time with --timeout" if self.out_of_time else "start the audit again"

    def _timeout_problem(self) -> Problem:
        unopened = [source.ref.id for source in self.sources if source.ref.id not in self.opened]
        silent = f"; no answer by then: {', '.join(unopened)}" if unopened else ""
        return Problem(
            code=ProblemCode.AUDIT_OUT_OF_TIME,
            severity=Severity.WARNING,
            message=f"the audit of {self.release.address} {self.release.version} was ended after"
            f" {self.plan.limits.seconds:g} seconds, before everything was asked{silent}",
            hint="what is missing stays unchecked; give it more time with --timeout, or look why a source is slow",
        )

    def _finding(self, source: Source) -> SourceAnswer:
        release = self.opened.get(source.ref.id)
        if release is None:
            return SourceAnswer(
                source=source.ref, outcome=Outcome.NOT_ASKED, detail=self._why_unasked, hint=self._to_ask
            )
        answer = release.source_answer()
        if answer.outcome is not Outcome.ANSWERED:
            return answer
        missing = self._wanted(source.ref.id) - {package.platform for package in answer.packages}
        unasked = tuple(
            PackageFacts(platform=platform, outcome=Outcome.NOT_ASKED, detail=self._why_unasked, hint=self._to_ask)
            for platform in sorted(missing, key=by_popularity)
        )
        return replace(answer, packages=(*answer.packages, *unasked))
