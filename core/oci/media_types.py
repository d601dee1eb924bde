"""The media and artifact types that OpenTofu's packages and container images have in OCI registries."""

from __future__ import annotations

from typing import Final

OCI_INDEX: Final = "application/vnd.oci.image.index.v1+json"
OCI_MANIFEST: Final = "application/vnd.oci.image.manifest.v1+json"
DOCKER_LIST: Final = "application/vnd.docker.distribution.manifest.list.v2+json"
DOCKER_MANIFEST: Final = "application/vnd.docker.distribution.manifest.v2+json"
OCI_ARTIFACT: Final = "application/vnd.oci.artifact.manifest.v1+json"
OCI_DESCRIPTOR: Final = "application/vnd.oci.descriptor.v1+json"

PROVIDER: Final = "application/vnd.opentofu.provider"
PROVIDER_TARGET: Final = "application/vnd.opentofu.provider-target"
MODULE: Final = "application/vnd.opentofu.modulepkg"
ZIP_LAYER: Final = "archive/zip"

INDEXES: Final = frozenset({OCI_INDEX, DOCKER_LIST})
"""Documents that name one manifest for each platform."""
IMAGES: Final = frozenset({OCI_MANIFEST, DOCKER_MANIFEST})
"""Documents that name the layers of one image."""
ACCEPTED: Final = f"{DOCKER_MANIFEST}, {DOCKER_LIST}, {OCI_MANIFEST}, {OCI_INDEX}, {OCI_ARTIFACT}"
"""What a tag may lead to, for an Accept header; the same as the client's."""
CONFIGS: Final = frozenset(
    {"application/vnd.oci.image.config.v1+json", "application/vnd.docker.container.image.v1+json"}
)
"""Configurations of container images, which can hold labels."""
TAR_LAYERS: Final = frozenset(
    {"application/vnd.oci.image.layer.v1.tar", "application/vnd.docker.image.rootfs.diff.tar"}
)
GZIP_LAYERS: Final = frozenset(
    {"application/vnd.oci.image.layer.v1.tar+gzip", "application/vnd.docker.image.rootfs.diff.tar.gzip"}
)
