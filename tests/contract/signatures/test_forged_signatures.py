"""Keys and signatures that gpg does not make: weak, old or strange ones."""

from __future__ import annotations

import pytest
from builders.verifying import verify_now
from contract.signatures.forge import Forge, packet, subpacket
from contract.signatures.workshop import Judge, Workshop

from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import SignatureState

USER_ID = b"Forge <forge@widget.example>"


def test_what_the_forge_makes_is_good_by_default(
    judge: Judge, workshop: Workshop, forge: Forge, document: bytes
) -> None:
    judgement = judge(forge.signature(document), workshop.wrap(forge.block(USER_ID)))
    assert judgement.state is SignatureState.GOOD
    assert judgement.fingerprint == forge.fingerprint


def test_a_key_that_does_not_say_what_it_is_for_does_not_count_as_the_issuer(
    judge: Judge, workshop: Workshop, forge: Forge, document: bytes
) -> None:
    judgement = judge(forge.signature(document), workshop.wrap(forge.block(USER_ID, flags=None)))
    assert judgement.state is SignatureState.UNKNOWN_ISSUER
    assert judgement.detail == f"key {forge.fingerprint} is offered, but not for signing"


@pytest.mark.parametrize("flags", [0x01, 0x0C])
def test_a_key_that_is_not_for_signing_does_not_count_as_the_issuer(
    judge: Judge, workshop: Workshop, forge: Forge, document: bytes, flags: int
) -> None:
    judgement = judge(forge.signature(document), workshop.wrap(forge.block(USER_ID, flags=flags)))
    assert judgement.state is SignatureState.UNKNOWN_ISSUER


