"""Findings and audits of made-up releases, every value fixed, so that what is drawn from them is always the same."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from lockwarden.core.evidence.observations import (
    Basis,
    ComputedLocally,
    Document,
    ListedByMirror,
    ListShape,
    Observation,
    ReportedByRegistry,
    SignedBy,
)
from lockwarden.core.evidence.source_answers import (
    Audit,
    DocumentSignature,
    HashList,
    Outcome,
    PackageFacts,
    Problem,
    SourceAnswer,
    SourceKind,
    SourceRef,
)
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.signing_keys import (
    Conclusion,
    ConclusionKind,
    KeyJudgement,
    KeySeen,
    KeyState,
    SignatureState,
)
from lockwarden.core.values.versions import Version

DIRECT = SourceRef(id="direct", kind=SourceKind.DIRECT, location="direct")
MIRROR = SourceRef(
    id="mirror.example.test", kind=SourceKind.NETWORK_MIRROR, location="https://mirror.example.test/providers/"
)
FINGERPRINT = "6A1B5E0C9D27F384AA10B7C3FCAC63569E8F3F24"
SIGNED_AT = datetime(2026, 3, 14, 9, 30, tzinfo=UTC)
FIVE = ("linux_amd64", "darwin_arm64", "windows_amd64", "linux_arm64", "darwin_amd64")


def zh(name: str) -> Hash:
    """A zh hash that depends on a name alone."""
    return Hash(f"zh:{hashlib.sha256(name.encode()).hexdigest()}")


def h1(name: str) -> Hash:
    """An h1 hash that depends on a name alone."""
    return Hash(f"h1:{base64.b64encode(hashlib.sha256(f'h1 {name}'.encode()).digest()).decode()}")


def key(fingerprint: str = FINGERPRINT, user_id: str = "Example Releases <releases@example.test>") -> KeySeen:
    """A signing key."""
    return KeySeen(
        fingerprint=fingerprint,
        key_id=fingerprint[-16:],
        user_ids=(user_id,),
        algorithm="ed25519",
        created=datetime(2024, 1, 2, tzinfo=UTC),
        expires=datetime(2031, 1, 2, tzinfo=UTC),
        state=KeyState.VALID,
    )


@dataclass(frozen=True, kw_only=True)
class Release:
    """A release of a provider, and what a source would say about it."""

    address: ProviderAddress
    version: Version
    platforms: tuple[Platform, ...]
    key: KeySeen
    signed: bool = True

    def name(self, platform: Platform, *, build: str = "") -> str:
        """What the package of a platform is called."""
        return f"{self.address}_{self.version}_{platform}{build}"

    def zh(self, platform: str, *, build: str = "") -> Hash:
        """The zh of a platform's package."""
        return zh(self.name(Platform.parse(platform), build=build))

    def h1(self, platform: str, *, build: str = "") -> Hash:
        """The h1 of a platform's package."""
        return h1(self.name(Platform.parse(platform), build=build))

    @property
    def manifest(self) -> Hash:
        """The zh of the manifest that the list names, too."""
        return zh(f"{self.address}_{self.version}_manifest.json")

    @property
    def sums(self) -> Document:
        """The list of hashes."""
        name = f"terraform-provider-{self.address.type}_{self.version}_SHA256SUMS"
        return Document(
            name="SHA256SUMS",
            url=f"https://releases.example.test/{name}",
            sha256=hashlib.sha256(name.encode()).hexdigest(),
        )


def release(address: str, version: str, *, platforms: Sequence[str] = FIVE, signing: KeySeen | None = None) -> Release:
    """A release for these platforms."""
    return Release(
        address=ProviderAddress.parse(address),
        version=Version.parse(version),
        platforms=tuple(Platform.parse(each) for each in platforms),
        key=signing or key(),
    )


def origin(made: Release, *, downloaded: Sequence[str] = (), failed: Sequence[str] = ()) -> SourceAnswer:
    """What the origin registry says: a signed list of everything, and the packages that were downloaded from it."""
    observations: list[tuple[Hash, Observation]] = []
    listed = [
        (made.zh(str(each)), each, f"terraform-provider-{made.address.type}_{made.version}_{each}.zip")
        for each in made.platforms
    ]
    for line, (hash_, platform, file_name) in enumerate([*listed, (made.manifest, None, "manifest.json")], 1):
        observations += _listed(made, hash_, platform, file_name, line)
    packages = []
    for name in downloaded:
        observations += computed(made, name, DIRECT)
        packages.append(facts(made, name, promised=True))
    packages += [
        PackageFacts(
            platform=Platform.parse(name), outcome=Outcome.NO_ANSWER, detail="the server answered 503 three times"
        )
        for name in failed
    ]
    hashes = frozenset(hash_ for hash_, _, _ in listed) | {made.manifest}
    signers = frozenset({made.key.fingerprint})
    zh_list = HashList(
        scheme="zh", documents=(made.sums,), hashes=hashes, complete=True, authenticated=True, signers=signers
    )
    return SourceAnswer(
        source=DIRECT,
        outcome=Outcome.ANSWERED,
        observations=tuple(observations),
        packages=tuple(packages),
        platforms=frozenset(made.platforms),
        lists=(zh_list,),
        signatures=(_signature(made),),
        keys=(made.key,),
    )


