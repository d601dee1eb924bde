"""How the screens look. Every value is fixed; look at a changed picture before you accept it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from fakes.driving import Driver, app_of
from fakes.hostile import hostile
from fakes.lock_files import EDGE, HEADER, PLANTED, every_verdict
from fakes.oci_mirrors import OCI, through_oci
from fakes.releases import DIRECT, MIRROR
from fakes.running import Disk, PreparedAudit
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.pilot import Pilot

from lockwarden.core.cli_config.settings import Direct, NetworkMirror
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import BytesArrived, RequestSent
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.origins import Origin
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.terminals import Signs
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.state.ports import Appearance
from lockwarden.tui.widgets.pulse_line import PulseLine

RANDOM = (ProviderPattern.parse("registry.example.test/acme/random"),)
CONFIGURED = (
    SourceSpec(
        kind=DIRECT.kind,
        location=DIRECT.location,
        method=Direct(origin=Origin.of_file("/home/me/.tofurc", 6), exclude=RANDOM),
    ),
    SourceSpec(
        kind=MIRROR.kind,
        location=MIRROR.location,
        method=NetworkMirror(
            origin=Origin.of_file("/home/me/.tofurc", 2), include=RANDOM, url=MIRROR.location, shown=MIRROR.location
        ),
    ),
)
OCI_SPEC = SourceSpec(kind=OCI.kind, location=OCI.location)
Compare = Callable[..., bool]
WIDE = [(120, 40), pytest.param((80, 24), marks=pytest.mark.thorough)]
SMALL = [pytest.param((120, 40), marks=pytest.mark.thorough), (80, 24)]
IDS = ["120x40", "80x24"]
Before = Callable[[Pilot[int]], Awaitable[None]]
FAULTS = b"""provider "registry.opentofu.org/acme/one" {
  version = "1.0.0"
  odd     = true
  hashes  = ["no scheme"]
}

provider "registry.opentofu.org/acme/one" {
  version = "1.0.0"
}
"""


def pressing(app: LockwardenApp, *keys: str) -> Before:
    """Wait for the audit, then press keys."""

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(app, pilot)
        await driver.settle()
        await driver.press(*keys)
        await driver.settle()

    return before


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 20)], ids=["120x40", "80x24", "60x20"])
def test_review(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=size, run_before=pressing(app))


def test_review_in_a_light_theme(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    app.theme = "lockwarden-light"
    assert snap_compare(app, terminal_size=(120, 40), run_before=pressing(app))


@pytest.mark.parametrize("size", WIDE, ids=IDS)
def test_sixteen_colours(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = app_of(every_verdict(), look=Appearance(theme="ansi-dark"))
    assert snap_compare(app, terminal_size=size, run_before=pressing(app, "x", "j"))


def test_sixteen_colours_on_a_light_ground(snap_compare: Compare) -> None:
    app = app_of(every_verdict(), look=Appearance(theme="ansi-light"))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "x", "j"))


def test_ascii(snap_compare: Compare) -> None:
    app = app_of(every_verdict(), look=Appearance(theme="ansi-dark", signs=Signs.ASCII))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "x", "j", "h"))


def test_sources_with_sixteen_colours(snap_compare: Compare) -> None:
    app = app_of(every_verdict(), look=Appearance(theme="ansi-dark"))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "s", "tab"))


class _Of256(LineFilter):
    """The colours as a terminal of 256 has them."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(each.text, _downgraded(each.style or Style()), each.control) for each in segments]


def _downgraded(style: Style) -> Style:
    ink, paper = (each and each.downgrade(ColorSystem.EIGHT_BIT) for each in (style.color, style.bgcolor))
    return style + Style(color=ink, bgcolor=paper)


def test_256_colours(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    own = LockwardenApp.get_line_filters
    monkeypatch.setattr(LockwardenApp, "get_line_filters", lambda app: [*own(app), _Of256()])
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "x", "j"))


def test_review_without_colours(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app))


def test_review_with_decisions_a_mark_and_a_filter(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    keys = ("space", "slash", *"edge", "enter", "G", "k", "space", "x", "k", "k")
    assert snap_compare(app, terminal_size=(120, 40), run_before=pressing(app, *keys))


def test_review_while_the_audit_runs(snap_compare: Compare) -> None:
    audit = PreparedAudit(every_verdict().audits, held=True, held_after=3)
    app = app_of(every_verdict(), audit=audit)

    async def before(pilot: Pilot[int]) -> None:
        await Driver(app, pilot).until_held(audit)

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)


