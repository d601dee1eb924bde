"""What one key decides: one hash, a marked range, a provider, everything that is suggested. Pure.

What is never approved together with others, `bulk_refusals` says. In a range it is passed over and named. What is
suggested never holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from lockwarden.core.review.bulk_refusals import refusal_in_range
from lockwarden.core.review.decisions import Decision, HashKey, choices, next_choice
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.seen import row_of
from lockwarden.core.values.amounts import counted

Choice = tuple[HashKey, Decision]


class BulkDecision(Struct, frozen=True, kw_only=True):
    """Decisions that one key makes, and a summary of them."""

    made: tuple[Choice, ...]
    summary: str
    """A sentence of our own words and numbers; no text from outside is in it."""


def decide_next(review: Review, provider: ProviderReview, keys: Sequence[HashKey], aim: HashKey) -> BulkDecision:
    """Go round the decisions of `aim`, and decide the same of all other `keys` that allow it.

    In a range, a decision that changes none of them is left out of the round: what some refuse, `aim` itself perhaps,
    the others have had by then, and the round goes on.
    """
    row = row_of(provider, aim)
    if row is None:
        return BulkDecision(made=(), summary="")
    allowed = choices(row.verdict, usable=row.hash.usable)
    begin = next_choice(review.decision(provider, row), allowed)
    rows = {key: each for key in keys or (aim,) if (each := row_of(provider, key)) is not None}
    if len(keys) < 2:
        return BulkDecision(
            made=tuple((key, begin) for key in _taken(begin, provider, rows, several=False)[0]), summary=""
        )
    left_out = ""
    place = allowed.index(begin)
    for chosen in (*allowed[place:], *allowed[:place]):
        made, passed_over = _taken(chosen, provider, rows, several=True)
        if any(review.decision(provider, rows[key]) is not chosen for key in made):
            decided = tuple((key, chosen) for key in made)
            return BulkDecision(made=decided, summary=_summary(chosen, len(made), passed_over) + left_out)
        if not made:
            left_out += f"; {chosen} left out: {', '.join(passed_over)}"
    made, passed_over = _taken(begin, provider, rows, several=True)
    return BulkDecision(made=tuple((key, begin) for key in made), summary=_summary(begin, len(made), passed_over))


def _taken(
    chosen: Decision, provider: ProviderReview, rows: Mapping[HashKey, HashRow], *, several: bool
) -> tuple[list[HashKey], Counter[str]]:
    """Which hashes take a decision, and how many are passed over for which reason."""
    made: list[HashKey] = []
    passed_over = Counter[str]()
    for key, each in rows.items():
        refusal = refusal_in_range(each, chosen, alarmed=provider.alarmed) if several else ""
        if refusal:
            passed_over[refusal] += 1
        elif chosen not in choices(each.verdict, usable=each.hash.usable):
            passed_over[f"{chosen} is no choice for it"] += 1
        else:
            made.append(key)
    return made, passed_over


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
