"""Gets blobs: packages and layers into the package store, small ones (configurations) into memory.

A registry may lead to any other host for a blob; credentials for the registry do not go along.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from lockwarden.core.http.downloads import download
from lockwarden.core.http.package_streams import PackageStream
from lockwarden.core.oci.access import Access
from lockwarden.core.oci.answers import sentence
from lockwarden.core.oci.documents import Descriptor
from lockwarden.core.oci.registry import Registries, unsuccessful
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.oci_references import Digest
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import redacted

MAX_CONFIG: Final = 4 * 1024 * 1024
"""Bytes of a configuration."""


class Blob(Struct, frozen=True, kw_only=True):
    """A blob of which is known what it is. Whether it has the digest that it was asked by is for the caller to see."""

    location: str
    """Where the registry has it, without secrets."""
    stored: KnownPackage


class StoredBlob(Blob, frozen=True, kw_only=True):
    """A blob that lies in the store."""

    stored: StoredPackage


class _ChallengedError(NoAnswerError):
    """The registry answered 401 to a request for a blob."""

    def __init__(self, stream: PackageStream, stage: Stage) -> None:
        super().__init__(f"{stream.url} answered 401", stage=stage, code=ProblemCode.CHALLENGED)
        self.challenge = stream.headers.get("www-authenticate", "")
        self.own = not stream.redirects
        self.url = stream.url


class Blobs:
    """The blobs of one repository."""

    def __init__(self, registries: Registries, access: Access, store: PackageStore) -> None:
        self._registries = registries
        self._access = access
        self._store = store.of_giver(f"OCI repository {access.repository}")

    async def fetch(self, descriptor: Descriptor, *, on_bytes: Callable[[int], None] = lambda _: None) -> StoredBlob:
        """Bring a blob into the store; `on_bytes` gets the number of bytes so far.

        Raises NoAnswerError when it could not be had; BadAnswerError when it does not have the size that the descriptor
        says, or is too large for the store. Its digest is not compared, but only what has it stays in the
        store.
        """
        digest = self._digest(descriptor, Stage.PACKAGE)
        sent = self._access.header()
        try:
            stored = await self._download(digest, sent, descriptor.size, on_bytes)
        except _ChallengedError as error:
            if not self._access.answers_for(error.url):
                raise self._refused_elsewhere(error) from error
            renewed = await self._access.renewed(error.challenge, sent, stage=Stage.PACKAGE)
            if renewed == sent:
                raise self._access.refusal(401, error.message, stage=Stage.PACKAGE) from error
            stored = await self._again(digest, renewed, descriptor.size, on_bytes)
        return StoredBlob(location=redacted(self._url(digest)), stored=stored)

    async def known(self, descriptor: Descriptor) -> Blob | None:
        """What the store knows of a blob without asking the registry for its bytes, or None.

        The descriptor's digest is what a client compares the bytes with, so it installs these or none; whether the
        registry gives them out today stays open. Raises BadAnswerError for a digest of an unknown kind.
        """
        digest = self._digest(descriptor, Stage.PACKAGE)
        found = None if digest.zh is None else await self._store.find(digest.zh)
        if found is None or found.size != descriptor.size:
            return None
        return Blob(location=redacted(self._url(digest)), stored=found)

    async def examined(self, descriptor: Descriptor, *, on_bytes: Callable[[int], None] = lambda _: None) -> Blob:
        """What a blob is: what is known of it will do, else it is fetched. Raises as `known` and `fetch` do."""
        url = self._url(self._digest(descriptor, Stage.PACKAGE))

        async def fetch() -> KnownPackage:
            blob = await self.known(descriptor) or await self.fetch(descriptor, on_bytes=on_bytes)
            return blob.stored

        return Blob(location=redacted(url), stored=await self._registries.http.tape.package(url, Stage.PACKAGE, fetch))

    async def _again(self, digest: Digest, sent: str, size: int, on_bytes: Callable[[int], None]) -> StoredPackage:
        try:
            return await self._download(digest, sent, size, on_bytes)
        except _ChallengedError as error:
            if not self._access.answers_for(error.url):
                raise self._refused_elsewhere(error) from error
            raise self._access.refusal(401, error.message, stage=Stage.PACKAGE) from error

    async def _download(
        self, digest: Digest, authorization: str, size: int, on_bytes: Callable[[int], None]
    ) -> StoredPackage:
        url = self._url(digest)
        return await download(
            self._registries.http,
            url,
            self._store,
            on_bytes=on_bytes,
            declared_size=size,
            headers={"Authorization": authorization} if authorization else {},
            plain_secrets=self._access.plain,
            unsuccessful=self._unsuccessful,
            promised=lambda zh: digest.zh in {None, zh},
        )

    def _unsuccessful(self, stream: PackageStream, stage: Stage) -> SourceError:
        if stream.status == 401:
            return _ChallengedError(stream, stage)
        said = sentence(stream.url, stream.status, stream.said)
        if stream.status == 403 and self._access.answers_for(stream.url):
            return self._access.refusal(403, said, stage=stage)
        if stream.status in {404, 410}:
            return BadAnswerError(
                f"{self._access.repository} names a blob that its registry does not have: {said}",
                stage=stage,
                code=ProblemCode.HTTP_STATUS,
                hint="the registry is incomplete; ask who runs it",
            )
        return NoAnswerError(
            said, stage=stage, code=ProblemCode.HTTP_STATUS, hint="try later, or tell whoever runs the registry"
        )

    def _refused_elsewhere(self, error: _ChallengedError) -> SourceError:
        return NoAnswerError(
            f"{self._access.repository.domain} leads to another place for a blob, and {error.message} there;"
            " credentials for the registry are for nobody else",
            stage=Stage.PACKAGE,
            code=ProblemCode.HTTP_STATUS,
            hint="tell whoever runs the registry",
        )

    async def read_small(
        self, descriptor: Descriptor, *, stage: Stage = Stage.METADATA, limit: int = MAX_CONFIG
    ) -> bytes:
        """A small blob whose bytes have the digest and the size that the descriptor says.

        Raises BadAnswerError when they do not or when it is too large, NoAnswerError when it could not be had.
        """
        digest = self._digest(descriptor, stage)
        if descriptor.size > limit:
            raise BadAnswerError(
                f"a configuration in {self._access.repository} has {descriptor.size} bytes; the limit is {limit}",
                stage=stage,
                code=ProblemCode.TOO_LARGE,
            )
        document = await self._registries.ask(self._access, self._url(digest), stage=stage, limit=limit)
        if document.status != 200:
            raise unsuccessful(document, self._access, stage=stage)
        if len(document.body) != descriptor.size or Digest.of(document.body, digest.algorithm) != digest:
            raise BadAnswerError(
                f"{self._access.repository}: the content of the blob {digest} does not match its digest or its size",
                stage=stage,
                code=ProblemCode.DIGEST_MISMATCH,
                hint="do not use this registry before somebody has found out who changed its answer",
            )
        return document.body

    def _url(self, digest: Digest) -> str:
        return f"{self._access.base}{self._access.repository.path}/blobs/{digest}"

    def _digest(self, descriptor: Descriptor, stage: Stage) -> Digest:
        try:
            return Digest.parse(descriptor.digest)
        except ValueError as error:
            raise BadAnswerError(
                f"{self._access.repository} names a blob by something that cannot be used: {error}",
                stage=stage,
                code=ProblemCode.DIGEST_UNSUPPORTED,
            ) from error
