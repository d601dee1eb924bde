"""Decisions that follow: what is decided of an entry in one lock file is decided in all that hold the same. Pure.

The same entry is the same provider with the same version and the same set of hashes. A decision follows only where the
hash has the same verdict, since it was made by that: another file may be held against another policy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review

_Changed = Mapping[HashKey, Decision | None]
"""What a step decides; None where it takes a decision back."""


class Step(Struct, frozen=True, kw_only=True):
    """What a person decided in one file, by provider."""

    decided: tuple[tuple[ProviderReview, _Changed], ...]


def step_of(before: Review, after: Review) -> Step:
    """The step between two moments of one file."""
    by_address: defaultdict[str, dict[HashKey, Decision | None]] = defaultdict(dict)
    for key, decision in _changed(before.decisions, after.decisions).items():
        by_address[key.address][key] = decision
    providers = ((provider, by_address.get(str(provider.address))) for provider in after.providers)
    return Step(decided=tuple((provider, changed) for provider, changed in providers if changed))


def followed(step: Step, other: Review) -> Decisions | None:
    """The decisions of another file once it follows a step; None when it has nothing to follow."""
    wanted = _within(step, other)
    made = other.decisions
    if all(made.of(key) == decision for key, decision in wanted.items()):
        return None
    # Where the file has taken or undone just this step, its history says so, too.
    for candidate in (made.undo(), made.redo()):
        if wanted == _changed(made, candidate):
            return candidate
    kept = {key: decision for key, decision in made.made.items() if key not in wanted}
    added = {key: decision for key, decision in wanted.items() if decision is not None}
    return Decisions(MappingProxyType({**kept, **added}), (*made.past, made.made), ())


def _changed(before: Decisions, after: Decisions) -> _Changed:
    keys = dict.fromkeys((*before.made, *after.made))
    return {key: after.of(key) for key in keys if before.of(key) != after.of(key)}


def _within(step: Step, other: Review) -> _Changed:
    """What of a step concerns the other file."""
    return {
        key: decision
        for provider, changed in step.decided
        if (same := _same(provider, other)) is not None
        for key, decision in changed.items()
        if decision is None or _alike(provider, same, key)
    }


def _same(provider: ProviderReview, other: Review) -> ProviderReview | None:
    entry = provider.entry
    for each in other.providers:
        if each is provider:
            return each
        if each.address == entry.address:
            same = each.entry.version == entry.version and each.entry.hash_set == entry.hash_set
            return each if same else None
    return None


def _alike(provider: ProviderReview, same: ProviderReview, key: HashKey) -> bool:
    """Whether the hash stands there as it stands here, so that a person would have decided by the same."""
    if provider is same:
        return True
    here, there = (next((row for row in each.rows if row.hash.text == key.hash), None) for each in (provider, same))
    if here is None or there is None or (same.alarmed and not provider.alarmed):
        return False
    return (here.verdict, here.objects) == (there.verdict, there.objects)
