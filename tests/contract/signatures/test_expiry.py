"""Keys and signatures whose time is over or has not come."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from builders.verifying import verify_now
from contract.signatures.workshop import Judge, Key, VerifierAt, Workshop

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import KeyState, SignatureState

EXPIRY = datetime(2025, 12, 31, tzinfo=UTC)


@pytest.fixture(scope="module")
def expiring(workshop: Workshop) -> Key:
    return workshop.make(expires="20251231T000000")


class TestKeys:
    def test_a_key_that_expired_after_signing_was_valid_then(
        self, judge: Judge, workshop: Workshop, expiring: Key
    ) -> None:
        judgement = judge(workshop.sign(expiring), workshop.armor(expiring))
        assert judgement.state is SignatureState.EXPIRED_KEY
        assert judgement.valid_when_signed
        assert judgement.vouches
        assert judgement.detail == "the key expired on 2025-12-31"
        assert judgement.keys[0].state is KeyState.EXPIRED
        assert judgement.keys[0].expires == EXPIRY

    def test_a_key_that_had_expired_before_signing_does_not_vouch(self, judge: Judge, workshop: Workshop) -> None:
        key = workshop.make()
        late = workshop.sign(key, when="20260201T000000")
        workshop.run("--quick-set-expire", key.fingerprint, "20251231T000000", when="20250301T000000")
        judgement = judge(late, workshop.armor(key))
        assert judgement.state is SignatureState.EXPIRED_KEY
        assert not judgement.valid_when_signed
        assert not judgement.vouches

    def test_the_stated_clock_decides(
        self, verifier_at: VerifierAt, workshop: Workshop, expiring: Key, document: bytes
    ) -> None:
        offered, signature = [workshop.armor(expiring)], workshop.sign(expiring)
        for moment, state, key_state in (
            (EXPIRY - timedelta(days=1), SignatureState.GOOD, KeyState.VALID),
            (EXPIRY + timedelta(days=1), SignatureState.EXPIRED_KEY, KeyState.EXPIRED),
        ):
            report = verify_now(verifier_at(moment), document=document, signature=signature, offered=offered)
            assert report.judgements[0].state is state
            assert report.judgements[0].keys[0].state is key_state

    def test_one_verifier_notices_that_a_remembered_key_expires(
        self, gpg_program: Path, homes: Path, workshop: Workshop, expiring: Key, document: bytes
    ) -> None:
        moments = iter([EXPIRY - timedelta(seconds=2), EXPIRY + timedelta(seconds=2)])
        verifier = SignatureVerifier(gpg_program, clock=lambda: next(moments), folder=homes)
        offered, signature = [workshop.armor(expiring)], workshop.sign(expiring)
        states = [
            verify_now(verifier, document=document, signature=signature, offered=offered).judgements[0].state
            for _ in range(2)
        ]
        assert states == [SignatureState.GOOD, SignatureState.EXPIRED_KEY]

    def test_a_renewed_key_is_good_again(self, judge: Judge, workshop: Workshop, expiring: Key) -> None:
        key = workshop.make(expires="20251231T000000")
        signature = workshop.sign(key)
        workshop.run("--quick-set-expire", key.fingerprint, "20301231T000000", when="20250601T000000")
        assert judge(signature, workshop.armor(key)).state is SignatureState.GOOD

    def test_a_key_from_the_future_counts_as_expired(self, judge: Judge, workshop: Workshop) -> None:
        key = workshop.make(when="20270101T000000")
        judgement = judge(workshop.sign(key, when="20270201T000000"), workshop.armor(key))
        assert judgement.state is SignatureState.EXPIRED_KEY
        assert not judgement.valid_when_signed
        assert "in the future" in judgement.detail
        assert judgement.keys[0].state is KeyState.EXPIRED

    def test_a_signature_older_than_its_key_is_good_but_not_valid_when_signed(
        self, judge: Judge, workshop: Workshop, document: bytes
    ) -> None:
        key = workshop.make()
        early = workshop.sign(key, document, "--ignore-time-conflict", when="20240101T000000")
        judgement = judge(early, workshop.armor(key))
        assert judgement.state is SignatureState.GOOD
        assert not judgement.valid_when_signed
        assert judgement.detail == "the key is newer than the signature claims to be"

    def test_an_expired_key_does_not_excuse_a_wrong_signature(
        self, judge: Judge, workshop: Workshop, expiring: Key
    ) -> None:
        judgement = judge(workshop.sign(expiring, b"another document\n"), workshop.armor(expiring))
        assert judgement.state is SignatureState.BAD


class TestSignatures:
    def test_an_expired_signature_is_told_from_an_expired_key(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str, document: bytes
    ) -> None:
        judgement = judge(workshop.sign(key, document, "--default-sig-expire", "30d"), armor)
        assert judgement.state is SignatureState.EXPIRED_SIGNATURE
        assert judgement.detail == "the signature expired on 2025-03-31"
        assert judgement.valid_when_signed
        assert judgement.keys[0].state is KeyState.VALID

    def test_a_signature_that_is_limited_but_still_in_force_is_good(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str, document: bytes
    ) -> None:
        assert judge(workshop.sign(key, document, "--default-sig-expire", "10y"), armor).state is SignatureState.GOOD

    def test_a_signature_from_the_future_counts_as_expired_and_does_not_vouch(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str
    ) -> None:
        judgement = judge(workshop.sign(key, when="20270101T000000"), armor)
        assert judgement.state is SignatureState.EXPIRED_SIGNATURE
        assert not judgement.valid_when_signed
        assert not judgement.vouches

    def test_an_expired_key_comes_before_its_expired_signature(
        self, judge: Judge, workshop: Workshop, expiring: Key, document: bytes
    ) -> None:
        judgement = judge(workshop.sign(expiring, document, "--default-sig-expire", "30d"), workshop.armor(expiring))
        assert judgement.state is SignatureState.EXPIRED_KEY
