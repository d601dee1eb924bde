"""Decisions of the operator, with undo and redo; values, so that every state can be compared and restored exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import assert_never

import msgspec
from msgspec import Struct

from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash


class Decision(StrEnum):
    """What is said of one hash. Undecided leaves the lock file as it is."""

    KEEP = "keep"
    ADD = "add"
    DROP = "drop"
    UNDECIDED = "undecided"


class HashKey(Struct, frozen=True, order=True):
    """One hash of one provider: what a decision is about, never a place in a table."""

    address: str
    hash: str

    @classmethod
    def of(cls, address: ProviderAddress, hash_: Hash) -> HashKey:
        """The key of a provider's hash."""
        return cls(str(address), hash_.text)


_Made = Mapping[HashKey, Decision]
_NONE: _Made = MappingProxyType({})


class Decisions(Struct, frozen=True):
    """Every decision made so far, and the states before and after it."""

    made: _Made = msgspec.field(default_factory=lambda: _NONE)
    past: tuple[_Made, ...] = ()
    future: tuple[_Made, ...] = ()

    def of(self, key: HashKey) -> Decision | None:
        """The decision that was made of a hash, or None when none was."""
        return self.made.get(key)

    def decide(self, choices: Iterable[tuple[HashKey, Decision]]) -> Decisions:
        """All of `choices` as one step, which one undo takes back. Nothing changes when they say nothing new."""
        after = {**self.made, **dict(choices)}
        if after == self.made:
            return self
        return Decisions(MappingProxyType(after), (*self.past, self.made), ())

    def undo(self) -> Decisions:
        """The state before the last step, exactly; the same when there is none."""
        if not self.past:
            return self
        return Decisions(self.past[-1], self.past[:-1], (self.made, *self.future))

    def redo(self) -> Decisions:
        """The state that the last undo took back; the same when there is none."""
        if not self.future:
            return self
        return Decisions(self.future[0], (*self.past, self.made), self.future[1:])


def default_decision(verdict: Verdict) -> Decision:
    """How a hash stands before anyone has said anything: what nothing objects to stays, the rest waits for a person."""
    return Decision.KEEP if verdict in {Verdict.CONFIRMED, Verdict.UNCHECKED} else Decision.UNDECIDED


def choices(verdict: Verdict, *, usable: bool) -> tuple[Decision, ...]:
    """The decisions that a hash allows, in the order in which one key goes round them, the likeliest first."""
    match verdict:
        case Verdict.DISOWNED | Verdict.UNEXPLAINED:
            return (Decision.DROP, Decision.KEEP, Decision.UNDECIDED)
        case Verdict.CONFIRMED | Verdict.UNCHECKED:
            return (Decision.DROP, Decision.KEEP)
        case Verdict.NEW | Verdict.OFFERED:
            return (Decision.ADD, Decision.UNDECIDED) if usable else (Decision.UNDECIDED,)
        case _:
            assert_never(verdict)


def next_choice(current: Decision, allowed: tuple[Decision, ...]) -> Decision:
    """The decision after `current` when one key goes round; the first when `current` is not among them."""
    if current not in allowed:
        return allowed[0]
    return allowed[(allowed.index(current) + 1) % len(allowed)]
