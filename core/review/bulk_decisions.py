"""What one key decides: one hash, a marked range, a provider, everything that is suggested. Pure.

A finding is never approved together with others. Nor is anything of a provider whose signing key has changed. In a
range both are passed over and named. What is suggested never holds any of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct

from lockwarden.core.review.decisions import Decision, HashKey, choices, next_choice
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.seen import row_of
from lockwarden.core.values.amounts import counted

Choice = tuple[HashKey, Decision]


class BulkDecision(Struct, frozen=True, kw_only=True):
    """Decisions that one key makes, and a summary of them."""

    made: tuple[Choice, ...]
    summary: str
    """A sentence of our own words and numbers; no text from outside is in it."""


def decide_next(review: Review, provider: ProviderReview, keys: Sequence[HashKey], aim: HashKey) -> BulkDecision:
    """Go round the decisions of `aim`, and decide the same of all other `keys` that allow it."""
    row = row_of(provider, aim)
    if row is None:
        return BulkDecision(made=(), summary="")
    chosen = next_choice(review.decision(provider, row), choices(row.verdict, usable=row.hash.usable))
    several = len(keys) > 1
    made: list[Choice] = []
    passed_over = Counter[str]()
    for key in keys or (aim,):
        each = row_of(provider, key)
        if each is None:
            continue
        if several and each.objects and chosen is Decision.KEEP:
            passed_over["a finding is kept one by one only"] += 1
        elif several and provider.alarmed and chosen in {Decision.KEEP, Decision.ADD}:
            passed_over["the signing key has changed, so each is decided alone"] += 1
        elif chosen not in choices(each.verdict, usable=each.hash.usable):
            passed_over[f"{chosen} is no choice for it"] += 1
        else:
            made.append((key, chosen))
    return BulkDecision(made=tuple(made), summary=_summary(chosen, len(made), passed_over) if several else "")


def _summary(chosen: Decision, made: int, passed_over: Counter[str]) -> str:
    parts = [f"{chosen}: {counted(made, 'hash', 'hashes')}"]
    parts += [f"{count} passed over: {why}" for why, count in passed_over.items()]
    return "; ".join(parts)


def accept_suggested(
    review: Review,
    providers: Iterable[ProviderReview],
    seen: Review | None,
    listed: Collection[HashKey],
) -> BulkDecision:
    """Accept what is suggested for these providers, and say what was left for a person.

    What was not suggested yet in the review that a person has `seen` is left, too, and so is what is not `listed`.
    """
    chosen = tuple(providers)
    suggested = review.suggested(chosen)
    before = frozenset(
        (HashKey.of(provider.address, row.hash), advised)
        for provider in (() if seen is None else seen.providers)
        for row, advised in provider.suggested
    )
    in_time = tuple(each for each in suggested if each in before)
    made = tuple(each for each in in_time if each[0] in listed)
    late, hidden = len(suggested) - len(in_time), len(in_time) - len(made)
    left = _left_over(chosen) + (f"; {late} came in just now" if late else "")
    left += f"; {counted(hidden, 'hash', 'hashes')} not, which the list hides" if hidden else ""
    if not made:
        more = "more " if late else "listed " if hidden else ""
        return BulkDecision(made=(), summary=f"nothing {more}is suggested{left}")
    owners = len({key.address for key, _ in made})
    where = f" of {counted(owners, 'provider')}" if len(chosen) > 1 else ""
    return BulkDecision(made=made, summary=f"{counted(len(made), 'hash', 'hashes')}{where} accepted{left}")


def _left_over(providers: Sequence[ProviderReview]) -> str:
    rows = [row for provider in providers if not provider.waiting for row in provider.rows]
    findings = sum(row.objects for row in rows)
    waiting = sum(provider.waiting for provider in providers)
    alarmed = sum(provider.alarmed for provider in providers)
    parts = []
    if alarmed:
        parts.append(f"{counted(alarmed, 'provider')} not, since the signing key has changed")
    if findings:
        parts.append(f"{counted(findings, 'finding')} not, which are decided one by one")
    if waiting:
        parts.append(f"{counted(waiting, 'provider')} not audited yet")
    return "".join(f"; {part}" for part in parts)
