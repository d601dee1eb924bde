"""The help: on every screen, with every word that can be on one, and searched."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from typing import Any, Final

from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict
from textual.screen import Screen
from textual.widgets import Input

from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.tui import screens as tui_screens
from lockwarden.tui.render import glossary
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.review import ReviewScreen
from lockwarden.tui.screens.speaking import SpeakingScreen

SCREENS: Final = (
    ((), "Moving"),
    (("enter",), "Copy the whole hash to the clipboard"),
    (("K",), "Copy the whole fingerprint"),
    (("c",), "Go back to the review"),
    (("s",), "Remove the selected source"),
    (("b",), "Go back without a change"),
    (("n", "R"), "Go back without a record"),
    (("space", "w"), "Go back without writing"),
    (("q",), "Stay where you are"),
)
"""Keys that lead to a screen, and what its help says first."""


async def f1_opens_the_help_of_every_screen_and_leads_back(d: Driver) -> None:
    review = d.screen
    for keys, told in SCREENS:
        await d.press(*keys)
        if keys:
            await d.until(lambda: d.screen is not review)
        below = d.screen
        await d.press("f1")
        assert d.shows(HelpScreen)
        assert told in d.prose
        await d.press("f1")
        assert d.screen is below
        await d.press(*(["escape"] if keys else []))
        await d.until(lambda: d.screen is review)


async def the_help_is_searched_for_words_and_esc_leads_back_in_steps(d: Driver) -> None:
    await d.press("question_mark")
    d.hit("slash", *"other bytesjq")  # faster than the line can come, with letters that are keys here
    await d.until(lambda: isinstance(d.screen.focused, Input))
    await d.handled()
    assert isinstance(d.screen.focused, Input)
    assert d.screen.focused.value == "other bytesjq"
    await d.fill("other bytes")
    assert "other bytes" in d.prose
    assert "3/5 platforms hashed" not in d.prose
    assert "Decide this hash" not in d.prose
    await d.press("enter", "escape")
    assert d.shows(HelpScreen)
    assert "Decide this hash" in d.prose
    await d.press("slash")
    await d.fill("xyzzy")
    assert "Nothing here has all of these words" in d.prose
    await d.press("escape", "escape")
    assert d.shows(ReviewScreen)


def screens() -> Iterator[type[Screen[Any]]]:
    """Every class of ours that is shown as a screen."""
    for module in pkgutil.iter_modules(tui_screens.__path__):
        for each in vars(importlib.import_module(f"{tui_screens.__name__}.{module.name}")).values():
            if isinstance(each, type) and issubclass(each, Screen) and each.__module__.endswith(module.name):
                yield each


def test_no_screen_is_without_help() -> None:
    found = {each for each in screens() if each not in {SpeakingScreen, HelpScreen}}
    keys = {
        each: {key for kind in each.__mro__ for one in vars(kind).get("BINDINGS", ()) for key in one.key.split(",")}
        for each in found
    }
    assert len(found) > 15
    assert [each.__name__ for each in found if "f1" not in keys[each]] == []


def words_of_screens() -> Iterable[str]:
    yield from (str(word) for table in TABLES for word in type(next(iter(table))))
    yield from (meaning_of(code).name for code in ProblemCode)
    yield from ("not a package", "retries", "blank platform", "unknown", "other bytes", "wrong h1 reported", "waiting")


TABLES = (
    glossary.DECISIONS,
    glossary.ANSWERS,
    glossary.OUTCOMES,
    glossary.SOURCES,
    glossary.SUMMARIES,
    glossary.SIGNATURES,
    glossary.KEYS,
    glossary.COVERAGE,
    glossary.PINNING,
    glossary.INSTALLED,
)


def test_every_word_that_can_be_on_a_screen_has_a_meaning() -> None:
    told = {term: text for _, words in glossary.sections() for term, text in words}
    assert [word for word in words_of_screens() if not told.get(word)] == []


def test_help_is_everywhere_and_searched() -> None:
    drive(
        app_of(every_verdict()),
        f1_opens_the_help_of_every_screen_and_leads_back,
        the_help_is_searched_for_words_and_esc_leads_back_in_steps,
    )
