"""Which actions of the review mean something now, and for those that do not, why. Pure."""

from __future__ import annotations

from lockwarden.core.review.decisions import choices
from lockwarden.core.review.recording import recordable
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import row_of
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.review.writing import Undo
from lockwarden.tui.state.review_state import (
    Pane,
    ReviewState,
    aimed_at,
    has_finding,
    marked,
    selected_provider,
    selected_row,
)
from lockwarden.tui.state.session import Session

_ALWAYS = frozenset({"back", "help", "leave"})
_NO_REVIEW = "there is no review yet"
_NO_HASH = "no hash is selected"
_NONE_RECORDABLE = (
    "none of these hashes can be recorded: a record accepts unexplained ones, added ones, and ones without the"
    " signature that the policy requires"
)
_NOT_RECORDABLE = {
    Verdict.DISOWNED: "a record never accepts a disowned hash: drop it",
    Verdict.UNCHECKED: "of an unchecked hash nobody knows yet what a record would accept: settle that first",
    Verdict.CONFIRMED: "this hash is confirmed and the policy requires no more, so there is nothing to record",
}
_NOT_ADDED = "this hash is neither in the lock file nor to be added, so there is nothing to record"
_ALARMED = "the signing key has changed: look at ⟨keys⟩, and decide its hashes one by one"
_UNSEEN = "the provider has the focus, and no hash: go to its hashes first"
_ABOUT_ONE_HASH = frozenset({"decide", "record", "mark", "copy"})
_NO_CHANGE = "no decision changes the lock file yet"


def why_not(action: str, session: Session, state: ReviewState) -> str:
    """Why the action does nothing now, in a sentence of our own; empty when it does something."""
    if action in _ALWAYS:
        return ""
    if action == "ask_again":
        running = session.progress.running and not session.stale
        return "the audit is still running; ⟨back⟩ cancels it" if running else ""
    review = session.review
    if review is None or session.placeholder is not None:
        return _NO_REVIEW
    if action in _ABOUT_ONE_HASH and state.hash is not None and state.subject is Pane.PROVIDERS:
        return _UNSEEN
    match action:
        case "decide":
            return _why_not_decide(review, state)
        case "accept":
            return _why_not_accept(review, state)
        case "accept_all":
            return "" if review.suggested(review.providers) else "nothing is suggested for any provider"
        case "about" | "browse":
            return "" if state.provider is not None else "no provider is selected"
        case "mark" | "copy":
            return "" if state.hash is not None else _NO_HASH
        case "undo":
            return _why_not_undo(session) if session.undoes is Undo.NOTHING else ""
        case "redo":
            return "" if review.decisions.future else "nothing was undone"
        case "diff" | "write":
            return "" if session.unwritten else _NO_CHANGE
        case "changes_only":
            return "" if review.standards.compares else "there is nothing to compare with; ⟨base⟩ chooses a revision"
        case "record":
            return _why_not_record(review, state)
        case "finding":
            return "" if has_finding(state, review) else "there is no finding here"
        case _:
            return ""


def _why_not_undo(session: Session) -> str:
    if session.last_write is None:
        return "nothing was decided yet"
    return "the lock file is no longer what was written, so the write cannot be taken back"


def _why_not_accept(review: Review, state: ReviewState) -> str:
    provider = selected_provider(state, review)
    if provider is not None and provider.alarmed:
        return _ALARMED
    return "" if provider and review.suggested([provider]) else "nothing is suggested for this provider"


def _why_not_record(review: Review, state: ReviewState) -> str:
    provider = selected_provider(state, review)
    if provider is None or state.hash is None:
        return _NO_HASH
    if provider.waiting:
        return "this provider is not audited yet, so there is nothing to record"
    if provider.alarmed and len(marked(state, review)) > 1:
        return "the signing key has changed: a record accepts one hash at a time"
    keys = aimed_at(state, review)
    if recordable(review, provider, keys):
        return ""
    row = row_of(provider, keys[0])
    if len(keys) > 1 or row is None:
        return _NONE_RECORDABLE
    return _NOT_RECORDABLE.get(row.verdict, _NOT_ADDED)


def _why_not_decide(review: Review, state: ReviewState) -> str:
    provider = selected_provider(state, review)
    row = selected_row(state, review)
    if provider is None or row is None:
        return _NO_HASH
    if provider.waiting:
        return "this provider is not audited yet, so there is nothing to decide by"
    if len(choices(row.verdict, usable=row.hash.usable)) < 2:
        return "this hash can never match a package, so there is nothing to add"
    return ""