@pytest.mark.parametrize("size", SMALL, ids=IDS)
def test_review_while_a_server_keeps_silent(snap_compare: Compare, size: tuple[int, int]) -> None:
    silent = RequestSent(number=1, host="mirror.example.test", stage=Stage.INDEX)
    package = RequestSent(number=2, host="registry.example.test", stage=Stage.PACKAGE)
    some = BytesArrived(number=2, received=3_000_000, total=12_000_000)
    audit = PreparedAudit(every_verdict().audits, held=True, held_after=3, also=(silent, package, some))
    clock = [0.0]
    app = app_of(every_verdict(), audit=audit, clock=lambda: clock[0])

    async def before(pilot: Pilot[int]) -> None:
        await Driver(app, pilot).until_held(audit)
        clock[0] = 4.2
        app.screen.query_one(PulseLine).look()

    assert snap_compare(app, terminal_size=size, run_before=before)


def test_provider_in_focus(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(100, 30), run_before=pressing(app, "h", "j", "j"))


def test_detail(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(100, 60), run_before=pressing(app, "j", "j", "enter"))


def test_chain_of_an_oci_mirror(snap_compare: Compare) -> None:
    app = app_of(through_oci(), sources=(OCI_SPEC,))
    assert snap_compare(app, terminal_size=(120, 36), run_before=pressing(app, "j", "tab", *"jjj"))


def test_chain_of_an_oci_mirror_in_detail(snap_compare: Compare) -> None:
    app = app_of(through_oci(), sources=(OCI_SPEC,))
    assert snap_compare(app, terminal_size=(100, 70), run_before=pressing(app, "j", "enter"))


def test_help(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(100, 60), run_before=pressing(app, "question_mark"))


def test_sources_of_a_configuration(snap_compare: Compare) -> None:
    audit = PreparedAudit(every_verdict().audits, held=True)
    app = app_of(every_verdict(), sources=CONFIGURED, audit=audit)

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(app, pilot)
        await driver.until_held(audit)
        await driver.press("s")

    assert snap_compare(app, terminal_size=(100, 30), run_before=before)


def test_sources(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "s"))


def test_repositories_of_an_oci_mirror(snap_compare: Compare) -> None:
    names = ("acme/widget", *(f"acme/p{number:02}" for number in range(30)))
    listed = tuple(OciRepository("registry.example.test", f"providers/{name}") for name in names)

    async def list_repositories(source: SourceSpec) -> tuple[OciRepository, ...]:
        return listed

    app = app_of(through_oci(), sources=(OCI_SPEC, CONFIGURED[0]), list_repositories=list_repositories)
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "s"))


def test_difference_before_writing(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "space", "A", "w"))


@pytest.mark.parametrize(
    ("keys", "size"),
    [
        (("w",), (120, 40)),
        (("w", "right", "enter"), (80, 24)),
        pytest.param(("w",), (80, 24), marks=pytest.mark.thorough),
        pytest.param(("w", "right", "enter"), (120, 40), marks=pytest.mark.thorough),
    ],
    ids=["difference-120x40", "question-80x24", "difference-80x24", "question-120x40"],
)
def test_stripped_protection(snap_compare: Compare, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    app = app_of(every_verdict())

    async def before(pilot: Pilot[int]) -> None:
        await Driver(app, pilot).settle()
        review = app.session.review
        assert review is not None
        provider = review.provider(EDGE.address)
        hashes = (row.hash for row in provider.rows if row.locked and row.hash != PLANTED)
        app.decide(review.decisions.decide((HashKey.of(EDGE.address, each), Decision.DROP) for each in hashes))
        await pressing(app, *keys)(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", SMALL, ids=IDS)
def test_unwritten_decisions(snap_compare: Compare, size: tuple[int, int]) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=size, run_before=pressing(app, "space", "A"))


def test_question_before_leaving_sources(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "s", "x", "q"))


def test_question_before_leaving(snap_compare: Compare) -> None:
    app = app_of(every_verdict())
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app, "space", "q"))


def test_error_face(snap_compare: Compare) -> None:
    app = app_of(every_verdict(), disk=Disk(FAULTS))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app))


def test_empty_face(snap_compare: Compare) -> None:
    app = app_of(every_verdict(), disk=Disk(HEADER.encode()))
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing(app))


@pytest.mark.parametrize("keys", [(), ("h",)], ids=["hashes", "provider"])
def test_hostile_strings(snap_compare: Compare, keys: tuple[str, ...]) -> None:
    app = app_of(hostile())
    assert snap_compare(app, terminal_size=(120, 40), run_before=pressing(app, *keys))
