"""The module calls beside a lock file: how far each pins what is installed, what was accepted, what it means today."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content

from lockwarden.core.engine.module_diffing import accepted_of
from lockwarden.core.modules.listing import ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.review.module_accepting import why_not_accepted
from lockwarden.core.review.module_pinning import why_not_pinned
from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.render.modules import call_detail, problem_detail, summary_line
from lockwarden.tui.render.text import lines
from lockwarden.tui.screens.bindings import MODULES_BINDINGS
from lockwarden.tui.screens.cancelling import once_cancelling_is_confirmed
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state.modules import Doable, ModulesState, doable, next_finding, with_selected
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.module_list import ModuleList
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.prose_view import PlaceholderView, ProseView
from lockwarden.tui.widgets.pulse_line import PulseLine

_BESIDE: Final = 110
"""Cells from which on the text of a call fits beside the list."""


class ModulesScreen(SpeakingScreen):
    """Shows the app's module calls; the cursor stays on its call while answers arrive."""

    CSS_PATH = "modules.tcss"
    AUTO_FOCUS = "#module-list"
    BINDINGS: ClassVar[list[BindingType]] = [
        *MODULES_BINDINGS,
        Binding("right,l", "app.focus_next", "Text", show=False, id="modules.text"),
        Binding("left,h", "app.focus_previous", "Modules", show=False, id="modules.list"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._known: tuple[ModuleListing | None, Doable] = (None, Doable())

    @property
    def state(self) -> ModulesState:
        """What the app knows of them."""
        return self.lockwarden.modules

    def compose(self) -> ComposeResult:
        """How many there are, the calls, and everything about the selected one."""
        yield ProseView(id="module-summary")
        yield PulseLine(self.lockwarden.module_work.moment)
        yield PlaceholderView(id="module-placeholder")
        with Horizontal(id="module-panes"):
            yield ModuleList()
            with VerticalScroll(id="module-detail"):
                yield ProseView()
        yield KeyLine()
        yield Notice()

    def on_mount(self) -> None:
        """Follow the app."""
        self.query_one("#module-summary", ProseView).show(lambda width: summary_line(self.state, width))
        self.watch(self.app, "modules", self._draw)

    def on_resize(self) -> None:
        """Put the text beside the list, or below it."""
        self.set_class(self.size.width >= _BESIDE, "-beside")

    def _draw(self, before: ModulesState | None, now: ModulesState) -> None:
        self.query_one("#module-placeholder", PlaceholderView).show(now.placeholder)
        self.query_one("#module-placeholder").display = now.placeholder is not None
        self.query_one("#module-panes").display = now.placeholder is None
        if (
            before is None
            or before.found is not now.found
            or before.asking != now.asking
            or before.fetching != now.fetching
        ):
            self.query_one("#module-summary", ProseView).show(lambda width: summary_line(now, width))
        self.query_one(ModuleList).show(now)
        detail = self.query_one("#module-detail", VerticalScroll)
        detail.border_title = Content("What could not be read" if isinstance(now.entry, ReadingProblem) else "Call")
        self.query_one("#module-detail ProseView", ProseView).show(lambda width: _detail(now, width))
        if before is None or before.selected != now.selected:
            detail.scroll_home(animate=False)
        if self.focused is None and now.placeholder is None:
            self.query_one(ModuleList).focus()
        self.refresh_bindings()

    def why_not(self, action: str) -> str:
        """Why a key does nothing now."""
        state = self.state
        if state.placeholder is not None and action in {"diff", "accept", "accept_all", "pin", "pin_all"}:
            return "no module call is on the screen"
        match action:
            case "ask" if state.asking is not None:
                return "the sources are being asked; ⟨modules back⟩ cancels it"
            case "diff" if state.fetching:
                return "the packages are being fetched; ⟨modules back⟩ cancels it"
            case "diff":
                moved = state.call is not None and accepted_of(state.call) is not None
                return "" if moved else "nobody knows that its source means something else than what was accepted"
            case "accept":
                return "no call is selected" if state.call is None else why_not_accepted(state.call)
            case "accept_all":
                none = "nothing can be accepted together; what moved or changed is accepted call by call"
                return "" if self._doable.acceptable else none
            case "pin":
                return "no call is selected" if state.call is None else why_not_pinned(state.call)
            case "pin_all":
                return "" if self._doable.pinnable else "nothing can be pinned; ask first what the sources mean today"
            case "finding(1)" | "finding(-1)":
                return "" if self._doable.objected else "nothing speaks against any call"
        return ""

    @property
    def _doable(self) -> Doable:
        if self._known[0] is not self.state.listing:
            self._known = (self.state.listing, doable(self.state))
        return self._known[1]

    @on(ModuleList.EntryChosen)
    def _chosen(self, event: ModuleList.EntryChosen) -> None:
        self.lockwarden.modules = with_selected(self.state, event.place)

    def _catch_up(self) -> None:
        """Select the entry at the cursor.

        The cursor moves at once, and its message comes later; the next key may come before that.
        """
        place = self.query_one(ModuleList).on_the_way
        if place is not None:
            self.lockwarden.modules = with_selected(self.state, place)

    def action_ask(self) -> None:
        """Ask what the sources mean today; where they could not be read, read them again."""
        if self.state.placeholder is None:
            self.lockwarden.module_work.ask()
        else:
            self.lockwarden.module_work.read_again()

    def action_diff(self) -> None:
        """Show what is new in the selected module since it was accepted."""
        self._catch_up()
        if self.state.call is not None and accepted_of(self.state.call) is not None:
            self.lockwarden.module_work.diff(self.state.call)

    def action_accept(self) -> None:
        """Accept the selected call as it is today."""
        self._catch_up()
        if self.state.call is not None and not (why := why_not_accepted(self.state.call)):
            self.lockwarden.module_work.accept((self.state.call,))
        elif self.state.call is not None:
            self.say(why)

    def action_accept_all(self) -> None:
        """Accept every call that neither moved nor changed since it was accepted."""
        self.lockwarden.module_work.accept(self._doable.acceptable)

    def action_pin(self) -> None:
        """Pin the selected call to what it means today."""
        self._catch_up()
        if self.state.call is not None and not (why := why_not_pinned(self.state.call)):
            self.lockwarden.module_work.pin((self.state.call,))
        elif self.state.call is not None:
            self.say(why)

    def action_pin_all(self) -> None:
        """Pin every call that can be."""
        self.lockwarden.module_work.pin(self._doable.pinnable)

    def action_finding(self, step: int) -> None:
        """Go to the next or the previous entry that something speaks against."""
        self._catch_up()
        self.lockwarden.modules = next_finding(self.state, self._doable.objected, step)

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    def action_back(self) -> None:
        """Give the asking up, or go back."""
        if not self._busy:
            self.action_close()
            return
        asking = self.state.asking is not None

        def cancel() -> None:
            self.lockwarden.module_work.cancel()
            self.say(with_keys("cancelled; ⟨ask modules⟩ asks again") if asking else "cancelled")

        self._once_confirmed("Cancel what is being asked?" if asking else "Cancel fetching the packages?", cancel)

    @property
    def _busy(self) -> bool:
        return self.state.asking is not None or self.state.fetching

    def _once_confirmed(self, title: str, cancel: Callable[[], None]) -> None:
        run = self.lockwarden.module_work.begun_at

        def runs_on() -> bool:
            return self._busy and self.lockwarden.module_work.begun_at == run

        once_cancelling_is_confirmed(self, title, run, runs_on, cancel)

    def action_close(self) -> None:
        """Go back; what has run for a while is not given up without a question."""
        if self._busy:
            self._once_confirmed("Leave, and cancel what is running?", self._close)
        else:
            self._close()

    def _close(self) -> None:
        self.lockwarden.module_work.cancel()
        self.dismiss(None)


def _detail(state: ModulesState, width: int) -> Content:
    match state.entry:
        case ListedCall() as call:
            return lines(*call_detail(call, state, width))
        case ReadingProblem() as problem:
            return lines(*problem_detail(problem, width, alone=len(state.entries) == 1))
    return Content("")
