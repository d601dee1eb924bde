"""Draws the review: the answer, the providers, the hashes of one provider, and why they stand as they do."""

from __future__ import annotations

from typing import Final

from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from lockwarden.core.engine.source_spelling import name_sources
from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import keys_of
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render import styles
from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.render.counts import counts_of, unwritten_count
from lockwarden.tui.render.reasons import about_the_file, provider_name, why_hash, why_provider
from lockwarden.tui.render.review import against, banner, subtitle
from lockwarden.tui.render.text import plain, shorten_start, spaced
from lockwarden.tui.state import review_state as steps
from lockwarden.tui.state.filters import what_there_is
from lockwarden.tui.state.review_state import Pane, ReviewState
from lockwarden.tui.state.session import Session, decisions_of
from lockwarden.tui.widgets.answer_line import AnswerLine, AnswerText
from lockwarden.tui.widgets.audit_progress import AuditProgress
from lockwarden.tui.widgets.filter_line import FilterLine
from lockwarden.tui.widgets.hash_table import HashTable, lines_of
from lockwarden.tui.widgets.prose_view import PlaceholderView
from lockwarden.tui.widgets.provider_list import ProviderList, ProviderListing
from lockwarden.tui.widgets.provider_summary import ProviderSummary
from lockwarden.tui.widgets.titles import retitle
from lockwarden.tui.widgets.why_pane import WhyPane

_NARROW: Final = "-narrow"
"""The screen's class where one pane is shown at a time, so that it matters which."""

_FROM_HASHES: Final = "⟨left⟩ providers, ⟨right⟩ why"
_FROM_REASONS: Final = "⟨left⟩ hashes, ⟨open⟩ more"


