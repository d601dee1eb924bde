"""On which evidence bundle a run rests: how old it is, who vouches for it, what was verified again."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.reports.json_values import Time, time_json

_DIGITS = 12
_PROVEN = "GPG signatures were verified again, and all else is as its maker recorded it"
_UNPROVEN = "and only good signatures of keys that the policy pins count"


def evidence_words(recorded: RecordedEvidence) -> str:
    """One sentence without a full stop. Names and versions in it are text from outside."""
    who = f"signed by {recorded.signer}, {recorded.fingerprint}" if recorded.vouched else recorded.doubt
    return (
        f"recorded on {recorded.when}, by lockwarden {recorded.tool}, sha256 {recorded.digest[:_DIGITS]}, {who}; nobody"
        f" was asked, {_PROVEN if recorded.vouched else _UNPROVEN}"
    )


class EvidenceJson(Struct, frozen=True, kw_only=True):
    """The evidence bundle that answered in the sources' place."""

    sha256: str
    """Of the file."""
    made: Time
    """When it was made, by its own word."""
    age_seconds: int
    """How long ago that was; below zero where it claims to be from the future."""
    tool: str
    """The version of Lockwarden that made it, by its own word."""
    vouched: bool
    """Whether somebody whom the operator named has signed it. If not, only good signatures of keys that the policy pins
    count."""
    signer: str
    """Who signed it, by the list of signers that the operator named; empty where nobody of these did."""
    fingerprint: str
    """Of the SSH key that signed it; empty where it is not signed."""
    doubt: str
    """Why nobody vouches for it; empty where somebody does."""

    @classmethod
    def of(cls, recorded: RecordedEvidence) -> Self:
        """One bundle."""
        return cls(
            sha256=recorded.digest,
            made=time_json(recorded.made),
            age_seconds=int(recorded.age.total_seconds()),
            tool=recorded.tool,
            vouched=recorded.vouched,
            signer=recorded.signer,
            fingerprint=recorded.fingerprint,
            doubt=recorded.doubt,
        )
