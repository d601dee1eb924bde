"""When results are taken in, beside a person who presses keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from lockwarden.tui.audits import AuditControl


class Host:
    """The app, at a clock that a test sets: it shows what was taken in, and keeps the timer that was set."""

    def __init__(self) -> None:
        self.now = 100.0
        self.shown = 0
        self.timer: Callable[[], None] | None = None
        self.waits: list[float] = []
        self.files = None

    def set_timer(self, wait: float, call: Callable[[], None]) -> Host:
        self.timer = call
        self.waits.append(round(wait, 3))
        return self

    def stop(self) -> None:
        self.timer = None

    def show(self, _: object) -> None:
        self.shown += 1

    def after(self, seconds: float) -> None:
        """Let time go by, at the end of which the timer rings."""
        self.now += seconds
        assert self.timer is not None
        self.timer()


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    host = Host()
    monkeypatch.setattr("lockwarden.tui.audits.monotonic", lambda: host.now)
    return host


def control(host: Host) -> AuditControl:
    return AuditControl(cast("Any", host), cast("Any", host))


def test_the_first_result_is_taken_in_at_once_and_the_next_a_little_later(host: Host) -> None:
    audits = control(host)
    audits.take_soon()
    assert (host.shown, host.waits) == (1, [])
    host.now += 0.03
    audits.take_soon()
    assert (host.shown, host.waits) == (1, [0.07])
    host.after(0.07)
    assert host.shown == 2


def test_what_a_person_does_is_drawn_before_more_results(host: Host) -> None:
    audits = control(host)
    audits.take_soon()
    host.now += 0.2
    audits.give_way()
    audits.take_soon()
    assert (host.shown, host.waits) == (1, [0.1])
    host.now += 0.05
    audits.give_way()
    host.after(0.05)
    assert (host.shown, host.waits) == (1, [0.1, 0.05]), "somebody pressed another key meanwhile"
    host.after(0.05)
    assert host.shown == 2


def test_however_fast_keys_come_results_wait_half_a_second_at_most(host: Host) -> None:
    audits = control(host)
    audits.take_soon()
    audits.give_way()
    audits.take_soon()
    while host.shown < 2:
        host.now += 0.01
        audits.give_way()
        host.after(host.waits[-1] - 0.01)
    assert host.now == pytest.approx(100.5)