class ReviewDrawing:
    """Puts a moment of the session and of the state into the widgets of a review screen."""

    def __init__(self, screen: Screen[None]) -> None:
        self._screen = screen

    @property
    def _width(self) -> int:
        return self._screen.size.width

    def everything(self, now: Session, state: ReviewState) -> None:
        """All of it."""
        self.frame(now, state)
        if now.review is not None and now.placeholder is None:
            self.panes(now, now.review, state)

    def panes(self, now: Session, review: Review, state: ReviewState, *, listed: bool = True) -> None:
        """The panes; the list of providers only where another one is `listed`."""
        if listed:
            self.providers(now, review, state)
        self.hashes(now, review, state)
        self.why(now, review, state)

    def frame(self, now: Session, state: ReviewState) -> None:
        """What stands around the panes."""
        self._screen.set_class(now.placeholder is not None, "-with-placeholder")
        at = {f"-at-{pane}": pane is state.pane for pane in Pane}
        # Every style of a screen is worked out anew for it, which takes longer than all the rest of a key.
        self._screen.update_classes(at, update=self._screen.has_class(_NARROW))
        self._screen.query_one(PlaceholderView).show(now.placeholder)
        title = self._screen.query_one("#title", AuditProgress)
        title.progress = now.progress
        title.against = against(now)
        title.sources = tuple(ref.id for ref in name_sources(now.sources))
        above, line = banner(now), self._screen.query_one("#banner", Static)
        _update(line, above)
        line.set_class(bool(above) and now.placeholder is None, "-shown")
        if now.review is None:
            return
        answer = now.review.answer_while(running=now.progress.running)
        counts = (*unwritten_count(decisions_of(now)), *counts_of(now.review))
        told = AnswerText(answer, styles.ANSWERS[answer].hue, counts, state.filter)
        self._screen.query_one(AnswerLine).answer = told
        self._filter_line(now.review, state)

    def _filter_line(self, review: Review, state: ReviewState) -> None:
        chosen = state.filter
        listed = steps.visible_providers(state, review)
        shown = sum(len(steps.visible_rows(state, each)) for each in listed)
        total = sum(len(each.rows) for each in review.providers)
        problem = chosen.problem or what_there_is(chosen, review.providers)
        clears = with_keys("⟨back⟩ clears")
        told = plain(f"{shown} of {total} shown, {clears}" if chosen.active else "")
        self._screen.query_one(FilterLine).show(chosen.text, told, plain(problem))

    def providers(self, now: Session, review: Review, state: ReviewState) -> None:
        """The list of providers."""
        listed = steps.visible_providers(state, review)
        objected = sum(each.objected for each in listed)
        title = f"Findings in {objected} of {len(listed)}" if objected else counted(len(listed), "provider")
        hidden = steps.left_out(state, review)
        more = with_keys(f"⟨changes⟩ shows {hidden} more") if hidden else ""
        wide = self._width >= 100
        listing = ProviderListing(
            providers=listed,
            removed=() if state.filter.active else review.removed,
            sides=review.standards.sides,
            title=title if wide or not more else f"{title}, {more}",
            subtitle=more,
        )
        self._screen.query_one(ProviderList).show(listing, now.progress, state.provider)

    def hashes(self, now: Session, review: Review, state: ReviewState) -> None:
        """The table of one provider, and what stands above it."""
        summary, table, pane = (
            self._screen.query_one(ProviderSummary),
            self._screen.query_one(HashTable),
            self._screen.query_one("#hashes", Vertical),
        )
        provider = steps.selected_provider(state, review)
        summary.set_class(self._width >= 100, "-two-lines")
        if provider is None:
            summary.provider = None
            table.show((), None)
            active = state.filter.active
            told = plain("Nothing matches the filter" if active else "")
            retitle(pane, told, plain(with_keys("⟨back⟩ clears it") if active else ""))
            return
        summary.progress = now.progress.of(provider.address)
        summary.provider = provider
        summary.policy = review.standards.policy
        rows = steps.visible_rows(state, provider)
        keys = keys_of(provider, rows)
        decisions = [
            (review.decision(provider, row), review.decisions.of(key) is not None)
            for key, row in zip(keys, rows, strict=True)
        ]
        marked = frozenset(steps.marked(state, review))
        lines_shown = lines_of(keys, rows, decisions, marked, waiting=provider.waiting)
        table.show(lines_shown, state.hash, compared=review.standards.compares)
        name = plain(shorten_start(f"{provider_name(provider.address)} {provider.entry.version}", self._width - 8))
        shown = plain(subtitle(len(marked), len(rows), len(provider.rows)))
        retitle(pane, self._titled(name, _FROM_HASHES), shown)

    def why(self, now: Session, review: Review, state: ReviewState) -> None:
        """The reasons of what is selected."""
        pane = self._screen.query_one(WhyPane)
        provider = steps.selected_provider(state, review)
        row = steps.selected_row(state, review)
        if provider is None:
            pane.show(Content("Why"), None, lambda _: Content(""))
        elif row is None or state.subject is Pane.PROVIDERS:
            self._provider(pane, now, review, provider)
        else:
            _, word = styles.of_row(row, waiting=provider.waiting)
            title = self._titled(Content(f"Why {word}"), _FROM_REASONS)
            pane.show(title, HashKey.of(provider.address, row.hash), lambda width: why_hash(provider, row, width))

    def _provider(self, pane: WhyPane, now: Session, review: Review, provider: ProviderReview) -> None:
        progress, about = now.progress.of(provider.address), about_the_file(review)
        pane.show(
            self._titled(Content("About this provider"), _FROM_REASONS),
            provider.address,
            lambda width: why_provider(provider, progress, about, width, standards=review.standards),
        )

    def _titled(self, title: Content, ways: str) -> Content:
        """A pane's title, on a narrow screen with the keys that lead to the other panes, where there is room."""
        ways = with_keys(ways)
        if self._width >= 70 or title.cell_length + len(ways) + 8 > self._width:
            return title
        return spaced(title, Content.styled(ways, "$text-muted not bold"), gap=3)


def _update(static: Static, content: Content) -> None:
    """Show a content unless it is shown already: every update lays the whole screen out anew."""
    shown = static.content
    if not (isinstance(shown, Content) and content.is_same(shown)):
        static.update(content)
