"""What an OCI mirror says of a made-up release, every value fixed: digests of documents, layers, and where they are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from msgspec.structs import replace

from fakes.lock_files import HEADER, HOST, World, block, signed
from fakes.releases import Release, audit, facts, release
from lockwarden.core.evidence.observations import Basis, ComputedLocally, Document, ListedByMirror, Observation
from lockwarden.core.evidence.source_answers import OciChain, Outcome, SourceAnswer, SourceKind, SourceRef
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

OCI = SourceRef(
    id="registry.example.test",
    kind=SourceKind.OCI_MIRROR,
    location="oci://registry.example.test/providers/{namespace}/{type}",
)
CREDENTIALS = "auths in /home/ada/.docker/config.json"
WIDGET = release(f"{HOST}/acme/widget", "1.4.0", platforms=("linux_amd64", "darwin_arm64"))


def digest(text: str) -> str:
    """The digest of a document that holds the text."""
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def chain(made: Release, platform: str) -> OciChain:
    """The way to a platform's package."""
    return OciChain(
        repository=f"registry.example.test/providers/{made.address.namespace}/{made.address.type}",
        tag=str(made.version),
        index_digest=digest(f"index of {made.address}"),
        platform=Platform.parse(platform),
        manifest_digest=digest(f"manifest of {made.address} for {platform}"),
        layer_digests=(made.zh(platform).text.replace("zh:", "sha256:"),),
        credentials=CREDENTIALS,
    )


def blob_url(way: OciChain) -> str:
    """Where the archive is."""
    return f"https://{way.repository.replace('/', '/v2/', 1)}/blobs/{way.layer_digests[0]}"


def oci_mirror(made: Release, *, downloaded: Sequence[str] = (), listed: Sequence[str] = ()) -> SourceAnswer:
    """What the mirror says: packages that were downloaded, and others whose digests it only lists."""
    observations: list[tuple[Hash, Observation]] = []
    for name in (*downloaded, *listed):
        way = chain(made, name)
        manifest = Document(
            name=f"manifest for {name}",
            url=f"https://{way.repository.replace('/', '/v2/', 1)}/manifests/{way.manifest_digest}",
            sha256=way.manifest_digest.removeprefix("sha256:"),
        )
        claim = ListedByMirror(source=OCI.id, document=manifest, platform=way.platform)
        observations.append((made.zh(name), claim))
    for name in downloaded:
        way = chain(made, name)
        assert way.platform is not None
        seen = ComputedLocally(
            source=OCI.id,
            platform=way.platform,
            basis=Basis.BLOB,
            location=blob_url(way),
            package_zh=made.zh(name),
        )
        observations += [(made.zh(name), seen), (made.h1(name), replace(seen, basis=Basis.ARCHIVE))]
    return SourceAnswer(
        source=OCI,
        outcome=Outcome.ANSWERED,
        observations=tuple(observations),
        packages=tuple(
            replace(facts(made, name, promised=True), location=blob_url(chain(made, name))) for name in downloaded
        ),
        platforms=frozenset(made.platforms),
        chains=tuple(chain(made, name) for name in (*downloaded, *listed)),
    )


def through_oci() -> World:
    """One provider that is audited through an OCI mirror alone."""
    linux, darwin = "linux_amd64", "darwin_arm64"
    text = HEADER + block(str(WIDGET.address), "1.4.0", [*signed(WIDGET), WIDGET.h1(linux)], constraints="~> 1.4")
    said = oci_mirror(WIDGET, downloaded=[linux], listed=[darwin])
    return World(text.encode(), (audit(WIDGET, said),))
