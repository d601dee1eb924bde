"""What lies beside a document of a registry: asked for in all places where it can be, each of which may hide some.

Source: OCI Distribution Specification 1.1, "Listing Referrers" and "Referrers Tag Schema"; the tag `.sig` is cosign's
older layout. That nothing is found proves nothing: a registry can hide whatever it likes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import Struct

from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.blobs import Blobs
from lockwarden.core.oci.documents import Descriptor, ImageDocument, read_image, read_index
from lockwarden.core.oci.manifests import Manifest, Manifests
from lockwarden.core.oci.media_types import OCI_INDEX, OCI_MANIFEST
from lockwarden.core.oci.pages import each_page
from lockwarden.core.oci.registry import Registries, unsuccessful
from lockwarden.core.values.errors import SourceError, Stage
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.problem_codes import ProblemCode

MAX_LIST: Final = 1024 * 1024
"""Bytes of a list, and of a manifest in it."""
MAX_PAGES: Final = 16
MAX_REFERRERS: Final = 64
"""Documents beside one index that are looked at."""
MAX_LAYERS: Final = 64
_ALGORITHM: Final = 32
_VALUE: Final = 64
"""Characters of an algorithm and of a digest that are written into the tag of a list."""
_NO_SUCH_API: Final = frozenset({404, 405, 406, 501})
_LED_AWAY: Final = frozenset(
    {ProblemCode.REDIRECT_REFUSED, ProblemCode.REDIRECT_BROKEN, ProblemCode.TOO_MANY_REDIRECTS, ProblemCode.URL_REFUSED}
)
_API: Final = "the registry's list of referrers"

Wanted = Callable[[Descriptor], int]
"""How many bytes a layer may have to be fetched; 0 for one that nobody wants."""


class LayerBeside(Struct, frozen=True, kw_only=True):
    """One layer that lies beside a document: its bytes have the digest that its manifest says."""

    media_type: str
    annotations: tuple[tuple[str, str], ...]
    body: bytes
    found_at: str


class Beside(Struct, frozen=True, kw_only=True):
    """What was found beside a document."""

    layers: tuple[LayerBeside, ...]
    gaps: tuple[str, ...]
    """Where nobody could look, and what was listed wrongly; sentences. While there are any, absence means nothing."""


class _Listed(Struct, frozen=True, kw_only=True):
    descriptor: Descriptor
    found_at: str


class Referrers:
    """What lies beside the documents of one repository."""

    def __init__(self, registries: Registries, access: Access, manifests: Manifests, blobs: Blobs) -> None:
        self._registries = registries
        self._access = access
        self._manifests = manifests
        self._blobs = blobs

    async def beside(self, digest: Digest, wanted: Wanted) -> Beside:
        """Every wanted layer of every document that is said to be about this one. Raises nothing of a registry's."""
        gaps: list[str] = []
        listed = [*await self._by_api(digest, gaps), *await self._by_tag(digest, gaps)]
        referrers: dict[str, _Listed] = {}
        for each in listed:
            referrers.setdefault(each.descriptor.digest, each)
        if len(referrers) > MAX_REFERRERS:
            gaps.append(f"there are {len(referrers)} referrers of {digest}; the limit is {MAX_REFERRERS}")
        chosen = list(referrers.values())[:MAX_REFERRERS]
        images = [await self._old_tag(digest, gaps)]
        images += await asyncio.gather(*(self._referrer(each, digest, gaps) for each in chosen))
        return Beside(layers=tuple(await self._layers(images, wanted, gaps)), gaps=tuple(dict.fromkeys(gaps)))

    async def _by_api(self, digest: Digest, gaps: list[str]) -> list[_Listed]:
        found: list[_Listed] = []

        def take(page: HttpDocument) -> None:
            if page.status != 200:
                if page.status not in _NO_SUCH_API and self._access.answers_for(page.url):
                    raise unsuccessful(page, self._access, stage=Stage.METADATA)
                return
            try:
                entries = read_index(page.body).manifests
            except BodyError:
                return  # a web page, or whatever else a server has where it does not know the API
            found.extend(_Listed(descriptor=each, found_at=_API) for each in entries)

        url = f"{self._access.base}{self._access.repository.path}/referrers/{digest}"
        try:
            await each_page(
                self._registries,
                self._access,
                url,
                take,
                stage=Stage.METADATA,
                most=MAX_PAGES,
                limit=MAX_LIST,
                headers={"Accept": OCI_INDEX},
            )
        except SourceError as error:
            if error.code not in _LED_AWAY:
                gaps.append(f"{_API} of {digest} could not be asked: {error.message}")
        return found

    async def _by_tag(self, digest: Digest, gaps: list[str]) -> list[_Listed]:
        """The list that pushing clients keep under a tag where the registry has no API for it."""
        tag = f"{digest.algorithm[:_ALGORITHM]}-{digest.value[:_VALUE]}"
        manifest = await self._tagged(tag, OCI_INDEX, gaps)
        if manifest is None:
            return []
        try:
            entries = read_index(manifest.body).manifests
        except BodyError as error:
            gaps.append(f"what the tag {tag} leads to cannot be read: it {error}")
            return []
        return [_Listed(descriptor=each, found_at=f"the tag {tag}") for each in entries]

    async def _old_tag(self, digest: Digest, gaps: list[str]) -> tuple[ImageDocument, str] | None:
        tag = f"{digest.algorithm}-{digest.value}.sig"
        manifest = await self._tagged(tag, OCI_MANIFEST, gaps)
        return None if manifest is None else _image(manifest, f"the tag {tag}", gaps)

    async def _tagged(self, tag: str, accept: str, gaps: list[str]) -> Manifest | None:
        try:
            return await self._manifests.tagged(tag, accept=accept, limit=MAX_LIST, stage=Stage.METADATA)
        except SourceError as error:
            gaps.append(f"the tag {tag} could not be asked for: {error.message}")
            return None

    async def _referrer(self, listed: _Listed, digest: Digest, gaps: list[str]) -> tuple[ImageDocument, str] | None:
        descriptor = listed.descriptor
        if descriptor.media_type != OCI_MANIFEST:
            return None
        shown = descriptor.digest[:_VALUE]
        if descriptor.size > MAX_LIST:
            gaps.append(f"the referrer {shown} has {descriptor.size} bytes; the limit is {MAX_LIST}")
            return None
        try:
            manifest = await self._manifests.get(descriptor, stage=Stage.METADATA)
        except SourceError as error:
            gaps.append(f"the referrer {shown} could not be had: {error.message}")
            return None
        read = _image(manifest, f"{listed.found_at}, manifest {manifest.digest}", gaps)
        about = None if read is None or read[0].subject is None else read[0].subject.digest
        if read is not None and about != str(digest):
            gaps.append(
                f"{shown} is listed for {digest} and says that it is about {(about or 'nothing')[: _VALUE * 2]}"
            )
        return read

    async def _layers(
        self, images: Iterable[tuple[ImageDocument, str] | None], wanted: Wanted, gaps: list[str]
    ) -> list[LayerBeside]:
        named = list(_wanted_layers(images, wanted))
        if len(named) > MAX_LAYERS:
            gaps.append(f"there are {len(named)} layers with signatures; the limit is {MAX_LAYERS}")
        chosen = named[:MAX_LAYERS]
        bodies: dict[str, bytes | None] = {}
        for layer, _, limit in chosen:
            if layer.digest not in bodies:
                bodies[layer.digest] = await self._body(layer, limit, gaps)
        return [
            LayerBeside(media_type=layer.media_type, annotations=layer.annotations, body=body, found_at=found_at)
            for layer, found_at, _ in chosen
            if (body := bodies[layer.digest]) is not None
        ]

    async def _body(self, layer: Descriptor, limit: int, gaps: list[str]) -> bytes | None:
        shown = layer.digest[:_VALUE]
        if layer.size > limit:
            gaps.append(f"the layer {shown} has {layer.size} bytes; the limit is {limit}")
            return None
        try:
            return await self._blobs.read_small(layer, limit=limit)
        except SourceError as error:
            gaps.append(f"the layer {shown} could not be had: {error.message}")
            return None


def _image(manifest: Manifest, found_at: str, gaps: list[str]) -> tuple[ImageDocument, str] | None:
    try:
        return read_image(manifest.body), found_at
    except BodyError as error:
        gaps.append(f"{found_at} cannot be read: it {error}")
        return None


def _wanted_layers(
    images: Iterable[tuple[ImageDocument, str] | None], wanted: Wanted
) -> Iterator[tuple[Descriptor, str, int]]:
    for image in images:
        if image is not None:
            for layer in image[0].layers:
                if limit := wanted(layer):
                    yield layer, image[1], limit
