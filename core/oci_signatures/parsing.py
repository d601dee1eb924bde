"""Takes signatures apart that lie in a registry: the layers of the old layout, and Sigstore bundles.

What is wrong with their form is told at once. Whose they are, and so whether they are right, is told by the keys that a
policy brings; until then a well-formed signature is one that no known key made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from lockwarden.core.evidence.seen_signatures import MaterialKind, SeenSignature, SignatureMaterial
from lockwarden.core.oci_signatures.bundle_parts import bundle_parts
from lockwarden.core.oci_signatures.statements import Stated, simple_signing, statement
from lockwarden.core.oci_signatures.strict_json import EvidenceError, any_base64, read_object, standard_base64
from lockwarden.core.values.signature_schemes import (
    EvidenceState,
    LogState,
    SignatureScheme,
    SignedDocument,
    Signer,
)

SIMPLE_SIGNING: Final = "application/vnd.dev.cosign.simplesigning.v1+json"
BUNDLE: Final = "application/vnd.dev.sigstore.bundle.v0.3+json"
BUNDLES: Final = frozenset({BUNDLE, *(f"application/vnd.dev.sigstore.bundle+json;version=0.{n}" for n in (1, 2, 3))})
MAX_BUNDLE: Final = 1024 * 1024
"""Bytes."""
SIGNATURE_ANNOTATION: Final = "dev.cosignproject.cosign/signature"
_OLD: Final = "dev.sigstore.cosign/"
_LONGEST_SIGNATURE: Final = 8 * 1024
_SHA256: Final = 32


def is_bundle(media_type: str) -> bool:
    """Whether a layer says that it is a Sigstore bundle, of whatever version."""
    return media_type.replace(" ", "") in BUNDLES


def from_layer(
    payload: bytes, annotations: Mapping[str, str], document: SignedDocument, *, found_at: str
) -> SeenSignature:
    """One layer of the old layout: what is signed, and beside it the signature, which nothing protects."""
    seen = _nobody_known(SignatureScheme.COSIGN_KEY, document, found_at)
    log = LogState.NOT_CHECKED if annotations.get(f"{_OLD}bundle") else LogState.NONE
    seen = replace(seen, log=log)
    if annotations.get(f"{_OLD}certificate"):
        return replace(
            seen,
            scheme=SignatureScheme.SIGSTORE,
            signer=Signer(scheme=SignatureScheme.SIGSTORE),
            state=EvidenceState.UNSUPPORTED,
            detail="a certificate in the old layout is not looked at; cosign 3 writes a bundle instead",
        )
    try:
        signature = _signature(standard_base64(annotations.get(SIGNATURE_ANNOTATION), "signature"))
    except EvidenceError as error:
        return _malformed(seen, str(error))
    return _with_key_material(seen, payload, signature, simple_signing(payload, document.digest))


def from_bundle(data: bytes, document: SignedDocument, *, signed: bytes | None, found_at: str) -> SeenSignature:
    """One Sigstore bundle beside a document, whose own bytes are `signed` where they are at hand."""
    seen = _nobody_known(SignatureScheme.COSIGN_KEY, document, found_at)
    try:
        if len(data) > MAX_BUNDLE:
            raise EvidenceError(f"has more than {MAX_BUNDLE} bytes")
        return _from_bundle(read_object(data), data, seen, signed)
    except EvidenceError as error:
        return _malformed(seen, f"the bundle {error}")


def _from_bundle(bundle: dict[str, Any], data: bytes, seen: SeenSignature, signed: bytes | None) -> SeenSignature:
    media_type = bundle.get("mediaType")
    envelope, bare = bundle.get("dsseEnvelope"), bundle.get("messageSignature")
    if (envelope is None) == (bare is None):
        raise EvidenceError("has not exactly one of “dsseEnvelope” and “messageSignature”")
    material = bundle.get("verificationMaterial")
    if not isinstance(material, dict):
        raise EvidenceError("has no verification material")
    key = material.get("publicKey")
    certified = [name for name in ("certificate", "x509CertificateChain") if material.get(name) is not None]
    if (key is None) is not bool(certified) or len(certified) > 1:
        raise EvidenceError("has not exactly one of a public key's hint and a certificate")
    if certified:
        seen = replace(seen, scheme=SignatureScheme.SIGSTORE, signer=Signer(scheme=SignatureScheme.SIGSTORE))
    if not isinstance(media_type, str) or not is_bundle(media_type):
        return replace(seen, state=EvidenceState.UNSUPPORTED, detail="bundles of this version are not known here")
    seen = replace(seen, log=LogState.NOT_CHECKED if material.get("tlogEntries") else LogState.NONE)
    signature, over, stated = _signed_by(envelope, bare, seen.document, signed, provenance=bool(certified))
    if certified:
        return _with_identity_material(seen, data, signature, stated, bundle)
    if over is None:
        return replace(seen, state=EvidenceState.UNSUPPORTED, detail="the signed bytes themselves are not at hand")
    if not isinstance(key, dict):
        raise EvidenceError("has a public key that is no object")
    return _with_key_material(seen, over, signature, stated, hint=_hint(key.get("hint")))


def _signed_by(
    envelope: Any, bare: Any, document: SignedDocument, signed: bytes | None, *, provenance: bool
) -> tuple[bytes, bytes | None, Stated]:
    """The signature, the exact bytes that it covers, and what these state."""
    if envelope is not None:
        return _of_envelope(envelope, document, provenance=provenance)
    if not isinstance(bare, dict):
        raise EvidenceError("has a message signature that is no object")
    signature = _signature(any_base64(bare.get("signature"), "signature"))
    identifies = bare.get("messageDigest")
    stated = Stated(state=EvidenceState.GOOD)
    if isinstance(identifies, dict) and identifies.get("digest") is not None:
        digest = any_base64(identifies["digest"], "message digest").hex()
        if digest != document.digest.removeprefix("sha256:"):
            stated = Stated(state=EvidenceState.SOMETHING_ELSE, detail=f"it says that it is of {digest}")
    return signature, signed, stated


def _of_envelope(envelope: Any, document: SignedDocument, *, provenance: bool) -> tuple[bytes, bytes, Stated]:
    if not isinstance(envelope, dict):
        raise EvidenceError("has an envelope that is no object")
    payload = any_base64(envelope.get("payload"), "payload")
    payload_type = envelope.get("payloadType")
    signatures = envelope.get("signatures")
    if not isinstance(payload_type, str):
        raise EvidenceError("has a payload without a type")
    if not isinstance(signatures, list) or len(signatures) != 1 or not isinstance(signatures[0], dict):
        raise EvidenceError("has not exactly one signature in its envelope")
    signature = _signature(any_base64(signatures[0].get("sig"), "signature"))
    stated = statement(payload, payload_type, document.digest, provenance=provenance)
    return signature, pre_authentication(payload_type, payload), stated


def pre_authentication(payload_type: str, payload: bytes) -> bytes:
    """The bytes that an envelope's signature is over (DSSE, "PAE")."""
    kind = payload_type.encode("utf-8", "surrogatepass")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def _with_key_material(
    seen: SeenSignature, signed: bytes, signature: bytes, stated: Stated, *, hint: str = ""
) -> SeenSignature:
    if stated.state is EvidenceState.MALFORMED:
        return _malformed(seen, stated.detail)
    return replace(
        seen,
        signer=replace(seen.signer, fingerprint=hint),
        claims=stated.claims,
        material=SignatureMaterial(
            kind=MaterialKind.KEY,
            signed=signed,
            signature=signature,
            hint=hint,
            after=stated.state,
            after_detail=stated.detail,
        ),
    )


