"""Gets manifests by tag and by digest, and holds every one against its digest, its size and its media type."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from lockwarden.core.http.documents import HttpDocument, media_type
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.documents import Descriptor
from lockwarden.core.oci.media_types import ACCEPTED
from lockwarden.core.oci.registry import Registries, unsuccessful
from lockwarden.core.values.errors import BadAnswerError, NotThereError, SourceError, Stage
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import redacted

MAX_MANIFEST: Final = 5 * 1024 * 1024 - 1
"""Bytes. The client says 4 MiB, but counts in whole MiB and refuses from five on."""
_LONGEST_TYPE: Final = 200
_DIGEST_HEADER: Final = "docker-content-digest"
_HEAD_REFUSED: Final = frozenset({400, 405, 501})
"""Statuses by which servers say that they do not know the method HEAD."""


class ResolvedTag(Struct, frozen=True, kw_only=True):
    """What a tag led to at one moment."""

    media_type: str
    digest: Digest
    size: int
    content: Manifest | None = None
    """The manifest itself, where it had to be asked for to learn its digest."""
    client_refusal: str = ""
    """Why the client, which needs the answer to a HEAD request, could not resolve the tag."""

    @property
    def descriptor(self) -> Descriptor:
        """The same as a descriptor, to get the manifest by."""
        return Descriptor(media_type=self.media_type, digest=str(self.digest), size=self.size)


class Manifest(Struct, frozen=True, kw_only=True):
    """A manifest whose bytes have the digest that it was asked by."""

    url: str
    """Without its secrets."""
    media_type: str
    digest: Digest
    body: bytes


class Manifests:
    """The manifests of one repository."""

    def __init__(self, registries: Registries, access: Access) -> None:
        self._registries = registries
        self._access = access

    async def resolve(self, tag: str, *, stage: Stage = Stage.INDEX) -> ResolvedTag:
        """Ask what a tag leads to now. It may lead elsewhere the moment after; nothing in a registry prevents that.

        Raises NotThereError when there is no such tag, NoAnswerError and BadAnswerError as asking does.
        """
        document = await self._ask(tag, ACCEPTED, method="HEAD", stage=stage)
        if document.status == 404:
            raise NotThereError(f"{self._access.repository} has no tag {tag}", stage=stage)
        if document.status in _HEAD_REFUSED:
            return await self._by_content(tag, f"the registry answers {document.status} to a HEAD request", stage)
        if document.status != 200:
            raise unsuccessful(document, self._access, stage=stage)
        digest = document.headers.get(_DIGEST_HEADER, "")
        length = document.headers.get("content-length", "")
        if not digest:
            return await self._by_content(tag, "the registry's answer has no Docker-Content-Digest header", stage)
        if not document.media_type:
            return await self._by_content(tag, "the registry's answer has no Content-Type header", stage)
        if not (length.isascii() and length.isdigit() and len(length) < 19):
            return await self._by_content(tag, "the registry's answer has no Content-Length header", stage)
        return ResolvedTag(media_type=document.media_type, digest=self._digest(digest, stage), size=int(length))

    async def _by_content(self, tag: str, why: str, stage: Stage) -> ResolvedTag:
        """What a tag leads to, from the manifest itself, since the registry does not say without it."""
        document = await self._ask(tag, ACCEPTED, stage=stage)
        if document.status == 404:
            raise NotThereError(f"{self._access.repository} has no tag {tag}", stage=stage)
        if document.status != 200:
            raise unsuccessful(document, self._access, stage=stage)
        digest = Digest.of(document.body)
        stated = document.headers.get(_DIGEST_HEADER, "")
        if stated:
            digest = self._digest(stated, stage)
            self._check_digest(document, digest, stage)
        manifest = Manifest(
            url=redacted(document.url), media_type=document.media_type, digest=digest, body=document.body
        )
        return ResolvedTag(
            media_type=document.media_type,
            digest=digest,
            size=len(document.body),
            content=manifest,
            client_refusal=f"the client cannot resolve the tag {tag}: {why}",
        )

    async def get(self, descriptor: Descriptor, *, stage: Stage) -> Manifest:
        """The manifest that a descriptor names.

        Raises BadAnswerError when it is too large, when it does not have the digest, the size or the media type that
        the descriptor says, or when the registry does not have it; NoAnswerError when it could not be asked for.
        """
        digest = self._digest(descriptor.digest, stage)
        if descriptor.size > MAX_MANIFEST:
            raise BadAnswerError(
                f"the manifest {digest} in {self._access.repository} has {descriptor.size} bytes, which exceeds the"
                " client's size limit of 4 MiB",
                stage=stage,
                code=ProblemCode.TOO_LARGE,
                hint="a real manifest has a few thousand bytes; ask who made this one",
            )
        document = await self._ask(str(digest), descriptor.media_type or ACCEPTED, stage=stage)
        if document.status != 200:
            raise unsuccessful(document, self._access, stage=stage)
        self._check_type(document, descriptor, stage)
        self._check_size(document, descriptor, stage)
        self._check_digest(document, digest, stage)
        return Manifest(url=redacted(document.url), media_type=document.media_type, digest=digest, body=document.body)

    async def tagged(self, tag: str, *, accept: str, limit: int, stage: Stage) -> Manifest | None:
        """What a tag leads to, whatever its digest; None when there is no such tag.

        Raises BadAnswerError and NoAnswerError as asking does.
        """
        url = f"{self._access.base}{self._access.repository.path}/manifests/{tag}"
        document = await self._registries.ask(self._access, url, stage=stage, limit=limit, headers={"Accept": accept})
        if document.status == 404:
            return None
        if document.status != 200:
            raise unsuccessful(document, self._access, stage=stage)
        return Manifest(
            url=redacted(document.url),
            media_type=document.media_type,
            digest=Digest.of(document.body),
            body=document.body,
        )

    async def _ask(self, reference: str, accept: str, *, stage: Stage, method: str = "GET") -> HttpDocument:
        url = f"{self._access.base}{self._access.repository.path}/manifests/{reference}"
        return await self._registries.ask(
            self._access, url, stage=stage, limit=MAX_MANIFEST, method=method, headers={"Accept": accept}
        )

    def _digest(self, text: str, stage: Stage) -> Digest:
        try:
            return Digest.parse(text)
        except ValueError as error:
            raise BadAnswerError(
                f"{self._access.repository} names a manifest by something that cannot be used: {error}",
                stage=stage,
                code=ProblemCode.DIGEST_UNSUPPORTED,
            ) from error

    def _check_type(self, document: HttpDocument, descriptor: Descriptor, stage: Stage) -> None:
        if document.media_type == media_type(descriptor.media_type):
            return
        raise BadAnswerError(
            f"{redacted(document.url)} answered with the media type “{document.content_type[:_LONGEST_TYPE]}” instead"
            f" of “{descriptor.media_type[:_LONGEST_TYPE]}”",
            stage=stage,
            code=ProblemCode.CONTENT_TYPE,
            hint="some registries and caching proxies convert manifests, which changes their digest",
        )

    def _check_size(self, document: HttpDocument, descriptor: Descriptor, stage: Stage) -> None:
        if len(document.body) == descriptor.size:
            return
        raise BadAnswerError(
            f"the manifest {descriptor.digest} in {self._access.repository} should have {descriptor.size} bytes, but"
            f" {len(document.body)} arrived",
            stage=stage,
            code=ProblemCode.WRONG_SIZE,
            hint="the registry contradicts itself, or something on the way changed its answer",
        )

    def _check_digest(self, document: HttpDocument, digest: Digest, stage: Stage) -> None:
        if Digest.of(document.body, digest.algorithm) != digest:
            raise self._mismatch(f"manifest content does not match digest {digest}", stage)
        stated = document.headers.get(_DIGEST_HEADER, "")
        if stated and stated != str(digest):
            raise self._mismatch(
                f"the registry says that the manifest {digest} has the digest {stated[:_LONGEST_TYPE]}", stage
            )

    def _mismatch(self, what: str, stage: Stage) -> SourceError:
        return BadAnswerError(
            f"{self._access.repository}: {what}",
            stage=stage,
            code=ProblemCode.DIGEST_MISMATCH,
            hint="do not use this registry before somebody has found out who changed its answer",
        )
