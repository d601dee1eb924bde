"""What a key decides: one hash, a marked range, a provider, everything that is suggested. Pure.

A finding is never approved together with others, and nothing of a provider whose signing key has changed is: in a range
it is passed over and named, and what is suggested never holds any of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.decisions import Decision, HashKey, choices, next_choice
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.requirements import unsigned_hashes
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.standards import testimony_under
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.hashes import Hash
from lockwarden.tui.render.text import counted
from lockwarden.tui.state.review_state import ReviewState, marked, row_of, selected_provider, selected_row

Choice = tuple[HashKey, Decision]


class Act(Struct, frozen=True, kw_only=True):
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
        if several and each.objects and chosen is Decision.KEEP:
            passed_over["a finding is kept one by one only"] += 1
        elif several and provider.alarmed and chosen in {Decision.KEEP, Decision.ADD}:
            passed_over["the signing key has changed, so each is decided alone"] += 1
        elif chosen not in choices(each.verdict, usable=each.hash.usable):
            passed_over[f"{chosen} is no choice for it"] += 1
        else:
            made.append((key, chosen))
    return Act(made=tuple(made), told=_told(chosen, len(made), passed_over) if several else "")


def _told(chosen: Decision, made: int, passed_over: Counter[str]) -> str:
    parts = [f"{chosen}: {counted(made, 'hash', 'hashes')}"]
    parts += [f"{count} passed over: {why}" for why, count in passed_over.items()]
    return "; ".join(parts)


def accepted(review: Review, providers: Iterable[ProviderReview], seen: Review | None) -> Act:
    """Accept what is suggested for these providers, and say what was left for a person.

    What was not suggested yet in the review that a person has `seen` is left, too.
    """
    chosen = tuple(providers)
    suggested = review.suggested(chosen)
    before = frozenset(
        (HashKey.of(provider.address, row.hash), advised)
        for provider in (() if seen is None else seen.providers)
        for row, advised in provider.suggested
    )
    made = tuple(each for each in suggested if each in before)
    late = len(suggested) - len(made)
    left = _left_over(chosen) + (f"; {late} came in just now" if late else "")
    if not made:
        return Act(made=(), told=f"nothing {'more ' if late else ''}is suggested{left}")
    owners = len({key.address for key, _ in made})
    where = f" of {counted(owners, 'provider')}" if len(chosen) > 1 else ""
    return Act(made=made, told=f"{counted(len(made), 'hash', 'hashes')}{where} accepted{left}")


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


def recordable(review: Review, state: ReviewState) -> tuple[HashRow, ...]:
    """The marked rows, or the selected one, that a record could accept: unexplained or unsigned ones, and additions.

    Of a provider whose signing key has changed, a record accepts one hash at a time.
    """
    provider = selected_provider(state, review)
    if provider is None or provider.audit is None:
        return ()
    keys = marked(state, review)
    if len(keys) > 1 and provider.alarmed:
        return ()
    chosen = [row_of(provider, key) for key in keys] if keys else [selected_row(state, review)]
    rows = [row for row in chosen if row is not None]
    unsigned = _unsigned(review, provider, provider.audit) if any(_is_confirmed(row) for row in rows) else frozenset()
    return tuple(row for row in rows if _is_recordable(review, provider, row, unsigned))


def _is_recordable(review: Review, provider: ProviderReview, row: HashRow, unsigned: frozenset[Hash]) -> bool:
    """A record never helps a disowned hash, and of an unchecked one nobody can say yet what is accepted."""
    if not row.locked:
        return review.decision(provider, row) is Decision.ADD
    return row.verdict is Verdict.UNEXPLAINED or row.hash in unsigned


def _is_confirmed(row: HashRow) -> bool:
    return row.locked and row.verdict is Verdict.CONFIRMED


def _unsigned(review: Review, provider: ProviderReview, audit: Audit) -> frozenset[Hash]:
    """Confirmed hashes without a signature, where the policy requires one: elsewhere nobody misses it."""
    standards = review.standards
    if not any(each.signed for each in standards.policy.requirements_for(provider.address)):
        return frozenset()
    return frozenset(unsigned_hashes(provider.entry, testimony_under(standards.bearing(audit), review.platforms)))
