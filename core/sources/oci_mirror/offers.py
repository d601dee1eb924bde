"""What an index offers for which platform, and which layer of a platform's manifest is the package.

The rules of selection are the client's (OpenTofu's `oci_mirror`). Pure: these read documents and ask nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lockwarden.core.oci.documents import Descriptor, ImageDocument, IndexDocument
from lockwarden.core.oci.media_types import OCI_INDEX, OCI_MANIFEST, PROVIDER_TARGET, ZIP_LAYER
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.platforms import Platform

_LONGEST: Final = 200
_SHOWN: Final = 5


class IndexOffers(Struct, frozen=True, kw_only=True):
    """What an index offers."""

    offers: Mapping[Platform, tuple[Descriptor, ...]]
    """Platform → manifests. The client cannot choose among several."""
    typed: bool
    """Whether any entry is typed as a provider's package, for whatever platform."""
    foreign: tuple[str, ...]
    """Artifact types of the entries that the client passes over; empty texts for those without one."""
    refusal: str
    """Why the client refuses the index for every platform; empty when it does not."""


class LayerChoice(Struct, frozen=True, kw_only=True):
    """What a platform's manifest offers."""

    packages: tuple[Descriptor, ...]
    """The layers that are archives."""
    zh: Hash | None
    """What the one archive's digest claims; None unless there is exactly one and its digest is a SHA-256."""
    refusal: str
    """Why the client refuses the manifest; empty when it does not."""


def offers_of(index: IndexDocument) -> IndexOffers:
    """Read an index whose artifact type is a provider's."""
    offers: dict[Platform, tuple[Descriptor, ...]] = {}
    foreign: list[str] = []
    refusal = ""
    if index.media_type != OCI_INDEX:
        refusal = f"unexpected manifest media type “{index.media_type[:_LONGEST]}” written in the index"
    typed = False
    for entry in index.manifests:
        if entry.artifact_type != PROVIDER_TARGET:
            foreign.append(entry.artifact_type)
            continue
        if entry.media_type != OCI_MANIFEST:
            refusal = refusal or f"provider image manifest has unsupported media type “{entry.media_type[:_LONGEST]}”"
            continue
        if entry.platform is None:
            refusal = refusal or "provider image manifest lacks the required platform constraints (“platform”)"
            continue
        typed = True
        if (platform := entry.platform.platform) is not None:
            offers[platform] = (*offers.get(platform, ()), entry)
    return IndexOffers(offers=MappingProxyType(offers), typed=typed, foreign=tuple(foreign), refusal=refusal)


def ambiguity(platform: Platform, entries: tuple[Descriptor, ...]) -> str:
    """Why the client cannot choose among an index's entries for a platform, or the empty string."""
    if len(entries) == 1:
        return ""
    variants = sorted({entry.platform.variant for entry in entries if entry.platform is not None} - {""})
    told = f"; the client looks at no variant ({', '.join(variants)[:_LONGEST]})" if variants else ""
    return f"ambiguous manifest has multiple descriptors for platform {platform}{told}"


def layer_of(image: ImageDocument, platform: Platform) -> LayerChoice:
    """Choose the package among the layers of a platform's manifest."""
    packages = tuple(layer for layer in image.layers if layer.media_type == ZIP_LAYER)
    zh = _zh_of(packages[0]) if len(packages) == 1 else None
    return LayerChoice(packages=packages, zh=zh, refusal=_refusal(image, packages, platform))


def _refusal(image: ImageDocument, packages: tuple[Descriptor, ...], platform: Platform) -> str:
    if image.media_type != OCI_MANIFEST:
        return f"unexpected manifest media type “{image.media_type[:_LONGEST]}” written in the manifest"
    if image.artifact_type != PROVIDER_TARGET:
        return (
            f"unexpected artifact type “{image.artifact_type[:_LONGEST]}” of the manifest, which should be"
            f" “{PROVIDER_TARGET}”"
        )
    if not packages:
        return _no_package(image)
    if len(packages) > 1:
        return f"ambiguous manifest declares multiple eligible provider packages: {len(packages)} layers are archives"
    return _layer_refusal(packages[0], platform)


def _no_package(image: ImageDocument) -> str:
    if not image.layers:
        return f"image manifest contains no layers of type “{ZIP_LAYER}”, nor any other"
    kinds = dict.fromkeys(layer.media_type[:_LONGEST] or "none" for layer in image.layers)
    named = ", ".join(f"“{kind}”" for kind in list(kinds)[:_SHOWN])
    return (
        f"image manifest contains no layers of type “{ZIP_LAYER}”, but has other unsupported formats ({named}); this"
        " OCI artifact might be intended for a different version of OpenTofu"
    )


def _layer_refusal(layer: Descriptor, platform: Platform) -> str:
    try:
        algorithm = Digest.parse(layer.digest).algorithm
    except ValueError as error:
        return f"the package is named by something that cannot be used: {error}"
    if algorithm != "sha256":
        return f"unsupported digest algorithm “{algorithm}” of the package, whose digest must be a SHA-256"
    named = layer.platform
    if named is not None and (named.os, named.architecture) != (platform.os, platform.arch):
        written = f"{named.os}_{named.architecture}"[:_LONGEST]
        return f"selected OCI artifact is for {written}, but was expected to be for {platform}"
    return ""


def _zh_of(layer: Descriptor) -> Hash | None:
    try:
        return Digest.parse(layer.digest).zh
    except ValueError:
        return None
