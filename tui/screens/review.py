"""The review: the answer, the providers, the hashes of one provider, and why they stand as they do."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec.structs import replace
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.getters import query_one
from textual.reactive import var
from textual.widgets import Input, Static

from lockwarden.core.review.review import Review
from lockwarden.core.review.writing import Undo
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.text import reveal
from lockwarden.tui.screens.attention import Attention
from lockwarden.tui.screens.bindings import REVIEW_BINDINGS
from lockwarden.tui.screens.cancelling import cancel_audit
from lockwarden.tui.screens.deciding import Deciding
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.links import browse, links_of_selected
from lockwarden.tui.screens.lock_file_writing import open_diff, open_step_back
from lockwarden.tui.screens.opening import (
    open_bases,
    open_conflict,
    open_coverage,
    open_export,
    open_modules,
    open_sources,
    why_no_modules,
)
from lockwarden.tui.screens.palette import Destinations, ReviewCommands
from lockwarden.tui.screens.review_drawing import ReviewDrawing
from lockwarden.tui.screens.signing_keys import SigningKeysScreen
from lockwarden.tui.screens.speaking import SpeakingScreen
from lockwarden.tui.state import availability
from lockwarden.tui.state import review_state as steps
from lockwarden.tui.state.filters import EXAMPLES, NO_FILTER, Filter, parse_filter
from lockwarden.tui.state.review_state import Pane, ReviewState
from lockwarden.tui.state.session import Session
from lockwarden.tui.widgets.answer_line import AnswerLine
from lockwarden.tui.widgets.audit_progress import AuditProgress
from lockwarden.tui.widgets.filter_line import FilterLine
from lockwarden.tui.widgets.hash_table import HashTable
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.prose_view import PlaceholderView
from lockwarden.tui.widgets.provider_list import ProviderList
from lockwarden.tui.widgets.pulse_line import PulseLine
from lockwarden.tui.widgets.review_panes import ReviewPanes, pane_of
from lockwarden.tui.widgets.why_pane import WhyPane

_PANES_BESIDE: Final = 70
"""Cells from which on more than one pane is on the screen."""
_ACTIONS: Final = frozenset(getattr(key, "action", "").partition("(")[0] for key in REVIEW_BINDINGS)


class ReviewScreen(SpeakingScreen):
    """Shows the app's session through one frozen state; its parts draw, decide, and know what a person has seen."""

    CSS_PATH = "review.tcss"
    AUTO_FOCUS = "#table"
    COMMANDS = {ReviewCommands, Destinations}  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = list(REVIEW_BINDINGS)

    state: var[ReviewState] = var(ReviewState())

    _filter_line = query_one(FilterLine)
    _panes = query_one(ReviewPanes)

    def __init__(self) -> None:
        super().__init__()
        self.attention = Attention(self)
        self._drawing = ReviewDrawing(self)

    @property
    def _deciding(self) -> Deciding:
        return Deciding(self, self.attention)

    @property
    def session(self) -> Session:
        """What the app knows now."""
        return self.lockwarden.session

    @property
    def review(self) -> Review:
        """The review; only to be asked for by actions that need one, which `why_not` holds back before."""
        review = self.session.review
        assert review is not None  # noqa: S101
        return review

    def compose(self) -> ComposeResult:
        """The parts from top to bottom."""
        yield AuditProgress(id="title")
        yield AnswerLine(id="answer")
        yield PulseLine(self.lockwarden.audits.moment)
        yield Static(id="banner", markup=False)
        yield FilterLine(EXAMPLES)
        yield PlaceholderView(id="placeholder")
        yield ReviewPanes(self.lockwarden.setup.look.columns)
        yield KeyLine()
        yield Notice()

    def on_mount(self) -> None:
        """Follow the session."""
        self.query_one("#title", AuditProgress).title = self.lockwarden.lock_file_title
        self.watch(self.app, "session", self._session_changed, init=False)
        self._session_changed(self.session, self.session)

    def _session_changed(self, before: Session, now: Session) -> None:
        if now.review is not None:
            began_or_ended = before.progress.running != now.progress.running
            other_file = before.review is None or before.review.lock_file is not now.review.lock_file
            anew = began_or_ended or other_file or not self.state.order
            arrange = steps.arranged if anew else steps.settled
            self.set_reactive(ReviewScreen.state, arrange(self.state, now.review))
            self.results_arrived()
        self._drawing.everything(now, self.state)
        if _in_conflict(now) and not (_in_conflict(before) and before is not now):
            self._open_conflict()
        if (before.placeholder is None) != (now.placeholder is None) or self.focused is None:
            self._focus_after_placeholder(now)
        self.refresh_bindings()

    def _open_conflict(self) -> None:
        """Show both sides of a lock file in conflict in the place of what says so."""
        if self.lockwarden.setup.conflicts is not None and self.app.screen is self:
            self.action_resolve()

    def results_arrived(self) -> None:
        """Note that results came in, so that rows may differ from what a person has seen."""
        self.attention.results_arrived(self.session.review, self.state.hash)

    def on_screen_resume(self) -> None:
        """What came in under another screen can be seen from now on."""
        self.results_arrived()

    def _focus_after_placeholder(self, now: Session) -> None:
        if now.placeholder is not None:
            self.call_after_refresh(self.query_one(PlaceholderView).focus)
        elif now.review is not None:
            self.call_after_refresh(self.focus_pane)

    def watch_state(self, before: ReviewState, now: ReviewState) -> None:
        """Draw what differs. A person did this, so it is what they aim at."""
        self.attention.moved(now.hash)
        review = self.session.review
        if review is None or not self.is_mounted:
            return
        if before.filter != now.filter or before.pane != now.pane:
            self._drawing.frame(self.session, now)
        self._drawing.panes(self.session, review, now, listed=_listed_by(before) != _listed_by(now))
        self.refresh_bindings()

    def on_resize(self) -> None:
        """Draw anew for another width."""
        if self.session.review is not None and self.session.placeholder is None:
            self._drawing.hashes(self.session, self.session.review, self.state)

    def notice_a_person(self) -> None:
        """A key or a click: from now on nothing else moves the selection, and the last message goes away."""
        if self.state.order and not self.state.touched:
            self.set_reactive(ReviewScreen.state, replace(self.state, touched=True))
        super().notice_a_person()

    def why_not(self, action: str) -> str:
        """Why the action does nothing now, in a sentence of our own; empty when it does something."""
        name = action.partition("(")[0]
        if name == "browse" and not availability.why_not(name, self.session, self.state):
            return "" if self.links else "no address of the web is known of this"
        if name == "modules":
            return why_no_modules(self)
        if name == "resolve":
            resolvable = _in_conflict(self.session) and self.lockwarden.setup.conflicts is not None
            return "" if resolvable else "the lock file is in no conflict"
        return availability.why_not(name, self.session, self.state) if name in _ACTIONS else ""

    def show(self, chosen: Filter) -> None:
        """Show only what the filter lets through."""
        if self.session.review is not None:
            self.state = steps.with_filter(self.state, self.session.review, chosen)

    @property
    def destinations(self) -> tuple[tuple[str, ProviderAddress], ...]:
        """What each provider of the lock file is called, and its address."""
        review = self.session.review
        if review is None or self.session.placeholder is not None:
            return ()
        return tuple((f"{provider_name(each.address)} {each.entry.version}", each.address) for each in review.providers)

    def go_to(self, address: ProviderAddress) -> None:
        """Show this provider's hashes; a filter, or a list of changes only, that hides it is given up."""
        if self.session.review is not None:
            self.state = steps.gone_to(self.state, self.review, address)
            self.focus_pane()

    # Deciding

    def action_decide(self) -> None:
        """Go round the decisions of the selected hash, or of the marked range."""
        self._catch_up()
        self._deciding.decide(self.review, self.state)

    def _catch_up(self) -> None:
        """Select the line at the cursor, which may be ahead of the state."""
        review = self.session.review
        if review is not None:
            self.state = self._panes.caught_up(self.state, review)

    def action_accept(self) -> None:
        """Accept what is suggested for the selected provider."""
        self._catch_up()
        self._deciding.accept(self.review, self.state)

    def action_accept_all(self) -> None:
        """Accept what is suggested for every provider."""
        self._deciding.accept_all(self.review, self.state)

    def action_undo(self) -> None:
        """Take the last decision back; where none is left, the last write, after a look at the difference."""
        if self.session.undoes is Undo.DECISION:
            self._deciding.undo(self.review)
        else:
            open_step_back(self)

    def action_redo(self) -> None:
        """Make the decision again that was taken back."""
        self._deciding.redo(self.review)

    def action_mark(self) -> None:
        """Begin a range, or give it up."""
        self._catch_up()
        self.state = steps.with_mark(self.state)

    def give_up_marks(self) -> None:
        """Mean the selected hash alone."""
        if self.state.anchor is not None:
            self.state = steps.without_marks(self.state)

    # Moving and looking

    def action_finding(self, step: int) -> None:
        """Go to the next or the previous finding."""
        self.state = steps.with_next_finding(self.state, self.review, step=step)
        self.focus_pane()

    def action_pane_left(self) -> None:
        """Move to the providers, or from the reasons back to the hashes."""
        self._go(Pane.HASHES if self.state.pane is Pane.WHY else Pane.PROVIDERS)

    def action_pane_right(self) -> None:
        """Move to the hashes, or on to the reasons."""
        self._go(Pane.HASHES if self.state.pane is Pane.PROVIDERS else Pane.WHY)

    def _go(self, pane: Pane) -> None:
        self.state = steps.with_pane(self.state, pane)
        self.focus_pane()

    def focus_pane(self) -> None:
        """Put the focus where the state says it is."""
        self._panes.take_keys(self.state.pane)

    def action_detail(self) -> None:
        """Open everything about the selected hash or provider."""
        self._catch_up()
        self.app.push_screen(DetailScreen(self))

    def action_about(self) -> None:
        """Open everything about the selected provider and the lock file, whatever is in the why-pane."""
        self.app.push_screen(DetailScreen(self, about_provider=True))

    def action_copy(self) -> None:
        """Copy the whole hash."""
        self._catch_up()
        if self.state.hash is not None:
            self.app.copy_to_clipboard(self.state.hash.hash)
            self.say(f"copied {reveal(self.state.hash.hash)}")

    def action_browse(self) -> None:
        """Open an address of the selected hash or provider; which one is asked where there are several."""
        self._catch_up()
        browse(self, self.links)

    @property
    def links(self) -> tuple[tuple[str, str], ...]:
        """The addresses behind what is selected, each with what it is."""
        return links_of_selected(self.state, self.review)

    def action_edit(self) -> None:
        """Open the lock file in the operator's editor, where the selected hash or provider stands."""
        self._catch_up()
        shown = None if self.session.placeholder is not None else self.session.review
        line = 1 if shown is None else steps.selected_line(self.state, shown)
        self.lockwarden.outside.edit(self.lockwarden.files.current, line)

    def action_export(self) -> None:
        """Export the review, once it is said to which file."""
        open_export(self, "this review", lambda: (self.lockwarden.files.current,))

    def action_filter(self) -> None:
        """Open the filter."""
        self._filter_line.open()

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    def action_back(self) -> None:
        """Back out one step: the filter's line, the mark, the audit, the filter, the pane.

        Where several files are reviewed, the audit belongs to all of them, and behind the last step is their list.
        """
        several = self.lockwarden.files.several
        if isinstance(self.focused, Input):
            self._close_filter(keep=False)
        elif self.state.anchor is not None:
            self.state = steps.with_mark(self.state)
        elif self.session.progress.running and not several:
            cancel_audit(self)
        elif self.state.filter.text:
            self._close_filter(keep=False)
        elif self.state.pane is not Pane.PROVIDERS and (not several or self.size.width < _PANES_BESIDE):
            self.action_pane_left()
        elif several:
            self.dismiss(None)

    def _close_filter(self, *, keep: bool) -> None:
        """Leave the filter's line, with the filter or without."""
        if not keep:
            self._filter_line.clear()
            self.show(NO_FILTER)
        self.focus_pane()
        self._filter_line.stay(shown=bool(self.state.filter.text))

    # Sources, writing, leaving

    def action_sources(self) -> None:
        """Choose sources and platforms."""
        open_sources(self, self.state.provider)

    def action_ask_again(self) -> None:
        """Audit again; where there is no review, read the lock file again."""
        if self.session.review is None or self.session.placeholder is not None or self.session.stale:
            self.lockwarden.audits.open_selected()
        else:
            self.lockwarden.audits.start()

    def action_keys(self) -> None:
        """Look at the signing keys."""
        self.app.push_screen(SigningKeysScreen(self.state.provider))

    def action_modules(self) -> None:
        """Look at the module calls beside the lock file."""
        open_modules(self)

    def action_resolve(self) -> None:
        """Look at both sides of a lock file in conflict."""
        open_conflict(self)

    def action_coverage(self) -> None:
        """See where a client would install with this lock file."""
        open_coverage(self, self.state)

    def action_base(self) -> None:
        """Choose the revision that the lock file is compared with."""
        open_bases(self, self.review.lock_file)

    def action_changes_only(self) -> None:
        """Show what the change touches, or everything."""
        self.state = steps.with_changes_only(self.state, self.review)

    def action_record(self) -> None:
        """Record that the selected hash, or the marked range, is accepted."""
        self._catch_up()
        self._deciding.record(self.review, self.state)

    def action_diff(self) -> None:
        """Look at what the decisions change."""
        open_diff(self, writing=False)

    def action_write(self) -> None:
        """Write, after a look at the difference."""
        open_diff(self, writing=True)

    async def action_leave(self) -> None:
        """Leave, to the list of files if there is one; else it asks when decisions would be lost."""
        if self.lockwarden.files.several:
            self.dismiss(None)
        else:
            await self.app.run_action("app.quit")

    # What the widgets tell

    @on(ProviderList.ProviderChosen)
    def _provider_chosen(self, event: ProviderList.ProviderChosen) -> None:
        self.state = steps.with_provider(self.state, self.review, event.address)
        if event.opened:
            self._go(Pane.HASHES)

    @on(HashTable.HashMoved)
    def _hash_moved(self, event: HashTable.HashMoved) -> None:
        if self.state.provider is not None and event.key.address == str(self.state.provider):
            self.state = steps.with_hash(self.state, self.review, event.key)

    @on(HashTable.HashOpened)
    @on(WhyPane.Opened)
    def _opened(self) -> None:
        self.action_detail()

    @on(AnswerLine.CountChosen)
    def _count_chosen(self, event: AnswerLine.CountChosen) -> None:
        self.show(NO_FILTER if self.state.filter == event.chosen else event.chosen)

    @on(AnswerLine.CountOpened)
    async def _count_opened(self, event: AnswerLine.CountOpened) -> None:
        await self.perform(event.action)

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        typed = parse_filter(event.value)
        if typed != self.state.filter:
            self.show(replace(typed, text=event.value.strip()))

    @on(Input.Submitted, "#filter")
    def _filter_submitted(self) -> None:
        """Leave the line, unless something in it means nothing: it is put right there, and must not act as keys."""
        if not self.state.filter.problem:
            self._close_filter(keep=True)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Follow the focus, however it got where it is."""
        pane = pane_of(event.widget)
        if pane is not None and pane is not self.state.pane:
            self.state = steps.with_pane(self.state, pane)


def _in_conflict(session: Session) -> bool:
    return session.placeholder is not None and session.placeholder.in_conflict


def _listed_by(now: ReviewState) -> tuple[object, ...]:
    """What decides which providers are listed, and how."""
    return (now.order, now.filter, now.provider, now.everything)
