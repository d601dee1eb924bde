"""The review: the answer, the providers, the hashes of one provider, and why they stand as they do."""

from __future__ import annotations

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.widgets import Input, Label, Static

from lockwarden.core.engine.source_spelling import name_sources
from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import keys_of
from lockwarden.core.values.amounts import counted
from lockwarden.tui.palette import ReviewCommands
from lockwarden.tui.render import styles as looks
from lockwarden.tui.render.counts import counts_of
from lockwarden.tui.render.reasons import about_the_file, provider_name, why_hash, why_provider
from lockwarden.tui.render.review import against, banner, subtitle
from lockwarden.tui.render.text import plain, shorten_start, spaced
from lockwarden.tui.screens.review_actions import ReviewActions
from lockwarden.tui.state import review_state as state
from lockwarden.tui.state.filters import EXAMPLES
from lockwarden.tui.state.review_state import Pane, ReviewState
from lockwarden.tui.state.session import Session
from lockwarden.tui.widgets.answer_line import Answer, AnswerLine
from lockwarden.tui.widgets.audit_progress import AuditProgress
from lockwarden.tui.widgets.face import FaceView
from lockwarden.tui.widgets.hash_table import HashTable, lines_of
from lockwarden.tui.widgets.key_line import KeyLine
from lockwarden.tui.widgets.notice import Notice
from lockwarden.tui.widgets.provider_list import Listing, ProviderList
from lockwarden.tui.widgets.provider_summary import ProviderSummary
from lockwarden.tui.widgets.titles import retitle
from lockwarden.tui.widgets.why_pane import WhyPane

_PANES = frozenset(f"-at-{pane}" for pane in Pane)


