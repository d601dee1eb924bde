"""Asks gpg once for each signature: over hundreds of recorded cases, most are of the same few documents."""

from __future__ import annotations

from collections.abc import Sequence

from lockwarden.core.sources.port import SignatureVerifierPort
from lockwarden.core.values.signing_keys import SignatureReport


class RememberingVerifier:
    """The same reports as a verifier's, whose clock must not matter; what it raises is not remembered."""

    def __init__(self, verifier: SignatureVerifierPort) -> None:
        self._verifier = verifier
        self._known: dict[tuple[bytes, bytes, tuple[str, ...]], SignatureReport] = {}

    async def prepare(self, *, offered: Sequence[str]) -> None:
        """Nothing is read ahead."""

    async def verify(self, *, document: bytes, signature: bytes, offered: Sequence[str]) -> SignatureReport:
        """As `SignatureVerifierPort` has it."""
        question = (document, signature, tuple(offered))
        if (known := self._known.get(question)) is None:
            known = await self._verifier.verify(document=document, signature=signature, offered=offered)
            self._known[question] = known
        return known
