"""Whether a run lives, for any time of any clock."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditFinished,
    AuditPlanned,
    BytesArrived,
    ProviderAudited,
    RequestEnded,
    RequestSent,
    RetryScheduled,
)
from lockwarden.core.evidence.pulse import Watch, duration, is_due, pulse_in_words
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.versions import Version

ACME = ProviderAddress.parse("registry.example.test/acme/edge")
VERSION = Version(1, 0, 0)
PLANNED = AuditPlanned(releases=((ACME, VERSION), (ACME, Version(2, 0, 0))))
AUDITED = ProviderAudited(audit=Audit(address=ACME, version=VERSION, source_answers=()))


def sent(number: int = 1, host: str = "mirror.example.test", stage: Stage = Stage.VERSIONS) -> RequestSent:
    return RequestSent(number=number, host=host, stage=stage)


def arrived(received: int, total: int | None = None, number: int = 1) -> BytesArrived:
    return BytesArrived(number=number, received=received, total=total)


def retry(delay: float, host: str = "registry.example.test", url: str = "https://x/") -> RetryScheduled:
    return RetryScheduled(url=url, stage=Stage.SUMS, attempt=2, delay=delay, reason="it answered 503", host=host)


def told(now: float, *heard: tuple[float, AuditEvent]) -> list[str]:
    watch = Watch(begun=100.0)
    for at, event in heard:
        watch.hear(event, 100.0 + at)
    return list(pulse_in_words(watch.moment(100.0 + now)))


def test_nothing_is_told_of_what_is_over_at_once() -> None:
    assert told(0.9, (0, PLANNED), (0, sent())) == []
    assert told(-5) == []


def test_a_server_that_keeps_silent_is_told_after_a_second_and_until_it_answers() -> None:
    silent = "without an answer from mirror.example.test (list of versions)"
    assert told(1.0, (0.5, sent())) == ["1 s"]
    assert told(1.5, (0.5, sent())) == ["1 s", f"1 s {silent}"]
    assert told(70, (0.5, sent())) == ["1:10", f"1:09 {silent}"]
    assert told(70, (0.5, sent()), (69, RequestEnded(number=1))) == ["1:10"]


def test_each_silent_host_is_told_once_the_longest_first() -> None:
    assert told(9, (3, sent(1)), (1, sent(2, "b.example.test", Stage.SUMS)), (2, sent(3))) == [
        "9 s",
        "8 s without an answer from b.example.test (SHA256SUMS)",
        "7 s without an answer from mirror.example.test (list of versions)",
    ]


def test_what_arrives_is_told_with_all_of_it_its_rate_and_the_time_left() -> None:
    package = sent(stage=Stage.PACKAGE)
    events = ((0, package), (2, arrived(1_000_000, 20_000_000)), (4, arrived(5_000_000, 20_000_000)))
    assert told(4.5, *events) == ["4 s", "5.0 MB of 20.0 MB, 1.1 MB/s, 13 s left"]
    assert told(4.5, *events[:2]) == [
        "4 s",
        "2 s without an answer from mirror.example.test (package)",
        "1.0 MB of 20.0 MB, 222.2 kB/s, 1:25 left",
    ]


def test_the_rate_is_that_of_the_last_seconds() -> None:
    package = sent(stage=Stage.PACKAGE)
    events = ((0, package), (1, arrived(10_000_000, 40_000_000)), (20, arrived(15_000_000, 40_000_000)))
    assert told(20, *events)[-1] == "15.0 MB of 40.0 MB, 1.0 MB/s, 25 s left"
    assert told(40, *events)[-1] == "15.0 MB of 40.0 MB"


def test_where_a_server_does_not_say_how_much_comes_nobody_guesses() -> None:
    events = ((0, sent(1)), (0, sent(2)), (9, arrived(2_000_000, None, 1)), (9, arrived(1_000_000, 9_000_000, 2)))
    assert told(9.5, *events) == ["9 s", "3.0 MB, 600.0 kB/s"]


def test_what_has_arrived_stays_counted() -> None:
    events = ((0, sent(1)), (1, arrived(500, 500)), (2, RequestEnded(number=1)))
    assert told(3, *events)[-1] == "500 B, 166 B/s"
    assert told(99, *events, (98.5, sent(2)), (99, arrived(100, 1_000, 2)))[-1] == "600 B of 1.5 kB, 20 B/s, 45 s left"


def test_a_retry_is_told_until_it_is_due_the_next_first() -> None:
    later = "b.example.test is asked again in 7 s (attempt 2): it answered 503"
    events = ((1, retry(8, "b.example.test", "https://b/")), (1, retry(4)))
    assert told(1.5, *events) == [
        "1 s",
        "registry.example.test is asked again in 3 s (attempt 2): it answered 503",
        later,
    ]
    assert told(5.0, *events) == ["5 s", later.replace("7 s", "4 s")]
    assert told(9.0, *events) == ["9 s"]
    assert told(2, (1.5, retry(4, host="")))[1].startswith("a server is asked again in 3 s")


def test_what_is_done_is_counted_and_what_nobody_knows_of_does_no_harm() -> None:
    watch = Watch(begun=0.0)
    for event in (arrived(5, 5, 7), RequestEnded(number=7), AuditFinished(), PLANNED, AUDITED):
        watch.hear(event, 1.0)
    moment = watch.moment(2.0)
    assert (moment.done, moment.total, moment.received, moment.left) == (1, 2, 0, None)


@table(("seconds", "words"), [(0.99, "0 s"), (59.9, "59 s"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00")])
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@table(("last", "now", "due"), [(None, 29.9, False), (None, 30, True), (30.0, 59, False), (30.0, 60, True)])
def test_a_log_gets_few_lines(last: float | None, now: float, due: bool) -> None:
    assert is_due(0.0, last, now) is due
