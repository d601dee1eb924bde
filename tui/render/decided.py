"""What a key has decided, in one line: the hash and its provider, or how many of them. Pure."""

from __future__ import annotations

from collections import Counter
from typing import Final

from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.core.review.review import Review
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.reasons import provider_name
from lockwarden.tui.render.text import shorten_hash

_HASH: Final = 18
"""Cells of a hash, so that its provider has room beside it in a narrow terminal."""


def step_in_words(before: Decisions, after: Decisions, review: Review) -> str:
    """What one step has decided that led from one state of the decisions to the next."""
    made = {key: decision for key, decision in after.made.items() if before.of(key) is not decision}
    if len(made) == 1:
        ((key, decision),) = made.items()
        named = f"{shorten_hash(key.hash, _HASH)} of {_owner(key, review)}"
        return f"leave {named} undecided" if decision is Decision.UNDECIDED else f"{decision} {named}"
    numbers = Counter(made.values())
    parts = [f"{decision} {counted(numbers[decision], 'hash', 'hashes')}" for decision in Decision if numbers[decision]]
    owners = dict.fromkeys(_owner(key, review) for key in made)
    where = next(iter(owners)) if len(owners) == 1 else counted(len(owners), "provider")
    return f"{', '.join(parts)} of {where}"


def _owner(key: HashKey, review: Review) -> str:
    """The provider's name, also where the lock file no longer has it."""
    addresses = (each.address for each in review.providers if str(each.address) == key.address)
    return next((provider_name(each) for each in addresses), key.address)
