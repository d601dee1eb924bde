"""What a key decides: one hash, a marked range, a provider, everything that is suggested. Pure.

A finding is never approved together with others: in a range it is passed over and named, and what is suggested never
holds one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lockwarden.core.review.decisions import Decision, HashKey, choices, next_choice
from lockwarden.core.review.review import ProviderReview, Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.tui.state import row_of
from lockwarden.tui.text import counted

Choice = tuple[HashKey, Decision]


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Decisions that one key makes, and what to tell about them."""

    made: tuple[Choice, ...]
    told: str
    """A sentence of our own words and numbers; no text from outside is in it."""


def cycled(review: Review, provider: ProviderReview, keys: Sequence[HashKey], aim: HashKey) -> Act:
    """Go round the decisions of `aim`, and decide the same of all other `keys` that allow it."""
    row = row_of(provider, aim)
    if row is None:
        return Act(made=(), told="")
    chosen = next_choice(review.decision(provider, row), choices(row.verdict, usable=row.hash.usable))
    several = len(keys) > 1
    made: list[Choice] = []
    passed_over = Counter[str]()
    for key in keys or (aim,):
        each = row_of(provider, key)
        if each is None:
            continue
        if several and each.verdict.is_finding and chosen is Decision.KEEP:
            passed_over["a finding is kept one by one only"] += 1
        elif chosen not in choices(each.verdict, usable=each.hash.usable):
            passed_over[f"{chosen} is no choice for it"] += 1
        else:
            made.append((key, chosen))
    return Act(made=tuple(made), told=_told(chosen, len(made), passed_over) if several else "")


def _told(chosen: Decision, made: int, passed_over: Counter[str]) -> str:
    parts = [f"{chosen}: {counted(made, 'hash', 'hashes')}"]
    parts += [f"{count} passed over: {why}" for why, count in passed_over.items()]
    return "; ".join(parts)


def accepted(review: Review, providers: Iterable[ProviderReview]) -> Act:
    """Accept what is suggested for these providers, and say what was left for a person."""
    chosen = tuple(providers)
    made = review.suggested(chosen)
    if not made:
        return Act(made=(), told=f"nothing is suggested{_left_over(chosen)}")
    owners = len({key.address for key, _ in made})
    where = f" of {counted(owners, 'provider')}" if len(chosen) > 1 else ""
    return Act(made=made, told=f"{counted(len(made), 'hash', 'hashes')}{where} accepted{_left_over(chosen)}")


def _left_over(providers: Sequence[ProviderReview]) -> str:
    rows = [row for provider in providers if not provider.waiting for row in provider.rows]
    findings = sum(row.verdict.is_finding for row in rows)
    waiting = sum(provider.waiting for provider in providers)
    parts = []
    if findings:
        parts.append(f"{counted(findings, 'finding')} not, which are decided one by one")
    if waiting:
        parts.append(f"{counted(waiting, 'provider')} not audited yet")
    return "".join(f"; {part}" for part in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
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
            stays = row.verdict.is_finding and decision is not Decision.DROP
            if stays or (row.verdict is Verdict.OFFERED and decision is Decision.ADD):
                key = HashKey.of(provider.address, row.hash)
                made = review.decisions.of(key) is not None
                found.append(Remaining(provider=provider, key=key, verdict=row.verdict, decision=decision, made=made))
    return tuple(found)
