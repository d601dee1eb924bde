"""A release at an OCI mirror whose index several sign: the policy's key, a stranger, another identity, a broken one."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec.structs import replace

from fakes.keeping import MemoryKeeper
from fakes.lock_files import HEADER, World, block
from fakes.oci_mirrors import WIDGET, chain, oci_mirror
from fakes.releases import audit
from lockwarden.core.evidence.observations import OtherSignature
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.evidence.source_answers import SourceAnswer
from lockwarden.core.values.signature_schemes import (
    EvidenceState,
    LogState,
    SignatureScheme,
    SignedDocument,
    SignedKind,
    Signer,
)

LINUX, DARWIN = "linux_amd64", "darwin_arm64"
KEY = "sha256:a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5"
STRANGER = "sha256:3f1c9d0e5b7a24868f7e90a1b2c3d4e5f60718293a4b5c6d7e8f9012a3b4c5d6"
POLICY = f"""\
# Who may sign what the mirror gives out.
signing_key "{KEY}" {{
  scheme     = "cosign-key"
  public_key = "keys/acme.pub"
  providers  = ["{WIDGET.address.hostname.ascii}/acme/*"]
}}
""".encode()
_INDEX = chain(WIDGET, LINUX).index_digest
DOCUMENT = SignedDocument(
    kind=SignedKind.OCI_INDEX,
    digest=_INDEX,
    name="the index under the tag 1.4.0 in registry.example.test/providers/acme/widget",
)
_TAG = f"the tag {_INDEX.replace(':', '-')}"


def signature(state: EvidenceState, signer: Signer, **more: object) -> SeenSignature:
    """One signature over the index."""
    given: dict[str, object] = {"found_at": f"{_TAG}.sig", **more}
    return SeenSignature(scheme=signer.scheme, signer=signer, document=DOCUMENT, state=state, **given)  # type: ignore[arg-type]


def _key(fingerprint: str) -> Signer:
    return Signer(scheme=SignatureScheme.COSIGN_KEY, fingerprint=fingerprint)


BY_KEY = signature(
    EvidenceState.GOOD,
    _key(KEY),
    claims=(("repository", "registry.example.test/providers/acme/widget"), ("build", "4711")),
)
BY_STRANGER = signature(EvidenceState.NO_KNOWN_KEY, _key(STRANGER), found_at="the registry's list of referrers")
BY_ANOTHER = signature(
    EvidenceState.IDENTITY_MISMATCH,
    Signer(
        scheme=SignatureScheme.SIGSTORE,
        issuer="https://token.example.test",
        subject="https://git.example.test/shared/workflows/.ci/release@refs/heads/main",
        source_repository="https://git.example.test/mallory/widget",
        source_ref="refs/tags/v1.4.0",
    ),
    detail=".lockwarden.hcl line 9 names another source repository",
    log=LogState.VERIFIED,
    signed_at=datetime(2026, 5, 1, 12, 30, tzinfo=UTC),
    found_at="the registry's list of referrers",
)
BROKEN = signature(
    EvidenceState.BAD, _key(KEY), detail="it was not made over this by the key that it names", found_at=_TAG
)


def mirror() -> SourceAnswer:
    """What the mirror gives out, with all that lies beside its index."""
    given = oci_mirror(WIDGET, downloaded=[LINUX], listed=[DARWIN])
    signed = [
        (WIDGET.zh(name), OtherSignature(source=given.source.id, platform=chain(WIDGET, name).platform, signature=each))
        for name in (LINUX, DARWIN)
        for each in (BY_KEY, BY_STRANGER)
    ]
    return replace(
        given,
        observations=(*given.observations, *signed),
        other_signatures=(BY_KEY, BY_STRANGER, BY_ANOTHER, BROKEN),
    )


def signed_index() -> World:
    """A lock file with one platform's hashes, while the signed index leads to both."""
    text = HEADER + block(str(WIDGET.address), "1.4.0", [WIDGET.zh(LINUX), WIDGET.h1(LINUX)], constraints="~> 1.4")
    return World(text.encode(), (audit(WIDGET, mirror()),))


def keeping() -> MemoryKeeper:
    """The policy that names the key."""
    return MemoryKeeper(policy=POLICY)
