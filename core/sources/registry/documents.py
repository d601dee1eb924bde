"""Gets the lists of checksums of one release and has their signatures judged, each document once.

Several answers of a registry usually point at the same two documents; then they share one fetch and one judgement.
Where only the URLs differ (those that are signed for one request do), the same bytes are still judged once.
"""

from __future__ import annotations

import asyncio
import hashlib
from typing import Final

from lockwarden.core.evidence.observations import Document
from lockwarden.core.sources.once import Once
from lockwarden.core.sources.port import SignatureVerifierPort
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.client import RegistryClient
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums import MAX_BYTES, read_sums
from lockwarden.core.system.allowance import current_allowance
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import NoAnswerError, SourceError, Stage, ToolError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.signing_keys import SignatureReport
from lockwarden.core.values.urls import redacted
from lockwarden.core.values.versions import Version

MAX_SIGNATURE: Final = 64 * 1024
"""Bytes of a signature file. One signature has some hundred."""


class DocumentReader:
    """The lists of checksums of one release."""

    def __init__(
        self,
        address: ProviderAddress,
        version: Version,
        *,
        settings: ClientSettings,
        client: RegistryClient,
        verifier: SignatureVerifierPort,
    ) -> None:
        self._address = address
        self._version = version
        self._settings = settings
        self._client = client
        self._verifier = verifier
        self._bodies: Once[str, bytes | SourceError] = Once()
        self._judged: Once[tuple[bytes, bytes, tuple[str, ...]], SignatureReport] = Once()
        self._lists: Once[tuple[str, str, tuple[str, ...]], SignedSums | SourceError] = Once()

    async def read(self, answer: PlatformAnswer) -> SignedSums | SourceError:
        """The list of checksums that an answer names, judged by the keys that it offers; or why there is none."""
        try:
            sums = answer.resolved(answer.metadata.shasums_url, stage=Stage.SUMS)
            signature = answer.resolved(answer.metadata.shasums_signature_url, stage=Stage.SIGNATURE)
        except SourceError as error:
            return error
        key = (sums, signature, answer.metadata.keys)
        return await self._lists.get(key, lambda: self._read(*key))

    async def _read(self, sums_url: str, signature_url: str, keys: tuple[str, ...]) -> SignedSums | SourceError:
        # gpg reads the key while the documents come.
        sums, signature, _ = await asyncio.gather(
            self._body(sums_url, Stage.SUMS, MAX_BYTES),
            self._body(signature_url, Stage.SIGNATURE, MAX_SIGNATURE),
            self._verifier.prepare(offered=keys),
        )
        if isinstance(sums, SourceError):
            return sums
        if isinstance(signature, SourceError):
            return signature
        try:
            lines = await asyncio.to_thread(read_sums, sums)
            current_allowance().charge_hashes([line.hash for line in lines.lines], stage=Stage.SUMS)
            report = await self._judged.get(
                (_digest(sums), _digest(signature), keys), lambda: self._judge(sums, signature, keys)
            )
        except SourceError as error:
            return error
        return SignedSums(
            address=self._address,
            version=self._version,
            document=Document(name="SHA256SUMS", url=redacted(sums_url), sha256=hashlib.sha256(sums).hexdigest()),
            sums=lines,
            report=report,
            settings=self._settings,
        )

    async def _body(self, url: str, stage: Stage, limit: int) -> bytes | SourceError:
        async def fetch() -> bytes | SourceError:
            try:
                return await self._client.document(url, stage=stage, limit=limit)
            except SourceError as error:
                return error

        return await self._bodies.get(url, fetch)

    async def _judge(self, document: bytes, signature: bytes, keys: tuple[str, ...]) -> SignatureReport:
        try:
            return await self._verifier.verify(document=document, signature=signature, offered=keys)
        except ToolError as error:
            raise NoAnswerError(
                f"the signature of SHA256SUMS could not be checked: {error.message}",
                stage=Stage.SIGNATURE,
                code=ProblemCode.SIGNATURE_NOT_CHECKED,
                hint=error.hint,
            ) from error


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