class TestWeakAndOldSignatures:
    def test_an_md5_signature_is_never_good(
        self, verifier: SignatureVerifier, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        offered = [workshop.wrap(forge.block(USER_ID))]
        report = verify_now(
            verifier, document=document, signature=forge.signature(document, digest="md5"), offered=offered
        )
        assert report.judgements[0].state is SignatureState.UNKNOWN_ISSUER
        assert "md5" in report.judgements[0].detail
        assert report.digest_algorithms == ("md5",)
        assert report.issuers == (forge.fingerprint,)

    def test_a_version_3_signature_is_skipped_and_its_maker_named(
        self, verifier: SignatureVerifier, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        offered = [workshop.wrap(forge.block(USER_ID))]
        report = verify_now(verifier, document=document, signature=forge.old_signature(document), offered=offered)
        assert report.judgements[0].state is SignatureState.UNKNOWN_ISSUER
        assert "version 3" in report.judgements[0].detail
        assert report.issuers == (forge.fingerprint[-16:],)

    def test_a_readable_signature_after_a_skipped_one_counts(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        both = forge.signature(document, digest="md5") + forge.signature(document)
        assert judge(both, workshop.wrap(forge.block(USER_ID))).state is SignatureState.GOOD


class TestStrangeSignatures:
    def test_a_signature_that_names_no_maker_is_undecodable(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        judgement = judge(forge.signature(document, issuer=False), workshop.wrap(forge.block(USER_ID)))
        assert judgement.state is SignatureState.UNDECODABLE_SIGNATURE
        assert "does not name" in judgement.detail

    def test_a_key_id_outside_the_covered_part_cannot_lend_a_signature_to_another_key(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        other = Forge()
        claimed = subpacket(16, bytes.fromhex(other.fingerprint)[-8:])
        whole = forge.signature(document)
        own = subpacket(16, bytes.fromhex(forge.fingerprint)[-8:])
        judgement = judge(whole.replace(own, claimed), workshop.wrap(other.block(USER_ID)))
        assert judgement.state is SignatureState.BAD
        assert not judgement.vouches

    @pytest.mark.parametrize("kind", [0x02, 0x10, 0x18, 0x40])
    def test_signatures_of_other_types_are_undecodable(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes, kind: int
    ) -> None:
        judgement = judge(forge.signature(document, kind=kind), workshop.wrap(forge.block(USER_ID)))
        assert judgement.state is SignatureState.UNDECODABLE_SIGNATURE
        assert f"type 0x{kind:02x}" in judgement.detail

    def test_a_signature_without_its_numbers_is_undecodable(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        body = forge.signature(document)[6:-68]
        judgement = judge(packet(2, body + bytes(2)), workshop.wrap(forge.block(USER_ID)))
        assert judgement.state is SignatureState.UNDECODABLE_SIGNATURE


class TestStrangeKeys:
    def test_a_key_revoked_by_another_key_is_refused_as_the_clients_do(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        primary, rest = forge.block(), forge.block(USER_ID)[len(forge.block()) :]
        revocation = Forge().signature(forge.framed, kind=0x20)
        judgement = judge(forge.signature(document), workshop.wrap(primary + revocation + rest))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert judgement.detail == "it is revoked by another key"

    def test_a_revocation_that_gives_no_reason_counts(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        primary, rest = forge.block(), forge.block(USER_ID)[len(forge.block()) :]
        revocation = forge.signature(forge.framed, kind=0x20)
        judgement = judge(forge.signature(document), workshop.wrap(primary + revocation + rest))
        assert (judgement.state, judgement.detail) == (SignatureState.REVOKED, "no reason given")

    def test_a_key_is_refused_for_a_subkey_that_it_did_not_bind_as_the_clients_do(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        other = Forge()
        subkey = packet(14, other.body) + forge.signature(b"something else", kind=0x18)
        judgement = judge(forge.signature(document), workshop.wrap(forge.block(USER_ID) + subkey))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert judgement.detail == f"subkey {other.fingerprint} is not validly signed by the key"

    def test_a_bound_subkey_of_an_algorithm_that_gpg_does_not_know_does_no_harm(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        body = b"\x04" + bytes(4) + bytes([25]) + bytes(32)
        binding = forge.signature(forge.framed + b"\x99\x00" + bytes([len(body)]) + body, kind=0x18)
        judgement = judge(forge.signature(document), workshop.wrap(forge.block(USER_ID) + packet(14, body) + binding))
        assert judgement.state is SignatureState.GOOD
        assert judgement.keys[0].signing_subkeys == ()

    def test_a_subkey_of_another_version_makes_the_key_undecodable_for_gpg(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        body = b"\x06" + bytes(4) + bytes([25]) + (32).to_bytes(4, "big") + bytes(32)
        binding = forge.signature(forge.framed + b"\x9b" + len(body).to_bytes(4, "big") + body, kind=0x18)
        judgement = judge(forge.signature(document), workshop.wrap(forge.block(USER_ID) + packet(14, body) + binding))
        assert judgement.state is SignatureState.UNDECODABLE_KEY

    def test_a_key_is_refused_for_a_wrong_signature_on_one_of_its_user_ids_as_the_clients_do(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        block = forge.block(USER_ID, b"Second <second@widget.example>").replace(b"Second <", b"Wrong! <")
        judgement = judge(forge.signature(document), workshop.wrap(block))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert "wrong signature" in judgement.detail

    def test_a_user_id_with_a_signature_of_a_wrong_type_is_refused_as_the_clients_do(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        block = forge.block(USER_ID) + forge.signature(forge.framed, kind=0x16)
        judgement = judge(forge.signature(document), workshop.wrap(block))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert "wrong type" in judgement.detail

    def test_a_subkey_with_a_signature_of_a_wrong_type_is_refused_as_the_clients_do(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        subkey = packet(14, Forge().body)
        block = forge.block(USER_ID) + subkey + forge.signature(forge.framed, kind=0x13)
        judgement = judge(forge.signature(document), workshop.wrap(block))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert "subkey" in judgement.detail

    def test_a_key_packet_that_holds_more_than_a_key_is_undecodable_as_for_the_clients(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        block = packet(6, forge.body + b"x") + forge.block(USER_ID)[len(packet(6, forge.body)) :]
        judgement = judge(forge.signature(document), workshop.wrap(block))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert judgement.detail == "its packet holds more than a key"

    def test_a_signature_of_another_version_on_a_key_is_passed_over(
        self, judge: Judge, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        block = forge.block(USER_ID) + packet(2, b"\x06 unknown")
        assert judge(forge.signature(document), workshop.wrap(block)).state is SignatureState.GOOD
