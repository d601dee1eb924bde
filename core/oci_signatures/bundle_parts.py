"""The parts of a Sigstore bundle with a certificate, held against their form before a library verifies them.

What a library says of its failures is prose. So whatever can be told apart beforehand is told apart here.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from lockwarden.core.oci_signatures.strict_json import EvidenceError, any_base64

MAX_PROOF: Final = 64
"""Hashes of an inclusion proof. A log with a thousand million entries has thirty."""
MAX_TOKENS: Final = 32
"""Time-stamps of one bundle."""
_KINDS: Final = frozenset({("hashedrekord", "0.0.1"), ("hashedrekord", "0.0.2"), ("dsse", "0.0.1")})
_LATEST: Final = 2**40
"""Seconds since 1970: later than any clock."""
_LARGEST: Final = 2**63


class BundleParts(Struct, frozen=True, kw_only=True):
    """What a bundle has, beside its signature."""

    certificate: bytes = b""
    """The leaf's, in DER form."""
    log_id: bytes = b""
    """Of the one log entry."""
    promised_at: int | None = None
    """The time, in seconds since 1970, that the log promises; only a promise that verifies proves it."""
    tokens: int = 0
    """Time-stamps of authorities."""
    unsupported: str = ""
    unproven: str = ""
    """Why no log can be shown to hold it."""


def bundle_parts(bundle: dict[str, Any]) -> BundleParts:
    """The parts of a bundle whose signature was read already. Raises EvidenceError."""
    material = bundle["verificationMaterial"]
    certificate = _leaf(material)
    stamps = material.get("timestampVerificationData")
    tokens = stamps.get("rfc3161Timestamps") if isinstance(stamps, dict) else None
    count = len(tokens) if isinstance(tokens, list) else 0
    if count > MAX_TOKENS:
        raise EvidenceError(f"has {count} time-stamps; the limit is {MAX_TOKENS}")
    entries = material.get("tlogEntries")
    if not entries:
        return BundleParts(certificate=certificate, unproven="it comes with no entry of a log")
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise EvidenceError("has log entries that are no objects")
    if len(entries) > 1:
        return BundleParts(certificate=certificate, unsupported="more than one log entry is not looked at")
    return _with_entry(certificate, entries[0], count)


def _leaf(material: dict[str, Any]) -> bytes:
    """The certificate that signed: the only one, or the first of a chain, whose others prove nothing."""
    held = material.get("certificate")
    if held is None:
        chain = material["x509CertificateChain"]
        certificates = chain.get("certificates") if isinstance(chain, dict) else None
        held = certificates[0] if isinstance(certificates, list) and certificates else None
    if not isinstance(held, dict):
        raise EvidenceError("has a certificate that is none")
    return any_base64(held.get("rawBytes"), "certificate")


def _with_entry(certificate: bytes, entry: dict[str, Any], tokens: int) -> BundleParts:
    kind = entry.get("kindVersion")
    named = (kind.get("kind"), kind.get("version")) if isinstance(kind, dict) else (None, None)
    if named not in _KINDS:
        return BundleParts(certificate=certificate, unsupported=f"log entries of the kind {named[0]} {named[1]}")
    log = entry.get("logId")
    log_id = any_base64(log.get("keyId") if isinstance(log, dict) else None, "log's ID")
    _number(entry, "logIndex", _LARGEST)
    promised_at = _number(entry, "integratedTime", _LATEST)
    proof, promise = entry.get("inclusionProof"), entry.get("inclusionPromise")
    if not isinstance(proof, dict):
        return BundleParts(certificate=certificate, unproven="its log entry has no proof of inclusion")
    for name in ("logIndex", "treeSize"):
        _number(proof, name, _LARGEST)
    hashes = proof.get("hashes")
    if isinstance(hashes, list) and len(hashes) > MAX_PROOF:
        raise EvidenceError(f"has a proof of {len(hashes)} hashes; the limit is {MAX_PROOF}")
    if not promise and not tokens:
        return BundleParts(certificate=certificate, unproven="neither a log nor an authority proves its time")
    return BundleParts(
        certificate=certificate, log_id=log_id, promised_at=promised_at if promise else None, tokens=tokens
    )


def _number(holder: dict[str, Any], name: str, limit: int) -> int:
    """A number, which this format writes as text. Absent ones are zero."""
    value = holder.get(name, 0)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    if type(value) is not int or not 0 <= value < limit:
        raise EvidenceError(f"has a “{name}” that cannot be")
    return value
