"""Verifies a Sigstore bundle with a certificate by a trusted root that the operator gives. Nobody is asked.

The chain, the log and the times are verified by `sigstore`, an optional extra, which is loaded here alone and late.
What it leaves open is ours: the life of logs and authorities, what was signed, and who may sign.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.seen_signatures import SeenSignature, SignatureMaterial
from lockwarden.core.oci_signatures.bundle_parts import BundleParts, bundle_parts
from lockwarden.core.oci_signatures.certificates import named_signer
from lockwarden.core.oci_signatures.strict_json import EvidenceError, any_base64, read_object
from lockwarden.core.values.signature_schemes import EvidenceState, LogState

HOW_TO_INSTALL: Final = "install lockwarden with its extra “sigstore” to have it checked"
ROOT_TYPE: Final = "application/vnd.dev.sigstore.trustedroot+json;version=0.1"
_LONGEST: Final = 200


class IdentityOutcome(Struct, frozen=True, kw_only=True):
    """What came of a bundle under one trusted root."""

    state: EvidenceState
    detail: str = ""
    signed_at: datetime | None = None


def claiming(seen: SeenSignature, material: SignatureMaterial) -> SeenSignature:
    """The signature with the identity that its certificate claims. Nothing is verified: anybody can write it there."""
    try:
        parts = bundle_parts(read_object(material.signed))
        return replace(seen, signer=named_signer(parts.certificate), material=material)
    except EvidenceError as error:
        return replace(seen, state=EvidenceState.MALFORMED, detail=f"the bundle {error}")


def by_identity(seen: SeenSignature, material: SignatureMaterial, root: bytes) -> SeenSignature:
    """The signature judged by a trusted root: good, or why not.

    Good says that some authority of the root gave the certificate, and that the signature was made while it held. It
    does not say that the one who signed may: that is for the rules of a policy.
    """
    outcome = _verified(material.signed, root, seen.document.digest)
    if outcome.state is not EvidenceState.GOOD:
        return replace(seen, state=outcome.state, detail=outcome.detail)
    return replace(
        seen,
        state=material.after,
        detail=material.after_detail,
        signed_at=outcome.signed_at,
        log=LogState.VERIFIED,
    )


def installed() -> bool:
    """Whether the optional extra that verifies such bundles is installed."""
    return find_spec("sigstore") is not None


@lru_cache(maxsize=1_024)
def _verified(data: bytes, root: bytes, digest: str) -> IdentityOutcome:
    if not installed():
        return IdentityOutcome(state=EvidenceState.UNSUPPORTED, detail=HOW_TO_INSTALL)
    try:
        trusted = read_object(root)
    except EvidenceError as error:
        return IdentityOutcome(state=EvidenceState.UNSUPPORTED, detail=f"the trusted root {error}")
    if trusted.get("mediaType") != ROOT_TYPE:
        return IdentityOutcome(
            state=EvidenceState.UNSUPPORTED, detail="the trusted root is of a version that is not known"
        )
    parts = bundle_parts(read_object(data))
    log = _log(trusted, parts.log_id)
    if log is None:
        detail = "the trusted root does not know its log, and may be older than that"
        return IdentityOutcome(state=EvidenceState.LOG_UNKNOWN, detail=detail)
    return _by_library(data, root, trusted, parts, digest)


def _by_library(data: bytes, root: bytes, trusted: dict[str, Any], parts: BundleParts, digest: str) -> IdentityOutcome:
    """What the library says, and then what it says of a root without all whose time was over."""
    first = _asked(data, root, digest, parts)
    if first.state is not EvidenceState.GOOD:
        return first
    if first.signed_at is None:
        return IdentityOutcome(state=EvidenceState.UNSUPPORTED, detail="several time-stamps and no promise of a log")
    living = _living_at(trusted, first.signed_at)
    if living == trusted:
        return first
    again = _asked(data, json.dumps(living).encode(), digest, parts)
    if again.state is EvidenceState.GOOD:
        return again
    return IdentityOutcome(
        state=EvidenceState.CERTIFICATE_NOT_VALID,
        detail="its log or the authority of its certificate was not in force when it was signed",
    )


def _asked(data: bytes, root: bytes, digest: str, parts: BundleParts) -> IdentityOutcome:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from sigstore.errors import CertValidationError, VerificationError
    from sigstore.hashes import Hashed
    from sigstore.models import Bundle, InvalidBundle, TrustedRoot
    from sigstore.verify import Verifier
    from sigstore_models.common.v1 import HashAlgorithm
    from sigstore_models.trustroot.v1 import TrustedRoot as RootDocument

    try:
        verifier = Verifier(trusted_root=TrustedRoot(RootDocument.from_json(root)))
        bundle = Bundle.from_json(data)
        if not isinstance(bundle.signing_certificate.public_key(), EllipticCurvePublicKey):
            return IdentityOutcome(state=EvidenceState.UNSUPPORTED, detail="certificates for other keys than ECDSA")
        if bundle._dsse_envelope is not None:
            verifier.verify_dsse(bundle, _Anybody())
        else:
            hashed = Hashed(digest=bytes.fromhex(digest.partition(":")[2]), algorithm=HashAlgorithm.SHA2_256)
            verifier.verify_artifact(hashed, bundle, _Anybody())
        return IdentityOutcome(state=EvidenceState.GOOD, signed_at=_proven_time(bundle, parts))
    except InvalidBundle as error:
        return IdentityOutcome(state=EvidenceState.MALFORMED, detail=_shown(error))
    except CertValidationError as error:
        return IdentityOutcome(state=EvidenceState.CERTIFICATE_NOT_VALID, detail=_shown(error))
    except VerificationError as error:
        return IdentityOutcome(state=_state_of(str(error)), detail=_shown(error))
    except Exception as error:  # the library lets other libraries' errors through; none of them verifies anything
        return IdentityOutcome(state=EvidenceState.MALFORMED, detail=_shown(error))


class _Anybody:
    """Accepts every identity: who may sign is judged afterwards, by rules of our own."""

    def verify(self, cert: object) -> None:
        """Nothing is refused."""


def _state_of(said: str) -> EvidenceState:
    """The state behind the library's words; what cannot be told apart is a bad signature, never a milder thing."""
    if "expired at time of signing" in said:
        return EvidenceState.CERTIFICATE_NOT_VALID
    if "Invalid Timestamp Response" in said:
        return EvidenceState.MALFORMED
    if "not enough sources of verified time" in said:
        return EvidenceState.LOG_PROOF_MISSING
    if "no Timestamp Authorities have been provided" in said:
        return EvidenceState.LOG_UNKNOWN
    return EvidenceState.BAD


