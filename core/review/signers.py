"""Who signed a version and who signed the one before: whether the signers changed, document by document."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.policy.pins import documents_read, signers_by_document


class SignerChange(Struct, frozen=True, kw_only=True):
    """The keys that signed the earlier version, and those that signed the later one instead."""

    was: frozenset[str]
    """Primary fingerprints. Never empty."""
    now: frozenset[str]
    """Of the keys behind documents that none of the earlier ones signed; empty when no signature counts at all."""


def signer_change(earlier: Audit, later: Audit) -> SignerChange | None:
    """How the signers changed; None when they did not, when there were none, or when the later ones are not known.

    Only signatures that count are looked at, and only what the origin registry shows today.
    """
    was = frozenset(each for signers in _documents(earlier).values() for each in signers)
    origin = later.origin
    if not was or origin is None or not documents_read(origin):
        return None
    documents = _documents(later)
    if not documents:
        return SignerChange(was=was, now=frozenset())
    others = frozenset(each for signers in documents.values() if not signers & was for each in signers)
    return SignerChange(was=was, now=others) if others else None


def _documents(audit: Audit) -> dict[str, frozenset[str]]:
    return {} if audit.origin is None else signers_by_document(audit.origin)
