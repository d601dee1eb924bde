"""Where a terminal has sixteen colours, none, or no Unicode: nothing is told by colour alone, or by a sign it lacks."""

from __future__ import annotations

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict

from lockwarden.core.values.terminals import Signs
from lockwarden.tui.signs import in_cells
from lockwarden.tui.state.ports import Appearance
from lockwarden.tui.theme import fitting_theme


def reversed_lines(d: Driver) -> set[int]:
    """The lines of the screen that have something drawn the other way round."""
    return {
        place
        for place, strip in enumerate(d.drawn)
        if any(segment.style is not None and segment.style.reverse for segment in strip)
    }


def line_of(d: Driver, text: str) -> int:
    return next(place for place, line in enumerate(d.lines) if text in line)


@pytest.mark.parametrize("theme", ["ansi-light", "no colours"])
def test_cursor_focus_and_idle_keys_are_told_by_more_than_colour(theme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if theme == "no colours":
        monkeypatch.setenv("NO_COLOR", "1")

    async def scenario(d: Driver) -> None:
        d.app.theme = "lockwarden-dark" if theme == "no colours" else theme
        await d.settle()
        title, keys = line_of(d, " corp/edge 2.0.0 "), len(d.lines) - 1
        assert {title, keys} < reversed_lines(d)
        cursor = reversed_lines(d) - {title, keys}
        assert len(cursor) == 1
        await d.press("j")
        assert reversed_lines(d) - {title, keys} == {cursor.pop() + 1}
        assert all(style.reverse for style in d.styles("space"))
        assert not any(style.reverse for style in d.styles("Write"))
        assert not any(style.reverse for style in d.styles("w"))
        await d.press("x", "j")
        assert d.text.count("▸ ") == 2
        await d.press("h")
        assert title in reversed_lines(d)
        assert any(style.underline for style in d.styles("confirmed"))
        await d.press("s")
        assert any(style.underline or style.reverse for style in d.styles("direct"))

    drive(app_of(every_verdict()), scenario)


def test_without_unicode_every_screen_is_ascii() -> None:
    async def scenario(d: Driver) -> None:
        for keys in ((), ("h",), ("enter",), ("escape", "s"), ("escape", "K"), ("escape", "question_mark")):
            await d.press(*keys)
            await d.settle()
            assert d.text.isascii(), [line for line in d.lines if not line.isascii()]
        await d.press("escape", "escape", "A", "w")
        await d.settle()
        assert d.text.isascii()

    drive(app_of(every_verdict(), look=Appearance(theme="ansi-dark", signs=Signs.ASCII)), scenario)


def test_everything_takes_the_cells_in_ascii_that_it_took_before() -> None:
    assert in_cells("╭─ a ━═╮│║├┼") == "+- a ==+||++"
    assert in_cells("✗ ✓ → … “x”") == 'x v > ~ "x"'
    assert in_cells("字é\u0301▃█") == "???" + " #"


@pytest.mark.parametrize(
    ("name", "light", "sixteen", "theme"),
    [
        ("", False, False, "lockwarden-dark"),
        ("", True, False, "lockwarden-light"),
        ("", False, True, "ansi-dark"),
        ("", True, True, "ansi-light"),
        ("dark", True, False, "lockwarden-dark"),
        ("light", False, False, "lockwarden-light"),
        ("light", False, True, "ansi-light"),
        ("nord", True, False, "nord"),
        ("nord", True, True, "ansi-dark"),
        ("solarized-light", False, True, "ansi-light"),
        ("ansi-light", False, False, "ansi-light"),
    ],
)
def test_the_theme_fits_the_terminal(name: str, light: bool, sixteen: bool, theme: str) -> None:
    assert fitting_theme(name, light=light, sixteen=sixteen) == theme
