"""Signatures beside GPG's as a source gave them out, and what became of them under the keys of a policy.

A source finds a signature and takes it apart. Whose it is can only be told by who brings the keys, which is the policy;
so until then the state of a well-formed one is that no known key made it, and it carries what has to be verified.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.values.signature_schemes import (
    EvidenceState,
    LogState,
    SignatureScheme,
    SignedDocument,
    SignedKind,
    Signer,
)

_UNBOUND: Final = frozenset({SignedKind.OCI_INDEX, SignedKind.OCI_MANIFEST})
"""Documents that stay signed when somebody copies them to another place, or gives an old one a newer tag."""


class MaterialKind(StrEnum):
    """How a signature has to be verified."""

    KEY = "key"
    """By a public key, over the signed bytes."""
    IDENTITY_BUNDLE = "identity bundle"
    """A Sigstore bundle with a certificate, over a document with a known digest or a statement that names it."""


class SignatureMaterial(Struct, frozen=True, kw_only=True):
    """What a well-formed signature has to be verified by, once somebody brings keys."""

    kind: MaterialKind
    signed: bytes
    """For a key the exact bytes that were signed; for a bundle the bundle itself."""
    signature: bytes = b""
    hint: str = ""
    """The fingerprint of the key that it names, `sha256:` and digits. Nobody signed that: it orders the keys to try."""
    after: EvidenceState = EvidenceState.GOOD
    """What it comes to once the signature is right: what was signed may be something else than what it lies beside."""
    after_detail: str = ""


class SeenSignature(Struct, frozen=True, kw_only=True):
    """One signature, whatever came of it."""

    scheme: SignatureScheme
    signer: Signer
    """While no known key made it, what it says of itself."""
    document: SignedDocument
    state: EvidenceState
    detail: str = ""
    """The reason behind the state in a few words, where there is one."""
    signed_at: datetime | None = None
    """A time that a log or a time-stamping authority proves; None where none does."""
    log: LogState = LogState.NONE
    claims: tuple[tuple[str, str], ...] = ()
    """What the signer states beside: signed, and proven by nothing."""
    found_at: str = ""
    """Where the signature lay."""
    rule: str = ""
    """The rule of the policy that names the signer for this provider; only under one it counts."""
    material: SignatureMaterial | None = None

    @property
    def counts(self) -> bool:
        """A good signature by somebody whom the policy names for the provider."""
        return self.state is EvidenceState.GOOD and bool(self.rule)


def signature_in_words(seen: SeenSignature) -> str:
    """What came of one signature that is not GPG's. It never says more than was checked."""
    what = seen.document.name or str(seen.document.kind)
    who = seen.signer.name
    when = f" on {seen.signed_at:%Y-%m-%d}" if seen.signed_at else ""
    why = f": {seen.detail}" if seen.detail else ""
    if seen.state is EvidenceState.GOOD:
        known = "" if seen.rule else ", whom no rule of the policy names for this provider"
        unbound = ", which itself names neither provider nor version," if seen.document.kind in _UNBOUND else ""
        return f"{what}{unbound} is signed{when} by {who} ({seen.scheme}){known}{why}"
    if seen.state is EvidenceState.NO_KNOWN_KEY:
        named = f" that names itself {who}" if who else ""
        return f"{what} is signed by an unknown key{named} ({seen.scheme}), which proves nothing{why}"
    named = f" of {who}" if who else ""
    return f"{what} has a signature{named} ({seen.scheme}) that does not count, {seen.state}{why}"


def signature_evidence(seen: SeenSignature) -> tuple[str, ...]:
    """What the words about a signature rest on."""
    claims = tuple(f"the signer states {name}: {value}" for name, value in seen.claims)
    proven = "time proven" if seen.signed_at else "no time proven"
    return (
        *((seen.signer.name,) if seen.signer.name else ()),
        f"{seen.document.kind} {seen.document.digest}",
        f"found at {seen.found_at}",
        f"log: {seen.log}, {proven}",
        *claims,
    )
