"""What one offered key says about signatures of all kinds, made by the real gpg."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders.verifying import verify_now
from contract.signatures.workshop import Judge, Key, Workshop

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import SignatureState


class TestRightAndWrong:
    def test_a_good_signature_names_its_key_and_time(
        self, judge: Judge, signature: bytes, armor: str, key: Key
    ) -> None:
        judgement = judge(signature, armor)
        assert judgement.state is SignatureState.GOOD
        assert (judgement.fingerprint, judgement.signing_fingerprint) == (key.fingerprint, key.fingerprint)
        assert judgement.key_id == key.key_id
        assert judgement.signed_at == datetime(2025, 3, 1, tzinfo=UTC)
        assert judgement.valid_when_signed
        assert judgement.detail == ""

    def test_a_signature_over_another_document_is_bad(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str
    ) -> None:
        judgement = judge(workshop.sign(key, b"the list of the version before\n"), armor)
        assert judgement.state is SignatureState.BAD
        assert judgement.fingerprint == key.fingerprint
        assert not judgement.valid_when_signed
        assert not judgement.vouches

    def test_a_line_added_after_signing_makes_it_bad(
        self, judge: Judge, signature: bytes, armor: str, document: bytes
    ) -> None:
        edited = document + b"1" * 64 + b"  terraform-provider-widget_1.0.0_SHA256SUMS.sig\n"
        assert judge(signature, armor, edited).state is SignatureState.BAD

    def test_a_signature_by_a_key_that_is_not_offered_has_an_unknown_issuer(
        self, verifier: SignatureVerifier, workshop: Workshop, stranger: Key, armor: str, document: bytes
    ) -> None:
        report = verify_now(verifier, document=document, signature=workshop.sign(stranger), offered=[armor])
        (judgement,) = report.judgements
        assert judgement.state is SignatureState.UNKNOWN_ISSUER
        assert report.issuers == (stranger.fingerprint,)
        assert judgement.fingerprint == judgement.signing_fingerprint == ""

    def test_the_same_user_id_text_on_another_key_means_nothing(
        self, judge: Judge, signature: bytes, workshop: Workshop, key: Key, stranger: Key
    ) -> None:
        judgement = judge(signature, workshop.armor(stranger))
        assert judgement.state is SignatureState.UNKNOWN_ISSUER
        assert judgement.keys[0].user_ids == ("Widget Releases <releases@widget.example>",)
        assert judgement.keys[0].fingerprint == stranger.fingerprint != key.fingerprint

    def test_without_keys_there_is_no_judgement_but_the_makers_are_named(
        self, verifier: SignatureVerifier, signature: bytes, key: Key, document: bytes
    ) -> None:
        report = verify_now(verifier, document=document, signature=signature, offered=[])
        assert report.judgements == ()
        assert report.issuers == (key.fingerprint,)
        assert report.digest_algorithms == ("sha512",)


class TestForms:
    def test_an_empty_signature_has_an_unknown_issuer(self, judge: Judge, armor: str) -> None:
        judgement = judge(b"", armor)
        assert (judgement.state, judgement.detail) == (SignatureState.UNKNOWN_ISSUER, "the signature is empty")

    def test_an_armoured_signature_is_undecodable_but_its_maker_is_named(
        self, verifier: SignatureVerifier, workshop: Workshop, key: Key, armor: str, document: bytes
    ) -> None:
        armoured = workshop.sign(key, armor=True)
        report = verify_now(verifier, document=document, signature=armoured, offered=[armor])
        assert report.judgements[0].state is SignatureState.UNDECODABLE_SIGNATURE
        assert "ASCII-armoured" in report.judgements[0].detail
        assert report.issuers == (key.fingerprint,)

    def test_a_clear_signed_document_is_undecodable(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str, document: bytes
    ) -> None:
        clear = workshop.run("--local-user", key.fingerprint, "--clear-sign", data=document, when="20250301T000000")
        judgement = judge(clear, armor)
        assert judgement.state is SignatureState.UNDECODABLE_SIGNATURE
        assert "clear-signed" in judgement.detail

    def test_a_signed_message_is_undecodable(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str, document: bytes
    ) -> None:
        inline = workshop.run("--local-user", key.fingerprint, "--sign", data=document, when="20250301T000000")
        assert judge(inline, armor).state is SignatureState.UNDECODABLE_SIGNATURE

    def test_bytes_after_the_deciding_signature_are_ignored(self, judge: Judge, signature: bytes, armor: str) -> None:
        assert judge(signature + b"trailing bytes", armor).state is SignatureState.GOOD

    def test_bytes_after_a_strangers_signature_are_not(
        self, judge: Judge, workshop: Workshop, stranger: Key, armor: str
    ) -> None:
        judgement = judge(workshop.sign(stranger) + b"trailing bytes", armor)
        assert judgement.state is SignatureState.UNDECODABLE_SIGNATURE

    def test_a_cut_signature_is_undecodable(self, judge: Judge, signature: bytes, armor: str) -> None:
        assert judge(signature[:-5], armor).state is SignatureState.UNDECODABLE_SIGNATURE

    def test_a_signature_whose_packet_lies_about_its_inside_is_undecodable(
        self, judge: Judge, signature: bytes, armor: str
    ) -> None:
        emptied = bytes([0xC2, len(signature) - 2 - 40]) + signature[2:-40]
        assert judge(emptied, armor).state is SignatureState.UNDECODABLE_SIGNATURE

    def test_a_certification_is_not_a_signature_over_a_document(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str
    ) -> None:
        certification = next(raw for tag, raw in workshop.packets(workshop.export(key)) if tag == 2)
        judgement = judge(certification, armor)
        assert judgement.state is SignatureState.UNDECODABLE_SIGNATURE
        assert "type 0x13" in judgement.detail


class TestSeveralSignatures:
    @pytest.mark.parametrize("stranger_first", [True, False])
    def test_an_unknown_signature_beside_a_good_one_does_not_matter(
        self,
        verifier: SignatureVerifier,
        workshop: Workshop,
        signature: bytes,
        key: Key,
        stranger: Key,
        armor: str,
        document: bytes,
        stranger_first: bool,
    ) -> None:
        other = workshop.sign(stranger)
        both = other + signature if stranger_first else signature + other
        report = verify_now(verifier, document=document, signature=both, offered=[armor])
        assert report.judgements[0].state is SignatureState.GOOD
        assert set(report.issuers) == {key.fingerprint, stranger.fingerprint}
        assert report.digest_algorithms == ("sha512", "sha512")

    def test_the_first_signature_of_a_key_decides(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes, armor: str
    ) -> None:
        wrong = workshop.sign(key, b"another document\n")
        assert judge(wrong + signature, armor).state is SignatureState.BAD
        assert judge(signature + wrong, armor).state is SignatureState.GOOD

    def test_each_key_is_judged_by_its_own_signature(
        self,
        verifier: SignatureVerifier,
        workshop: Workshop,
        signature: bytes,
        key: Key,
        stranger: Key,
        armor: str,
        document: bytes,
    ) -> None:
        wrong = workshop.sign(stranger, b"another document\n")
        offered = [armor, workshop.armor(stranger)]
        report = verify_now(verifier, document=document, signature=wrong + signature, offered=offered)
        assert [one.state for one in report.judgements] == [SignatureState.GOOD, SignatureState.BAD]
        assert [one.position for one in report.judgements] == [0, 1]


class TestDigestsAndModes:
    @pytest.mark.parametrize("digest", ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"])
    def test_digests_that_the_clients_accept_are_accepted_and_named(
        self, verifier: SignatureVerifier, workshop: Workshop, rsa_key: Key, document: bytes, digest: str
    ) -> None:
        made = workshop.sign(rsa_key, document, "--digest-algo", digest)
        report = verify_now(verifier, document=document, signature=made, offered=[workshop.armor(rsa_key)])
        assert report.judgements[0].state is SignatureState.GOOD
        assert report.digest_algorithms == (digest.lower(),)

    def test_a_digest_that_the_clients_do_not_read_leaves_the_issuer_unknown(
        self, verifier: SignatureVerifier, workshop: Workshop, rsa_key: Key, document: bytes
    ) -> None:
        made = workshop.sign(rsa_key, document, "--digest-algo", "RIPEMD160")
        report = verify_now(verifier, document=document, signature=made, offered=[workshop.armor(rsa_key)])
        assert report.judgements[0].state is SignatureState.UNKNOWN_ISSUER
        assert "ripemd160" in report.judgements[0].detail
        assert report.digest_algorithms == ("ripemd160",)

    def test_a_text_signature_holds_for_both_line_ends(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str, document: bytes
    ) -> None:
        text = workshop.sign(key, document, "--textmode")
        assert judge(text, armor).state is SignatureState.GOOD
        assert judge(text, armor, document.replace(b"\n", b"\r\n")).state is SignatureState.GOOD

    def test_a_binary_signature_holds_for_the_exact_bytes_only(
        self, judge: Judge, signature: bytes, armor: str, document: bytes
    ) -> None:
        assert judge(signature, armor, document.replace(b"\n", b"\r\n")).state is SignatureState.BAD

    def test_a_critical_notation_makes_a_signature_bad_and_a_plain_one_does_not(
        self, judge: Judge, workshop: Workshop, key: Key, armor: str, document: bytes
    ) -> None:
        critical = judge(workshop.sign(key, document, "--set-notation", "!a@widget.example=b"), armor)
        assert critical.state is SignatureState.BAD
        assert "critical notation" in critical.detail
        plain = judge(workshop.sign(key, document, "--set-notation", "a@widget.example=b"), armor)
        assert plain.state is SignatureState.GOOD

    @pytest.mark.parametrize("algorithm", ["rsa2048", "nistp256", "brainpoolP256r1", "dsa2048"])
    def test_keys_of_other_algorithms_sign_too(self, judge: Judge, workshop: Workshop, algorithm: str) -> None:
        made = workshop.make(algorithm=algorithm)
        judgement = judge(workshop.sign(made), workshop.armor(made))
        assert judgement.state is SignatureState.GOOD
        assert judgement.keys[0].algorithm == algorithm


def test_an_empty_document_can_be_signed(judge: Judge, workshop: Workshop, key: Key, armor: str) -> None:
    assert judge(workshop.sign(key, b""), armor, b"").state is SignatureState.GOOD


def test_a_verifier_can_be_used_again_and_again(
    verifier: SignatureVerifier, signature: bytes, armor: str, document: bytes
) -> None:
    states = {
        verify_now(verifier, document=document, signature=signature, offered=[armor]).judgements[0].state
        for _ in range(3)
    }
    assert states == {SignatureState.GOOD}
