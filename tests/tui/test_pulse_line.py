"""A running audit shows that it lives, and who keeps it waiting."""

from __future__ import annotations

from pathlib import Path

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict
from fakes.modules import Meanings, configuration, modules_app
from fakes.running import PreparedAudit
from msgspec.structs import replace

from lockwarden.core.evidence.events import AuditEvent, BytesArrived, RequestSent, RetryScheduled
from lockwarden.core.values.errors import Stage
from lockwarden.tui.widgets.pulse_line import PulseLine

SILENT = RequestSent(number=1, host="mirror.example.test", stage=Stage.VERSIONS)
PACKAGE = RequestSent(number=2, host="registry.example.test", stage=Stage.PACKAGE)
SOME = BytesArrived(number=2, received=3_000_000, total=12_000_000)
RETRY = RetryScheduled(
    url="https://other.example.test/",
    host="other.example.test",
    stage=Stage.SUMS,
    attempt=2,
    delay=9,
    reason="it answered 503",
)


def held(*also: AuditEvent) -> PreparedAudit:
    return PreparedAudit(every_verdict().audits, held=True, held_after=2, also=also)


async def look(d: Driver, clock: list[float], at: float) -> str:
    """What the line says at a time; empty while it is not there."""
    line = d.review_screen.query_one(PulseLine)
    clock[0] = at
    line.look()
    await d.handled()
    return d.lines[line.region.y].strip() if line.display else ""


def test_a_hanging_server_is_named_after_a_second_and_the_line_goes_when_the_audit_ends() -> None:
    audit, clock = held(SILENT), [0.0]

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        assert await look(d, clock, 0.9) == ""
        silent = "without an answer from mirror.example.test (list of versions)"
        assert await look(d, clock, 1.0) == f"1 s  ? 1 s {silent}"
        assert await look(d, clock, 100.0) == f"1:40  ? 1:40 {silent}"
        audit.gate.set()
        await d.settle()
        assert await look(d, clock, 101.0) == ""

    drive(app_of(every_verdict(), audit=audit, clock=lambda: clock[0]), scenario, settled=False)


def test_what_is_most_urgent_comes_first_and_what_does_not_fit_is_left_out_whole() -> None:
    audit, clock = held(PACKAGE, SOME, RETRY), [0.0]
    again = "? other.example.test is asked again in 8 s (attempt 2): it answered 503"
    silent = "? 1 s without an answer from registry.example.test (package)"

    async def scenario(d: Driver) -> None:
        await d.until_held(audit)
        assert await look(d, clock, 1.0) == f"1 s  {silent}"
        await d.pilot.resize_terminal(190, 36)
        await d.handled()
        assert await look(d, clock, 1.0) == f"1 s  {silent}  {again}  3.0 MB of 12.0 MB, 3.0 MB/s, 3 s left"
        audit.gate.set()
        await d.settle()

    drive(app_of(every_verdict(), audit=audit, clock=lambda: clock[0]), scenario, size=(100, 36), settled=False)


def test_asking_what_modules_mean_tells_who_keeps_silent_too(tmp_path: Path) -> None:
    files, clock = Meanings(held=True), [0.0]
    app = modules_app(configuration(tmp_path), files)
    app.setup = replace(app.setup, clock=lambda: clock[0])

    async def scenario(d: Driver) -> None:
        await d.press("M")
        await d.settle()
        d.hit("r")
        await d.until_shown("asked 1 of 3")
        files.report(SILENT)
        line = d.screen.query_one(PulseLine)
        clock[0] = 3.0
        line.look()
        await d.handled()
        assert "3 s  ? 3 s without an answer from mirror.example.test" in d.text
        await d.press("escape")
        await d.settle()
        line.look()
        await d.handled()
        assert not line.display

    drive(app, scenario)
