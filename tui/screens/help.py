"""All keys, and what the words mean, to be searched.

The keys come from the bindings themselves, so that they cannot be out of date.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final

from msgspec import Struct
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.render.files import DRIFT
from lockwarden.tui.render.glossary import sections
from lockwarden.tui.render.prose import hanging, heading
from lockwarden.tui.render.styles import APPROVED, UNWRITTEN, VERDICTS
from lockwarden.tui.screens.bindings import (
    FILES,
    FILES_BINDINGS,
    GROUPS,
    MODULES,
    MODULES_BINDINGS,
    RESOLVING,
    RESOLVING_BINDINGS,
    REVIEW_BINDINGS,
    SIGNING_KEY_BINDINGS,
    SIGNING_KEYS,
    SOURCES,
    SOURCES_BINDINGS,
)
from lockwarden.tui.screens.review_app import app_of
from lockwarden.tui.screens.speaking import fit_at_once
from lockwarden.tui.state.filters import EXAMPLES, MORE_EXAMPLES
from lockwarden.tui.widgets.filter_line import FilterLine
from lockwarden.tui.widgets.prose_view import ProseView

MEANINGS: Final = {
    Verdict.DISOWNED: "the origin's complete, signed list does not contain this locked hash",
    Verdict.UNEXPLAINED: "everything that could vouch for this locked hash answered, and nothing did",
    Verdict.UNCHECKED: "what could vouch for this locked hash was not asked or did not answer",
    Verdict.CONFIRMED: "some source vouches for this locked hash; no claim about what the package does",
    Verdict.NEW: "not locked, and a client would record it",
    Verdict.OFFERED: "not locked, seen at some source, and no reason to take it by itself",
}
_APPROVED: Final = "a finding that a record in .lockwarden/approvals.hcl accepts; nothing vouches for it"
_MARKS: Final = (
    (f"{DRIFT.glyph} drifts", "most lock files have some provider in another version, or with other zh hashes"),
    (f"{UNWRITTEN.glyph} unwritten", "so many decisions are not in the lock file yet"),
)
_TERM: Final = 15
"""Cells of a short key or word, with the gap behind it."""
_KEPT: Final = 1_000
"""Entries that are kept as they were wrapped, more than one screen has at two widths."""
_ELSEWHERE: Final = (
    ("tab", "Move from pane to pane"),
    ("↑ ↓ j k", "Move in a list, scroll a text"),
    ("g G", "Go to the top or the bottom of a list, as home and end"),
    ("ctrl+p", "Open the palette: everything that is on a key, and the themes"),
)


class _Entry(Struct, frozen=True, kw_only=True):
    """A key or a word, and what it does or means."""

    section: str
    term: str
    text: str
    style: str = "bold $text-accent"

    def has(self, words: Sequence[str]) -> bool:
        """Whether all of the words, in lower case, are somewhere in it."""
        everything = f"{self.section}\n{self.term}\n{self.text}".lower()
        return all(word in everything for word in words)


class HelpScreen(ModalScreen[None]):
    """A text to scroll and to search; esc closes it."""

    CSS_PATH = "help.tcss"
    AUTO_FOCUS = "#help"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll(1)", "Down", show=False, id="help.down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="help.up"),
        Binding("slash", "search", "Search", id="help.search", tooltip="Show only what has some words"),
        Binding("escape", "back", "Close", id="help.back", tooltip="Show everything again, or go back"),
        Binding("q,question_mark,f1", "close", "Close", id="help.close", tooltip="Go back"),
    ]

    def __init__(self, below: Screen[Any]) -> None:
        """The keys are told as they are on the screen below, whose own come first."""
        super().__init__()
        fit_at_once(self)
        self._below = below
        self._words: tuple[str, ...] = ()
        self._entries: tuple[_Entry, ...] = ()

    def compose(self) -> ComposeResult:
        """One text in a box; the line to search it comes with a search: with it, all would open half as fast."""
        with Vertical(id="help-box"), VerticalScroll(id="help"):
            yield ProseView()

    def on_mount(self) -> None:
        """Say everything."""
        self.query_one("#help-box").border_title = Content("Help")
        self._entries = tuple(self._all())
        self._show()

    def _show(self) -> None:
        found = [each for each in self._entries if each.has(self._words)]
        told = f"{len(found)} of {len(self._entries)}, esc shows all" if self._words else "/ searches, esc closes"
        self.query_one("#help-box").border_subtitle = Content(told)
        for line in self.query(FilterLine):
            line.show(" ".join(self._words), Content(""))
        self.query_one(ProseView).show(lambda width: tuple(_rows(found, width))[1:])

    def _all(self) -> Iterator[_Entry]:
        yield from self._keys()
        for verdict, meaning in MEANINGS.items():
            look = VERDICTS[verdict]
            yield _Entry(section="Verdicts", term=f"{look.glyph} {verdict}", text=meaning, style=look.style)
        yield _Entry(section="Verdicts", term=f"{APPROVED.glyph} approved", text=_APPROVED, style=APPROVED.style)
        for title, words in sections():
            for term, text in words:
                yield _Entry(section=title, term=term, text=text)
            if title == "Columns":
                yield _Entry(
                    section="Filter",
                    term="/",
                    text=f"{EXAMPLES}, {MORE_EXAMPLES}; words of different kinds must all hold, ! turns one round",
                )

    def _keys(self) -> Iterator[_Entry]:
        bound = (
            *REVIEW_BINDINGS,
            *SIGNING_KEY_BINDINGS,
            *SOURCES_BINDINGS,
            *MODULES_BINDINGS,
            *FILES_BINDINGS,
            *RESOLVING_BINDINGS,
        )
        now = [each.binding for each in self._below.active_bindings.values()]
        own = {binding.group for binding in now}
        others = dict.fromkeys(each.id for each in now if each.group is None and each.id and each.tooltip)
        for name in others:
            binding = next(each for each in now if each.id == name)
            yield _Entry(section="On this screen", term=self._keys_of(binding, now), text=binding.tooltip)
        several = (FILES,) if app_of(self).files.several else ()
        for group in sorted(
            (*GROUPS, SIGNING_KEYS, SOURCES, MODULES, RESOLVING, *several), key=lambda each: each not in own
        ):
            for binding in bound:
                if binding.group == group and binding.tooltip:
                    yield _Entry(section=group.description, term=self._keys_of(binding, now), text=binding.tooltip)
            extra = _ELSEWHERE if group is GROUPS[0] else _MARKS if group is FILES else ()
            for term, text in extra:
                yield _Entry(section=group.description, term=term, text=text)

    def _keys_of(self, binding: Binding, now: Iterable[Binding]) -> str:
        """The keys that are on an action now, which a keymap may have changed."""
        ids = [each for each in now if each.id == binding.id]
        named = dict.fromkeys(
            self.app.get_key_display(each) for each in ids if each.action.removeprefix("screen.") == binding.action
        )
        return " ".join(named or (self.app.get_key_display(each) for each in Binding.make_bindings([binding])))

    async def action_search(self) -> None:
        """Begin to type what is looked for. The app waits for it before it reads the next key."""
        if not self.query(FilterLine):
            await self.query_one("#help-box").mount(FilterLine("any word that you see, such as other bytes"))
        self.query_one(FilterLine).open()

    @on(Input.Changed, "#filter")
    def _typed(self, event: Input.Changed) -> None:
        self._words = tuple(event.value.lower().split())
        self._show()
        self.query_one("#help", VerticalScroll).scroll_home(animate=False)

    @on(Input.Submitted, "#filter")
    def _submitted(self) -> None:
        self.query_one("#help").focus()
        self.query_one(FilterLine).stay(shown=bool(self._words))

    def action_scroll(self, step: int) -> None:
        """Scroll a line."""
        self.query_one("#help", VerticalScroll).scroll_relative(y=step, animate=False)

    def action_back(self) -> None:
        """Give the search up; where there is none, go back."""
        if self._words or isinstance(self.focused, Input):
            self.query_one(FilterLine).clear()
            self._words = ()
            self._submitted()
            self._show()
        else:
            self.action_close()

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def _rows(entries: Sequence[_Entry], width: int) -> Iterator[Content]:
    if not entries:
        yield Content("")
        yield Content("Nothing here has all of these words.")
    section = ""
    for each in entries:
        if each.section != section:
            section = each.section
            yield from heading(section, width)
        yield from _lines_of(each, width)


@lru_cache(maxsize=_KEPT)
def _lines_of(entry: _Entry, width: int) -> tuple[Content, ...]:
    """An entry, wrapped once and not at every letter of a search."""
    return tuple(hanging(Content.styled(_padded(entry.term), entry.style), Content(entry.text), width))


def _padded(term: str) -> str:
    """The term, with the gap before its text."""
    return f"{term:<{_TERM}}" if len(term) < _TERM else f"{term}  "
