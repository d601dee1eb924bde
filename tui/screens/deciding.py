"""What the keys of the review decide: each calls a rule of the review, and takes over what follows from it."""

from __future__ import annotations

from textual.screen import Screen

from lockwarden.core.review.bulk_decisions import BulkDecision, accept_suggested, decide_next
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.recording import recordable
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import keys_of
from lockwarden.core.values.amounts import counted
from lockwarden.tui.screens.attention import JUST_CHANGED, Attention
from lockwarden.tui.screens.review_app import app_of
from lockwarden.tui.state import review_state as steps
from lockwarden.tui.state.review_state import ReviewState


class Deciding:
    """Decides of what a person has had time to see."""

    def __init__(self, screen: Screen[None], attention: Attention) -> None:
        self._app, self._attention = app_of(screen), attention

    def decide(self, review: Review, state: ReviewState) -> None:
        """Go round the decisions of the selected hash, or of the marked range."""
        provider = steps.selected_provider(state, review)
        if provider is None or state.hash is None:
            return
        marked = steps.marked(state, review)
        if self._attention.stands_as_seen(review, *marked, state.hash):
            self._take(review, decide_next(review, provider, marked, state.hash))
        else:
            self._app.say(JUST_CHANGED)

    def accept(self, review: Review, state: ReviewState) -> None:
        """Accept what is suggested for the selected provider."""
        provider = steps.selected_provider(state, review)
        self._take(review, accept_suggested(review, () if provider is None else (provider,), self._attention.seen))

    def accept_all(self, review: Review) -> None:
        """Accept what is suggested for every provider."""
        self._take(review, accept_suggested(review, review.providers, self._attention.seen))

    def _take(self, review: Review, made: BulkDecision) -> None:
        self.follow(review.decisions.decide(made.made), made.summary)

    def follow(self, decisions: Decisions, summary: str) -> None:
        """Take decisions over, here and in all files that hold the same entry, and tell of it."""
        followers = self._app.decide(decisions)
        also = f"also in {counted(followers, 'file')}" if followers else ""
        if sentence := "; ".join(each for each in (summary, also) if each):
            self._app.say(sentence)

    def record(self, review: Review, state: ReviewState) -> None:
        """Record that the selected hash, or the marked range, is accepted."""
        provider = steps.selected_provider(state, review)
        if provider is None:
            return
        rows = recordable(review, provider, steps.aimed_at(state, review))
        if self._attention.stands_as_seen(review, *keys_of(provider, rows)):
            self._app.standards.record_approval(provider, rows)
        else:
            self._app.say(JUST_CHANGED)
