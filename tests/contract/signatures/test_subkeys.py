"""Signatures by subkeys, and keys that are there but may not sign."""

from __future__ import annotations

import pytest
from builders.verifying import verify_now
from contract.signatures.workshop import Judge, Key, Workshop

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import KeyState, SignatureState


class TestSigningSubkeys:
    def test_a_good_signature_by_a_subkey_is_credited_to_the_primary_key(
        self, judge: Judge, workshop: Workshop, split_key: Key
    ) -> None:
        (subkey,) = split_key.subkeys
        judgement = judge(workshop.sign(subkey), workshop.armor(split_key))
        assert judgement.state is SignatureState.GOOD
        assert (judgement.fingerprint, judgement.signing_fingerprint) == (split_key.fingerprint, subkey)
        assert judgement.key_id == split_key.key_id
        assert judgement.keys[0].signing_subkeys == (subkey,)

    def test_the_signature_names_the_subkey_as_its_issuer(
        self, verifier: SignatureVerifier, workshop: Workshop, split_key: Key, armor: str, document: bytes
    ) -> None:
        (subkey,) = split_key.subkeys
        report = verify_now(verifier, document=document, signature=workshop.sign(subkey), offered=[armor])
        assert report.issuers == (subkey,)

    def test_an_expired_subkey_is_an_expired_key(self, judge: Judge, workshop: Workshop) -> None:
        key = workshop.add_subkey(workshop.make(usage="cert"), expires="20251231T000000")
        judgement = judge(workshop.sign(key.subkeys[0]), workshop.armor(key))
        assert judgement.state is SignatureState.EXPIRED_KEY
        assert judgement.valid_when_signed
        assert judgement.detail == f"subkey {key.subkeys[0]} expired on 2025-12-31"
        assert judgement.keys[0].state is KeyState.VALID

    def test_an_expired_subkey_does_not_harm_the_primary_keys_signature(self, judge: Judge, workshop: Workshop) -> None:
        key = workshop.add_subkey(workshop.make(usage="sign,cert"), expires="20251231T000000")
        judgement = judge(workshop.sign(key.fingerprint), workshop.armor(key))
        assert judgement.state is SignatureState.GOOD
        assert judgement.signing_fingerprint == key.fingerprint

    def test_an_expired_primary_key_takes_its_subkeys_with_it(self, judge: Judge, workshop: Workshop) -> None:
        key = workshop.add_subkey(workshop.make(usage="cert", expires="20251231T000000"))
        judgement = judge(workshop.sign(key.subkeys[0]), workshop.armor(key))
        assert judgement.state is SignatureState.EXPIRED_KEY
        assert judgement.detail == "the key expired on 2025-12-31"

    def test_a_key_that_is_missing_the_signing_subkey_does_not_know_the_issuer(
        self, judge: Judge, workshop: Workshop
    ) -> None:
        key = workshop.make(usage="cert")
        before = workshop.armor(key)
        renewed = workshop.add_subkey(key)
        assert judge(workshop.sign(renewed.subkeys[0]), before).state is SignatureState.UNKNOWN_ISSUER


class TestKeysThatMayNotSign:
    @pytest.mark.parametrize("commands", [("key 1", "change-usage", "S", "E", "Q", "save")])
    def test_an_encryption_subkey_does_not_count_as_the_issuer(
        self, judge: Judge, workshop: Workshop, commands: tuple[str, ...]
    ) -> None:
        key = workshop.add_subkey(workshop.make(algorithm="rsa2048"), algorithm="rsa2048")
        signature = workshop.sign(key.subkeys[0])
        workshop.edit(key, *commands)
        judgement = judge(signature, workshop.armor(key))
        assert judgement.state is SignatureState.UNKNOWN_ISSUER
        assert judgement.detail == f"key {key.subkeys[0]} is offered, but not for signing"
        assert judgement.keys[0].signing_subkeys == ()

    def test_a_primary_key_that_only_certifies_does_not_count_as_the_issuer(
        self, judge: Judge, workshop: Workshop
    ) -> None:
        key = workshop.make(algorithm="rsa2048")
        signature = workshop.sign(key)
        workshop.edit(key, "change-usage", "S", "Q", "save")
        assert judge(signature, workshop.armor(key)).state is SignatureState.UNKNOWN_ISSUER


class TestCrossCertification:
    @pytest.fixture(scope="class")
    def key(self, workshop: Workshop) -> Key:
        return workshop.add_subkey(workshop.make(usage="sign,cert"))

    @pytest.fixture(scope="class")
    def stripped(self, workshop: Workshop, key: Key) -> str:
        return workshop.wrap(workshop.without_cross_certification(workshop.export(key)))

    def test_the_key_is_good_while_its_subkey_is_cross_certified(
        self, judge: Judge, workshop: Workshop, key: Key
    ) -> None:
        judgement = judge(workshop.sign(key.subkeys[0]), workshop.wrap(workshop.export(key)))
        assert judgement.state is SignatureState.GOOD

    def test_without_cross_certification_the_whole_key_is_refused(
        self, judge: Judge, workshop: Workshop, key: Key, stripped: str
    ) -> None:
        for signer in (key.subkeys[0], key.fingerprint):
            judgement = judge(workshop.sign(signer), stripped)
            assert judgement.state is SignatureState.UNDECODABLE_KEY
            assert "cross-certification" in judgement.detail

    def test_another_key_in_the_same_block_is_still_used(
        self, judge: Judge, workshop: Workshop, key: Key, stranger: Key
    ) -> None:
        block = workshop.wrap(workshop.without_cross_certification(workshop.export(key)) + workshop.export(stranger))
        judgement = judge(workshop.sign(stranger), block)
        assert judgement.state is SignatureState.GOOD
        assert any("cross-certification" in note for note in judgement.keys[0].notes)
