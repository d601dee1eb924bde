"""Packages shaped like container images, as the first proposal for OCI registries had them.

The layers of an image are tar archives that make a folder one after the other, and that folder is the package. There
is no zip, so there is no `zh`; the `h1` of the folder is computed without unpacking anything. No released client
installs such a package.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Basis, ComputedLocally
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, Problem, SourceRef
from lockwarden.core.oci.blobs import Blobs
from lockwarden.core.oci.documents import Descriptor, ImageConfig, ImageDocument, IndexDocument, read_config, read_image
from lockwarden.core.oci.layers import MAX_LAYERS, Layer, inspect_layers
from lockwarden.core.oci.manifests import Manifest, Manifests
from lockwarden.core.oci.media_types import CONFIGS, DOCKER_LIST, GZIP_LAYERS, IMAGES, INDEXES, TAR_LAYERS
from lockwarden.core.oci.trees import TreeFacts
from lockwarden.core.sources.oci_mirror.offers import ambiguity
from lockwarden.core.sources.oci_mirror.release import TERRAFORM_REFUSAL, BytesProgress, ExaminedManifest
from lockwarden.core.sources.oci_mirror.wrong_kinds import (
    PACKAGE_LABEL,
    unlabelled,
    wrong_image,
    wrong_index,
    wrong_label,
    wrong_media_type,
)
from lockwarden.core.sources.package_content import executable_problem, has_executable, no_executable
from lockwarden.core.values.archive_faults import image_code
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, SourceError, Stage
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_NOT_INSTALLED: Final = (
    "no released client installs packages that are shaped like container images; this follows the first proposal"
)
_HINT: Final = "ask who made this image"
_UNKNOWN: Final = "unknown"
_CHANGED_ON_THE_WAY: Final = frozenset({ProblemCode.DIGEST_MISMATCH, ProblemCode.IMAGE_DIGEST_MISMATCH})
"""The system that build tools name for the documents that they add beside the images of an index."""


class LabelledImage(Struct, frozen=True, kw_only=True):
    """An image whose configuration says that it holds a provider."""

    manifest: Manifest
    image: ImageDocument
    config: ImageConfig


@dataclass(kw_only=True)
class ImageReader:
    """Reads the documents of images in one repository."""

    manifests: Manifests
    blobs: Blobs
    tagged: str
    """Media type of what the tag leads to: an image, or an index of images."""

    async def read(self, descriptor: Descriptor) -> LabelledImage:
        """An image and its configuration. Raises BadAnswerError, also when it is no labelled provider."""
        return await self.labelled(await self.manifests.get(descriptor, stage=Stage.METADATA))

    async def labelled(self, manifest: Manifest) -> LabelledImage:
        """The image that a manifest is. Raises as `read` does."""
        image = _read_image(manifest)
        if image.artifact_type or image.config is None or image.config.media_type not in CONFIGS:
            raise self._no_container_image(image)
        try:
            config = read_config(await self.blobs.read_small(image.config))
        except BodyError as error:
            raise _unusable(f"the configuration of {manifest.digest} {error}") from error
        label = config.label(PACKAGE_LABEL)
        if label is None:
            raise unlabelled(self.tagged)
        if (wrong := wrong_label(label)) is not None:
            raise wrong
        return LabelledImage(manifest=manifest, image=image, config=config)

    def _no_container_image(self, image: ImageDocument) -> BadAnswerError:
        if self.tagged == DOCKER_LIST:
            return wrong_media_type(self.tagged)
        if self.tagged in INDEXES:
            return wrong_index("", entries_are_targets=False)
        return wrong_image(image.artifact_type, "" if image.config is None else image.config.media_type)


def images_of(index: IndexDocument) -> Mapping[Platform, tuple[Descriptor, ...]]:
    """The images that an index names, by platform."""
    found: dict[Platform, tuple[Descriptor, ...]] = {}
    for entry in index.manifests:
        platform = None if entry.platform is None else entry.platform.platform
        if platform is not None and platform.os != _UNKNOWN and entry.media_type in IMAGES:
            found[platform] = (*found.get(platform, ()), entry)
    return found


def likeliest(images: Mapping[Platform, tuple[Descriptor, ...]], first: Iterable[Platform]) -> Descriptor | None:
    """The image to judge an index by: that of the first platform that is asked for, else of the most popular."""
    ordered = [*(platform for platform in first if platform in images), *sorted(images, key=by_popularity)]
    return images[ordered[0]][0] if ordered else None


@dataclass(kw_only=True)
class ImagePackages:
    """The packages that are images, one for each platform."""

    source: SourceRef
    provider_type: str
    settings: ClientSettings
    images: Mapping[Platform, tuple[Descriptor, ...]]
    reader: ImageReader
    blobs: Blobs
    known: dict[Descriptor, LabelledImage] = field(default_factory=dict)
    """Images that were read already."""

    @property
    def platforms(self) -> frozenset[Platform]:
        """The platforms that there are images for."""
        return frozenset(self.images)

    @property
    def read(self) -> Mapping[Platform, ExaminedManifest]:
        """What the documents say that were read; there is no hash in them that could be one of the package."""
        return {
            platform: _described(platform, self.known[entries[0]])
            for platform, entries in self.images.items()
            if entries[0] in self.known
        }

    @property
    def signed_packages(self) -> Iterable[tuple[Platform, Hash]]:
        """None: no digest of an image's layers is the hash of a package."""
        return ()

    async def examine(self, platform: Platform, progress: BytesProgress) -> ExaminedManifest:
        """Download the layers of a platform's image and hash the folder that they make."""
        entries = self.images[platform]
        if refusal := ambiguity(platform, entries):
            return self._failed(
                ExaminedManifest(package=PackageFacts(platform=platform, outcome=Outcome.ANSWERED)), refusal
            )
        known = ExaminedManifest(package=PackageFacts(platform=platform, outcome=Outcome.NO_ANSWER))
        try:
            labelled = self.known.get(entries[0]) or await self.reader.read(entries[0])
            self.known[entries[0]] = labelled
            known = _described(platform, labelled)
            self._check_platform(labelled, platform)
            layers = await self._layers(labelled, progress)
        except SourceError as error:
            return self._failed(replace(known, package=_no_answer(platform)), error.message, error.code, error.hint)
        try:
            facts = await _inspected(layers)
        except ArchiveError as error:
            refused = replace(known, package=PackageFacts(platform=platform, outcome=Outcome.ANSWERED))
            return self._failed(refused, error.message, image_code(error.code), error.hint)
        return self._judged(known, labelled, facts, platform)

    def _check_platform(self, labelled: LabelledImage, platform: Platform) -> None:
        if labelled.config.platform == platform:
            return
        named = labelled.config.platform or "no platform"
        raise BadAnswerError(
            f"the image for {platform} says of itself that it is for {named}",
            stage=Stage.METADATA,
            code=ProblemCode.WRONG_PLATFORM,
            hint="it was put under the wrong platform; ask who pushed it",
        )

    async def _layers(self, labelled: LabelledImage, progress: BytesProgress) -> list[Layer]:
        written, diff_ids = labelled.image.layers, labelled.config.diff_ids
        if len(written) > MAX_LAYERS:
            raise _unusable(f"the image has {len(written)} layers; the limit is {MAX_LAYERS}")
        if len(written) != len(diff_ids):
            raise _unusable(f"the image has {len(written)} layers, but its configuration names {len(diff_ids)}")
        total = sum(layer.size for layer in written)
        layers: list[Layer] = []
        done = 0
        for descriptor, diff_id in zip(written, diff_ids, strict=True):
            layers.append(await self._layer(descriptor, diff_id, progress, done, total))
            done += descriptor.size
        return layers

    async def _layer(self, written: Descriptor, diff_id: str, progress: BytesProgress, done: int, total: int) -> Layer:
        if written.media_type not in TAR_LAYERS | GZIP_LAYERS:
            raise _unusable(f"a layer has the media type “{written.media_type[:200]}”, which cannot be read")
        try:
            digest, plain = Digest.parse(written.digest), Digest.parse(diff_id)
        except ValueError as error:
            raise _unusable(f"a layer is named by something that cannot be used: {error}") from error
        blob = await self.blobs.fetch(written, on_bytes=lambda got: progress(done + got, total))
        if digest.zh not in {None, blob.stored.zh}:
            raise BadAnswerError(
                f"a layer does not have the digest {digest} by which it is named",
                stage=Stage.PACKAGE,
                code=ProblemCode.IMAGE_DIGEST_MISMATCH,
                hint="do not use this registry before somebody has found out who changed its answer",
            )
        return Layer(path=blob.stored.path, digest=digest, compressed=written.media_type in GZIP_LAYERS, diff_id=plain)

    def _judged(
        self, known: ExaminedManifest, labelled: LabelledImage, facts: TreeFacts, platform: Platform
    ) -> ExaminedManifest:
        location = labelled.manifest.url
        unusable = "" if has_executable(facts.executables, self.provider_type) else no_executable(self.provider_type)
        package = PackageFacts(
            platform=platform,
            outcome=Outcome.ANSWERED,
            location=location,
            basis=Basis.DIRECTORY,
            h1_directory=facts.h1,
            client_refusal=self._client_refusal(),
            detail=unusable,
        )
        computed = ComputedLocally(
            source=self.source.id, platform=platform, basis=Basis.DIRECTORY, location=location, package_zh=None
        )
        problem = executable_problem(facts.executables, self.provider_type, platform=platform, source=self.source.id)
        return replace(
            known,
            package=package,
            observations=((facts.h1, computed),),
            problems=(*known.problems, *(() if problem is None else (problem,))),
        )

    def _client_refusal(self) -> str:
        return TERRAFORM_REFUSAL if self.settings.client is Client.TERRAFORM else _NOT_INSTALLED

    def _failed(
        self, known: ExaminedManifest, message: str, code: ProblemCode | None = None, hint: str = _HINT
    ) -> ExaminedManifest:
        platform = known.package.platform
        problem = Problem(
            code=code or ProblemCode.PACKAGE_FAILED,
            severity=Severity.ERROR if code in _CHANGED_ON_THE_WAY else Severity.WARNING,
            message=f"the {platform} package of {self.source.id} cannot be hashed: {message}",
            hint=hint or _HINT,
            source=self.source.id,
        )
        package = replace(known.package, detail=message)
        if package.outcome is Outcome.ANSWERED:
            package = replace(package, client_refusal=self._client_refusal())
        return replace(known, package=package, problems=(*known.problems, problem))


async def _inspected(layers: list[Layer]) -> TreeFacts:
    """Hash the layers in a thread, which is told to stop when this task is cancelled."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(inspect_layers, layers, stop=stop.is_set)
    finally:
        stop.set()


def _no_answer(platform: Platform) -> PackageFacts:
    return PackageFacts(platform=platform, outcome=Outcome.NO_ANSWER)


def _described(platform: Platform, labelled: LabelledImage) -> ExaminedManifest:
    return ExaminedManifest(
        package=PackageFacts(platform=platform, outcome=Outcome.NOT_ASKED),
        manifest_digest=str(labelled.manifest.digest),
        layer_digests=tuple(_digests(labelled.image)),
    )


def _digests(image: ImageDocument) -> Iterator[str]:
    for layer in image.layers[:MAX_LAYERS]:
        yield layer.digest


def _read_image(manifest: Manifest) -> ImageDocument:
    try:
        return read_image(manifest.body)
    except BodyError as error:
        raise _unusable(f"the manifest {manifest.digest} {error}") from error


def _unusable(message: str) -> BadAnswerError:
    return BadAnswerError(message, stage=Stage.METADATA, code=ProblemCode.IMAGE_UNUSABLE, hint=_HINT)
