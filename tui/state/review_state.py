"""What is selected, filtered, marked and focused in the review: a frozen value and pure functions over it.

Everything is named by provider address and by `HashKey`, never by a place in a list. So a decision is about the hash
that it was aimed at, however the lists were arranged in between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.review.decisions import HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.seen import keys_of, row_of
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.tui.state.filters import NO_FILTER, Filter, matches_provider, matches_row


class Pane(StrEnum):
    """The parts of the review that a person moves between."""

    PROVIDERS = "providers"
    HASHES = "hashes"
    WHY = "why"


class ReviewState(Struct, frozen=True, kw_only=True):
    """Where a person is in the review."""

    order: tuple[ProviderAddress, ...] = ()
    """How the providers are arranged; it changes only when an audit starts or has ended."""
    provider: ProviderAddress | None = None
    hash: HashKey | None = None
    anchor: HashKey | None = None
    """Where a marked range begins."""
    marks: frozenset[HashKey] = frozenset()
    """What is marked: the hashes that the cursor has passed over since. Nothing that arrives later is among them."""
    pane: Pane = Pane.HASHES
    subject: Pane = Pane.HASHES
    """Whether the why-pane speaks of the selected provider or of the selected hash."""
    filter: Filter = NO_FILTER
    everything: bool = False
    """With a base: providers that the change does not touch are listed, too."""
    touched: bool = False
    """A person has moved or chosen something, so that nothing else may move the selection."""


def arranged(state: ReviewState, review: Review) -> ReviewState:
    """The providers by weight of what was found, then by name; what a person has selected stays selected."""
    by_weight = sorted(review.providers, key=lambda each: (each.weight, each.address.sort_key))
    order = tuple(each.address for each in by_weight)
    if state.touched:
        return settled(replace(state, order=order), review)
    return settled(replace(state, order=order, provider=None, hash=None), review)


def settled(state: ReviewState, review: Review) -> ReviewState:
    """The state with a selection that exists and can be seen, the first one when the old one is gone."""
    listed = visible_providers(state, review)
    if not listed:
        return replace(state, provider=None, hash=None, anchor=None, marks=frozenset())
    provider = next((each for each in listed if each.address == state.provider), listed[0])
    keys = keys_of(provider, visible_rows(state, provider))
    kept = state.touched and state.hash in keys
    # Where the cursor was put elsewhere, a key would go by another hash than the one that the range was marked with.
    marks = state.marks.intersection(keys) if kept and state.anchor in keys else frozenset()
    return replace(
        state,
        provider=provider.address,
        hash=state.hash if kept else next(iter(keys), None),
        anchor=state.anchor if marks else None,
        marks=marks,
    )


def visible_providers(state: ReviewState, review: Review) -> tuple[ProviderReview, ...]:
    """The providers that the filter lets through, as they are arranged.

    With a base, only those that the change touches and those with findings or open questions, unless everything is to
    be shown.
    """
    by_address = {each.address: each for each in review.providers}
    arranged_ones = [by_address[address] for address in state.order if address in by_address]
    if only_changes(state, review):
        touched = [each for each in arranged_ones if _matters(each)]
        arranged_ones = touched or arranged_ones
    if not state.filter.active:
        return tuple(arranged_ones)
    return tuple(each for each in arranged_ones if matches_provider(state.filter, each))


def only_changes(state: ReviewState, review: Review) -> bool:
    """Whether providers are left out that the change does not touch."""
    return review.standards.compares and not state.everything


def _matters(provider: ProviderReview) -> bool:
    """Whether the change touches it, or something else about it has to be known or was accepted by a record."""
    open_question = provider.incomplete and not provider.waiting
    return bool(provider.changes) or provider.objected or bool(provider.approved) or open_question


def left_out(state: ReviewState, review: Review) -> int:
    """How many providers are not listed because the change does not touch them."""
    if not only_changes(state, review):
        return 0
    untouched = sum(not _matters(each) for each in review.providers)
    return untouched if untouched < len(review.providers) else 0


def visible_rows(state: ReviewState, provider: ProviderReview) -> tuple[HashRow, ...]:
    """The rows of a provider that the filter lets through, in their order."""
    if not state.filter.active:
        return provider.rows
    return tuple(row for row in provider.rows if matches_row(state.filter, provider, row))


def listed_keys(state: ReviewState, review: Review) -> frozenset[HashKey]:
    """Every hash that can be reached without another filter; nothing else is ever decided in bulk."""
    listed = visible_providers(state, review)
    return frozenset(key for each in listed for key in keys_of(each, visible_rows(state, each)))


def selected_provider(state: ReviewState, review: Review) -> ProviderReview | None:
    """The provider that is selected, or None when none is listed."""
    return next((each for each in review.providers if each.address == state.provider), None)


def selected_row(state: ReviewState, review: Review) -> HashRow | None:
    """The row that is selected, or None."""
    provider = selected_provider(state, review)
    return None if provider is None or state.hash is None else row_of(provider, state.hash)


def selected_line(state: ReviewState, review: Review) -> int:
    """The line of the lock file where the selected hash or provider stands; its first when nothing is selected."""
    provider, row = selected_provider(state, review), selected_row(state, review)
    if row is not None and row.line and state.subject is not Pane.PROVIDERS:
        return row.line
    return 1 if provider is None else provider.entry.line


def with_provider(state: ReviewState, review: Review, address: ProviderAddress) -> ReviewState:
    """Select a provider and its first hash; nothing changes when it is selected already."""
    if address == state.provider:
        return replace(state, touched=True)
    fresh = replace(state, provider=address, hash=None, anchor=None, marks=frozenset(), touched=True)
    return settled(fresh, review)


def gone_to(state: ReviewState, review: Review, address: ProviderAddress) -> ReviewState:
    """Select a provider, with its hashes in focus; what hides it is given up."""
    if address not in {each.address for each in visible_providers(state, review)}:
        state = replace(state, filter=NO_FILTER)
    if address not in {each.address for each in visible_providers(state, review)}:
        state = replace(state, everything=True)
    return with_pane(with_provider(state, review, address), Pane.HASHES)


def with_hash(state: ReviewState, review: Review, key: HashKey) -> ReviewState:
    """Select a hash of the selected provider; the range that is marked ends there.

    Only what the cursor passes over is marked or no longer marked by that. So rows that came between those that were
    marked before, or were sorted anew, stay as they are.
    """
    moved = replace(state, hash=key, touched=True)
    provider = selected_provider(state, review)
    if provider is None or state.anchor is None:
        return moved
    keys = keys_of(provider, visible_rows(state, provider))
    passed = frozenset(_between(keys, state.hash, key))
    return replace(moved, marks=(state.marks - passed) | passed.intersection(_between(keys, state.anchor, key)))


def _between(keys: Sequence[HashKey], begin: HashKey | None, end: HashKey) -> Sequence[HashKey]:
    """The keys from one to another, both included, either way; the end alone where there is no such begin."""
    if end not in keys:
        return ()
    if begin not in keys:
        return (end,)
    first, last = sorted((keys.index(begin), keys.index(end)))
    return keys[first : last + 1]


def with_pane(state: ReviewState, pane: Pane) -> ReviewState:
    """Move to a pane. The why-pane goes on speaking of what was looked at before."""
    return replace(state, pane=pane, subject=state.subject if pane is Pane.WHY else pane, touched=True)


def with_filter(state: ReviewState, review: Review, chosen: Filter) -> ReviewState:
    """Show only what the filter lets through."""
    return settled(replace(state, filter=chosen, touched=True), review)


def with_changes_only(state: ReviewState, review: Review) -> ReviewState:
    """List only what the change touches, or everything, the other way round than now."""
    return settled(replace(state, everything=not state.everything, touched=True), review)


def with_mark(state: ReviewState) -> ReviewState:
    """Begin a range at the selected hash, or give up the one that was begun."""
    begun = state.hash if state.anchor is None else None
    return replace(state, anchor=begun, marks=frozenset() if begun is None else frozenset({begun}), touched=True)


def without_marks(state: ReviewState) -> ReviewState:
    """The same without a range."""
    return replace(state, anchor=None, marks=frozenset())


def marked(state: ReviewState, review: Review) -> tuple[HashKey, ...]:
    """The marked hashes that can be seen, in the order of their rows; empty while no range was begun."""
    provider = selected_provider(state, review)
    if provider is None or not state.marks or state.hash is None:
        return ()
    return tuple(key for key in keys_of(provider, visible_rows(state, provider)) if key in state.marks)


def aimed_at(state: ReviewState, review: Review) -> tuple[HashKey, ...]:
    """What a key is about: the marked hashes, or the selected one."""
    return marked(state, review) or (() if state.hash is None else (state.hash,))


_Place = tuple[ProviderAddress, HashKey | None]


def with_next_finding(state: ReviewState, review: Review, *, step: int) -> ReviewState:
    """Select the next finding (`step` 1) or the previous one (-1) as things are arranged, going round at the end."""
    places, is_finding = _places(state, review)
    here: _Place | None = None if state.provider is None else (state.provider, _hash_in_view(state))
    if not any(is_finding(place) for place in places):
        return state
    start = places.index(here) if here in places else (-1 if step > 0 else len(places))
    order = [places[(start + step * ahead) % len(places)] for ahead in range(1, len(places) + 1)]
    address, key = next(place for place in order if is_finding(place))
    pane = Pane.PROVIDERS if key is None else Pane.HASHES
    moved = replace(without_marks(state), provider=address, hash=key, pane=pane, subject=pane, touched=True)
    return settled(moved, review)


def _hash_in_view(state: ReviewState) -> HashKey | None:
    return None if state.subject is Pane.PROVIDERS else state.hash


def _places(state: ReviewState, review: Review) -> tuple[list[_Place], Callable[[_Place], bool]]:
    """Everything that can be selected in the order of the screen, and which of it is a finding."""
    places: list[_Place] = []
    source_answers: set[_Place] = set()
    for provider in visible_providers(state, review):
        places.append((provider.address, None))
        rows = visible_rows(state, provider)
        places.extend((provider.address, key) for key in keys_of(provider, rows))
        found = {HashKey.of(provider.address, row.hash) for row in rows if row.objects}
        source_answers |= {(provider.address, key) for key in found}
        if provider.objected and not found:
            source_answers.add((provider.address, None))
    return places, source_answers.__contains__


def has_finding(state: ReviewState, review: Review) -> bool:
    """Whether something that can be seen is a finding."""
    objected = any(provider.objected for provider in review.providers)
    return objected and any(provider.objected for provider in visible_providers(state, review))
