"""Signatures beside GPG's as a source gave them out, and what became of them under the keys of a policy.

A source finds a signature and takes it apart. Whose it is can only be told by who brings the keys, which is the policy;
so until then the state of a well-formed one is that no known key made it, and it carries what has to be verified.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from lockwarden.core.values.signature_schemes import (
    EvidenceState,
    LogState,
    SignatureScheme,
    SignedDocument,
    Signer,
)


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
