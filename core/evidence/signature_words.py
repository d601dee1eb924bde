"""What a signature beside GPG's is, in words that never say more than was checked."""

from __future__ import annotations

from typing import Final

from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.values.signature_schemes import EvidenceState, SignedKind

_UNBOUND: Final = frozenset({SignedKind.OCI_INDEX, SignedKind.OCI_MANIFEST})
"""Documents that stay signed when somebody copies them to another place, or gives an old one a newer tag."""


def signature_in_words(seen: SeenSignature) -> str:
    """What came of one signature that is not GPG's. It never says more than was checked."""
    what = seen.document.name or str(seen.document.kind)
    who = seen.signer.name
    when = f" on {seen.signed_at:%Y-%m-%d}" if seen.signed_at else ""
    why = f": {seen.detail}" if seen.detail else ""
    if seen.state is EvidenceState.GOOD:
        known = "" if seen.rule else ", whom no rule of the policy names for this provider"
        return f"{what} is signed{when} by {who} ({seen.scheme}){known}{why}"
    if seen.state is EvidenceState.NO_KNOWN_KEY:
        named = f" that names itself {who}" if who else ""
        return f"{what} is signed by an unknown key{named} ({seen.scheme}), which proves nothing{why}"
    named = f" of {who}" if who else ""
    return f"{what} has a signature{named} ({seen.scheme}) that does not count, {seen.state}{why}"


def signature_evidence(seen: SeenSignature) -> tuple[str, ...]:
    """What the words about a signature rest on."""
    claims = tuple(f"the signer states {name}: {value}" for name, value in seen.claims)
    proven = "time proven" if seen.signed_at else "no time proven"
    unbound = ("the index itself names neither provider nor version",) if seen.document.kind in _UNBOUND else ()
    return (
        *((seen.signer.name,) if seen.signer.name else ()),
        f"{seen.document.kind} {seen.document.digest}",
        *unbound,
        f"found at {seen.found_at}",
        f"log: {seen.log}, {proven}",
        *claims,
    )
