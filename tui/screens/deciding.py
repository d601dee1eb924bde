"""What the keys of the review decide: each calls a rule of the review, and takes over what follows from it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.screen import Screen

from lockwarden.core.review.bulk_decisions import accept_suggested, decide_next
from lockwarden.core.review.decisions import Decisions
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.recording import recordable
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import keys_of
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.decided import step_in_words
from lockwarden.tui.render.reasons import provider_name
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
            made = decide_next(review, provider, marked, state.hash)
            after = review.decisions.decide(made.made)
            self.follow(after, made.summary or step_in_words(review.decisions, after, review))
        else:
            self._app.say(JUST_CHANGED)

    def accept(self, review: Review, state: ReviewState) -> None:
        """Accept what is suggested for the selected provider."""
        provider = steps.selected_provider(state, review)
        if provider is not None:
            self._accept(review, state, (provider,), f"{provider_name(provider.address)}: ")

    def accept_all(self, review: Review, state: ReviewState) -> None:
        """Accept what is suggested for every provider."""
        self._accept(review, state, review.providers, "")

    def _accept(self, review: Review, state: ReviewState, of: Sequence[ProviderReview], name: str) -> None:
        made = accept_suggested(review, of, self._attention.seen, steps.listed_keys(state, review))
        self.follow(review.decisions.decide(made.made), f"{name}{made.summary}")

    def undo(self, review: Review) -> None:
        """Take the last decision back."""
        after = review.decisions.undo()
        self.follow(after, f"undone: {step_in_words(after, review.decisions, review)}")

    def redo(self, review: Review) -> None:
        """Make the decision again that was taken back."""
        after = review.decisions.redo()
        self.follow(after, f"done again: {step_in_words(review.decisions, after, review)}")

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
