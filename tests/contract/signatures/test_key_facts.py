"""What is told of an offered key, also when its owner is hostile."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from contract.signatures.forge import Forge
from contract.signatures.workshop import DOCUMENT, NOW, SIGNED, Judge, Key, Workshop

from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.verify import SignatureVerifier
from lockwarden.core.values.signing_keys import KeyState, SignatureState

_PICTURE = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")
"""The least that gpg takes for a JPEG."""
ALGORITHMS = ["ed25519", "rsa2048", "rsa3072", "nistp384", "brainpoolP512r1", "dsa2048"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_key_is_described_by_fingerprint_algorithm_and_times(
    judge: Judge, workshop: Workshop, algorithm: str
) -> None:
    key = workshop.make("Facts <facts@widget.example>", algorithm=algorithm, expires="20301231T000000")
    (seen,) = judge(workshop.sign(key), workshop.armor(key)).keys
    assert seen.fingerprint == key.fingerprint
    assert seen.key_id == key.fingerprint[-16:]
    assert seen.algorithm == algorithm
    assert seen.created == datetime(2025, 1, 1, tzinfo=UTC)
    assert seen.expires == datetime(2030, 12, 31, tzinfo=UTC)
    assert seen.state is KeyState.VALID
    assert seen.user_ids == ("Facts <facts@widget.example>",)
    assert seen.notes == ()


def test_the_offered_text_is_kept_exactly(judge: Judge, signature: bytes, armor: str) -> None:
    text = "A line before.\n" + armor + "A line after.\n"
    assert judge(signature, text).keys[0].armor == text


def test_a_key_that_never_expires_says_so(judge: Judge, signature: bytes, armor: str) -> None:
    assert judge(signature, armor).keys[0].expires is None


class TestUserIds:
    @pytest.mark.parametrize(
        "user_id",
        [
            "Escape \x1b[31mred\x1b]8;;http://widget.example\x07 <a@widget.example>",
            "[red]markup[/red] [/] [link=http://widget.example] <b@widget.example>",
            "Right \u202eto left\u202c and zero\u200bwidth <c@widget.example>",
            "Colons: percent%3a back\\slash \\x41 tab\there <d@widget.example>",
            "Gr\u00fc\u00dfe \u65e5\u672c \U0001f511 <e@widget.example>",
        ],
    )
    def test_any_text_comes_through_as_it_is(
        self, judge: Judge, workshop: Workshop, forge: Forge, user_id: str
    ) -> None:
        block = forge.block(user_id.encode())
        (seen,) = judge(forge.signature(DOCUMENT), workshop.wrap(block)).keys
        assert seen.user_ids == (user_id,)

    def test_lines_and_status_words_in_a_user_id_stay_data(
        self, judge: Judge, workshop: Workshop, forge: Forge
    ) -> None:
        user_id = b"x\n[GNUPG:] GOODSIG 0 x\nfpr:::::::::" + b"A" * 40 + b":\npub:-:\r\0end"
        judgement = judge(forge.signature(b"another document\n"), workshop.wrap(forge.block(user_id)))
        assert judgement.state is SignatureState.BAD
        assert judgement.keys[0].fingerprint == forge.fingerprint
        assert judgement.keys[0].user_ids == (user_id.decode(),)

    def test_bytes_that_are_not_utf_8_stay_visible(self, judge: Judge, workshop: Workshop, forge: Forge) -> None:
        (seen,) = judge(
            forge.signature(DOCUMENT), workshop.wrap(forge.block(b"caf\xe9 \xff\xfe <a@widget.example>"))
        ).keys
        assert seen.user_ids == ("caf\\xe9 \\xff\\xfe <a@widget.example>",)

    def test_a_long_user_id_is_cut_with_a_note(self, judge: Judge, workshop: Workshop, forge: Forge) -> None:
        judgement = judge(forge.signature(DOCUMENT), workshop.wrap(forge.block(b"L" * 2000)))
        assert judgement.state is SignatureState.GOOD
        assert judgement.keys[0].user_ids == ("L" * 1024,)
        assert judgement.keys[0].notes == ("user ID 1 is cut after 1024 of 2000 bytes",)

    def test_a_user_id_beyond_gpgs_own_limit_makes_the_block_undecodable(
        self, judge: Judge, workshop: Workshop, forge: Forge
    ) -> None:
        judgement = judge(forge.signature(DOCUMENT), workshop.wrap(forge.block(b"L" * 10_000)))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert judgement.detail

    def test_of_hundreds_of_user_ids_some_are_shown_and_the_rest_counted(
        self, judge: Judge, workshop: Workshop, forge: Forge
    ) -> None:
        block = forge.block(*(f"Number {number} <n@widget.example>".encode() for number in range(200)))
        judgement = judge(forge.signature(DOCUMENT), workshop.wrap(block))
        assert judgement.state is SignatureState.GOOD
        assert len(judgement.keys[0].user_ids) == 64
        assert judgement.keys[0].notes == ("user IDs beyond the first 64, not shown: 136",)

    def test_a_user_id_that_the_key_did_not_sign_is_left_out_with_a_note(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes
    ) -> None:
        claim = b"Somebody Else <else@widget.example>"
        block = workshop.export(key) + bytes([0xCD, len(claim)]) + claim
        (seen,) = judge(signature, workshop.wrap(block)).keys
        assert seen.user_ids == ("Widget Releases <releases@widget.example>",)
        assert seen.notes == ("user IDs without a valid signature by the key itself: 1",)

    def test_a_picture_is_counted_and_not_shown(self, judge: Judge, workshop: Workshop, tmp_path: Path) -> None:
        key = workshop.make("Photo <photo@widget.example>")
        picture = tmp_path / "picture.jpg"
        picture.write_bytes(_PICTURE)
        workshop.edit(key, "addphoto", str(picture), "y", "save")
        (seen,) = judge(workshop.sign(key), workshop.armor(key)).keys
        assert seen.user_ids == ("Photo <photo@widget.example>",)
        assert seen.notes == ("user attributes (such as pictures), not shown: 1",)


class TestKeyBombs:
    def test_thousands_of_certifications_by_others_are_passed_over(
        self, judge: Judge, workshop: Workshop, key: Key, stranger: Key, signature: bytes
    ) -> None:
        workshop.run("--local-user", stranger.fingerprint, "--quick-sign-key", key.fingerprint, when=SIGNED)
        exported = workshop.packets(workshop.export(key))
        certification = exported[-1][1]
        block = b"".join(raw for _, raw in exported) + certification * 5_000
        judgement = judge(signature, workshop.wrap(block))
        assert judgement.state is SignatureState.GOOD
        assert judgement.keys[0].user_ids == ("Widget Releases <releases@widget.example>",)

    def test_a_block_of_too_many_packets_is_refused(
        self, judge: Judge, workshop: Workshop, key: Key, signature: bytes
    ) -> None:
        judgement = judge(signature, workshop.wrap(workshop.export(key) + b"\xca\x03PGP" * 20_000))
        assert judgement.state is SignatureState.UNDECODABLE_KEY
        assert "more than 20000 packets" in judgement.detail

    def test_a_listing_that_grows_too_long_stops_gpg(
        self, gpg_program: Path, homes: Path, workshop: Workshop, forge: Forge, document: bytes
    ) -> None:
        limits = SignatureLimits(output_bytes=4_000)
        verifier = SignatureVerifier(gpg_program, clock=lambda: NOW, folder=homes, limits=limits)
        block = forge.block(*(f"Number {number} <n@widget.example>".encode() for number in range(100)))
        report = verifier.verify_now(
            document=document, signature=forge.signature(DOCUMENT), offered=[workshop.wrap(block)]
        )
        assert report.judgements[0].state is SignatureState.UNDECODABLE_KEY
        assert report.judgements[0].detail == "gpg printed more than 4000 bytes"
        assert list(homes.iterdir()) == []
