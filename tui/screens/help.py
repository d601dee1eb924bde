"""All keys, and what the words mean. The keys come from the bindings themselves, so that they cannot be out of date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen

from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.render.files import DRIFT
from lockwarden.tui.render.prose import hanging, heading
from lockwarden.tui.render.styles import APPROVED, UNWRITTEN, VERDICTS
from lockwarden.tui.render.text import lines
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
from lockwarden.tui.state.filters import EXAMPLES, MORE_EXAMPLES
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
_COLUMNS: Final = (
    ("Chg", "with a base: the hash came in with the change, or the change took it out"),
    ("Reg", "the origin registry lists the hash as its own"),
    ("Loc", "it was computed here from a package that passed its source's checks"),
    ("Signed by", "the IDs of the keys whose signature covers it"),
)
_MARKS: Final = (
    (f"{DRIFT.glyph} drifts", "most lock files have some provider in another version, or with other zh hashes"),
    (f"{UNWRITTEN.glyph} unwritten", "so many decisions are not in the lock file yet"),
)
_ELSEWHERE: Final = (
    ("tab", "Move from pane to pane"),
    ("↑ ↓ j k", "Move in a list, scroll a text"),
    ("ctrl+p", "Open the palette: everything that is on a key, and the themes"),
)


class HelpScreen(ModalScreen[None]):
    """A text to scroll; esc closes it."""

    CSS_PATH = "help.tcss"
    AUTO_FOCUS = "#help"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll(1)", "Down", show=False, id="help.down"),
        Binding("k", "scroll(-1)", "Up", show=False, id="help.up"),
        Binding("escape,q,question_mark,f1", "close", "Close", id="help.close", tooltip="Go back to the review"),
    ]

    def __init__(self, below: Screen[Any]) -> None:
        """The keys are told as they are on the screen below, whose own come first."""
        super().__init__()
        self._below = below

    def compose(self) -> ComposeResult:
        """One text in a box."""
        with VerticalScroll(id="help"):
            yield ProseView()

    def on_mount(self) -> None:
        """Say everything."""
        box = self.query_one("#help", VerticalScroll)
        box.border_title = Content("Help")
        box.border_subtitle = Content("esc closes")
        self.query_one(ProseView).show(lambda width: lines(*list(self._rows(width))[1:]))

    def _rows(self, width: int) -> Iterator[Content]:
        others = (*SIGNING_KEY_BINDINGS, *SOURCES_BINDINGS, *MODULES_BINDINGS, *RESOLVING_BINDINGS, *FILES_BINDINGS)
        bound = (*REVIEW_BINDINGS, *others)
        now = [each.binding for each in self._below.active_bindings.values()]
        own = {binding.group for binding in now}
        several = (FILES,) if app_of(self).files.several else ()
        for group in sorted(
            (*GROUPS, SIGNING_KEYS, SOURCES, MODULES, RESOLVING, *several), key=lambda each: each not in own
        ):
            yield from heading(group.description, width)
            for binding in bound:
                if binding.group == group and binding.tooltip:
                    yield from _entry(self._keys_of(binding, now), binding.tooltip, width)
            if group is GROUPS[0]:
                for keys, does in _ELSEWHERE:
                    yield from _entry(keys, does, width)
            if group is FILES:
                for mark, meaning in _MARKS:
                    yield from _entry(mark, meaning, width)
        yield from heading("Verdicts", width)
        for verdict, meaning in MEANINGS.items():
            look = VERDICTS[verdict]
            prefix = Content.styled(f"{f'{look.glyph} {verdict}':<15}", look.style)
            yield from hanging(prefix, Content(meaning), width)
        prefix = Content.styled(f"{f'{APPROVED.glyph} approved':<15}", APPROVED.style)
        yield from hanging(prefix, Content(_APPROVED), width)
        yield from heading("Columns", width)
        for name, meaning in _COLUMNS:
            yield from _entry(name, meaning, width)
        yield from heading("Filter", width)
        examples = f"{EXAMPLES}, {MORE_EXAMPLES}; words of different kinds must all hold"
        yield from hanging(Content(""), Content(examples), width)

    def _keys_of(self, binding: Binding, now: Iterable[Binding]) -> str:
        """The keys that are on an action now, which a keymap may have changed."""
        ids = [each for each in now if each.id == binding.id]
        named = dict.fromkeys(
            self.app.get_key_display(each) for each in ids if each.action.removeprefix("screen.") == binding.action
        )
        return " ".join(named or (self.app.get_key_display(each) for each in Binding.make_bindings([binding])))

    def action_scroll(self, step: int) -> None:
        """Scroll a line."""
        self.query_one("#help", VerticalScroll).scroll_relative(y=step, animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)


def _entry(keys: str, does: str, width: int) -> Iterator[Content]:
    yield from hanging(Content.styled(f"{keys:<15}", "bold $text-accent"), Content(does), width)