def _proven_time(bundle: Any, parts: BundleParts) -> datetime | None:
    """The time that the log promised, or that the one authority signed, once both have verified."""
    if parts.promised_at is not None:
        return datetime.fromtimestamp(parts.promised_at, tz=UTC)
    stamps = bundle.verification_material.timestamp_verification_data.rfc3161_timestamps
    times: list[datetime] = [each.tst_info.gen_time for each in stamps]
    return times[0] if len(times) == 1 else None


def _log(trusted: dict[str, Any], log_id: bytes) -> dict[str, Any] | None:
    for log in _listed(trusted, "tlogs"):
        held = log.get("logId")
        try:
            if isinstance(held, dict) and any_base64(held.get("keyId"), "log's ID") == log_id:
                return log
        except EvidenceError:
            continue
    return None


def _living_at(trusted: dict[str, Any], when: datetime) -> dict[str, Any]:
    """The root without the authorities and logs that were not in force at a time."""
    kept: dict[str, Any] = {
        name: [each for each in _listed(trusted, name) if _in_force(each, when)]
        for name in ("certificateAuthorities", "tlogs", "ctlogs", "timestampAuthorities")
        if name in trusted
    }
    return {**trusted, **kept}


def _in_force(party: dict[str, Any], when: datetime) -> bool:
    key = party.get("publicKey")
    valid = party.get("validFor", key.get("validFor") if isinstance(key, dict) else None)
    if not isinstance(valid, dict):
        return True
    try:
        start, end = (_time(valid.get(name)) for name in ("start", "end"))
    except ValueError:
        return False
    return (start is None or start <= when) and (end is None or when <= end)


def _time(text: Any) -> datetime | None:
    """A time of the root; None where it is open. Raises ValueError."""
    if text is None:
        return None
    found = datetime.fromisoformat(str(text))
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _listed(trusted: dict[str, Any], name: str) -> list[dict[str, Any]]:
    held = trusted.get(name)
    return [each for each in held if isinstance(each, dict)] if isinstance(held, list) else []


def _shown(error: Exception) -> str:
    told = " ".join(str(error).split()) or type(error).__name__
    return told if len(told) <= _LONGEST else f"{told[:_LONGEST]}…"