def _signature(made: Release) -> DocumentSignature:
    judgement = KeyJudgement(
        position=0,
        state=SignatureState.GOOD,
        keys=(made.key,),
        fingerprint=made.key.fingerprint,
        signing_fingerprint=made.key.fingerprint,
        signed_at=SIGNED_AT,
        valid_when_signed=True,
    )
    accepted = Conclusion(kind=ConclusionKind.ACCEPTED, key_id=made.key.key_id)
    issuers = (made.key.fingerprint,)
    return DocumentSignature(document=made.sums, judgements=(judgement,), issuers=issuers, conclusion=accepted)


def _listed(
    made: Release, hash_: Hash, platform: Platform | None, file_name: str, line: int
) -> list[tuple[Hash, Observation]]:
    signed = SignedBy(
        source=DIRECT.id,
        document=made.sums,
        line=line,
        file_name=file_name,
        platform=platform,
        fingerprint=made.key.fingerprint,
        signing_fingerprint=made.key.fingerprint,
        state=SignatureState.GOOD,
        valid_when_signed=True,
        signed_at=SIGNED_AT,
    )
    reported = ReportedByRegistry(
        source=DIRECT.id, document=made.sums, shape=ListShape.SUMS, line=line, file_name=file_name, platform=platform
    )
    return [(hash_, signed), (hash_, reported)]


def computed(made: Release, platform: str, source: SourceRef, *, build: str = "") -> list[tuple[Hash, Observation]]:
    """What hashing a downloaded package shows; another `build` has other bytes."""
    seen = ComputedLocally(
        source=source.id,
        platform=Platform.parse(platform),
        basis=Basis.ARCHIVE,
        location=f"https://{source.id.replace('direct', 'releases.example.test')}/{made.address.type}_{platform}.zip",
        package_zh=made.zh(platform, build=build),
    )
    return [(made.zh(platform, build=build), seen), (made.h1(platform, build=build), seen)]


def facts(made: Release, platform: str, *, build: str = "", promised: bool = False) -> PackageFacts:
    """The facts about a downloaded package."""
    hashes = frozenset({made.zh(platform, build=build)}) if promised else frozenset()
    return PackageFacts(
        platform=Platform.parse(platform),
        outcome=Outcome.ANSWERED,
        location=f"https://releases.example.test/{made.address.type}_{platform}.zip",
        size=31_204_118,
        zh=made.zh(platform, build=build),
        h1_archive=made.h1(platform, build=build),
        h1_directory=made.h1(platform, build=build),
        promised=hashes,
    )


def mirror(made: Release, platform: str, *, build: str = "") -> SourceAnswer:
    """What a network mirror gives out for one platform; another `build` has other bytes than the origin's."""
    index = Document(
        name=f"{made.version}.json",
        url=f"{MIRROR.location}{made.address}/{made.version}.json",
        sha256=hashlib.sha256(str(made.version).encode()).hexdigest(),
    )
    claim = ListedByMirror(source=MIRROR.id, document=index, platform=Platform.parse(platform))
    return SourceAnswer(
        source=MIRROR,
        outcome=Outcome.ANSWERED,
        observations=((made.zh(platform, build=build), claim), *computed(made, platform, MIRROR, build=build)),
        packages=(facts(made, platform, build=build, promised=True),),
        platforms=frozenset({Platform.parse(platform)}),
    )


def silent(source: SourceRef, detail: str, *problems: Problem) -> SourceAnswer:
    """A source that did not answer."""
    return SourceAnswer(source=source, outcome=Outcome.NO_ANSWER, detail=detail, problems=problems)


def absent(source: SourceRef) -> SourceAnswer:
    """A source that answered that it does not have the release."""
    return SourceAnswer(source=source, outcome=Outcome.NOT_THERE, detail="the mirror has no such provider")


def audit(made: Release, *source_answers: SourceAnswer) -> Audit:
    """The audit that these findings make."""
    return Audit(address=made.address, version=made.version, source_answers=source_answers)
