"""A signed index for the screenshots: an OCI registry that is a value, a release in it, and two keys that sign it.

One of the keys is in the policy; the other is a stranger's. Both are fixed, so that the picture stays what it is.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from lockwarden.demo.packages import DemoPackage
from lockwarden.demo.responses import Response
from lockwarden.demo.world import World

HOST: Final = "registry.example.test"
TEMPLATE: Final = f"oci://{HOST}/providers/{{namespace}}/{{type}}"
_VERSION: Final = "1.4.0"
_REPOSITORY: Final = "/v2/providers/acme/widget"
_INDEX: Final = "application/vnd.oci.image.index.v1+json"
_MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
_TARGET: Final = "application/vnd.opentofu.provider-target"
_SIMPLE: Final = "application/vnd.dev.cosign.simplesigning.v1+json"
_BUNDLE: Final = "application/vnd.dev.sigstore.bundle.v0.3+json"
_IN_TOTO: Final = "application/vnd.in-toto+json"
_EMPTY: Final = "application/vnd.oci.empty.v1+json"
_OWN: Final = ec.derive_private_key(20_261_129, ec.SECP256R1())
_STRANGER: Final = ec.derive_private_key(20_261_130, ec.SECP256R1())
_LOCK: Final = """\
# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.

provider "registry.opentofu.org/acme/widget" {{
  version     = "1.4.0"
  constraints = "~> 1.4"
  hashes = [
    "{h1}",
    "{zh}",
  ]
}}
"""
_POLICY: Final = """\
signing_key "{fingerprint}" {{
  scheme     = "cosign-key"
  public_key = "acme.pub"
  providers  = ["registry.opentofu.org/acme/*"]
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIndex:
    """A lock file beside its policy, and the registry."""

    lock_file: Path
    world: World


class _Registry:
    def __init__(self) -> None:
        self.answers: dict[str, Response] = {}

    def blob(self, body: bytes, media_type: str) -> dict[str, Any]:
        digest = _digest(body)
        self.answers[f"{_REPOSITORY}/blobs/{digest}"] = Response.of_bytes(body)
        return {"mediaType": media_type, "digest": digest, "size": len(body)}

    def manifest(self, document: Mapping[str, Any], media_type: str, *tags: str) -> dict[str, Any]:
        body = json.dumps({"schemaVersion": 2, "mediaType": media_type, **document}).encode()
        digest = _digest(body)
        named = (("Content-Type", media_type), ("Docker-Content-Digest", digest))
        for reference in (digest, *tags):
            self.answers[f"{_REPOSITORY}/manifests/{reference}"] = Response(headers=named, body=body)
        return {"mediaType": media_type, "digest": digest, "size": len(body)}


def signed_index(folder: Path, packages: Mapping[str, DemoPackage]) -> SignedIndex:
    """Write a lock file, the policy and its key into a folder; `packages` are those of the release, by platform."""
    registry = _Registry()
    empty = registry.blob(b"{}", _EMPTY)
    entries = []
    for platform, package in packages.items():
        layer = registry.blob(package.archive, "archive/zip")
        described = registry.manifest({"artifactType": _TARGET, "config": empty, "layers": [layer]}, _MANIFEST)
        named = dict(zip(("os", "architecture"), platform.split("_"), strict=True))
        entries.append({**described, "artifactType": _TARGET, "platform": named})
    provider = {"artifactType": "application/vnd.opentofu.provider", "manifests": entries}
    index = registry.manifest(provider, _INDEX, _VERSION)
    _sign_in_the_old_layout(registry, index["digest"])
    _sign_in_the_new_layout(registry, index, empty)
    registry.answers[f"{_REPOSITORY}/tags/list"] = Response.of_json({"tags": [_VERSION]})
    linux = packages["linux_amd64"]
    folder.mkdir(parents=True)
    lock_file = folder / ".terraform.lock.hcl"
    lock_file.write_text(_LOCK.format(h1=linux.h1, zh=linux.zh), encoding="utf-8")
    pem = _OWN.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (folder / "acme.pub").write_bytes(pem)
    policy = _POLICY.format(fingerprint=_digest(_spki(_OWN)))
    (folder / ".lockwarden.hcl").write_text(policy, encoding="utf-8")
    return SignedIndex(lock_file=lock_file, world=World.of([(HOST, registry.answers)]))


def _sign_in_the_old_layout(registry: _Registry, digest: str) -> None:
    said = {
        "critical": {
            "identity": {"docker-reference": f"{HOST}/providers/acme/widget"},
            "image": {"docker-manifest-digest": digest},
            "type": "cosign container image signature",
        },
        "optional": {"build": "4711"},
    }
    payload = json.dumps(said).encode()
    layer = registry.blob(payload, _SIMPLE)
    signature = {"dev.cosignproject.cosign/signature": _signed(_OWN, payload)}
    image = {"config": registry.blob(b"{}", "application/vnd.oci.image.config.v1+json")}
    image["layers"] = [{**layer, "annotations": signature}]  # type: ignore[assignment]
    registry.manifest(image, _MANIFEST, f"{digest.replace(':', '-')}.sig")


def _sign_in_the_new_layout(registry: _Registry, index: dict[str, Any], empty: dict[str, Any]) -> None:
    statement = json.dumps(
        {
            "_type": "https://in-toto.io/Statement/v1",
            "subject": [{"digest": {"sha256": index["digest"].removeprefix("sha256:")}}],
            "predicateType": "https://sigstore.dev/cosign/sign/v1",
            "predicate": {},
        }
    ).encode()
    over = b"DSSEv1 %d %s %d %s" % (len(_IN_TOTO), _IN_TOTO.encode(), len(statement), statement)
    bundle = {
        "mediaType": _BUNDLE,
        "verificationMaterial": {"publicKey": {"hint": _b64(hashlib.sha256(_spki(_STRANGER)).digest())}},
        "dsseEnvelope": {
            "payload": _b64(statement),
            "payloadType": _IN_TOTO,
            "signatures": [{"sig": _signed(_STRANGER, over)}],
        },
    }
    layer = registry.blob(json.dumps(bundle).encode(), _BUNDLE)
    document = {"artifactType": _BUNDLE, "config": empty, "layers": [layer], "subject": index}
    referrer = registry.manifest(document, _MANIFEST)
    registry.manifest({"manifests": [referrer]}, _INDEX, index["digest"].replace(":", "-"))


def _signed(key: ec.EllipticCurvePrivateKey, data: bytes) -> str:
    return _b64(key.sign(data, ec.ECDSA(hashes.SHA256())))


def _spki(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _digest(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def _b64(data: bytes) -> str:
    return base64.b64encode(data).decode()
