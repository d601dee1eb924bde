"""Observations, findings and audits with everything that a test does not care about filled in."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

from lockwarden.core.evidence.observations import (
    Basis,
    ComputedLocally,
    Document,
    ListedByMirror,
    ListShape,
    Observation,
    OtherSignature,
    ReportedByRegistry,
    ReportedByTrustedMirror,
    SignedBy,
)
from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.evidence.source_answers import (
    Audit,
    HashList,
    Outcome,
    PackageFacts,
    SourceAnswer,
    SourceKind,
    SourceRef,
)
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signature_schemes import (
    EvidenceState,
    SignatureScheme,
    SignedDocument,
    SignedKind,
    Signer,
)
from lockwarden.core.values.signing_keys import SignatureState
from lockwarden.core.values.versions import Version

LINUX = Platform("linux", "amd64")
DARWIN = Platform("darwin", "arm64")
WINDOWS = Platform("windows", "amd64")
ADDRESS = ProviderAddress.parse("registry.example.test/acme/widget")
DEFAULT_HOST_ADDRESS = ProviderAddress.parse("registry.opentofu.org/acme/widget")
VERSION = Version.parse("1.2.3")
ORIGIN = SourceRef(id="direct", kind=SourceKind.DIRECT, location="origin registries")
MIRROR = SourceRef(id="mirror", kind=SourceKind.NETWORK_MIRROR, location="https://mirror.example.test/")
FOLDER = SourceRef(id="folder", kind=SourceKind.FILESYSTEM_MIRROR, location="/srv/providers")
SUMS = Document(name="SHA256SUMS", url="https://registry.example.test/SHA256SUMS", sha256="5" * 64)
LISTING = Document(name="1.2.3.json", url="https://mirror.example.test/1.2.3.json", sha256="6" * 64)
FINGERPRINT = "0123456789ABCDEF0123456789ABCDEF01234567"
SIGNED_AT = datetime(2026, 5, 1, tzinfo=UTC)


def zh(seed: str) -> Hash:
    """A well-formed `zh`, the same for the same seed."""
    return Hash("zh:" + hashlib.sha256(seed.encode()).hexdigest())


def h1(seed: str) -> Hash:
    """A well-formed `h1`, the same for the same seed."""
    return Hash("h1:" + base64.b64encode(hashlib.sha256(seed.encode()).digest()).decode())


def signed(
    platform: Platform | None = None,
    *,
    state: SignatureState = SignatureState.GOOD,
    valid_when_signed: bool = True,
    refused: str = "",
    file_name: str = "",
    fingerprint: str = FINGERPRINT,
    signing_fingerprint: str = "",
    document: Document = SUMS,
) -> SignedBy:
    """The origin's list holds the hash, and a key signed the list; the primary key itself unless a subkey is given."""
    return SignedBy(
        source=ORIGIN.id,
        document=document,
        line=1,
        file_name=file_name,
        platform=platform,
        fingerprint=fingerprint,
        signing_fingerprint=signing_fingerprint or fingerprint,
        state=state,
        valid_when_signed=valid_when_signed,
        signed_at=SIGNED_AT,
        refused=refused,
    )


def reported(
    platform: Platform | None = None,
    *,
    shape: ListShape = ListShape.SUMS,
    refused: str = "",
    file_name: str = "",
    document: Document = SUMS,
) -> ReportedByRegistry:
    """The origin reports the hash."""
    return ReportedByRegistry(
        source=ORIGIN.id, document=document, shape=shape, platform=platform, refused=refused, file_name=file_name
    )


def listed(platform: Platform | None = None, *, refused: str = "") -> ListedByMirror:
    """The mirror claims the hash."""
    return ListedByMirror(source=MIRROR.id, document=LISTING, platform=platform, refused=refused)


def trusted(platform: Platform | None = None, *, refused: str = "") -> ReportedByTrustedMirror:
    """A trusted mirror lists the hash."""
    return ReportedByTrustedMirror(source=MIRROR.id, document=LISTING, platform=platform, refused=refused)


def computed(
    platform: Platform,
    *,
    source: SourceRef = ORIGIN,
    package_zh: Hash | None = None,
    refused: str = "",
    basis: Basis = Basis.ARCHIVE,
) -> ComputedLocally:
    """The hash was computed from a package of the source."""
    return ComputedLocally(
        source=source.id,
        platform=platform,
        basis=basis,
        location=f"{source.location}/{platform}.zip",
        package_zh=package_zh,
        refused=refused,
    )


