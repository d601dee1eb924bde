"""What the keys and the mouse do in the review: each reads the state, calls a pure function, and assigns."""

from __future__ import annotations

from msgspec.structs import replace
from textual import events, on
from textual.widgets import Input

from lockwarden.core.review import bulk_decisions
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.recording import recordable
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import keys_of
from lockwarden.core.review.writing import to_think_of
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.render.text import reveal
from lockwarden.tui.screens.bases import BasesScreen
from lockwarden.tui.screens.confirm import ConfirmScreen, Question
from lockwarden.tui.screens.coverage import CoverageScreen
from lockwarden.tui.screens.detail import DetailScreen
from lockwarden.tui.screens.diff import DiffScreen
from lockwarden.tui.screens.file_diff import CHANGED_MEANWHILE
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.keys import KeysScreen
from lockwarden.tui.screens.review_basis import ReviewBasis
from lockwarden.tui.screens.sources import SourcesScreen
from lockwarden.tui.source_choice import Draft
from lockwarden.tui.state import review_state as state
from lockwarden.tui.state.filters import NO_FILTER, Filter, parse_filter
from lockwarden.tui.state.review_state import Pane
from lockwarden.tui.widgets.answer_line import AnswerLine
from lockwarden.tui.widgets.hash_table import HashTable
from lockwarden.tui.widgets.provider_list import ProviderList
from lockwarden.tui.widgets.why_pane import WhyPane

_PANES_BESIDE = 70
"""Cells from which on more than one pane is on the screen."""
_WIDGETS = {Pane.PROVIDERS: "#providers", Pane.HASHES: "#table", Pane.WHY: "#why"}


