"""Module packages in OCI registries: from a tag or digest to the manifest, and from there to the one zip archive.

The order of the checks, and what they refuse, are OpenTofu's (`internal/getmodules/oci_getter.go`). Annotations,
configuration and referrers have no meaning.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.modules.oci_sources import OciModuleSource
from lockwarden.core.oci.blobs import Blobs
from lockwarden.core.oci.documents import Descriptor, ImageDocument, read_image
from lockwarden.core.oci.manifests import Manifests, ResolvedTag
from lockwarden.core.oci.media_types import MODULE, OCI_MANIFEST, PROVIDER, PROVIDER_TARGET, ZIP_LAYER
from lockwarden.core.oci.registry import Registries
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.problem_codes import ProblemCode

_LONGEST: Final = 200
_NO_PACKAGE: Final = "image manifest contains no layers of types supported as module packages by OpenTofu"
_OTHER_VERSION: Final = "this OCI artifact might be intended for a different version of OpenTofu"
_READ: Final = 1024 * 1024
_PUSH: Final = f"push it with the artifact type {MODULE} and one layer of the media type {ZIP_LAYER}"


class ResolvedPackage(Struct, frozen=True, kw_only=True):
    """What a source leads to today. The manifest's bytes have its digest; the package's were not fetched."""

    source: OciModuleSource
    manifest: Digest
    layer: Descriptor
    """What the manifest says of the package."""
    digest: Digest
    """The package's."""
    credentials: str
    """Where the credentials came from that were used; never a secret."""

    @property
    def pinned(self) -> OciModuleSource:
        """The same source by the digest of the manifest, so that it can only ever mean this package."""
        return OciModuleSource(
            repository=self.source.repository, digest=self.manifest, subdirectory=self.source.subdirectory
        )


class UnpackedPackage(Struct, frozen=True, kw_only=True):
    """A package whose bytes have its digest, as it was unpacked."""

    zh: Hash
    h1: Hash | None
    """Over the tree, by the rules of provider packages."""
    size: int
    files: int


class OciPackages:
    """The module packages of OCI registries."""

    def __init__(self, registries: Registries, store: PackageStore) -> None:
        self._registries = registries
        self._store = store

    async def resolve(self, source: OciModuleSource) -> ResolvedPackage:
        """Ask what a source leads to now.

        Raises NotThereError when the registry does not have it, NoAnswerError when it could not be asked, and
        BadAnswerError for what the client would refuse.
        """
        access = self._registries.pulling(source.repository)
        manifests = Manifests(self._registries, access)
        found = await self._found(manifests, source)
        if found.media_type != OCI_MANIFEST:
            raise _refused(
                source,
                "selected object is not an OCI image manifest",
                hint=f"it has the media type “{found.media_type[:_LONGEST]}”; a module has no index of platforms",
            )
        manifest = await manifests.get(found.descriptor, stage=Stage.INDEX)
        try:
            image = read_image(manifest.body)
        except BodyError as error:
            raise _refused(source, f"invalid manifest content: it {error}", hint=_PUSH) from error
        layer = _layer_of(source, image)
        try:
            digest = Digest.parse(layer.digest)
        except ValueError as error:
            raise _refused(source, f"invalid manifest content: {error}", hint=_PUSH) from error
        return ResolvedPackage(
            source=source, manifest=manifest.digest, layer=layer, digest=digest, credentials=access.credentials
        )

    async def _found(self, manifests: Manifests, source: OciModuleSource) -> ResolvedTag:
        doing = "resolving tag" if source.digest is None else "resolving digest"
        separator = ":" if source.digest is None else "@"
        try:
            found = await manifests.resolve(source.reference)
        except NotThereError as error:
            raise NotThereError(
                f"{doing}: {source.repository}{separator}{source.reference}: not found",
                stage=Stage.INDEX,
                hint="look at the name of the repository and at the tags that it has",
            ) from error
        if found.client_refusal:
            raise _refused(source, f"{doing}: {found.client_refusal}", hint="ask whoever runs the registry")
        if source.digest is not None and found.digest != source.digest:
            raise _refused(
                source,
                f"{doing}: the registry says that {source.digest} has the digest {found.digest}",
                hint="do not use this registry before somebody has found out who changed its answer",
            )
        return found

    async def unpack(
        self, package: ResolvedPackage, folder: Path, *, on_bytes: Callable[[int], None] = lambda _: None
    ) -> UnpackedPackage:
        """Get the package and unpack it into an empty folder of ours, which after an error may hold a part of it.

        Raises NoAnswerError, BadAnswerError and ArchiveError.
        """
        digest = package.digest
        access = self._registries.pulling(package.source.repository)
        blobs = Blobs(self._registries, access, self._store)
        stored = await blobs.fetch(package.layer, on_bytes=on_bytes)
        known = stored.stored
        if digest.zh not in {None, known.zh}:
            raise _other_bytes(package, f"they have {known.zh}")
        try:
            files = await self._store.unpack(known.zh, folder, alike=lambda file: _has_digest(file, digest))
        except ArchiveError as error:
            if error.code == "digest-mismatch":
                raise _other_bytes(package, "they have another") from error
            raise ArchiveError(f"decompressing package: {error.message}", code=error.code, hint=error.hint) from error
        if files is None:
            raise ArchiveError(
                "the package was removed from the cache before it could be unpacked",
                code=ArchiveFault.GONE,
                hint="try again",
            )
        facts = known.facts
        return UnpackedPackage(
            zh=known.zh, h1=None if facts is None else facts.h1_directory, size=known.size, files=files
        )


def _layer_of(source: OciModuleSource, image: ImageDocument) -> Descriptor:
    if image.media_type != OCI_MANIFEST:
        raise _refused(source, f"unexpected manifest media type “{image.media_type[:_LONGEST]}”", hint=_PUSH)
    if image.artifact_type != MODULE:
        kind = "it is a provider's; " if image.artifact_type in {PROVIDER, PROVIDER_TARGET} else ""
        kind = kind or ("" if image.artifact_type else "a container image has none; ")
        raise _refused(
            source, f"unexpected artifact type “{image.artifact_type[:_LONGEST]}”", hint=f"{kind}a module has {MODULE}"
        )
    packages = [layer for layer in image.layers if layer.media_type == ZIP_LAYER]
    if len(packages) > 1:
        raise _refused(source, f"multiple layers with media type “{ZIP_LAYER}”", hint=_PUSH)
    if packages:
        return packages[0]
    others = f", but has other unsupported formats; {_OTHER_VERSION}" if image.layers else ""
    raise _refused(source, f"{_NO_PACKAGE}{others}", hint=_PUSH)


def _refused(source: OciModuleSource, why: str, *, hint: str) -> SourceError:
    return BadAnswerError(f"{source}: {why}", stage=Stage.INDEX, code=ProblemCode.MODULE_PACKAGE_REFUSED, hint=hint)


def _other_bytes(package: ResolvedPackage, which: str) -> SourceError:
    return BadAnswerError(
        f"{package.source.repository}: invalid blob returned from registry: its bytes should have the digest"
        f" {package.digest}, and {which}",
        stage=Stage.PACKAGE,
        code=ProblemCode.DIGEST_MISMATCH,
        hint="do not use this registry before somebody has found out who changed its answer",
    )


def _has_digest(file: int, digest: Digest) -> bool:
    """Whether an open file has a digest. SHA-256 was computed already."""
    if digest.zh is not None:
        return True
    computed = hashlib.new(digest.algorithm)
    at = 0
    while data := os.pread(file, _READ, at):
        at += len(data)
        computed.update(data)
    return computed.hexdigest() == digest.value
