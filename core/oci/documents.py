"""Index manifests and image manifests: the JSON documents by which registries name what belongs together."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from lockwarden.core.values.go_json import BodyError, read_json
from lockwarden.core.values.platforms import Platform

MAX_ENTRIES: Final = 1_000
"""Manifests in an index, or layers in an image. Go knows fewer than fifty platforms, and images have 127 layers."""
MAX_TEXT: Final = 4_096
"""Characters in one text."""
MAX_SIZE: Final = 2**63 - 1


class TargetPlatform(Struct, frozen=True, kw_only=True):
    """The platform that a descriptor names."""

    os: str
    architecture: str
    os_version: str
    variant: str

    @property
    def platform(self) -> Platform | None:
        """The platform as the client has it: the variant does not count, an entry for one version of a system is none.

        None also for what is no platform at all.
        """
        if self.os_version or not self.os or not self.architecture:
            return None
        if any("_" in part or part.split() != [part] for part in (self.os, self.architecture)):
            return None
        return Platform(self.os, self.architecture)


class Descriptor(Struct, frozen=True, kw_only=True):
    """What a document says of another document or of a blob. All of it is only what the registry says."""

    media_type: str
    digest: str
    """As written; whether it is one is judged where it is used."""
    size: int
    artifact_type: str = ""
    platform: TargetPlatform | None = None
    urls: tuple[str, ...] = ()
    """Other places that are said to hold the bytes. Nobody asks there."""
    annotations: tuple[tuple[str, str], ...] = ()


class IndexDocument(Struct, frozen=True, kw_only=True):
    """A document that names manifests, usually one a platform."""

    media_type: str
    artifact_type: str
    manifests: tuple[Descriptor, ...]


class ImageDocument(Struct, frozen=True, kw_only=True):
    """A document that names a configuration and layers."""

    media_type: str
    artifact_type: str
    config: Descriptor | None
    layers: tuple[Descriptor, ...]
    subject: Descriptor | None = None
    """What it says that it is about."""


class _Platform(msgspec.Struct):
    os: str = ""
    architecture: str = ""
    os_version: str = msgspec.field(name="os.version", default="")
    os_features: list[str] = msgspec.field(name="os.features", default_factory=list)
    variant: str = ""


class _Descriptor(msgspec.Struct):
    mediaType: str = ""  # noqa: N815 - the protocol's
    digest: str = ""
    size: int = 0
    artifactType: str = ""  # noqa: N815 - the protocol's
    platform: _Platform | None = None
    urls: list[str] = []
    annotations: dict[str, str] = {}
    data: bytes = b""


class _Manifest(msgspec.Struct):
    """Members that nothing here asks for are listed for their types: the client reads them, or nothing at all."""

    schemaVersion: int = 0  # noqa: N815 - the protocol's
    mediaType: str = ""  # noqa: N815 - the protocol's
    artifactType: str = ""  # noqa: N815 - the protocol's
    manifests: list[_Descriptor] = []
    config: _Descriptor | None = None
    layers: list[_Descriptor] = []
    subject: _Descriptor | None = None
    annotations: dict[str, str] = {}


class _Rootfs(msgspec.Struct):
    diff_ids: list[str] = []


class _Settings(msgspec.Struct):
    Labels: dict[str, Any] = {}


class _Config(msgspec.Struct):
    os: str = ""
    architecture: str = ""
    config: _Settings | None = None
    rootfs: _Rootfs | None = None


class ImageConfig(Struct, frozen=True, kw_only=True):
    """The configuration of a container image, as far as it matters here."""

    platform: Platform | None
    labels: tuple[tuple[str, str], ...]
    diff_ids: tuple[str, ...]
    """Digests of the layers once they are decompressed, lowest first."""

    def label(self, name: str) -> str | None:
        """The value of a label, or None."""
        return dict(self.labels).get(name)


def read_index(body: bytes) -> IndexDocument:
    """Read an index manifest. Raises BodyError, also for an image manifest."""
    manifest = read_json(body, _Manifest, whole=True)
    if not manifest.manifests and (manifest.layers or manifest.config):
        raise BodyError("is an image manifest where an index manifest should be")
    _limit(manifest, manifest.manifests, "manifests")
    return IndexDocument(
        media_type=manifest.mediaType,
        artifact_type=manifest.artifactType,
        manifests=tuple(map(_descriptor, manifest.manifests)),
    )


def read_image(body: bytes) -> ImageDocument:
    """Read an image manifest. Raises BodyError, also for an index manifest."""
    manifest = read_json(body, _Manifest, whole=True)
    if manifest.manifests and not manifest.layers:
        raise BodyError("is an index manifest where an image manifest should be")
    _limit(manifest, manifest.layers, "layers")
    return ImageDocument(
        media_type=manifest.mediaType,
        artifact_type=manifest.artifactType,
        config=None if manifest.config is None else _descriptor(manifest.config),
        layers=tuple(map(_descriptor, manifest.layers)),
        subject=None if manifest.subject is None else _descriptor(manifest.subject),
    )


def read_config(body: bytes) -> ImageConfig:
    """Read the configuration of a container image. Raises BodyError."""
    config = read_json(body, _Config)
    labels = {} if config.config is None else config.config.Labels
    diff_ids = [] if config.rootfs is None else config.rootfs.diff_ids
    if len(diff_ids) > MAX_ENTRIES or len(labels) > MAX_ENTRIES:
        raise BodyError(f"has more than {MAX_ENTRIES} layers or labels, which is the limit")
    named = TargetPlatform(os=config.os, architecture=config.architecture, os_version="", variant="")
    return ImageConfig(
        platform=named.platform,
        labels=tuple((name, value) for name, value in labels.items() if isinstance(value, str)),
        diff_ids=tuple(diff_ids),
    )


def _descriptor(written: _Descriptor) -> Descriptor:
    platform = written.platform
    texts = [written.mediaType, written.digest, written.artifactType]
    texts += [] if platform is None else [platform.os, platform.architecture, platform.os_version, platform.variant]
    if max(map(len, texts)) > MAX_TEXT:
        raise BodyError(f"has a text of more than {MAX_TEXT} characters")
    if not 0 <= written.size <= MAX_SIZE:
        raise BodyError(f"says that something has {written.size} bytes")
    return Descriptor(
        media_type=written.mediaType,
        digest=written.digest,
        size=written.size,
        artifact_type=written.artifactType,
        platform=None if platform is None else _target(platform),
        urls=tuple(written.urls),
        annotations=_annotations(written.annotations),
    )


def _annotations(written: dict[str, str]) -> tuple[tuple[str, str], ...]:
    if len(written) > MAX_ENTRIES:
        raise BodyError(f"has {len(written)} annotations; the limit is {MAX_ENTRIES}")
    return tuple(written.items())


def _target(written: _Platform) -> TargetPlatform:
    return TargetPlatform(
        os=written.os, architecture=written.architecture, os_version=written.os_version, variant=written.variant
    )


def _limit(manifest: _Manifest, entries: list[_Descriptor], what: str) -> None:
    if len(entries) > MAX_ENTRIES:
        raise BodyError(f"has {len(entries)} {what}; the limit is {MAX_ENTRIES}")
    if max(len(manifest.mediaType), len(manifest.artifactType)) > MAX_TEXT:
        raise BodyError(f"has a text of more than {MAX_TEXT} characters")
