"""The answer first: whether to commit, in words, with the counts that lead there. Each count is a filter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.looks import STYLES, VERDICTS, Hue
from lockwarden.tui.text import spaced

_CHOSEN = "verdicts"
_ON_ONE_LINE = 3
"""Forms of the counts that may stand behind the words; shorter ones get a line of their own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the line says."""

    words: str = "Reading the lock file"
    hue: Hue = Hue.QUIET
    counts: Mapping[Verdict, int] | None = None
    waiting: int = 0
    """Providers whose audit has not ended."""
    chosen: frozenset[Verdict] = frozenset()
    """Verdicts that the filter shows alone."""


class AnswerLine(Widget):
    """One line where there is room, two on a narrow screen. A word of a verdict is never cut."""

    answer: reactive[Answer] = reactive(Answer(), layout=True)

    class CountChosen(Message):
        """A count was chosen, to show only what it counts."""

        def __init__(self, verdicts: frozenset[Verdict]) -> None:
            super().__init__()
            self.verdicts = verdicts

    def render(self) -> RenderResult:
        """The words, then the fullest form of the counts that fits."""
        width = self.size.width - 2
        words = Content.styled(self.answer.words, f"bold {STYLES[self.answer.hue]}".strip())
        forms = [spaced(*form) for form in _forms(self.answer)]
        for form in forms[:_ON_ONE_LINE]:
            whole = spaced(words, form)
            if whole.cell_length <= width:
                return whole
        fitting = next((form for form in forms if form.cell_length <= width), forms[-1])
        return Content("\n").join([words, fitting])

    def on_click(self, event: events.Click) -> None:
        """Choose the count that was clicked."""
        if chosen := event.style.meta.get(_CHOSEN):
            self.post_message(self.CountChosen(frozenset(Verdict(each) for each in chosen.split(","))))


def _forms(answer: Answer) -> tuple[tuple[Content, ...], ...]:
    """The counts from the fullest form to the shortest."""
    if answer.counts is None:
        return ((),)
    counts = {each: answer.counts.get(each, 0) for each in Verdict}
    waiting = Content.styled(f"… {answer.waiting} waiting", STYLES[Hue.QUIET]) if answer.waiting else Content("")
    order = (Verdict.DISOWNED, Verdict.UNEXPLAINED, Verdict.UNCHECKED, Verdict.NEW, Verdict.CONFIRMED, Verdict.OFFERED)
    each_alone = {verdict: _count(answer, counts[verdict], verdict, verdict) for verdict in order}
    findings = tuple(each for each in order if each.is_finding)
    together = _count(answer, sum(counts[each] for each in findings), "findings", *findings)
    full = tuple(each_alone[verdict] for verdict in order)
    without_offered = full[:-1]
    merged = (together, *(each_alone[verdict] for verdict in order if not verdict.is_finding))
    return (
        (*full, waiting),
        (*without_offered, waiting),
        (*merged[:-1], waiting),
        merged[:-1],
        (together, each_alone[Verdict.UNCHECKED], each_alone[Verdict.CONFIRMED]),
        (together,),
    )


def _count(answer: Answer, number: int, word: str, *verdicts: Verdict) -> Content:
    """A count with its glyph, which chooses its verdicts when it is clicked; nothing for none."""
    if not number:
        return Content("")
    look = VERDICTS[verdicts[0]]
    chosen = bool(answer.chosen) and answer.chosen <= frozenset(verdicts)
    text = f"{look.glyph} {number} {word.removesuffix('s') if number == 1 and word == 'findings' else word}"
    count = Content.styled(text, f"{look.style} {'reverse' if chosen else ''}".strip())
    return count.stylize(Style.from_meta({_CHOSEN: ",".join(verdicts)}))
