"""Why some hashes are accepted although nothing vouches for them, and for how long: what is asked before a record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import date
from typing import ClassVar, Final

from msgspec import Struct
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.tui.render.prose import hanging
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.styles import of_row
from lockwarden.tui.render.text import lines, plain, reveal
from lockwarden.tui.screens.bindings import help_key
from lockwarden.tui.widgets.line_input import LineInput
from lockwarden.tui.widgets.prose_view import ProseView

_NOBODY: Final = "git does not know who you are (user.name and user.email), so say it here: the record names you."
_LONGEST_NAME: Final = 300
_ALARMED: Final = "The signing key has changed. A record does not make that any better."


class ApprovalDraft(Struct, frozen=True, kw_only=True):
    """What a person says beside the hashes themselves."""

    reason: str
    until: date | None
    by: str
    """Who accepts: by git's settings, or as it was typed."""


class ApprovalScreen(ModalScreen[ApprovalDraft]):
    """Ends with the draft; with None when it was given up."""

    CSS_PATH = "approval.tcss"
    AUTO_FOCUS = "#reason"
    BINDINGS: ClassVar[list[BindingType]] = [
        help_key("approval", show=False),
        Binding("escape", "give_up", "Back", id="approval.back", tooltip="Go back without a record"),
    ]

    def __init__(
        self, provider: ProviderReview, rows: tuple[HashRow, ...], *, today: date, who: Callable[[], str]
    ) -> None:
        """`today`, in UTC, is the first day that a record can hold until; where `who`, which blocks, gives nothing, a
        name is asked for.
        """
        super().__init__()
        self._provider = provider
        self._rows = rows
        self._today = today
        self._who = who
        self._by: str | None = None
        """None while git is asked: what is typed meanwhile belongs into the form, and never to the keys below it."""
        self._finishing = False

    def compose(self) -> ComposeResult:
        """The hashes whole, two lines to fill in, and the answers, the safe one first."""
        with Vertical(id="question"):
            yield Static(plain("Record an approval", "bold"), markup=False)
            with VerticalScroll(id="hashes", can_focus=False):
                yield ProseView()
            yield Static(plain(_NOBODY, "$text-warning"), id="nobody", markup=False)
            with Horizontal(id="name", classes="line"):
                yield Label("Your name")
                yield LineInput(id="by", placeholder="Name <mail@example.org>", compact=True)
            with Horizontal(classes="line"):
                yield Label("Reason")
                yield LineInput(id="reason", placeholder="why these hashes are right", compact=True)
            with Horizontal(classes="line"):
                yield Label("Until")
                yield LineInput(id="until", placeholder="YYYY-MM-DD, or empty for a year", compact=True)
            yield Static(id="problem", markup=False)
            with Horizontal(id="answers"):
                yield Button("Cancel", id="cancel")
                yield Button("Look at the record", id="look")

    def on_mount(self) -> None:
        """Name the hashes, none of them cut."""
        for each in self.query(Input):
            each.cursor_blink = False
        for hidden in ("#problem", "#nobody", "#name"):
            self.query_one(hidden).display = False
        self._find_who()
        self.query_one(ProseView).show(lambda width: lines(*self._prose(width)))

    @work(group="who", exit_on_error=False)
    async def _find_who(self) -> None:
        """Ask git who the operator is, and for a name where it does not know."""
        self._by = await asyncio.to_thread(self._who)
        if not self._by:
            self.query_one("#nobody").display = self.query_one("#name").display = True
            if not self.query_one("#reason", Input).value:
                self.query_one("#by", Input).focus()
        if self._finishing:
            self._finish()

    def _prose(self, width: int) -> Iterator[Content]:
        name = f"{provider_name(self._provider.address)} {self._provider.entry.version}"
        yield from hanging(Content(""), plain(name), width)
        for row in self._rows:
            look, word = of_row(row)
            yield from hanging(Content.styled(f"{look.glyph} {word} ", look.style), plain(row.hash.text), width)
        if self._provider.alarmed:
            yield from hanging(Content(""), plain(_ALARMED, "$text-error"), width)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        following = {"by": "#reason", "reason": "#until"}.get(event.input.id or "")
        if following is None:
            self._finish()
        else:
            self.query_one(following, Input).focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "look":
            self._finish()
        else:
            self.dismiss(None)

    def _finish(self) -> None:
        self._finishing = self._by is None
        if self._finishing:
            return
        reason = self.query_one("#reason", Input).value.strip()
        text = self.query_one("#until", Input).value.strip()
        until = _day(text)
        by = self._by or reveal(self.query_one("#by", Input).value.strip())[:_LONGEST_NAME]
        if not by:
            self._complain("a name is needed, since the record says who accepts", "#by")
        elif not reason:
            self._complain("a reason is needed, since others have to judge by it", "#reason")
        elif text and until is None:
            self._complain("a day is written YYYY-MM-DD, such as 2027-01-31", "#until")
        elif until is not None and until < self._today:
            self._complain(f"that day is over: it is {self._today} in UTC", "#until")
        else:
            self.dismiss(ApprovalDraft(reason=reason, until=until, by=by))

    def _complain(self, problem: str, where: str) -> None:
        told = self.query_one("#problem", Static)
        told.update(plain(problem, "$text-warning"))
        told.display = True
        self.query_one(where, Input).focus()

    def action_give_up(self) -> None:
        """Go back without a record."""
        self.dismiss(None)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
