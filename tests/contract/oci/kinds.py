"""OCI artifacts of every kind: providers as OpenTofu wants them, and everything that could be mistaken for one."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from servers.golden import WORLD
from servers.oci_registry import (
    DOCKER_LIST,
    EMPTY,
    MODULE,
    OCI_INDEX,
    OCI_MANIFEST,
    PROVIDER,
    TARGET,
    Registry,
    digest_of,
)

Json = dict[str, Any]
ZIPS: Mapping[str, bytes] = {
    platform: (WORLD / f"fs-packed/example.test/acme/plain/terraform-provider-plain_1.2.3_{platform}.zip").read_bytes()
    for platform in ("linux_amd64", "darwin_arm64", "windows_amd64")
}
CONFIG = "application/vnd.oci.image.config.v1+json"
OTHER = "application/vnd.example.thing"


def platform_json(name: str, **more: str) -> Json:
    os_name, _, architecture = name.partition("_")
    return {"os": os_name, "architecture": architecture, **more}


@dataclass
class Shelf:
    """What a repository holds, built in memory: blobs, manifests by digest, tags."""

    blobs: dict[str, bytes] = field(default_factory=dict)
    manifests: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    """Digest → media type and bytes, in the order in which they can be pushed."""
    tags: dict[str, str] = field(default_factory=dict)

    def blob(self, content: bytes, media_type: str, **more: Any) -> Json:
        digest = digest_of(content)
        self.blobs[digest] = content
        return {"mediaType": media_type, "digest": digest, "size": len(content), **more}

    def manifest(self, document: Json | bytes, media_type: str, tag: str = "", **more: Any) -> Json:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        digest = digest_of(body)
        self.manifests[digest] = (media_type, body)
        if tag:
            self.tags[tag] = digest
        return {"mediaType": media_type, "digest": digest, "size": len(body), **more}

    def empty(self) -> Json:
        return self.blob(b"{}", str(EMPTY["mediaType"]))

    def target(self, content: bytes | None = None, **changes: Any) -> Json:
        """A platform's manifest with one zip layer, as oras pushes it; a descriptor of it."""
        layers = [] if content is None else [self.blob(content, "archive/zip")]
        return self.manifest(image(self.empty(), layers, TARGET) | changes, OCI_MANIFEST)

    def provider(self, tag: str = "1.2.3", zips: Mapping[str, bytes] = ZIPS) -> Json:
        """A provider as OpenTofu wants it."""
        entries = [
            self.target(content) | {"artifactType": TARGET, "platform": platform_json(platform)}
            for platform, content in zips.items()
        ]
        return self.manifest(index(entries), OCI_INDEX, tag)

    def push(self, registry: Registry, repository: str) -> None:
        """Push everything to a real registry."""
        for content in self.blobs.values():
            registry.push_blob(repository, content)
        for digest, (media_type, body) in self.manifests.items():
            registry.push_manifest(repository, body, media_type)
            for tag in (tag for tag, named in self.tags.items() if named == digest):
                registry.push_manifest(repository, body, media_type, tag)


def image(config: Json, layers: list[Json], artifact_type: str = "") -> Json:
    typed = {"artifactType": artifact_type} if artifact_type else {}
    return {"schemaVersion": 2, "mediaType": OCI_MANIFEST, **typed, "config": config, "layers": layers}


def index(entries: list[Json], artifact_type: str = PROVIDER) -> Json:
    typed = {"artifactType": artifact_type} if artifact_type else {}
    return {"schemaVersion": 2, "mediaType": OCI_INDEX, **typed, "manifests": entries}


LINUX_ZIP = ZIPS["linux_amd64"]


def entry(descriptor: Json, platform: str = "linux_amd64", artifact_type: str = TARGET, **more: str) -> Json:
    typed = {"artifactType": artifact_type} if artifact_type else {}
    return descriptor | typed | {"platform": platform_json(platform, **more)}


def _indexed(change: Callable[[Shelf], Json], tag: str = "1.2.3") -> Callable[[Shelf], None]:
    def build(shelf: Shelf) -> None:
        shelf.manifest(change(shelf), OCI_INDEX, tag)

    return build


def _other_index(artifact_type: str) -> Callable[[Shelf], None]:
    return _indexed(lambda shelf: index([entry(shelf.target(LINUX_ZIP))], artifact_type))


def _of_entries(make: Callable[[Shelf], list[Json]]) -> Callable[[Shelf], None]:
    return _indexed(lambda shelf: index(make(shelf)))


