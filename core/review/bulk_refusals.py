"""What is never approved together with other hashes: a finding, and anything of a provider whose signing key changed.

One key may accept a whole provider, a file, or a marked range. Nobody has looked at each of those hashes, so it takes
nothing that a person has to look at.
"""

from __future__ import annotations

from lockwarden.core.review.decisions import Decision
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict


def suggestion(verdict: Verdict, *, usable: bool, alarmed: bool) -> Decision | None:
    """What a bulk approval would do with a hash; None where it does nothing.

    Only `new` hashes are ever taken. A hash that is not `usable` can match no package. `alarmed` is whether a key signs
    for the provider that the policy does not name.
    """
    return Decision.ADD if verdict is Verdict.NEW and usable and not alarmed else None


def refusal_in_range(row: HashRow, chosen: Decision, *, alarmed: bool) -> str:
    """Why a hash of a marked range does not take the decision of the others; empty where it does.

    Whatever drops a hash, or leaves it undecided, is never refused: it makes nothing easier for an attacker.
    """
    if row.objects and chosen is Decision.KEEP:
        return "a finding is kept one by one only"
    if alarmed and chosen in {Decision.KEEP, Decision.ADD}:
        return "the signing key has changed, so each is decided alone"
    return ""
