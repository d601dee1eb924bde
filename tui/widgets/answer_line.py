"""The answer first: whether to commit, in words, with the counts that lead there.

Each count can be chosen: it filters, or opens what it counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from lockwarden.tui.render.counts import ON_ONE_LINE, Count, Form, forms
from lockwarden.tui.render.styles import STYLES, Hue
from lockwarden.tui.render.text import cells, spaced
from lockwarden.tui.state.filters import NO_FILTER, Filter, parse_filter

_CHOSEN = "filter"
_OPENED = "opens"
_GAP = 2


class AnswerText(Struct, frozen=True):
    """What the line says."""

    words: str = "Reading the lock file"
    hue: Hue = Hue.QUIET
    counts: Form = ()
    chosen: Filter = NO_FILTER
    """What the review is filtered by."""


class AnswerLine(Widget):
    """One line where there is room, two on a narrow screen. A word of a verdict is never cut."""

    answer: reactive[AnswerText] = reactive(AnswerText())

    class CountChosen(Message):
        """A count was chosen, to show only what it counts."""

        def __init__(self, chosen: Filter) -> None:
            super().__init__()
            self.chosen = chosen

    class CountOpened(Message):
        """A count was chosen that an action of the review tells more of."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def render(self) -> Content:
        """The words, then the fullest form of the counts that fits."""
        width = self.size.width - 2
        words = Content.styled(self.answer.words, f"bold {STYLES[self.answer.hue]}".strip())
        shorter = forms(self.answer.counts)
        for form in shorter[:ON_ONE_LINE]:
            if words.cell_length + _GAP + width_of(form) <= width:
                return spaced(words, self._render_counts(form), gap=_GAP)
        whole = shorter[:ON_ONE_LINE]
        fitting = next((form for form in whole if width_of(form) <= width), None)
        if fitting is not None:
            return Content("\n").join([words, self._render_counts(fitting)])
        return Content("\n").join([words, self._render_most(whole[-1], shorter[ON_ONE_LINE:], width)])

    def _render_most(self, whole: Form, shorter: Sequence[Form], width: int) -> Content:
        """The fullest of the forms that lack something, with a sign that they do where it costs no other count."""
        fitting = next((form for form in shorter if width_of(form) <= width), shorter[-1])
        more = Content.styled("…", "$text-muted") if len(fitting) < len(whole) else Content("")
        gap = min(_GAP, width - width_of(fitting) - 1)
        return spaced(self._render_counts(fitting), more, gap=gap) if gap > 0 else self._render_counts(fitting)

    def watch_answer(self) -> None:
        """Lay the screen out anew only where the words and counts take another number of lines."""
        if self.render().plain.count("\n") + 1 != self.size.height:
            self.refresh(layout=True)

    def _render_counts(self, form: Form) -> Content:
        return spaced(*(_render_count(each, self.answer.chosen) for each in form), gap=_GAP)

    def on_click(self, event: events.Click) -> None:
        """Choose the count that was clicked."""
        if chosen := event.style.meta.get(_CHOSEN):
            self.post_message(self.CountChosen(parse_filter(chosen)))
        elif action := event.style.meta.get(_OPENED):
            self.post_message(self.CountOpened(action))


def width_of(form: Form) -> int:
    """The cells that the counts take beside each other."""
    return sum(cells(each.text) + _GAP for each in form) - (_GAP if form else 0)


def _render_count(count: Count, chosen: Filter) -> Content:
    """A count with its glyph, which filters when it is clicked, drawn the other way round while it does."""
    if not count.filter:
        told = Content.styled(count.text, count.look.style)
        return told.stylize(Style.from_meta({_OPENED: count.opens})) if count.opens else told
    own = parse_filter(count.filter)
    told = Content.styled(count.text, f"{count.look.style} {'reverse' if chosen.is_within(own) else ''}".strip())
    return told.stylize(Style.from_meta({_CHOSEN: count.filter}))
