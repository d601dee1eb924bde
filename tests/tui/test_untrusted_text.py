"""Text from outside is data: it is shown, and it does nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.hostile import hostile

from lockwarden.tui import app
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.sources import SourcesScreen

SIZES = [(60, 20), *(pytest.param(each, marks=pytest.mark.thorough) for each in ((120, 40), (80, 24)))]
OPENINGS = [(), ("h",), ("l",), ("enter",), ("h", "shift+tab", "enter"), ("s",), ("j", "j", "space", "w")]


def inert(d: Driver) -> None:
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]", d.text)
    assert not [text for text, meta in d.segments if "@click" in meta]


@pytest.mark.parametrize("size", SIZES)
def test_hostile_text_is_inert_on_every_screen(size: tuple[int, int]) -> None:
    async def scenario(d: Driver) -> None:
        begun, seen = d.state, set()
        for keys in OPENINGS:
            await d.press(*keys)
            await d.settle()
            inert(d)
            seen.add(type(d.screen))
            while not d.shows(ReviewScreen):
                await d.press("escape")
            d.review_screen.state = begun
            d.review_screen.focus_pane()
        assert seen == {ReviewScreen, DetailScreen, SourcesScreen, DiffScreen}

    drive(app_of(hostile()), scenario, size=size)


def test_hostile_text_is_shown_spelled_out() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("h", "shift+tab", "enter")
        for shown in ("<U+001B>]0;owned<U+0007>", "<U+202E>", "[@click=app.quit]click[/]", "linux[amd64]", "<U+009B>"):
            assert shown in d.text

    drive(app_of(hostile()), scenario, size=(160, 90))


def test_an_exported_picture_of_hostile_text_is_well_formed() -> None:
    import xml.etree.ElementTree as ET

    async def scenario(d: Driver) -> None:
        assert ET.fromstring(d.app.export_screenshot()).tag.endswith("svg")

    drive(app_of(hostile()), scenario)


def test_no_markup_is_ever_made_from_text() -> None:
    tui = Path(app.__file__).parent
    forbidden = re.compile(
        r"from_markup\(|notify\(f\"|Text\.from_markup|markup=True|escape\(|Markdown\(|highlight_regex"
    )
    found = [
        f"{path.name}:{number}"
        for path in sorted(tui.rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if forbidden.search(line)
    ]
    assert not found


def test_every_widget_that_could_read_markup_is_told_not_to() -> None:
    tui = Path(app.__file__).parent
    wrong = [
        f"{path.name}:{number}"
        for path in sorted(tui.rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"\bStatic\((?!.*markup=False)(?=.)", line) and "class " not in line
    ]
    assert not wrong
