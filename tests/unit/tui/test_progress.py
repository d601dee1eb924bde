"""The fold of an audit's events."""

from __future__ import annotations

from collections.abc import Iterable

from fakes.lock_files import EDGE, RELAY, every_verdict

from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditFinished,
    AuditPlanned,
    LookupStarted,
    PackageChecked,
    PackageProgress,
    ProviderAudited,
    RetryScheduled,
)
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.platforms import Platform
from lockwarden.tui.state.progress import WAITING, Phase, Progress, ReleaseEvent, fold_events

LINUX = Platform("linux", "amd64")
PLANNED = AuditPlanned(releases=((EDGE.address, EDGE.version), (RELAY.address, RELAY.version)))
BEGUN = Progress(phase=Phase.RUNNING, states={EDGE.address: WAITING, RELAY.address: WAITING}, total=2)
LOOKUP = LookupStarted(address=EDGE.address, version=EDGE.version, source="direct")
RETRY = RetryScheduled(url="https://x/", stage=Stage.SUMS, attempt=1, delay=1.0, reason="503")
AUDITED = ProviderAudited(audit=next(each for each in every_verdict().audits if each.address == EDGE.address))


def of_provider(event: ReleaseEvent) -> ProviderAddress:
    return event.audit.address if isinstance(event, ProviderAudited) else event.address


def fold(progress: Progress, events: Iterable[AuditEvent]) -> Progress:
    return fold_events(progress, events, of_provider)


def received(amount: int, total: int | None) -> PackageProgress:
    return PackageProgress(
        address=EDGE.address, version=EDGE.version, source="direct", platform=LINUX, received=amount, total=total
    )


def checked() -> PackageChecked:
    return PackageChecked(
        address=EDGE.address, version=EDGE.version, source="direct", platform=LINUX, outcome="answered"
    )


def test_at_first_every_provider_waits() -> None:
    progress = BEGUN

    assert (progress.total, progress.done, progress.running) == (2, 0, True)
    assert progress.of(EDGE.address).summary == "waiting"
    assert progress.summary == "0/2 providers"


def test_each_provider_tells_what_it_is_doing_and_how_far_it_is() -> None:
    progress = fold(BEGUN, [LOOKUP])
    assert progress.of(EDGE.address).summary == "asking direct"

    progress = fold(progress, [received(500, 1000)])
    assert progress.of(EDGE.address).summary == "linux_amd64 50%"

    progress = fold(progress, [received(2000, 1000)])
    assert progress.of(EDGE.address).summary == "linux_amd64 100%"

    progress = fold(progress, [received(2000, None)])
    assert progress.of(EDGE.address).summary == "linux_amd64 2.0 kB"

    progress = fold(progress, [checked(), checked()])
    assert progress.of(EDGE.address).summary == "2 packages looked at"
    assert progress.of(RELAY.address).summary == "waiting"


def test_results_and_retries_are_counted() -> None:
    progress = fold(BEGUN, [LOOKUP, RETRY, AUDITED])

    assert progress.done == 1
    assert progress.summary == "1/2 providers · 1 retry"
    assert fold(progress, [RETRY]).summary == "1/2 providers · 2 retries"


def test_plan_and_end_of_one_clients_audit_are_not_those_of_the_run() -> None:
    assert fold(BEGUN, [PLANNED, AuditFinished()]) == BEGUN


def test_events_of_what_was_not_planned_do_no_harm() -> None:
    progress = fold(Progress(), [LOOKUP, received(1, 2), checked(), AUDITED])

    assert progress.done == 1
    assert Progress().summary == "no providers"


def test_folding_one_by_one_is_folding_at_once() -> None:
    events: list[AuditEvent] = [PLANNED, LOOKUP, received(1, 2), RETRY, checked(), AUDITED, AuditFinished()]
    progress = Progress()
    for event in events:
        progress = fold(progress, [event])

    assert progress == fold(Progress(), events)