class ReviewScreen(ReviewActions):
    """Shows the app's session through one frozen state; what the keys do is in `ReviewActions`."""

    CSS_PATH = "review.tcss"
    AUTO_FOCUS = "#table"
    COMMANDS = {ReviewCommands}  # noqa: RUF012

    _title = query_one("#title", AuditProgress)
    _answer = query_one(AnswerLine)
    _banner = query_one("#banner", Static)
    _filter_line = query_one("#filter-line", Horizontal)
    _filter = query_one("#filter", Input)
    _filter_told = query_one("#filter-told", Static)
    _providers = query_one(ProviderList)
    _hashes = query_one("#hashes", Vertical)
    _summary = query_one(ProviderSummary)
    _table = query_one(HashTable)
    _why = query_one(WhyPane)
    _face = query_one(FaceView)

    def compose(self) -> ComposeResult:
        """The parts from top to bottom."""
        yield AuditProgress(id="title")
        yield AnswerLine(id="answer")
        yield Static(id="banner", markup=False)
        with Horizontal(id="filter-line"):
            yield Label("/ ")
            yield Input(id="filter", placeholder=EXAMPLES, compact=True)
            yield Static(id="filter-told", markup=False)
        yield FaceView(id="face")
        with Vertical(id="panes"):
            with Vertical(id="upper"):
                yield ProviderList()
                with Vertical(id="hashes"):
                    yield ProviderSummary(id="summary")
                    yield HashTable()
            yield WhyPane()
        yield KeyLine()
        yield Notice()

    def on_mount(self) -> None:
        """Follow the session."""
        self._filter.cursor_blink = False
        self._title.title = self.lockwarden.lock_file_title
        self.watch(self.app, "session", self._session_changed, init=False)
        self._session_changed(self.session, self.session)

    def _session_changed(self, before: Session, now: Session) -> None:
        if now.review is not None:
            began_or_ended = before.progress.running != now.progress.running
            other_file = before.review is None or before.review.lock_file is not now.review.lock_file
            anew = began_or_ended or other_file or not self.state.order
            arrange = state.arranged if anew else state.settled
            self.set_reactive(ReviewActions.state, arrange(self.state, now.review))
            self.results_arrived()
        self._draw_frame(now)
        if now.review is not None and now.face is None:
            self._draw_providers(now.review)
            self._draw_hashes(now.review)
            self._draw_why(now.review)
        if (before.face is None) != (now.face is None) or self.focused is None:
            self._focus_after_face(now)
        self.refresh_bindings()

    def _focus_after_face(self, now: Session) -> None:
        if now.face is not None:
            self.call_after_refresh(self._face.focus)
        elif now.review is not None:
            self.call_after_refresh(self.focus_pane)

    def watch_state(self, before: ReviewState, now: ReviewState) -> None:
        """Draw what differs. A person did this, so it is what they aim at."""
        self.aimed = now.hash
        review = self.session.review
        if review is None or not self.is_mounted:
            return
        if before.filter != now.filter or before.pane != now.pane:
            self._draw_frame(self.session)
        if _listed_by(before) != _listed_by(now):
            self._draw_providers(review)
        self._draw_hashes(review)
        self._draw_why(review)
        self.refresh_bindings()

    def _draw_frame(self, now: Session) -> None:
        self.set_class(now.face is not None, "-faced")
        for each in _PANES:
            self.set_class(each == f"-at-{self.state.pane}", each)
        self._face.show(now.face)
        self._title.progress = now.progress
        self._title.against = against(now)
        self._title.sources = tuple(ref.id for ref in name_sources(now.sources))
        above = banner(now)
        _say(self._banner, above)
        self._banner.set_class(bool(above) and now.face is None, "-shown")
        if now.review is None:
            return
        words, hue = looks.answer(now.review, now.progress)
        self._answer.answer = Answer(words, hue, counts_of(now.review), self.state.filter)
        self._draw_filter(now.review)

    def _draw_filter(self, review: Review) -> None:
        chosen = self.state.filter
        typing = self.focused is self._filter
        self._filter_line.set_class(typing or bool(chosen.text), "-shown")
        if not typing and self._filter.value.strip() != chosen.text:
            with self.prevent(Input.Changed):
                self._filter.value = chosen.text
        listed = state.visible_providers(self.state, review)
        shown = sum(len(state.visible_rows(self.state, each)) for each in listed)
        total = sum(len(each.rows) for each in review.providers)
        told = chosen.problem or (f"{shown} of {total} shown, esc clears" if chosen.active else "")
        _say(self._filter_told, plain(told, "$text-warning" if chosen.problem else ""))

    def _draw_providers(self, review: Review) -> None:
        listed = state.visible_providers(self.state, review)
        objected = sum(each.objected for each in listed)
        title = f"Findings in {objected} of {len(listed)}" if objected else counted(len(listed), "provider")
        hidden = state.left_out(self.state, review)
        more = f"v shows {hidden} more" if hidden else ""
        wide = self.size.width >= 100
        listing = Listing(
            providers=listed,
            removed=() if self.state.filter.active else review.removed,
            sides=review.standards.sides,
            title=title if wide or not more else f"{title}, {more}",
            subtitle=more,
        )
        self._providers.show(listing, self.session.progress, self.state.provider)

    def _draw_hashes(self, review: Review) -> None:
        provider = state.selected_provider(self.state, review)
        self._summary.set_class(self.size.width >= 100, "-two-lines")
        if provider is None:
            self._summary.provider = None
            self._table.show((), None)
            active = self.state.filter.active
            told = plain("Nothing matches the filter" if active else "")
            retitle(self._hashes, told, plain("esc clears it" if active else ""))
            return
        self._summary.progress = self.session.progress.of(provider.address)
        self._summary.provider = provider
        self._summary.policy = review.standards.policy
        rows = state.visible_rows(self.state, provider)
        keys = keys_of(provider, rows)
        decisions = [
            (review.decision(provider, row), review.decisions.of(key) is not None)
            for key, row in zip(keys, rows, strict=True)
        ]
        marked = frozenset(state.marked(self.state, review))
        lines_shown = lines_of(keys, rows, decisions, marked, waiting=provider.waiting)
        self._table.show(lines_shown, self.state.hash, compared=review.standards.has_base)
        name = plain(shorten_start(f"{provider_name(provider.address)} {provider.entry.version}", self.size.width - 8))
        shown = plain(subtitle(len(marked), len(rows), len(provider.rows)))
        retitle(self._hashes, self._titled(name, "h providers, l why"), shown)

    def _draw_why(self, review: Review) -> None:
        provider = state.selected_provider(self.state, review)
        row = state.selected_row(self.state, review)
        if provider is None:
            self._why.show(Content("Why"), None, lambda _: Content(""))
        elif row is None or self.state.subject is Pane.PROVIDERS:
            self._show_provider(provider, review)
        else:
            _, word = looks.of_row(row, waiting=provider.waiting)
            title = self._titled(Content(f"Why {word}"), "h hashes, enter more")
            self._why.show(title, HashKey.of(provider.address, row.hash), lambda width: why_hash(provider, row, width))

    def _show_provider(self, provider: ProviderReview, review: Review) -> None:
        progress, about = self.session.progress.of(provider.address), about_the_file(review)
        self._why.show(
            self._titled(Content("About this provider"), "h hashes, enter more"),
            provider.address,
            lambda width: why_provider(provider, progress, about, width, standards=review.standards),
        )

    def _titled(self, title: Content, ways: str) -> Content:
        """A pane's title, on a narrow screen with the keys that lead to the other panes, where there is room."""
        if self.size.width >= 70 or title.cell_length + len(ways) + 8 > self.size.width:
            return title
        return spaced(title, Content.styled(ways, "$text-muted not bold"), gap=3)

    def open_filter(self) -> None:
        """Show the line with the filter and put the cursor into it."""
        self._filter_line.add_class("-shown")
        self._filter.focus()

    def close_filter(self, *, keep: bool) -> None:
        """Leave the filter's line, with the filter or without."""
        if not keep:
            with self.prevent(Input.Changed):
                self._filter.value = ""
        super().close_filter(keep=keep)
        self._filter_line.set_class(bool(self.state.filter.text), "-shown")

    def notice_a_person(self) -> None:
        """A key or a click: from now on nothing else moves the selection, and the last message goes away."""
        if self.state.order and not self.state.touched:
            self.set_reactive(ReviewActions.state, replace(self.state, touched=True))
        super().notice_a_person()

    def on_resize(self) -> None:
        """Draw anew for another width."""
        if self.session.review is not None and self.session.face is None:
            self._draw_hashes(self.session.review)


def _listed_by(now: ReviewState) -> tuple[object, ...]:
    """What decides which providers are listed, and how."""
    return (now.order, now.filter, now.provider, now.everything)


def _say(static: Static, content: Content) -> None:
    """Show a content unless it is shown already: every update lays the whole screen out anew."""
    shown = static.content
    if not (isinstance(shown, Content) and content.is_same(shown)):
        static.update(content)
