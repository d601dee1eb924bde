"""Blocks as registries offer them: several, broken, with several keys, or with what must not be there."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from builders.verifying import verify_now
from contract.signatures.workshop import Judge, Key, Workshop

from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.signing_keys import Conclusion, ConclusionKind, SignatureReport, SignatureState, conclude


def conclusion(report: SignatureReport, client: Client = Client.OPENTOFU) -> Conclusion:
    return conclude(report, host="registry.example.test", settings=ClientSettings(client=client))


class TestSeveralBlocks:
    def test_an_expired_key_before_the_signer_does_not_matter(
        self, verifier: SignatureVerifier, workshop: Workshop, signature: bytes, armor: str, key: Key, document: bytes
    ) -> None:
        expired = workshop.make(expires="20251231T000000")
        report = verify_now(verifier, document=document, signature=signature, offered=[workshop.armor(expired), armor])
        assert [one.state for one in report.judgements] == [SignatureState.UNKNOWN_ISSUER, SignatureState.GOOD]
        assert conclusion(report).key_id == key.key_id

    def test_when_an_expired_and_a_valid_key_both_signed_each_is_judged(
        self, verifier: SignatureVerifier, workshop: Workshop, signature: bytes, armor: str, key: Key, document: bytes
    ) -> None:
        expired = workshop.make(expires="20251231T000000")
        both = workshop.sign(expired) + signature
        report = verify_now(verifier, document=document, signature=both, offered=[workshop.armor(expired), armor])
        assert [one.state for one in report.judgements] == [SignatureState.EXPIRED_KEY, SignatureState.GOOD]
        assert conclusion(report).key_id == key.key_id
        assert conclusion(report, Client.TERRAFORM).key_id == expired.key_id

    def test_an_undecodable_block_first_is_kept_apart_from_the_good_one(
        self, verifier: SignatureVerifier, signature: bytes, armor: str, document: bytes
    ) -> None:
        report = verify_now(verifier, document=document, signature=signature, offered=["garbage", armor])
        assert [one.state for one in report.judgements] == [SignatureState.UNDECODABLE_KEY, SignatureState.GOOD]
        assert conclusion(report).kind is ConclusionKind.REFUSED
        assert [one.position for one in report.vouching] == [1]

    def test_the_same_block_twice_is_judged_twice(
        self, verifier: SignatureVerifier, signature: bytes, armor: str, document: bytes
    ) -> None:
        report = verify_now(verifier, document=document, signature=signature, offered=[armor, armor])
        assert [(one.position, one.state) for one in report.judgements] == [
            (0, SignatureState.GOOD),
            (1, SignatureState.GOOD),
        ]


class TestSeveralKeysInOneBlock:
    def test_the_second_key_of_a_block_may_be_the_signer(
        self, judge: Judge, workshop: Workshop, key: Key, stranger: Key
    ) -> None:
        block = workshop.wrap(workshop.export(stranger) + workshop.export(key))
        judgement = judge(workshop.sign(key), block)
        assert judgement.state is SignatureState.GOOD
        assert [seen.fingerprint for seen in judgement.keys] == [key.fingerprint, stranger.fingerprint]

    def test_keys_are_listed_even_when_none_signed(
        self, judge: Judge, workshop: Workshop, key: Key, stranger: Key, split_key: Key
    ) -> None:
        judgement = judge(workshop.sign(split_key.subkeys[0]), workshop.armor(key, stranger))
        assert {seen.fingerprint for seen in judgement.keys} == {key.fingerprint, stranger.fingerprint}

    def test_a_second_armoured_block_in_one_text_is_not_read(
        self, judge: Judge, workshop: Workshop, armor: str, stranger: Key
    ) -> None:
        judgement = judge(workshop.sign(stranger), armor + "\n" + workshop.armor(stranger))
        assert judgement.state is SignatureState.UNKNOWN_ISSUER


class TestUnusableBlocks:
    def test_garbage_is_undecodable(self, judge: Judge, signature: bytes) -> None:
        for text in ("", "garbage", "\ud800", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n!!!!\n-----END"):
            judgement = judge(signature, text)
            assert judgement.state is SignatureState.UNDECODABLE_KEY
            assert judgement.detail
            assert judgement.keys == ()

    def test_armour_around_garbage_is_undecodable(self, judge: Judge, workshop: Workshop, signature: bytes) -> None:
        assert judge(signature, workshop.wrap(b"garbage")).state is SignatureState.UNDECODABLE_KEY

    def test_a_cut_block_is_undecodable(self, judge: Judge, armor: str, signature: bytes) -> None:
        half = armor[: len(armor) // 2].rpartition("\n")[0] + "\n-----END PGP PUBLIC KEY BLOCK-----\n"
        assert judge(signature, half).state is SignatureState.UNDECODABLE_KEY

    def test_a_signature_instead_of_a_key_is_undecodable(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes
    ) -> None:
        judgement = judge(signature, workshop.sign(key, armor=True).decode())
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert "PGP SIGNATURE" in judgement.detail

    def test_a_key_without_a_user_id_is_undecodable(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes
    ) -> None:
        bare = next(raw for tag, raw in workshop.packets(workshop.export(key)) if tag == 6)
        judgement = judge(signature, workshop.wrap(bare))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert judgement.detail == "gpg finds no user ID with a valid signature by the key itself"

    def test_a_user_id_that_nobody_signed_is_not_accepted(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes
    ) -> None:
        unsigned = b"".join(raw for tag, raw in workshop.packets(workshop.export(key)) if tag != 2)
        assert judge(signature, workshop.wrap(unsigned)).state is SignatureState.UNDECODABLE_KEY

    def test_a_user_id_whose_signature_was_damaged_is_not_accepted(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes
    ) -> None:
        damaged = workshop.export(key).replace(b"Widget Releases", b"Wadget Releases")
        assert judge(signature, workshop.wrap(damaged)).state is SignatureState.UNDECODABLE_KEY

    @pytest.mark.parametrize("relabelled", [False, True])
    def test_private_keys_are_refused_and_not_kept(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes, relabelled: bool
    ) -> None:
        secret = workshop.run("--armor", "--export-secret-keys", key.fingerprint).decode()
        if relabelled:
            secret = secret.replace("PRIVATE KEY", "PUBLIC KEY")
        judgement = judge(signature, secret)
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert "private keys" in judgement.detail
        assert secret not in repr(judgement)

    def test_a_version_6_key_is_undecodable_for_gpg(self, judge: Judge, workshop: Workshop, signature: bytes) -> None:
        body = b"\x06" + bytes(4) + bytes([27]) + (32).to_bytes(4, "big") + bytes(32)
        judgement = judge(signature, workshop.wrap(b"\xc6" + bytes([len(body)]) + body))
        assert judgement.state is SignatureState.UNDECODABLE_KEY


class TestLimits:
    def verifier(self, gpg_program: Path, homes: Path, now: datetime, **limits: int) -> SignatureVerifier:
        return SignatureVerifier(gpg_program, clock=lambda: now, folder=homes, limits=SignatureLimits(**limits))

    @pytest.mark.parametrize(
        ("limits", "state", "detail"),
        [
            ({"armor_bytes": 100}, SignatureState.UNDECODABLE_KEY, "larger than 100 bytes"),
            ({"keys": 0}, SignatureState.UNDECODABLE_KEY, "more than 0 keys"),
            ({"blocks": 0}, SignatureState.UNDECODABLE_KEY, "more than 0 keys are offered"),
            ({"signature_bytes": 10}, SignatureState.UNDECODABLE_SIGNATURE, "larger than 10 bytes"),
            ({"document_bytes": 10}, SignatureState.UNDECODABLE_SIGNATURE, "document is larger than 10 bytes"),
        ],
    )
    def test_what_passes_a_limit_is_not_judged_and_names_it(
        self,
        gpg_program: Path,
        homes: Path,
        now: datetime,
        signature: bytes,
        armor: str,
        document: bytes,
        limits: dict[str, int],
        state: SignatureState,
        detail: str,
    ) -> None:
        verifier = self.verifier(gpg_program, homes, now, **limits)
        report = verify_now(verifier, document=document, signature=signature, offered=[armor])
        assert report.judgements[0].state is state
        assert detail in report.judgements[0].detail

    def test_blocks_before_the_limit_are_judged(
        self, gpg_program: Path, homes: Path, now: datetime, signature: bytes, armor: str, document: bytes
    ) -> None:
        verifier = self.verifier(gpg_program, homes, now, blocks=1)
        report = verify_now(verifier, document=document, signature=signature, offered=[armor, armor])
        assert [one.state for one in report.judgements] == [SignatureState.GOOD, SignatureState.UNDECODABLE_KEY]

    def test_only_so_many_blocks_are_remembered(
        self,
        gpg_program: Path,
        homes: Path,
        now: datetime,
        workshop: Workshop,
        signature: bytes,
        document: bytes,
        armor: str,
    ) -> None:
        verifier = self.verifier(gpg_program, homes, now, cached_blocks=1)
        for offered in (armor, armor + "\n", armor):
            report = verify_now(verifier, document=document, signature=signature, offered=[offered])
            assert report.judgements[0].state is SignatureState.GOOD
