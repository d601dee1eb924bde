"""Whether a release is signed, as far as it is known."""

from __future__ import annotations

from enum import StrEnum

from lockwarden.core.evidence.dispositions import Summary
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.policy.pins import documents_read


class Signing(StrEnum):
    """Whether a release is signed, as far as its origin registry was heard."""

    SIGNED = "signed"
    UNSIGNED = "unsigned"
    """The origin's lists were read, and no signature over one of them counts."""
    UNKNOWN = "not known"
    """The origin was not asked, did not answer, or gave no list: that says nothing about signatures."""


def signing_of(audit: Audit) -> Signing:
    """Whether a release is signed. What is not known is never called unsigned."""
    if audit.summary is Summary.SIGNED:
        return Signing.SIGNED
    origin = audit.origin
    if origin is None or origin.outcome is not Outcome.ANSWERED or not documents_read(origin):
        return Signing.UNKNOWN
    return Signing.UNSIGNED
