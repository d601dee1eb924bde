"""The source picker lists the repositories of an OCI mirror's registry: every face of it, and when it asks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import NULL, TIME, every_verdict
from fakes.oci_mirrors import OCI
from fakes.running import SOURCES

from lockwarden.core.cli_config.settings import OciMirror
from lockwarden.core.cli_config.templates import parse_template
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.values.errors import BadAnswerError, LockwardenError, NoAnswerError, NotThereError, Stage
from lockwarden.core.values.oci_references import OciRepository
from lockwarden.core.values.origins import Origin
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.review import ReviewScreen

MIRROR = SourceSpec(kind=OCI.kind, location=OCI.location)
OTHER = SourceSpec(kind=OCI.kind, location="oci://other.example.test/{namespace}/{type}")
REPOSITORIES = tuple(
    OciRepository("registry.example.test", f"providers/acme/{name}") for name in ("one", "two", "three")
)
DOWN = NoAnswerError("the registry reset the connection", stage=Stage.DISCOVERY, hint="look whether it runs")


@dataclass
class Registries:
    """Answers for registries: a list, or what is raised. With `held` it waits until `gate` is set."""

    answers: dict[SourceSpec, tuple[OciRepository, ...] | LockwardenError]
    held: bool = False
    asked: list[SourceSpec] = field(default_factory=list)
    cancelled: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, source: SourceSpec) -> tuple[OciRepository, ...]:
        self.asked.append(source)
        try:
            if self.held:
                await self.gate.wait()
            else:
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        answer = self.answers[source]
        if isinstance(answer, LockwardenError):
            raise answer
        return answer


def app(registries: Registries, *sources: SourceSpec) -> LockwardenApp:
    return app_of(every_verdict(), sources=sources or (MIRROR,), list_repositories=registries)


def test_the_repositories_of_locked_providers_come_first_and_are_counted() -> None:
    relay, null = (OciRepository("registry.example.test", f"providers/acme/{name}") for name in ("relay", "null"))
    elsewhere = OciRepository("other.example.test", "providers/acme/time")

    async def scenario(d: Driver) -> None:
        await d.press("s")
        await d.settle()
        assert "lists 6 repositories that fit; locked providers among them: 2 of 6" in d.text
        names = [line.strip("│ ") for line in d.lines if "providers/acme" in line]
        assert names == [relay.path, null.path, *(each.path for each in (*REPOSITORIES, elsewhere))]

    listed = (*REPOSITORIES, relay, elsewhere, null)
    drive(app(Registries({MIRROR: listed})), scenario, size=(120, 40))


def test_of_locked_providers_only_those_count_that_the_mirror_serves() -> None:
    method = OciMirror(
        origin=Origin.of_file("/home/me/.tofurc", 2),
        include=(ProviderPattern.parse(str(NULL.address)), ProviderPattern.parse(str(TIME.address))),
        template=parse_template("registry.example.test/${hostname}/${namespace}/${type}", include=()),
    )
    mirror = SourceSpec(kind=OCI.kind, location=f"oci://{method.template.text}", method=method)
    null = OciRepository("registry.example.test", str(NULL.address))

    async def scenario(d: Driver) -> None:
        await d.press("s")
        await d.settle()
        assert "lists 1 repository that fits; locked providers among them: 1 of 2" in d.text
        assert "asking" not in d.text

    drive(app(Registries({mirror: (null,)}), mirror), scenario, size=(100, 40))


def test_nothing_is_asked_and_nothing_shown_for_sources_of_other_kinds() -> None:
    registries = Registries({MIRROR: REPOSITORIES})

    async def scenario(d: Driver) -> None:
        await d.press("s", "j")
        await d.settle()
        assert "repositor" not in d.text.replace("{type}", "")
        assert not d.screen.query_one("#repositories").display

    drive(app(registries, *SOURCES, MIRROR), scenario, size=(80, 40))
    assert registries.asked == []


def test_moving_to_a_mirror_asks_its_registry_once_and_moving_away_hides_the_list() -> None:
    registries = Registries({MIRROR: REPOSITORIES, OTHER: REPOSITORIES[:1]})

    async def scenario(d: Driver) -> None:
        await d.press("s")
        await d.settle()
        assert "1 repository that fits" not in d.text
        await d.press("j")
        await d.settle()
        assert "3 repositories that fit" in d.text
        await d.press("j")
        await d.settle()
        assert "1 repository that fits" in d.text
        assert "3 repositories that fit" not in d.text
        await d.press("k", "k")
        await d.settle()
        assert "that fit" not in d.text
        await d.press("j", "j")
        await d.settle()

    drive(app(registries, SOURCES[0], MIRROR, OTHER), scenario, size=(80, 40))
    assert registries.asked == [MIRROR, OTHER]


def test_while_a_registry_is_asked_that_is_said_and_leaving_gives_it_up() -> None:
    registries = Registries({MIRROR: REPOSITORIES}, held=True)

    async def scenario(d: Driver) -> None:
        await d.press("s")
        assert "… asking registry.example.test for its repositories" in d.text
        await d.press("j")
        assert "asking registry" not in d.text
        await d.press("k")
        assert "… asking registry.example.test for its repositories" in d.text
        await d.press("escape")
        await d.settle()
        assert d.shows(ReviewScreen)

    drive(app(registries, MIRROR, SOURCES[0]), scenario, size=(80, 40))
    assert registries.asked == [MIRROR, MIRROR]
    assert registries.cancelled == 2


def mirror_at(host: str) -> SourceSpec:
    return SourceSpec(kind=OCI.kind, location=f"oci://{host}.example.test/{{namespace}}/{{type}}")


def test_each_registry_is_told_with_what_its_answer_means_and_whether_it_is_asked_again() -> None:
    full, empty, silent, hostile, down, bad = (
        mirror_at(host) for host in ("full", "empty", "silent", "hostile", "down", "bad")
    )
    raw = "[@click=app.quit]no[/] \x1b]0;title\x07list"
    web_page = BadAnswerError("the registry sent a web page", stage=Stage.DISCOVERY)
    registries = Registries(
        {
            full: REPOSITORIES,
            empty: (),
            silent: NotThereError("r does not offer a list", stage=Stage.DISCOVERY),
            hostile: NoAnswerError(raw, stage=Stage.DISCOVERY, hint="[red]\u202e"),
            down: DOWN,
            bad: web_page,
        }
    )

    async def scenario(d: Driver) -> None:
        await d.press("s")
        await d.settle()
        assert "✓ full.example.test lists 3 repositories that fit" in d.text
        for each in REPOSITORIES:
            assert f" {each.path} " in d.text
        await d.press("j")
        await d.settle()
        assert "empty.example.test lists no repository that fits the template" in d.text
        assert "registries may leave some out" in d.text
        await d.press("j")
        await d.settle()
        assert "· r does not offer a list" in d.text
        assert "the audit does not need a list" in d.text
        assert "asks again" not in d.text
        await d.press("enter")
        await d.settle()
        assert registries.asked == [full, empty, silent], "that it offers no list is a fact"
        await d.press("j")
        await d.settle()
        assert "[@click=app.quit]no[/] <U+001B>]0;title<U+0007>list" in d.text
        assert "[red]<U+202E>" in d.text
        for mirror, error, hint in (
            (down, DOWN, "→ look whether it runs; enter asks again"),
            (bad, web_page, "→ enter asks again"),
        ):
            await d.press("j")
            await d.settle()
            assert f"? {error.message}" in d.text
            assert hint in d.text
            registries.answers[mirror] = REPOSITORIES
            await d.press("enter")
            await d.settle()
            assert "3 repositories that fit" in d.text
            assert error.message not in d.text
            assert registries.asked[-2:] == [mirror, mirror]

    drive(app(registries, full, empty, silent, hostile, down, bad), scenario, size=(120, 44))


@pytest.mark.parametrize(("height", "shown"), [(24, 3), pytest.param(40, 19, marks=pytest.mark.thorough)])
def test_a_long_list_is_cut_to_what_the_screen_has_room_for_and_the_rest_is_counted(height: int, shown: int) -> None:
    many = tuple(OciRepository("registry.example.test", f"providers/acme/p{number:05}") for number in range(20_000))

    async def scenario(d: Driver) -> None:
        await d.press("s")
        await d.settle()
        assert "20,000 repositories that fit" in d.text
        names = [line for line in d.lines if " providers/acme/p" in line]
        assert len(names) == shown - 1
        assert f"and {20_000 - len(names):,} more" in d.text

    drive(app(Registries({MIRROR: many})), scenario, size=(80, height))


def test_a_mirror_that_is_added_is_selected_and_its_registry_asked() -> None:
    registries = Registries({OTHER: REPOSITORIES[:1]})

    async def scenario(d: Driver) -> None:
        await d.press("s", "i")
        await d.write(OTHER.location)
        await d.press("enter")
        await d.settle()
        assert "1 repository that fits" in d.text
        await d.press("shift+tab", "x")
        await d.settle()
        assert "that fits" not in d.text

    drive(app(registries, *SOURCES), scenario, size=(120, 40))
    assert registries.asked == [OTHER]


def test_the_place_where_sources_are_typed_names_every_form() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("s")
        for form in ("direct", "https://", "oci://", "folder"):
            assert form in next(line for line in d.lines if "Add " in line)

    drive(app_of(every_verdict()), scenario, size=(80, 24))


def test_a_fault_of_our_own_is_shown_as_one() -> None:
    async def scenario(d: Driver) -> None:
        d.hit("s")
        await d.until_shown("Lockwarden made a mistake", "KeyError")
        assert d.shows(ConfirmScreen)
        await d.press("escape", "escape")
        assert d.shows(ReviewScreen)
        assert "Lockwarden made a mistake" in d.text

    drive(app(Registries({})), scenario, size=(120, 40))  # it knows no answer: a KeyError
