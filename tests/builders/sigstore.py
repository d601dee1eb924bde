"""A private Sigstore made in Python alone: an authority, a log of certificates, a log of signatures, and one identity.

Each test changes one thing of such a world. The time is fixed.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from builders.cosign import BUNDLE_TYPE, DIGEST, IN_TOTO, INDEX_BYTES, b64, pae, statement

Json = dict[str, Any]
SIGNED_AT: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
ISSUER: Final = "https://token.example.test"
SUBJECT: Final = "https://git.example.test/acme/provider/.ci/release@refs/tags/v1.2.3"
REPOSITORY: Final = "https://git.example.test/acme/provider"
REF: Final = "refs/tags/v1.2.3"
_ARC = "1.3.6.1.4.1.57264.1"
_SCT = x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
_ROOT = ec.derive_private_key(11, ec.SECP384R1())
_INTERMEDIATE = ec.derive_private_key(12, ec.SECP384R1())
LEAF = ec.derive_private_key(13, ec.SECP256R1())
LOG = ec.derive_private_key(14, ec.SECP256R1())
OTHER_LOG = ec.derive_private_key(15, ec.SECP256R1())
_CT = ec.derive_private_key(16, ec.SECP256R1())


def spki(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public key in DER form."""
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def signed(key: ec.EllipticCurvePrivateKey, data: bytes) -> bytes:
    """A signature with SHA-256."""
    return key.sign(data, ec.ECDSA(hashes.SHA256()))


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        crl_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _authority(
    name: str, key: ec.EllipticCurvePrivateKey, issuer: str, by: ec.EllipticCurvePrivateKey, until: datetime
) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(name))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(7)
        .not_valid_before(datetime(2026, 1, 1, tzinfo=UTC))
        .not_valid_after(until)
        .add_extension(x509.BasicConstraints(ca=True, path_length=1 if key is by else 0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), critical=False)
    )
    if key is not by:
        usages = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING])
        builder = builder.add_extension(usages, critical=False)
    return builder.sign(by, hashes.SHA384())


def _utf8(text: str) -> bytes:
    data = text.encode()
    size = bytes([len(data)]) if len(data) < 128 else bytes([0x81, len(data)])
    return b"\x0c" + size + data


def _octets(data: bytes) -> bytes:
    size = bytes([len(data)]) if len(data) < 128 else bytes([0x81, len(data)])
    return b"\x04" + size + data


