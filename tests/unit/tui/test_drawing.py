"""Lines that are drawn by ourselves look as Textual would have drawn them."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.visual import Visual
from textual.widget import Widget

from lockwarden.tui.render.text import plain
from lockwarden.tui.theme import THEMES
from lockwarden.tui.widgets.drawing import Drawing, fits
from lockwarden.tui.widgets.prose_view import ProseView

_WIDTH: Final = 20
_HOSTILE: Final = "a\x1b[31mb\u202ec\u200bd\te"
_CONTENTS: Final = (
    Content(""),
    Content("plain"),
    plain(_HOSTILE, "$text-error"),
    plain("漢字かな交じり文章です", "$text-warning bold"),  # wider than the room
    plain("漢字", "$text-warning bold") + Content(" and "),
    Content.assemble(("✗ bad", "$text-error"), "  ", ("quiet", "$text-muted bold"), " x"),
    Content("exactly twenty cells"),
    Content("words that are longer than the room is"),
    Content("one\n\ntwo").stylize("$text-accent", 1, 6),
    Content("with\ta tab"),
    plain("https://a.test/", "$text-muted").stylize(Style(link="https://a.test/"), 0, 8),
    Content("pressed").stylize(Style.from_meta({"@click": "app.bell"})),
    Content("counted").stylize(Style.from_meta({"filter": "is:waiting"})).stylize("reverse", 2, 4),
)


def _look(strips: list[Strip]) -> list[list[tuple[str, object, object]]]:
    """Every character with its style and what stands behind it, however they were cut into segments."""
    return [
        [(char, segment.style, segment.style and segment.style.meta) for segment in strip for char in segment.text]
        for strip in strips
    ]


class _Shown(App[None]):
    def __init__(self) -> None:
        super().__init__()
        for each in THEMES:
            self.register_theme(each)

    def compose(self) -> ComposeResult:
        yield Widget(id="drawn")
        yield ProseView()


@pytest.mark.parametrize("theme", [THEMES[1].name, THEMES[3].name])
def test_a_line_looks_as_textual_would_have_drawn_it(theme: str) -> None:
    async def scenario() -> None:
        app = _Shown()
        async with app.run_test():
            widget = app.query_one("#drawn", Widget)
            drawing = Drawing(widget, widget._get_style)
            for now in ("lockwarden-dark", theme):  # what was worked out for one theme is not taken for another
                app.theme = now
                for selected in ({}, {widget: Selection(Offset(1, 0), Offset(4, 0))}):
                    app.screen.selections = selected
                    for style in (widget.visual_style, widget.visual_style + Style(bold=True, reverse=True)):
                        for content in _CONTENTS:
                            told = drawing.strips(content, style, _WIDTH, 3)
                            meant = Visual.to_strips(widget, content, _WIDTH, 3, style, pad=True)
                            assert _look(told) == _look(meant)
                            assert [each.cell_length for each in told] == [each.cell_length for each in meant]

    asyncio.run(scenario())


@pytest.mark.parametrize("fitting", [True, False])
def test_of_a_long_text_what_can_be_seen_is_drawn_as_all_of_it_would_be(*, fitting: bool) -> None:
    async def scenario() -> None:
        app = _Shown()
        async with app.run_test(size=(_WIDTH + 2, 10)) as pilot:  # with a scroll bar beside the text
            view = app.query_one(ProseView)
            rows = [row for content in _CONTENTS for row in content.split("\n", allow_blank=True)]
            told = Content("\n").join(row for row in rows if not fitting or fits(row, _WIDTH))
            view.show(lambda _: told)
            await pilot.pause()
            assert view.size.width == _WIDTH
            for selected in ({}, {view: Selection(Offset(1, 2), Offset(4, 3))}):
                app.screen.selections = selected
                await pilot.pause()
                meant = Visual.to_strips(view, told, _WIDTH, view.size.height, view.visual_style)
                assert len(meant) >= 10
                assert _look([view.render_line(y) for y in range(len(meant))]) == _look(meant)

    asyncio.run(scenario())
