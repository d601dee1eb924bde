"""Judges a signature where no event loop runs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import SignatureReport


def verify_now(
    verifier: SignatureVerifier, *, document: bytes, signature: bytes, offered: Sequence[str]
) -> SignatureReport:
    """What `verify` says, waited for."""
    return asyncio.run(verifier.verify(document=document, signature=signature, offered=offered))
