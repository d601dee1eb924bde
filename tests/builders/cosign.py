"""Signatures as cosign writes them, made in Python alone: both layouts, by keys of every kind."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec.structs import replace

from builders.audits import MIRROR, answer, audit
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.oci_signatures.parsing import from_bundle, from_layer
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.policy.model import OtherKey, Policy, Rule
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signature_schemes import SignatureScheme, SignedDocument, SignedKind

BUNDLE_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json"
SIMPLE_TYPE = "application/vnd.dev.cosign.simplesigning.v1+json"
SIGN = "https://sigstore.dev/cosign/sign/v1"
IN_TOTO = "application/vnd.in-toto+json"
INDEX_BYTES = b'{"an":"index"}'
DIGEST = f"sha256:{hashlib.sha256(INDEX_BYTES).hexdigest()}"
DOCUMENT = SignedDocument(kind=SignedKind.OCI_INDEX, digest=DIGEST, name="the index of 1.2.3")
Private = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey | ed25519.Ed25519PrivateKey
Json = dict[str, Any]

P256 = ec.derive_private_key(0x1234567, ec.SECP256R1())
STRANGER = ec.derive_private_key(0x7654321, ec.SECP256R1())
_NOW = datetime(2027, 1, 1, tzinfo=UTC)
ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def b64(data: bytes) -> str:
    """Standard base64."""
    return base64.b64encode(data).decode()


def spki(key: Private) -> bytes:
    """The public key in DER form."""
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def pem(key: Private) -> bytes:
    """The public key as `cosign.pub` has it."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def fingerprint(key: Private) -> str:
    """By which a policy names the key."""
    return f"sha256:{hashlib.sha256(spki(key)).hexdigest()}"


def sign(key: Private, data: bytes) -> bytes:
    """A signature as the key's type dictates it."""
    match key:
        case ec.EllipticCurvePrivateKey():
            digests: dict[int, hashes.HashAlgorithm] = {384: hashes.SHA384(), 521: hashes.SHA512()}
            return key.sign(data, ec.ECDSA(digests.get(key.curve.key_size, hashes.SHA256())))
        case rsa.RSAPrivateKey():
            return key.sign(data, padding.PKCS1v15(), hashes.SHA256())
        case ed25519.Ed25519PrivateKey():
            return key.sign(data)


def payload(
    digest: str = DIGEST,
    *,
    kind: str = "cosign container image signature",
    reference: str = "registry.example.test/acme/widget",
    optional: Json | None = None,
) -> bytes:
    """What the old layout signs, as cosign writes it."""
    said = {
        "critical": {
            "identity": {"docker-reference": reference},
            "image": {"docker-manifest-digest": digest},
            "type": kind,
        },
        "optional": optional,
    }
    return json.dumps(said, separators=(",", ":")).encode()


def layer_annotations(key: Private, over: bytes) -> dict[str, str]:
    """Those of a layer of the old layout."""
    return {"dev.cosignproject.cosign/signature": b64(sign(key, over))}


def statement(digest: str = DIGEST, **instead: Any) -> bytes:
    """What the new layout signs."""
    said = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"digest": {"sha256": digest.removeprefix("sha256:")}, "annotations": {}}],
        "predicateType": SIGN,
        "predicate": {},
        **instead,
    }
    return json.dumps(said, separators=(",", ":")).encode()


def pae(payload_type: str, data: bytes) -> bytes:
    """What an envelope's signature is over."""
    return b"DSSEv1 %d %s %d %s" % (len(payload_type), payload_type.encode(), len(data), data)


def envelope(key: Private, data: bytes, *, payload_type: str = IN_TOTO) -> Json:
    """A DSSE envelope with one signature."""
    signature = sign(key, pae(payload_type, data))
    return {"payload": b64(data), "payloadType": payload_type, "signatures": [{"sig": b64(signature)}]}


def bundle(
    key: Private = P256, data: bytes | None = None, *, payload_type: str = IN_TOTO, hint: str | None = ""
) -> Json:
    """A bundle as cosign 3 writes it for a key; the key's own hint unless another one is given."""
    own = b64(hashlib.sha256(spki(key)).digest())
    material = {} if hint is None else {"hint": hint or own}
    return {
        "mediaType": BUNDLE_TYPE,
        "verificationMaterial": {"publicKey": material},
        "dsseEnvelope": envelope(key, statement() if data is None else data, payload_type=payload_type),
    }


def message_bundle(key: Private = P256, over: bytes = INDEX_BYTES, digest: str = DIGEST) -> Json:
    """A bundle as `cosign sign-blob` writes it."""
    return {
        "mediaType": BUNDLE_TYPE,
        "verificationMaterial": {"publicKey": {"hint": ""}},
        "messageSignature": {
            "messageDigest": {
                "algorithm": "SHA2_256",
                "digest": b64(bytes.fromhex(digest.removeprefix("sha256:"))),
            },
            "signature": b64(sign(key, over)),
        },
    }


def naming(*keys: Private, providers: str = "*/*/*") -> Policy:
    """A policy that names these keys."""
    rules = tuple(
        OtherKey(
            rule=Rule("policy.hcl", 1),
            scheme=SignatureScheme.COSIGN_KEY,
            fingerprint=fingerprint(key),
            owner="",
            providers=(ProviderPattern.parse(providers),),
            public_key=pem(key),
        )
        for key in keys
    )
    return Policy(path="policy.hcl", other_keys=rules)


def text(value: Json) -> bytes:
    """A document's bytes."""
    return json.dumps(value).encode()


def judged(seen: SeenSignature, *keys: Private) -> SeenSignature:
    """The signature as a policy that names these keys has it."""
    applied = apply_policy(naming(*keys), audit(replace(answer(MIRROR), other_signatures=(seen,))), _NOW)
    return applied.audit.source_answers[0].other_signatures[0]


def layer(over: bytes, key: Private = P256, beside: Mapping[str, str] = MappingProxyType({})) -> SeenSignature:
    """A signature in the old layout."""
    return from_layer(over, {**layer_annotations(key, over), **beside}, DOCUMENT, found_at="here")


def bundled(value: Json | bytes, signed: bytes | None = INDEX_BYTES) -> SeenSignature:
    """A signature in the new layout."""
    data = value if isinstance(value, bytes) else text(value)
    return from_bundle(data, DOCUMENT, signed=signed, found_at="here")