class ReviewActions(ReviewBasis):
    """The behaviour of the review screen; how it is drawn is in `ReviewScreen`."""

    def show(self, chosen: Filter) -> None:
        """Show only what the filter lets through."""
        if self.session.review is not None:
            self.state = state.with_filter(self.state, self.session.review, chosen)

    # Deciding

    def action_decide(self) -> None:
        """Go round the decisions of the selected hash, or of the marked range."""
        self._catch_up()
        provider = state.selected_provider(self.state, self.review)
        if provider is None or self.state.hash is None:
            return
        marked = state.marked(self.state, self.review)
        if self.stands_as_seen(*marked, self.state.hash):
            self._take(bulk_decisions.decide_next(self.review, provider, marked, self.state.hash))

    def _catch_up(self) -> None:
        """Select where the cursor is: it moves at once and tells of it later, and the next key may come before that."""
        address, key = self.query_one(ProviderList).on_the_way, self.query_one(HashTable).on_the_way
        if address is not None:
            self.state = state.with_provider(self.state, self.review, address)
        if key is not None and key.address == str(self.state.provider):
            self.state = state.with_hash(self.state, self.review, key)

    def action_accept(self) -> None:
        """Accept what is suggested for the selected provider."""
        self._catch_up()
        provider = state.selected_provider(self.state, self.review)
        self._take(bulk_decisions.accept_suggested(self.review, () if provider is None else (provider,), self.seen))

    def action_accept_all(self) -> None:
        """Accept what is suggested for every provider."""
        self._take(bulk_decisions.accept_suggested(self.review, self.review.providers, self.seen))

    def _take(self, act: bulk_decisions.BulkDecision) -> None:
        self._follow(self.review.decisions.decide(act.made), act.summary)

    def action_undo(self) -> None:
        """Take the last decision back."""
        self._follow(self.review.decisions.undo(), "undone")

    def action_redo(self) -> None:
        """Make the decision again that was taken back."""
        self._follow(self.review.decisions.redo(), "done again")

    def _follow(self, decisions: Decisions, told: str) -> None:
        """Take decisions over, here and in all files that hold the same entry, and tell of it."""
        followers = self.lockwarden.decide(decisions)
        also = f"also in {counted(followers, 'file')}" if followers else ""
        if said := "; ".join(each for each in (told, also) if each):
            self.say(said)

    def action_mark(self) -> None:
        """Begin a range, or give it up."""
        self._catch_up()
        self.state = state.with_mark(self.state)

    def give_up_marks(self) -> None:
        """Mean the selected hash alone."""
        if self.state.anchor is not None:
            self.state = state.without_marks(self.state)

    # Moving and looking

    def action_finding(self, step: int) -> None:
        """Go to the next or the previous finding."""
        self.state = state.with_next_finding(self.state, self.review, step=step)
        self.focus_pane()

    def action_pane_left(self) -> None:
        """Move to the providers, or from the reasons back to the hashes."""
        self._go(Pane.HASHES if self.state.pane is Pane.WHY else Pane.PROVIDERS)

    def action_pane_right(self) -> None:
        """Move to the hashes, or on to the reasons."""
        self._go(Pane.HASHES if self.state.pane is Pane.PROVIDERS else Pane.WHY)

    def _go(self, pane: Pane) -> None:
        self.state = state.with_pane(self.state, pane)
        self.focus_pane()

    def focus_pane(self) -> None:
        """Put the focus where the state says it is."""
        self.query_one(_WIDGETS[self.state.pane]).focus()

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

    def action_filter(self) -> None:
        """Open the filter."""
        self.open_filter()

    def open_filter(self) -> None:
        """Show the line with the filter and put the cursor into it."""
        raise NotImplementedError

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self))

    def action_back(self) -> None:
        """Back out one step: the filter's line, the mark, the audit, the filter, the pane.

        Where several files are reviewed, the audit belongs to all of them, and behind the last step is their list.
        """
        several = self.lockwarden.files.several
        if isinstance(self.focused, Input):
            self.close_filter(keep=False)
        elif self.state.anchor is not None:
            self.state = state.with_mark(self.state)
        elif self.session.progress.running and not several:
            self.lockwarden.cancel_audit()
            self.say("cancelled; what is known stays, r asks again")
        elif self.state.filter.active:
            self.close_filter(keep=False)
        elif self.state.pane is not Pane.PROVIDERS and (not several or self.size.width < _PANES_BESIDE):
            self.action_pane_left()
        elif several:
            self.dismiss(None)

    def close_filter(self, *, keep: bool) -> None:
        """Leave the filter's line, with the filter or without."""
        if not keep:
            self.show(NO_FILTER)
        self.focus_pane()

    # Sources, writing, leaving

    def action_sources(self) -> None:
        """Choose sources and platforms."""
        app = self.lockwarden
        draft = Draft.of(self.session.sources, self.session.platforms, app.current_platform)
        app.push_screen(SourcesScreen(draft, self.state.provider))

    def action_ask_again(self) -> None:
        """Audit again; where there is no review, read the lock file again."""
        if self.session.review is None or self.session.face is not None:
            self.lockwarden.open_lock_file()
        else:
            self.lockwarden.start_audit()

    def action_keys(self) -> None:
        """Look at the signing keys."""
        self.app.push_screen(KeysScreen())

    def action_coverage(self) -> None:
        """See where a client would install with this lock file."""
        first = () if self.state.provider is None else (self.state.provider,)
        self.app.push_screen(CoverageScreen(tuple(dict.fromkeys((*first, *self.state.order)))))

    def action_base(self) -> None:
        """Choose the revision that the lock file is compared with."""

        def chosen(base: str | None) -> None:
            if base is not None and base != self.session.base:
                self.lockwarden.compare_with(base)

        self.app.push_screen(BasesScreen(self.review.lock_file, self.session.base), chosen)

    def action_changes_only(self) -> None:
        """Show what the change touches, or everything."""
        self.state = state.with_changes_only(self.state, self.review)

    def action_record(self) -> None:
        """Record that the selected hash, or the marked range, is accepted."""
        self._catch_up()
        provider = state.selected_provider(self.state, self.review)
        if provider is None:
            return
        rows = recordable(self.review, provider, state.aimed_at(self.state, self.review))
        if self.stands_as_seen(*keys_of(provider, rows)):
            self.lockwarden.record_approval(provider, rows)

    def action_diff(self) -> None:
        """Look at what the decisions change."""
        self._open_diff(writing=False)

    def action_write(self) -> None:
        """Write, after a look at the difference."""
        self._open_diff(writing=True)

    def _open_diff(self, *, writing: bool, told: tuple[str, ...] = ()) -> None:
        try:
            after = self.review.next_lock_file()
        except LockwardenError as error:
            question = Question(title="This cannot be written", rows=((error.message, error.hint),), safe="Back")
            self.app.push_screen(ConfirmScreen(question))
            return

        looked_at = self.review

        def answered(agreed: bool | None) -> None:
            if not agreed:
                return
            if self._is_still(looked_at, after):
                self.lockwarden.write_lock_file(looked_at.lock_file, after)
            else:
                self._open_diff(writing=True, told=(CHANGED_MEANWHILE,))

        title = self.lockwarden.lock_file_title
        self.app.push_screen(DiffScreen(looked_at, after, title=title, writing=writing, told=told), answered)

    def _is_still(self, looked_at: Review, after: bytes) -> bool:
        """Whether the difference and what stands around it would be told the same now."""
        now = self.session.review
        if now is None or now.lock_file is not looked_at.lock_file:
            return False
        return now.next_lock_file() == after and to_think_of(now) == to_think_of(looked_at)

    async def action_leave(self) -> None:
        """Leave, to the list of files if there is one; else it asks when decisions would be lost."""
        if self.lockwarden.files.several:
            self.dismiss(None)
        else:
            await self.app.run_action("app.quit")

    # What the widgets tell

    @on(ProviderList.ProviderChosen)
    def _provider_chosen(self, event: ProviderList.ProviderChosen) -> None:
        self.state = state.with_provider(self.state, self.review, event.address)
        if event.opened:
            self._go(Pane.HASHES)

    @on(HashTable.HashMoved)
    def _hash_moved(self, event: HashTable.HashMoved) -> None:
        if self.state.provider is not None and event.key.address == str(self.state.provider):
            self.state = state.with_hash(self.state, self.review, event.key)

    @on(HashTable.HashOpened)
    @on(WhyPane.Opened)
    def _opened(self) -> None:
        self.action_detail()

    @on(AnswerLine.CountChosen)
    def _count_chosen(self, event: AnswerLine.CountChosen) -> None:
        self.show(NO_FILTER if self.state.filter == event.chosen else event.chosen)

    @on(Input.Changed, "#filter")
    def _filter_typed(self, event: Input.Changed) -> None:
        typed = parse_filter(event.value)
        if typed != self.state.filter:
            self.show(replace(typed, text=event.value.strip()))

    @on(Input.Submitted, "#filter")
    def _filter_submitted(self) -> None:
        self.close_filter(keep=True)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Follow the focus, however it got where it is."""
        for pane, selector in _WIDGETS.items():
            if event.widget.id == selector.removeprefix("#") and pane is not self.state.pane:
                self.state = state.with_pane(self.state, pane)
