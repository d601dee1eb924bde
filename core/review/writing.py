"""Before a lock file is written: what a person should think of, what would be lost; after: what is done with. Pure."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.lockfile.model import LockedProvider, LockFile
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
    addresses = {key.address for key in changing}
    return tuple(
        (provider, row, decision)
        for provider in review.providers
        if str(provider.address) in addresses
        for row in provider.rows
        if HashKey.of(provider.address, row.hash) in changing
        and (decision := review.decision(provider, row)) in _CHANGING
    )


class LastWrite(Struct, frozen=True, kw_only=True):
    """What the last write of a lock file replaced, so that one step back is possible."""

    before: bytes
    after: bytes
    """What was written, as it was read back."""
    decisions: Decisions
    """Those that were written."""
    entries: tuple[LockedProvider, ...] = ()
    """Of the lock file as it was before."""

    @classmethod
    def of(cls, before: Review, after: LockFile) -> LastWrite:
        """The write that made one lock file of another, by the decisions of its review."""
        return cls(
            before=before.lock_file.data,
            after=after.data,
            decisions=before.decisions,
            entries=before.lock_file.entries,
        )

    def is_in(self, lock_file: LockFile) -> bool:
        """Whether the file is still what was written; otherwise going back would undo what somebody else did."""
        return lock_file.data == self.after


class Undo(StrEnum):
    """What one undo takes back."""

    DECISION = "decision"
    WRITE = "write"
    NOTHING = "nothing"


def what_undo_takes_back(review: Review, last: LastWrite | None) -> Undo:
    """The last decision; where none is left, the last write, while the file is still what was written."""
    if review.decisions.past:
        return Undo.DECISION
    return Undo.WRITE if last is not None and last.is_in(review.lock_file) else Undo.NOTHING


def after_going_back(last: LastWrite) -> Decisions:
    """The decisions once a write was taken back: those that were written are unwritten again, with their history."""
    return last.decisions


def after_writing(decisions: Decisions) -> Decisions:
    """What was written is done with, and undo does not reach behind the writing; what is kept stays decided."""
    return Decisions(MappingProxyType({key: made for key, made in decisions.made.items() if made is Decision.KEEP}))
