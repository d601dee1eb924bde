"""Keys that only look alike are told apart: two keys whose short IDs, the last eight digits, are the same."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from builders.verifying import verify_now
from contract.signatures.forge import MADE, Forge
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.values.signing_keys import SignatureState

DOCUMENT = b"0" * 64 + b"  terraform-provider-widget_1.0.0_linux_amd64.zip\n"
USER_ID = b"Widget Releases <releases@widget.example>"
TRIED = 150_000
"""Times of creation, one a second, that are tried for each of the two keys."""


@dataclass
class TimedForge(Forge):
    """A key that was made at a stated time, which its fingerprint depends on."""

    made: int = MADE

    @property
    def body(self) -> bytes:
        body = super().body
        return body[:1] + self.made.to_bytes(4, "big") + body[5:]


def short_ids(forge: TimedForge) -> dict[bytes, int]:
    """By the last four bytes of the fingerprint, a time at which the key would have it."""
    before, after = forge.framed[:4], forge.framed[8:]
    times = range(MADE - TRIED, MADE)
    return {hashlib.sha1(before + time.to_bytes(4, "big") + after).digest()[-4:]: time for time in times}


@pytest.fixture(scope="module")
def twins() -> tuple[TimedForge, TimedForge]:
    """Two keys with the same user ID and the same short ID. The secrets are fixed, so that the search always ends."""
    first, second = (TimedForge(secret=Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)) for seed in (1, 2))
    of_first, of_second = short_ids(first), short_ids(second)
    shared = min(of_first.keys() & of_second.keys())
    return TimedForge(first.secret, made=of_first[shared]), TimedForge(second.secret, made=of_second[shared])


def armor(forge: Forge) -> str:
    text = base64.encodebytes(forge.block(USER_ID)).decode()
    return f"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{text}-----END PGP PUBLIC KEY BLOCK-----\n"


def test_a_key_with_the_same_short_id_and_user_id_is_another_key(twins: tuple[TimedForge, TimedForge]) -> None:
    signer, other = twins
    assert signer.fingerprint[-8:] == other.fingerprint[-8:]
    assert signer.fingerprint[-16:] != other.fingerprint[-16:]
    verifier = SignatureVerifier(find_gpg(os.environ), clock=lambda: datetime(2026, 6, 1, tzinfo=UTC))
    report = verify_now(
        verifier, document=DOCUMENT, signature=signer.signature(DOCUMENT), offered=[armor(other), armor(signer)]
    )
    assert [each.state for each in report.judgements] == [SignatureState.UNKNOWN_ISSUER, SignatureState.GOOD]
    assert [each.keys[0].fingerprint for each in report.judgements] == [other.fingerprint, signer.fingerprint]
    assert report.judgements[1].signing_fingerprint == signer.fingerprint