@dataclass(kw_only=True)
class SigstoreWorld:
    """One signature over the index, and the trusted root that it is good under."""

    subject: x509.GeneralName = field(default_factory=lambda: x509.UniformResourceIdentifier(SUBJECT))
    extensions: dict[int, str] = field(default_factory=lambda: {8: ISSUER, 12: REPOSITORY, 14: REF})
    at: datetime = SIGNED_AT
    """When it was signed, as the log says."""
    not_before: datetime = SIGNED_AT - timedelta(minutes=1)
    intermediate_until: datetime = datetime(2036, 1, 1, tzinfo=UTC)
    log: ec.EllipticCurvePrivateKey = LOG
    key: ec.EllipticCurvePrivateKey = LEAF
    valid_for: dict[str, Json] = field(default_factory=dict)
    """Of `certificateAuthorities` and the logs in the root, beside a start long ago."""

    @cached_property
    def root_certificate(self) -> x509.Certificate:
        """The authority at the top."""
        return _authority("root", _ROOT, "root", _ROOT, datetime(2036, 1, 1, tzinfo=UTC))

    @cached_property
    def intermediate(self) -> x509.Certificate:
        """The one that makes leaves."""
        return _authority("intermediate", _INTERMEDIATE, "root", _ROOT, self.intermediate_until)

    @cached_property
    def leaf(self) -> x509.Certificate:
        """The certificate of ten minutes, shown to the log of certificates."""
        unlogged = self._leaf(b"\x00" * 8)
        tbs = unlogged.tbs_precertificate_bytes
        stamp = int(self.not_before.timestamp() * 1000).to_bytes(8)
        issuer = hashlib.sha256(spki(_INTERMEDIATE)).digest()
        over = b"\x00\x00" + stamp + b"\x00\x01" + issuer + len(tbs).to_bytes(3) + tbs + b"\x00\x00"
        signature = signed(_CT, over)
        sct = b"\x00" + hashlib.sha256(spki(_CT)).digest() + stamp + b"\x00\x00\x04\x03"
        return self._leaf(sct + len(signature).to_bytes(2) + signature)

    def _leaf(self, sct: bytes) -> x509.Certificate:
        listed = len(sct).to_bytes(2) + sct
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([]))
            .issuer_name(_name("intermediate"))
            .public_key(self.key.public_key())
            .serial_number(8)
            .not_valid_before(self.not_before)
            .not_valid_after(self.not_before + timedelta(minutes=10))
            .add_extension(_usage(signs=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False)
            .add_extension(x509.SubjectAlternativeName([self.subject]), critical=True)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(_INTERMEDIATE.public_key()), critical=False
            )
        )
        for number, text in self.extensions.items():
            held = x509.UnrecognizedExtension(x509.ObjectIdentifier(f"{_ARC}.{number}"), _utf8(text))
            builder = builder.add_extension(held, critical=False)
        stamps = x509.UnrecognizedExtension(_SCT, _octets(len(listed).to_bytes(2) + listed))
        return builder.add_extension(stamps, critical=False).sign(_INTERMEDIATE, hashes.SHA384())

    @property
    def _certificate_pem(self) -> str:
        return b64(self.leaf.public_bytes(Encoding.PEM))

    def bundle(self, data: bytes | None = None, *, payload_type: str = IN_TOTO, chained: bool = False) -> Json:
        """A bundle with an envelope over a statement; `chained` as older ones have their certificates."""
        said = statement() if data is None else data
        signature = signed(self.key, pae(payload_type, said))
        spec = {
            "envelopeHash": {"algorithm": "sha256", "value": "0" * 64},
            "payloadHash": {"algorithm": "sha256", "value": hashlib.sha256(said).hexdigest()},
            "signatures": [{"signature": b64(signature), "verifier": self._certificate_pem}],
        }
        envelope = {"payload": b64(said), "payloadType": payload_type, "signatures": [{"sig": b64(signature)}]}
        der = {"rawBytes": b64(self.leaf.public_bytes(Encoding.DER))}
        material = {"x509CertificateChain": {"certificates": [der]}} if chained else {"certificate": der}
        return {
            "mediaType": "application/vnd.dev.sigstore.bundle+json;version=0.2" if chained else BUNDLE_TYPE,
            "verificationMaterial": {**material, "tlogEntries": [self.entry("dsse", spec)]},
            "dsseEnvelope": envelope,
        }

    def message_bundle(self, over: bytes = INDEX_BYTES) -> Json:
        """A bundle as `cosign sign-blob` writes it."""
        signature = signed(self.key, over)
        digest = hashlib.sha256(over)
        spec = {
            "data": {"hash": {"algorithm": "sha256", "value": digest.hexdigest()}},
            "signature": {"content": b64(signature), "publicKey": {"content": self._certificate_pem}},
        }
        return {
            "mediaType": BUNDLE_TYPE,
            "verificationMaterial": {
                "certificate": {"rawBytes": b64(self.leaf.public_bytes(Encoding.DER))},
                "tlogEntries": [self.entry("hashedrekord", spec)],
            },
            "messageSignature": {
                "messageDigest": {"algorithm": "SHA2_256", "digest": b64(digest.digest())},
                "signature": b64(signature),
            },
        }

    def entry(self, kind: str, spec: Json) -> Json:
        """An entry of the log, which holds it alone."""
        body = _compact({"apiVersion": "0.0.1", "kind": kind, "spec": spec})
        log_id = hashlib.sha256(spki(self.log)).digest()
        when = int(self.at.timestamp())
        promise = _compact({"body": b64(body), "integratedTime": when, "logID": log_id.hex(), "logIndex": 0})
        root = hashlib.sha256(b"\x00" + body).digest()
        note = f"log.example.test\n1\n{b64(root)}\n"
        line = b64(log_id[:4] + signed(self.log, note.encode()))
        return {
            "logIndex": "0",
            "logId": {"keyId": b64(log_id)},
            "kindVersion": {"kind": kind, "version": "0.0.1"},
            "integratedTime": str(when),
            "inclusionPromise": {"signedEntryTimestamp": b64(signed(self.log, promise))},
            "inclusionProof": {
                "logIndex": "0",
                "rootHash": b64(root),
                "treeSize": "1",
                "hashes": [],
                "checkpoint": {"envelope": f"{note}\n— log.example.test {line}\n"},
            },
            "canonicalizedBody": b64(body),
        }

    def trusted_root(self, *, log: ec.EllipticCurvePrivateKey = LOG) -> Json:
        """The root that its operator gives out."""
        chain = [self.intermediate, self.root_certificate]
        return {
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "tlogs": [self._log(log, "tlogs")],
            "certificateAuthorities": [
                {
                    "subject": {"organization": "tests", "commonName": "tests"},
                    "uri": "https://ca.example.test",
                    "certChain": {
                        "certificates": [{"rawBytes": b64(each.public_bytes(Encoding.DER))} for each in chain]
                    },
                    "validFor": self._valid("certificateAuthorities"),
                }
            ],
            "ctlogs": [self._log(_CT, "ctlogs")],
            "timestampAuthorities": [],
        }

    def _log(self, key: ec.EllipticCurvePrivateKey, name: str) -> Json:
        return {
            "baseUrl": "https://log.example.test",
            "hashAlgorithm": "SHA2_256",
            "publicKey": {
                "rawBytes": b64(spki(key)),
                "keyDetails": "PKIX_ECDSA_P256_SHA_256",
                "validFor": self._valid(name),
            },
            "logId": {"keyId": b64(hashlib.sha256(spki(key)).digest())},
        }

    def _valid(self, name: str) -> Json:
        return {"start": "2026-01-01T00:00:00Z", **self.valid_for.get(name, {})}


def _compact(value: Json) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def raw(text: str) -> bytes:
    """Bytes of base64."""
    return base64.b64decode(text)


def other_digest() -> str:
    """The digest of something else than the index."""
    return DIGEST[:-1] + ("0" if DIGEST[-1] != "0" else "1")