def _without_platform(shelf: Shelf) -> list[Json]:
    return [shelf.target(LINUX_ZIP) | {"artifactType": TARGET}]


def _two_layers(shelf: Shelf) -> list[Json]:
    layers = [shelf.blob(LINUX_ZIP, "archive/zip"), shelf.blob(ZIPS["darwin_arm64"], "archive/zip")]
    return [entry(shelf.manifest(image(shelf.empty(), layers, TARGET), OCI_MANIFEST))]


def _layer_of(media_type: str) -> Callable[[Shelf], list[Json]]:
    def make(shelf: Shelf) -> list[Json]:
        layers = [shelf.blob(b"not a zip", media_type)]
        return [entry(shelf.manifest(image(shelf.empty(), layers, TARGET), OCI_MANIFEST))]

    return make


def _foreign(shelf: Shelf) -> list[Json]:
    foreign = shelf.manifest(image(shelf.empty(), [shelf.blob(b"sbom", OTHER)], OTHER), OCI_MANIFEST)
    return [entry(foreign, artifact_type=OTHER), entry(shelf.target(LINUX_ZIP)), foreign]


def _two_of_one(shelf: Shelf) -> list[Json]:
    return [entry(shelf.target(LINUX_ZIP)), entry(shelf.target(LINUX_ZIP, annotations={"build": "2"}))]


def _container(shelf: Shelf) -> None:
    config = shelf.blob(b'{"os":"linux","architecture":"amd64","rootfs":{"type":"layers","diff_ids":[]}}', CONFIG)
    layer = shelf.blob(b"layer", "application/vnd.oci.image.layer.v1.tar+gzip")
    shelf.manifest(image(config, [layer]), OCI_MANIFEST, "1.2.3")


def _module(shelf: Shelf) -> None:
    layer = shelf.blob(LINUX_ZIP, "archive/zip")
    shelf.manifest(image(shelf.empty(), [layer], MODULE), OCI_MANIFEST, "1.2.3")


def _direct(shelf: Shelf) -> None:
    layer = shelf.blob(LINUX_ZIP, "archive/zip")
    shelf.manifest(image(shelf.empty(), [layer], TARGET), OCI_MANIFEST, "1.2.3")


def _tagged(tag: str) -> Callable[[Shelf], None]:
    def build(shelf: Shelf) -> None:
        shelf.provider(tag)

    return build


KINDS: Mapping[str, Callable[[Shelf], None]] = {
    "right": _tagged("1.2.3"),
    "module-typed-index": _other_index(MODULE),
    "no-artifact-type": _other_index(""),
    "other-artifact-type": _other_index(OTHER),
    "other-target-type": _of_entries(lambda shelf: [entry(shelf.target(LINUX_ZIP), artifact_type=OTHER)]),
    "two-zip-layers": _of_entries(_two_layers),
    "tar-layer": _of_entries(_layer_of("application/vnd.oci.image.layer.v1.tar+gzip")),
    "other-platform-only": _of_entries(lambda shelf: [entry(shelf.target(ZIPS["darwin_arm64"]), "darwin_arm64")]),
    "extra-foreign-entry": _of_entries(_foreign),
    "no-platform": _of_entries(_without_platform),
    "two-of-one-platform": _of_entries(_two_of_one),
    "variant": _of_entries(lambda shelf: [entry(shelf.target(LINUX_ZIP), variant="v3")]),
    "os-version": _of_entries(lambda shelf: [entry(shelf.target(LINUX_ZIP), **{"os.version": "10.0"})]),
    "v-prefix-tag": _tagged("v1.2.3"),
    "short-tag": _tagged("1.2"),
    "build-metadata": _tagged("1.2.3_build.5"),
    "only-latest": _tagged("latest"),
    "image-directly": _direct,
    "module": _module,
    "container-image": _container,
}
"""Kind → what builds it. The names are those of the recording; *no-such-repository* is one that nobody made."""
VERSIONS: Mapping[str, str] = {"short-tag": "1.2.0", "build-metadata": "1.2.3+build.5"}
"""Kind → the version that is asked for, where it is not 1.2.3."""


def shelf_of(kind: str) -> Shelf:
    """A shelf with one artifact of a kind."""
    shelf = Shelf()
    KINDS[kind](shelf)
    return shelf


def docker_list(entries: list[Json]) -> Json:
    """An index as Docker has it."""
    plain = copy.deepcopy(entries)
    return {"schemaVersion": 2, "mediaType": DOCKER_LIST, "manifests": plain}
