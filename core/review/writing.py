"""Before a lock file is written: what a person should think of, what would be lost; after: what is done with. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict

_CHANGING: Final = frozenset({Decision.ADD, Decision.DROP})


class Remaining(Struct, frozen=True, kw_only=True):
    """One hash that a person should think of before writing: a finding that stays, or an addition not vouched for."""

    provider: ProviderReview
    key: HashKey
    verdict: Verdict
    decision: Decision
    made: bool
    """A person decided this, rather than nobody anything."""


def remaining(review: Review) -> tuple[Remaining, ...]:
    """Findings that the next lock file keeps, and hashes that it gets although the rule would not record them."""
    found = []
    for provider in review.providers:
        for row in () if provider.waiting else provider.rows:
            decision = review.decision(provider, row)
            stays = row.objects and decision is not Decision.DROP
            if stays or (row.verdict is Verdict.OFFERED and decision is Decision.ADD):
                key = HashKey.of(provider.address, row.hash)
                made = review.decisions.of(key) is not None
                found.append(Remaining(provider=provider, key=key, verdict=row.verdict, decision=decision, made=made))
    return tuple(found)


def to_think_of(review: Review) -> tuple[tuple[HashKey, Verdict, Decision], ...]:
    """What is told of `remaining`, to be compared."""
    return tuple((each.key, each.verdict, each.decision) for each in remaining(review))


def unwritten(review: Review) -> tuple[tuple[ProviderReview, HashRow, Decision], ...]:
    """What would be lost by leaving now: decisions that add or drop a hash which can be added or dropped."""
    changing = {key for key, decision in review.decisions.made.items() if decision in _CHANGING}
    if not changing:
        return ()
    addresses = {key.address for key in changing}
    return tuple(
        (provider, row, decision)
        for provider in review.providers
        if str(provider.address) in addresses
        for row in provider.rows
        if HashKey.of(provider.address, row.hash) in changing
        and (decision := review.decision(provider, row)) in _CHANGING
    )


def after_writing(decisions: Decisions) -> Decisions:
    """What was written is done with, and undo does not reach behind the writing; what is kept stays decided."""
    return Decisions(MappingProxyType({key: made for key, made in decisions.made.items() if made is Decision.KEEP}))
