"""The audit's own rules: which platforms it looks at, in which order, and what it keeps when it is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from builders.audits import ADDRESS, DARWIN, LINUX, MIRROR, ORIGIN, VERSION, WINDOWS, h1, zh
from builders.sources import ScriptedRelease, ScriptedSource
from msgspec.structs import replace

from lockwarden.core.engine.audit import AuditPlan, PlatformChoice, ReleasePlan, run_audit
from lockwarden.core.evidence.events import AuditEvent, AuditFinished, AuditPlanned, ProviderAudited, Report
from lockwarden.core.evidence.source_answers import Audit, Outcome, Problem
from lockwarden.core.lockfile.model import LockedHash, LockedProvider
from lockwarden.core.oci_signatures.given import GivenBundle
from lockwarden.core.review.provider_judging import review_provider
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.system.allowance import AuditLimits
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

FREEBSD = Platform("freebsd", "amd64")
FOUR = {LINUX: "linux", DARWIN: "darwin", WINDOWS: "windows", FREEBSD: "freebsd"}
AUTO = PlatformChoice(wanted=frozenset({LINUX}), explain=True)


def release(*locked: Hash, address: ProviderAddress = ADDRESS) -> ReleasePlan:
    return ReleasePlan(address=address, version=VERSION, locked=frozenset(locked))


def run(*sources: ScriptedSource, locked: tuple[Hash, ...], platforms: PlatformChoice = AUTO) -> Audit:
    plan = AuditPlan(releases=(release(*locked),), sources=sources, platforms=platforms)
    return asyncio.run(run_audit(plan, lambda event: None))[0]


def test_auto_looks_at_no_more_than_the_wanted_platform_when_nothing_is_left_to_explain() -> None:
    origin = ScriptedSource(ORIGIN, FOUR)
    run(origin, locked=(h1("linux"), zh("whatever")))
    assert origin.checked == [LINUX]


def test_auto_looks_at_as_many_packages_as_there_are_h1_hashes() -> None:
    origin = ScriptedSource(ORIGIN, FOUR)
    run(origin, locked=(h1("linux"), h1("darwin"), h1("windows")))
    assert origin.checked == [LINUX, DARWIN, WINDOWS]


def test_a_claim_of_the_source_makes_a_platform_the_likeliest() -> None:
    origin = ScriptedSource(ORIGIN, FOUR, claims={FREEBSD: frozenset({h1("freebsd")})})
    run(origin, locked=(h1("linux"), h1("freebsd")))
    assert origin.checked == [LINUX, FREEBSD]


def test_a_planted_h1_costs_every_platform_and_then_ends() -> None:
    origin = ScriptedSource(ORIGIN, FOUR)
    run(origin, locked=(h1("linux"), h1("planted")))
    assert sorted(origin.checked) == sorted(FOUR)


def test_signatures_that_were_given_stand_in_the_answer_that_has_what_they_are_about() -> None:
    plan = AuditPlan(releases=(release(zh("linux")),), sources=(ScriptedSource(ORIGIN, FOUR),), platforms=AUTO)
    bundles = [GivenBundle(name=each, data=b"{}", digests=frozenset({zh(each).value})) for each in ("linux", "none")]
    (audit,) = asyncio.run(run_audit(replace(plan, bundles=tuple(bundles)), lambda event: None))
    assert [each.found_at for each in audit.source_answers[0].other_signatures] == ["the file linux"]
    assert run(ScriptedSource(ORIGIN, FOUR), locked=(zh("linux"),)).source_answers[0].other_signatures == ()


def test_a_hash_that_can_never_match_costs_nothing() -> None:
    origin = ScriptedSource(ORIGIN, FOUR)
    run(origin, locked=(h1("linux"), Hash("h1:never"), Hash("h9:unknown")))
    assert origin.checked == [LINUX]


def test_named_platforms_are_looked_at_and_no_others() -> None:
    origin = ScriptedSource(ORIGIN, FOUR)
    run(origin, locked=(h1("planted"),), platforms=PlatformChoice(wanted=frozenset({DARWIN, WINDOWS})))
    assert sorted(origin.checked) == [DARWIN, WINDOWS]


def test_every_platform_of_the_release_can_be_asked_for() -> None:
    origin = ScriptedSource(ORIGIN, FOUR)
    run(origin, locked=(), platforms=PlatformChoice(wanted=frozenset(), every=True))
    assert sorted(origin.checked) == sorted(FOUR)


def test_the_origins_packages_explain_while_it_is_among_the_sources() -> None:
    origin, mirror = ScriptedSource(ORIGIN, FOUR), ScriptedSource(MIRROR, FOUR)
    run(mirror, origin, locked=(h1("linux"), h1("darwin")))
    assert origin.checked == [LINUX, DARWIN]
    assert mirror.checked == [LINUX]


def test_a_mirrors_packages_explain_when_the_origin_does_not_know_the_release() -> None:
    origin = ScriptedSource(ORIGIN, outcome=Outcome.NOT_THERE)
    mirror = ScriptedSource(MIRROR, FOUR)
    run(origin, mirror, locked=(h1("linux"), h1("darwin")))
    assert mirror.checked == [LINUX, DARWIN]


def test_an_origin_that_is_down_is_not_replaced_by_a_mirror() -> None:
    origin = ScriptedSource(ORIGIN, outcome=Outcome.NO_ANSWER)
    mirror = ScriptedSource(MIRROR, FOUR)
    run(origin, mirror, locked=(h1("linux"), h1("darwin")))
    assert mirror.checked == [LINUX]


def test_nothing_left_to_look_at_ends_the_search() -> None:
    mirror = ScriptedSource(MIRROR, {LINUX: "linux"})
    run(mirror, locked=(h1("planted"),))
    assert mirror.checked == [LINUX]


def test_findings_stand_in_the_order_of_the_sources_and_audits_in_the_order_of_the_plan() -> None:
    other = ProviderAddress.parse("registry.example.test/acme/other")
    plan = AuditPlan(
        releases=(release(), release(address=other)),
        sources=(ScriptedSource(MIRROR, FOUR), ScriptedSource(ORIGIN, FOUR)),
        platforms=AUTO,
    )
    events: list[AuditEvent] = []
    audits = asyncio.run(run_audit(plan, events.append))
    assert [audit.address for audit in audits] == [ADDRESS, other]
    assert [answer.source for answer in audits[0].source_answers] == [MIRROR, ORIGIN]
    assert isinstance(events[0], AuditPlanned)
    assert [address for address, _ in events[0].releases] == [ADDRESS, other]
    assert isinstance(events[-1], AuditFinished)
    assert sum(isinstance(event, ProviderAudited) for event in events) == 2


def test_a_source_that_does_not_serve_a_provider_is_neither_asked_nor_among_its_findings() -> None:
    origin, mirror = ScriptedSource(ORIGIN, FOUR), ScriptedSource(MIRROR, FOUR)
    plan = AuditPlan(
        releases=(replace(release(h1("linux"), h1("darwin")), sources=frozenset({MIRROR.id})),),
        sources=(origin, mirror),
        platforms=AUTO,
    )
    audit = asyncio.run(run_audit(plan, lambda event: None))[0]
    assert [answer.source for answer in audit.source_answers] == [MIRROR]
    assert audit.origin is None
    assert (origin.checked, mirror.checked) == ([], [LINUX, DARWIN])


def test_a_release_that_no_source_serves_keeps_what_was_known_before() -> None:
    known = Problem(code=ProblemCode.NO_SOURCE, severity=Severity.WARNING, message="nobody serves it")
    planned = replace(release(h1("linux")), sources=frozenset(), problems=(known,))
    plan = AuditPlan(releases=(planned,), sources=(ScriptedSource(ORIGIN, FOUR),), platforms=AUTO)
    audit = asyncio.run(run_audit(plan, lambda event: None))[0]
    assert (audit.source_answers, audit.problems) == ((), (known,))
    entry = LockedProvider(
        address=ADDRESS,
        version=VERSION,
        constraints="",
        hashes=(LockedHash(hash=h1("linux"), line=3),),
        line=1,
    )
    review = review_provider(entry, audit, settings=ClientSettings(), platforms=frozenset({LINUX}))
    assert review.problems == (known,)
    assert [row.verdict for row in review.rows] == [Verdict.UNCHECKED]
    assert review.incomplete
    assert not review.objected


def test_cancelling_keeps_what_is_known_and_says_what_was_not_asked() -> None:
    async def cancelled() -> list[AuditEvent]:
        slow = ScriptedSource(MIRROR, FOUR, stall=asyncio.Event())
        plan = AuditPlan(releases=(release(),), sources=(ScriptedSource(ORIGIN, FOUR), slow), platforms=AUTO)
        events: list[AuditEvent] = []
        task = asyncio.create_task(run_audit(plan, events.append))
        await slow.stalled.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return events

    events = asyncio.run(cancelled())
    audits = [event.audit for event in events if isinstance(event, ProviderAudited)]
    assert len(audits) == 1
    origin, mirror = audits[0].source_answers
    assert [package.outcome for package in origin.packages] == [Outcome.ANSWERED]
    assert [(package.platform, package.outcome) for package in mirror.packages] == [(LINUX, Outcome.NOT_ASKED)]
    assert "cancelled" in mirror.packages[0].detail


def test_cancelling_before_a_source_was_opened_leaves_a_finding_that_says_so() -> None:
    class Closed(ScriptedSource):
        async def open(
            self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
        ) -> ScriptedRelease:
            self.stalled.set()
            await asyncio.Event().wait()
            raise AssertionError("nobody lets it go on")

    async def cancelled() -> Audit:
        closed = Closed(ORIGIN)
        plan = AuditPlan(releases=(release(),), sources=(closed,), platforms=AUTO)
        events: list[AuditEvent] = []
        task = asyncio.create_task(run_audit(plan, events.append))
        await closed.stalled.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return next(event.audit for event in events if isinstance(event, ProviderAudited))

    answer = asyncio.run(cancelled()).source_answers[0]
    assert answer.outcome is Outcome.NOT_ASKED
    assert "cancelled" in answer.detail


class Silent(ScriptedSource):
    """A source that never opens a release."""

    async def open(
        self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
    ) -> ScriptedRelease:
        await asyncio.Event().wait()
        raise AssertionError("nobody lets it go on")


def out_of_time(*sources: ScriptedSource, locked: tuple[Hash, ...] = ()) -> Audit:
    plan = AuditPlan(releases=(release(*locked),), sources=sources, platforms=AUTO, limits=AuditLimits(seconds=0.05))
    return asyncio.run(run_audit(plan, lambda event: None))[0]


def test_a_source_that_never_answers_ends_with_the_time_of_the_release() -> None:
    audit = out_of_time(ScriptedSource(MIRROR, FOUR), Silent(ORIGIN))
    assert [answer.outcome for answer in audit.source_answers] == [Outcome.ANSWERED, Outcome.NOT_ASKED]
    assert audit.source_answers[1].detail == "the 0.05 seconds for this release had passed before it was asked"
    (problem,) = audit.problems
    assert (problem.code, problem.severity) == ("audit-out-of-time", Severity.WARNING)
    assert problem.message == (
        f"the audit of {ADDRESS} {VERSION} was ended after 0.05 seconds, before everything was asked; no answer by"
        f" then: {ORIGIN.id}"
    )


def test_a_package_that_was_not_there_in_time_leaves_its_hash_unchecked() -> None:
    audit = out_of_time(ScriptedSource(ORIGIN, FOUR, stall=asyncio.Event()), locked=(h1("linux"),))
    assert [(each.platform, each.outcome) for each in audit.source_answers[0].packages] == [(LINUX, Outcome.NOT_ASKED)]
    assert "had passed" in audit.source_answers[0].packages[0].detail
    assert audit.problems[0].message.endswith("before everything was asked")
    locked = (LockedHash(hash=h1("linux"), line=3),)
    entry = LockedProvider(address=ADDRESS, version=VERSION, constraints="", hashes=locked, line=1)
    review = review_provider(entry, audit, settings=ClientSettings(), platforms=frozenset({LINUX}))
    assert [row.verdict for row in review.rows] == [Verdict.UNCHECKED]
    assert review.incomplete
    assert not review.objected


def test_each_release_has_its_own_time() -> None:
    other = ProviderAddress.parse("registry.example.test/acme/other")
    plan = AuditPlan(
        releases=(
            replace(release(), sources=frozenset({ORIGIN.id})),
            replace(release(address=other), sources=frozenset({MIRROR.id})),
        ),
        sources=(Silent(ORIGIN), ScriptedSource(MIRROR, FOUR)),
        platforms=AUTO,
        limits=AuditLimits(seconds=0.05),
    )
    first, second = asyncio.run(run_audit(plan, lambda event: None))
    assert [problem.code for problem in first.problems] == ["audit-out-of-time"]
    assert (second.problems, second.source_answers[0].outcome) == ((), Outcome.ANSWERED)


def test_a_source_that_breaks_with_a_timeout_of_its_own_is_a_bug_and_no_end_of_time() -> None:
    class Broken(ScriptedSource):
        async def open(
            self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
        ) -> ScriptedRelease:
            raise TimeoutError

    with pytest.raises(ExceptionGroup):
        out_of_time(Broken(ORIGIN))