COSIGN_KEY = f"sha256:{'a' * 64}"
INDEX = SignedDocument(kind=SignedKind.OCI_INDEX, digest=f"sha256:{'1' * 64}", name="the index of 1.2.3")


def seen_signature(
    *,
    scheme: SignatureScheme = SignatureScheme.COSIGN_KEY,
    fingerprint: str = COSIGN_KEY,
    state: EvidenceState = EvidenceState.GOOD,
    detail: str = "",
    signed_at: datetime | None = None,
    claims: tuple[tuple[str, str], ...] = (),
    rule: str = "",
) -> SeenSignature:
    """A signature of a key over an index."""
    return SeenSignature(
        scheme=scheme,
        signer=Signer(scheme=scheme, fingerprint=fingerprint),
        document=INDEX,
        state=state,
        detail=detail,
        signed_at=signed_at,
        claims=claims,
        found_at="tag sha256-1111.sig",
        rule=rule,
    )


def signed_otherwise(
    platform: Platform | None = None,
    *,
    source: SourceRef = MIRROR,
    refused: str = "",
    signature: SeenSignature | None = None,
) -> OtherSignature:
    """The source's index leads to the hash, and somebody signed the index by another scheme than GPG."""
    return OtherSignature(source=source.id, platform=platform, refused=refused, signature=signature or seen_signature())


def package(
    platform: Platform,
    *,
    outcome: Outcome = Outcome.ANSWERED,
    zh: Hash | None = None,
    h1: Hash | None = None,
    h1_archive: Hash | None = None,
    promised: Iterable[Hash] = (),
    client_refusal: str = "",
    detail: str = "",
    hint: str = "",
) -> PackageFacts:
    """One platform's package; `h1` is the directory's, and the archive's unless that is given."""
    return PackageFacts(
        platform=platform,
        outcome=outcome,
        zh=zh,
        h1_directory=h1,
        h1_archive=h1_archive or h1,
        promised=frozenset(promised),
        client_refusal=client_refusal,
        detail=detail,
        hint=hint,
    )


def zh_list(
    *hashes: Hash,
    complete: bool = True,
    authenticated: bool = True,
    documents: tuple[Document, ...] = (SUMS,),
    signers: Iterable[str] = (FINGERPRINT,),
) -> HashList:
    """The origin's list of `zh` hashes."""
    return HashList(
        scheme="zh",
        documents=documents,
        hashes=frozenset(hashes),
        complete=complete,
        authenticated=authenticated,
        signers=frozenset(signers) if authenticated else frozenset(),
    )


def answer(
    source: SourceRef = ORIGIN,
    *observations: tuple[Hash, Observation],
    outcome: Outcome = Outcome.ANSWERED,
    detail: str = "",
    hint: str = "",
    packages: Iterable[PackageFacts] = (),
    platforms: Iterable[Platform] | None = (),
    lists: Iterable[HashList] = (),
) -> SourceAnswer:
    """What a source said."""
    return SourceAnswer(
        source=source,
        outcome=outcome,
        detail=detail,
        hint=hint,
        observations=observations,
        packages=tuple(packages),
        platforms=None if platforms is None else frozenset(platforms),
        lists=tuple(lists),
    )


def audit(*source_answers: SourceAnswer, address: ProviderAddress = ADDRESS, version: Version = VERSION) -> Audit:
    """All findings of one release."""
    return Audit(address=address, version=version, source_answers=source_answers)


def origin_with(*platforms: Platform, listed_too: Iterable[Platform] = (), authenticated: bool = True) -> SourceAnswer:
    """An origin that lists and signs the packages of all these platforms and gave out those in `platforms`.

    The package of a platform has the hashes `zh(str(platform))` and `h1(str(platform))`.
    """
    every = (*platforms, *listed_too)
    observations: list[tuple[Hash, Observation]] = []
    for each in every:
        if authenticated:
            observations.append((zh(str(each)), signed(each)))
        observations.append((zh(str(each)), reported(each)))
    for each in platforms:
        observations.append((zh(str(each)), computed(each, package_zh=zh(str(each)))))
        observations.append((h1(str(each)), computed(each, package_zh=zh(str(each)))))
    return answer(
        ORIGIN,
        *observations,
        platforms=every,
        lists=[zh_list(*(zh(str(each)) for each in every), authenticated=authenticated)],
        packages=[package(each, zh=zh(str(each)), h1=h1(str(each)), promised=[zh(str(each))]) for each in platforms],
    )