def _with_identity_material(
    seen: SeenSignature, data: bytes, signature: bytes, stated: Stated, bundle: dict[str, Any]
) -> SeenSignature:
    """A bundle with a certificate; what is wrong with its form is told before anything is verified by it."""
    if stated.state is EvidenceState.MALFORMED:
        return _malformed(seen, stated.detail)
    parts = bundle_parts(bundle)
    if parts.unsupported:
        return replace(seen, state=EvidenceState.UNSUPPORTED, detail=parts.unsupported)
    if parts.unproven:
        return replace(seen, state=EvidenceState.LOG_PROOF_MISSING, detail=parts.unproven)
    material = SignatureMaterial(
        kind=MaterialKind.IDENTITY_BUNDLE,
        signed=data,
        signature=signature,
        after=stated.state,
        after_detail=stated.detail,
    )
    return replace(seen, claims=stated.claims, material=material)


def _hint(text: Any) -> str:
    """The fingerprint that a hint is; anything else names no key, and nothing rests on it."""
    try:
        digest = any_base64(text, "hint")
    except EvidenceError:
        return ""
    return f"sha256:{digest.hex()}" if len(digest) == _SHA256 else ""


def _signature(signature: bytes) -> bytes:
    if not 0 < len(signature) <= _LONGEST_SIGNATURE:
        raise EvidenceError("has a signature that is empty or too long")
    return signature


def _nobody_known(scheme: SignatureScheme, document: SignedDocument, found_at: str) -> SeenSignature:
    return SeenSignature(
        scheme=scheme,
        signer=Signer(scheme=scheme),
        document=document,
        state=EvidenceState.NO_KNOWN_KEY,
        found_at=found_at,
    )


def _malformed(seen: SeenSignature, detail: str) -> SeenSignature:
    return replace(seen, state=EvidenceState.MALFORMED, detail=detail)
