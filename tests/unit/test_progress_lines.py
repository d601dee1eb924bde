"""What the commands tell of a running audit, for any time of any clock."""

from __future__ import annotations

from fakes.lock_files import EDGE, every_verdict
from fakes.running import LINUX

from lockwarden.cli.progress_lines import Heard, log_line
from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditPlanned,
    BytesArrived,
    LookupStarted,
    PackageChecked,
    ProviderAudited,
    RequestEnded,
    RequestSent,
    RetryScheduled,
)
from lockwarden.core.values.errors import Stage

PLANNED = AuditPlanned(releases=((EDGE.address, EDGE.version),))
SENT = RequestSent(number=1, host="mirror.example.test", stage=Stage.PACKAGE)
LOOKUP = LookupStarted(address=EDGE.address, version=EDGE.version, source="direct")


def heard(*events: AuditEvent) -> tuple[Heard, list[float]]:
    times = [0.0]
    hearing = Heard(lambda: times[0])
    for event in events:
        hearing.report(event)
    return hearing, times


def test_the_line_tells_what_is_done_until_somebody_keeps_silent() -> None:
    hearing, times = heard(PLANNED, LOOKUP, SENT)

    assert hearing.words() == "corp/edge 2.0.0: asking direct"
    times[0] = 4.5
    assert hearing.words() == "4 s · 4 s without an answer from mirror.example.test (package)"
    hearing.report(BytesArrived(number=1, received=2_000, total=None))
    hearing.report(RequestEnded(number=1))
    checked = PackageChecked(
        address=EDGE.address, version=EDGE.version, source="direct", platform=LINUX, outcome="hashed"
    )
    hearing.report(checked)
    assert hearing.words() == "4 s · 2.0 kB, 444 B/s · corp/edge 2.0.0 linux_amd64: hashed"


def test_a_reason_from_outside_acts_on_no_terminal() -> None:
    retry = RetryScheduled(url="https://x/", stage=Stage.SUMS, attempt=2, delay=9.0, reason="503 \x1b]0;x", host="x")
    hearing, times = heard(retry)
    times[0] = 2.0

    assert hearing.words() == "2 s · x is asked again in 7 s (attempt 2): 503 <U+001B>]0;x"


def test_a_line_of_a_log_tells_how_far_it_is() -> None:
    hearing, times = heard(PLANNED, SENT)
    times[0] = 40.0
    assert log_line(hearing) == "0 of 1 providers; 40 s; 40 s without an answer from mirror.example.test (package)"

    audit = next(each for each in every_verdict().audits if each.address == EDGE.address)
    hearing.report(ProviderAudited(audit=audit))
    hearing.report(RequestEnded(number=1))
    assert log_line(hearing) == "1 of 1 providers; 40 s"
