from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any

import pytest
from builders.tables import table
from hypothesis import given
from hypothesis import strategies as st

from lockwarden.core.signatures.armor import ArmorError, armor_kind, decode_armor
from lockwarden.core.signatures.detached import read_detached
from lockwarden.core.signatures.keyblock import inspect_key_block
from lockwarden.core.signatures.packets import MAX_PACKETS, MalformedPacketError, read_packets
from lockwarden.core.signatures.signature_packets import read_signature

MAKER = bytes(range(20))
MAKER_ID = MAKER.hex().upper()[-16:]
HELLO_ARMOR = b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\naGVsbG8=\n=R/WK\n-----END PGP PUBLIC KEY BLOCK-----\n"
"""`hello`, with the checksum that `gpg --enarmor` gives it."""


def packet(tag: int, body: bytes) -> bytes:
    return bytes([0xC0 | tag, 0xFF]) + len(body).to_bytes(4, "big") + body


def subpacket(kind: int, body: bytes) -> bytes:
    return bytes([len(body) + 1, kind]) + body


CREATED = subpacket(2, (1_700_000_000).to_bytes(4, "big"))
FINGERPRINT = subpacket(33, b"\x04" + MAKER)
ISSUER = subpacket(16, MAKER[-8:])


def signature(
    hashed: bytes = CREATED + FINGERPRINT,
    unhashed: bytes = ISSUER,
    *,
    kind: int = 0,
    digest: int = 10,
    algorithm: int = 1,
    numbers: bytes = b"\x00\x08\xff",
    version: int = 4,
) -> bytes:
    body = bytes([version, kind, algorithm, digest]) + len(hashed).to_bytes(2, "big") + hashed
    return packet(2, body + len(unhashed).to_bytes(2, "big") + unhashed + b"\xab\xcd" + numbers)


LATE_MAKER = subpacket(33, b"\x06" + b"\x07" * 32)


def newest(
    *,
    hashed: bytes = CREATED + LATE_MAKER,
    salt: bytes = bytes(32),
    algorithm: int = 27,
    digest: int = 10,
    numbers: bytes = bytes(64),
) -> bytes:
    """A signature of version 6."""
    body = bytes([6, 0, algorithm, digest]) + len(hashed).to_bytes(4, "big") + hashed + bytes(4)
    return packet(2, body + b"\xab\xcd" + bytes([len(salt)]) + salt + numbers)


OLD_SIGNATURE = packet(
    2, bytes([3, 5, 0]) + (1_700_000_000).to_bytes(4, "big") + MAKER[-8:] + bytes([1, 2, 1, 2, 0, 8, 9])
)


class TestPackets:
    @table(
        ("header", "length"),
        [
            (b"\x88\x05", 5),
            (b"\x89\x01\x00", 256),
            (b"\x8a\x00\x01\x00\x00", 65536),
            (b"\xc2\x05", 5),
            (b"\xc2\xc0\x00", 192),
            (b"\xc2\xdf\xff", 8383),
            (b"\xc2\xff\x00\x00\x01\x00", 256),
        ],
    )
    def test_all_definite_lengths_are_read(self, header: bytes, length: int) -> None:
        (found,) = read_packets(header + bytes(length))
        assert (found.tag, len(found.body), found.raw) == (2, length, header + bytes(length))

    @table(
        "data",
        [
            b"text",
            b"\x88",
            b"\x89\x01",
            b"\x88\x05abcd",
            b"\xc2",
            b"\xc2\xc0",
            b"\xc2\xff\x00",
            b"\x8b\x00",
            b"\xc2\xe1ab",
        ],
    )
    def test_what_is_no_whole_packet_of_known_length_is_malformed(self, data: bytes) -> None:
        with pytest.raises(MalformedPacketError):
            list(read_packets(data))

    def test_packets_before_a_malformed_one_are_still_yielded(self) -> None:
        reader = read_packets(packet(2, b"first") + b"\x00")
        assert next(reader).body == b"first"
        with pytest.raises(MalformedPacketError):
            next(reader)

    def test_the_number_of_packets_is_limited(self) -> None:
        assert sum(1 for _ in read_packets(b"\xc2\x00" * MAX_PACKETS)) == MAX_PACKETS
        with pytest.raises(MalformedPacketError, match=f"more than {MAX_PACKETS} packets"):
            list(read_packets(b"\xc2\x00" * (MAX_PACKETS + 1)))

    @given(st.binary(max_size=300))
    def test_any_bytes_are_packets_or_malformed(self, data: bytes) -> None:
        try:
            found = [each.raw for each in read_packets(data)]
        except MalformedPacketError:
            return
        assert b"".join(found) == data


class TestSignaturePackets:
    def test_a_signature_names_its_maker_digest_and_time(self) -> None:
        (found,) = read_packets(signature())
        read = read_signature(found)
        assert (read.version, read.kind, read.digest) == (4, 0, "sha512")
        assert (read.key_id, read.fingerprint) == (MAKER_ID, MAKER.hex().upper())
        assert read.created == datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)

    def test_a_key_id_alone_is_enough(self) -> None:
        (found,) = read_packets(signature(CREATED, ISSUER))
        read = read_signature(found)
        assert (read.key_id, read.fingerprint) == (MAKER_ID, "")

    def test_the_last_issuer_wins_as_in_the_clients(self) -> None:
        (found,) = read_packets(signature(CREATED + FINGERPRINT, subpacket(16, b"\x11" * 8)))
        read = read_signature(found)
        assert (read.key_id, read.fingerprint) == ("11" * 8, "")

    def test_a_signature_without_issuer_says_so(self) -> None:
        (found,) = read_packets(signature(CREATED, b""))
        assert (read_signature(found).key_id, read_signature(found).expires) == ("", None)

    def test_a_signature_without_a_covered_time_is_malformed(self) -> None:
        (found,) = read_packets(signature(FINGERPRINT, CREATED))
        with pytest.raises(MalformedPacketError, match="does not say when it was made"):
            read_signature(found)

    def test_what_is_not_covered_is_left_out_but_for_the_maker(self) -> None:
        (found,) = read_packets(signature(unhashed=subpacket(0x80 | 100, b"x") + ISSUER))
        (plain,) = read_packets(read_signature(found).naming(MAKER_ID))
        assert plain.raw == signature()

    def test_long_subpackets_are_read(self) -> None:
        long_one = b"\xc1\x00" + bytes([100]) + bytes(447) + b"\xff\x00\x00\x00\x03" + bytes([101]) + b"ab"
        (found,) = read_packets(signature(CREATED + FINGERPRINT + long_one))
        kinds = [(one.kind, len(one.body)) for one in read_signature(found).subpackets]
        assert kinds == [(2, 4), (33, 21), (100, 447), (101, 2), (16, 8)]

    def test_an_unlisted_digest_is_named_by_its_number(self) -> None:
        (found,) = read_packets(signature(digest=99))
        assert read_signature(found).digest == "digest 99"

    def test_the_old_form_is_read_as_far_as_its_maker_and_digest(self) -> None:
        (found,) = read_packets(OLD_SIGNATURE)
        read = read_signature(found)
        assert (read.version, read.key_id, read.digest) == (3, MAKER_ID, "sha1")

    @table("version", [2, 7])
    def test_of_other_versions_only_the_version_is_known(self, version: int) -> None:
        (found,) = read_packets(packet(2, bytes([version]) + b"rest"))
        read = read_signature(found)
        assert (read.version, read.digest, read.key_id) == (version, "", "")

    def test_version_6_is_read_as_far_as_its_maker_and_digest(self) -> None:
        (found,) = read_packets(newest())
        read = read_signature(found)
        assert (read.version, read.fingerprint, read.key_id) == (6, "07" * 32, "07" * 8)
        assert (read.digest, read.overlong) == ("sha512", False)

    @table(
        "made",
        [
            {"salt": bytes(16)},
            {"hashed": LATE_MAKER},
            {"hashed": CREATED},
            {"hashed": CREATED + subpacket(33, b"\x04" + MAKER)},
            {"hashed": CREATED + LATE_MAKER + ISSUER},
            {"numbers": bytes(63)},
            {"algorithm": 1, "numbers": b"\x01\x00\x80"},
        ],
    )
    def test_what_opentofu_cannot_read_of_version_6_is_malformed(self, made: dict[str, Any]) -> None:
        (found,) = read_packets(newest(**made))
        with pytest.raises(MalformedPacketError):
            read_signature(found)

    @table("made", [{"algorithm": 99}, {"digest": 2}, {"digest": 1}])
    def test_version_6_is_passed_over_unread_where_its_algorithm_is_unknown(self, made: dict[str, Any]) -> None:
        (found,) = read_packets(newest(**made, numbers=b""))
        assert (read_signature(found).version, read_signature(found).key_id) == (6, "")

    @table(("numbers", "overlong"), [(b"\x00\x08\xff", False), (b"\x00\x00", False), (b"\x00\x08\xff\x00", True)])
    def test_bytes_behind_the_numbers_of_a_signature_are_noticed(self, numbers: bytes, overlong: bool) -> None:
        (found,) = read_packets(signature(numbers=numbers))
        assert read_signature(found).overlong is overlong

    @table("numbers", [b"", b"\x00", b"\x00\x09\xff"])
    def test_numbers_that_are_cut_are_malformed(self, numbers: bytes) -> None:
        (found,) = read_packets(signature(numbers=numbers))
        with pytest.raises(MalformedPacketError):
            read_signature(found)

    @table(
        ("kind", "body", "plain", "critical"),
        [
            # Non-critical and critical: read, or passed over by both (skipped), or by one client alone (malformed).
            (4, b"\x01", "read", "malformed"),
            (4, b"\x00", "malformed", "skipped"),
            (23, b"\x80", "read", "malformed"),
            (24, b"key server", "read", "malformed"),
            (35, b"\x04" + MAKER, "read", "malformed"),
            (35, b"\x06" + bytes(32), "read", "malformed"),
            (28, b"maker", "read", "read"),
            (39, b"\x09\x02", "read", "read"),
            (60, b"?", "read", "skipped"),
        ],
    )
    def test_a_subpacket_over_which_the_clients_differ_is_malformed(
        self, kind: int, body: bytes, plain: str, critical: str
    ) -> None:
        assert (self.how_read(subpacket(kind, body)), self.how_read(subpacket(0x80 | kind, body))) == (plain, critical)
        beside = read_detached(signature(unhashed=ISSUER + subpacket(0x80 | kind, body)))
        assert (len(beside.readable), beside.defect) == (1, "")

    @staticmethod
    def how_read(hashed: bytes) -> str:
        found = read_detached(signature(CREATED + FINGERPRINT + hashed))
        if found.defect:
            return "malformed"
        return "read" if found.readable else "skipped"

    @table(
        "body",
        [
            b"",
            b"\x04\x00\x01",
            b"\x04\x00\x01\x0a\x00\x09short",
            b"\x04\x00\x01\x0a\x00\x00\x00\x09",
            b"\x04\x00\x01\x0a\x00\x00\x00\x00\xab",
            b"\x03\x05\x00",
        ],
    )
    def test_a_packet_that_contradicts_its_lengths_is_malformed(self, body: bytes) -> None:
        (found,) = read_packets(packet(2, body))
        with pytest.raises(MalformedPacketError):
            read_signature(found)

    @table("hashed", [b"\x00", b"\x09\x02abc", b"\xc0", b"\xff\x00", subpacket(16, b"abc"), subpacket(33, b"\x04abc")])
    def test_a_subpacket_that_is_empty_cut_or_of_wrong_length_is_malformed(self, hashed: bytes) -> None:
        (found,) = read_packets(signature(hashed))
        with pytest.raises(MalformedPacketError):
            read_signature(found)


class TestSignatureFiles:
    def test_all_makers_and_digests_of_a_file_are_named_in_order(self) -> None:
        other = signature(CREATED, subpacket(16, b"\x22" * 8), digest=2)
        found = read_detached(signature() + other)
        assert found.issuers == (MAKER.hex().upper(), "22" * 8)
        assert found.digest_algorithms == ("sha512", "sha1")
        assert (len(found.readable), found.defect, found.skipped) == (2, "", ())

    def test_an_empty_file_is_no_defect(self) -> None:
        found = read_detached(b"")
        assert (found.readable, found.defect, found.issuers) == ((), "", ())

    def test_bytes_after_a_signature_are_a_defect_behind_it(self) -> None:
        found = read_detached(signature() + b"trailing")
        assert len(found.readable) == 1
        assert found.defect == "these are not OpenPGP packets"

    @table(
        ("data", "reason"),
        [
            (OLD_SIGNATURE, "version 3"),
            (packet(2, b"\x07rest"), "version 7"),
            (newest(algorithm=99), "version 6"),
            (signature(digest=1), "md5"),
            (signature(digest=3), "ripemd160"),
            (signature(digest=99), "digest 99"),
            (signature(algorithm=16), "algorithm 16"),
            (signature(CREATED + subpacket(0x80 | 60, b"?")), "critical subpacket (60)"),
        ],
    )
    def test_signatures_that_the_clients_skip_are_skipped_with_a_reason(self, data: bytes, reason: str) -> None:
        found = read_detached(data + signature())
        assert len(found.readable) == 1
        (why,) = found.skipped
        assert reason in why

    def test_a_weak_digest_is_named_though_its_signature_is_skipped(self) -> None:
        assert read_detached(signature(digest=1)).digest_algorithms == ("md5",)

    @pytest.mark.parametrize("ignored", [packet(10, b"PGP"), packet(12, b"t"), packet(60, b"private")])
    def test_packets_that_mean_nothing_are_passed_over(self, ignored: bytes) -> None:
        found = read_detached(ignored + signature())
        assert (len(found.readable), found.defect) == (1, "")

    def test_behind_a_signature_with_bytes_after_its_numbers_nothing_is_read(self) -> None:
        found = read_detached(signature(numbers=b"\x00\x08\xffXYZ") + signature())
        assert len(found.readable) == 1
        assert "followed by bytes inside its packet" in found.defect

    def test_a_packet_of_another_kind_is_a_defect(self) -> None:
        found = read_detached(packet(11, b"document") + signature())
        assert found.readable == ()
        assert "tag 11" in found.defect

    def test_an_armoured_file_is_a_defect_but_its_makers_are_named(self) -> None:
        text = b"-----BEGIN PGP SIGNATURE-----\n\n" + base64.encodebytes(signature()) + b"-----END PGP SIGNATURE-----\n"
        found = read_detached(text)
        assert "ASCII-armoured" in found.defect
        assert (found.readable, found.issuers, found.digest_algorithms) == ((), (MAKER.hex().upper(),), ("sha512",))

    def test_broken_armour_is_still_called_armour(self) -> None:
        found = read_detached(b"-----BEGIN PGP SIGNATURE-----\n\n!!!")
        assert "ASCII-armoured" in found.defect
        assert found.issuers == ()

    def test_a_clear_signed_document_is_called_that(self) -> None:
        assert "clear-signed" in read_detached(b"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nhi\n").defect

    @given(st.binary(max_size=200))
    def test_reading_any_file_never_raises(self, data: bytes) -> None:
        found = read_detached(data)
        assert found.readable == () or data != b""

    @given(st.data())
    def test_a_damaged_signature_never_raises(self, data: st.DataObject) -> None:
        whole = bytearray(signature() + signature(digest=2))
        for _ in range(data.draw(st.integers(1, 4))):
            whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
        assert len(read_detached(bytes(whole)).readable) <= len(whole)


class TestArmor:
    def test_a_block_is_decoded_and_what_surrounds_it_ignored(self) -> None:
        block = decode_armor(b"before\n" + HELLO_ARMOR + b"after\n")
        assert (block.kind, block.data) == ("PGP PUBLIC KEY BLOCK", b"hello")

    def test_only_the_first_block_of_a_text_counts(self) -> None:
        assert decode_armor(HELLO_ARMOR + HELLO_ARMOR.replace(b"aGVsbG8=", b"b3RoZXI=")).data == b"hello"

    @table(
        "text",
        [
            HELLO_ARMOR.replace(b"\n", b"\r\n"),
            HELLO_ARMOR.replace(b"=R/WK\n", b""),
            HELLO_ARMOR.replace(b"\n\n", b"\nVersion: 1\nComment: a: b\n\n"),
            HELLO_ARMOR.replace(b"\n\n", b"\n  \n"),
            b"-----BEGIN PGP NONE-----\nno header\n" + HELLO_ARMOR,
        ],
    )
    def test_line_ends_headers_and_a_missing_checksum_do_not_matter(self, text: bytes) -> None:
        assert decode_armor(text).data == b"hello"

    @table(
        ("text", "reason"),
        [
            (b"", "no armoured block"),
            (b"garbage", "no armoured block"),
            (b"-----BEGIN PGP X-----\nVersion: 1", "no armoured block"),
            (HELLO_ARMOR.replace(b"\n\n", b"\n"), "no armoured block"),
            (HELLO_ARMOR.replace(b"=R/WK", b"=R/WQ"), "checksum is wrong"),
            (HELLO_ARMOR.replace(b"=R/WK", b"=R!WP"), "not valid base64"),
            (HELLO_ARMOR.replace(b"aGVs", b"a!Vs"), "not valid base64"),
            (HELLO_ARMOR.replace(b"aGVs", b"  aGVs"), "not valid base64"),
            (HELLO_ARMOR[: HELLO_ARMOR.index(b"-----END")], "END line is missing"),
            (HELLO_ARMOR.replace(b"aGVs", b"aGVs" * 25), "longer than 96"),
        ],
    )
    def test_broken_armour_is_refused_with_the_reason(self, text: bytes, reason: str) -> None:
        with pytest.raises(ArmorError, match=reason):
            decode_armor(text)

    @table(
        "text",
        [
            HELLO_ARMOR,
            b"".join(b"    " + line + b" \t" + b"\n" for line in HELLO_ARMOR.splitlines()),
            HELLO_ARMOR.replace(b"=R/WK", b"=R/WQ"),
            HELLO_ARMOR[: HELLO_ARMOR.index(b"-----END")],
            HELLO_ARMOR[: HELLO_ARMOR.index(b"=R/WK")],
        ],
    )
    def test_opentofu_takes_indented_lines_any_checksum_and_a_missing_end(self, text: bytes) -> None:
        assert decode_armor(text, lax=True).data == b"hello"

    @table(
        ("text", "reason"),
        [
            (b"garbage", "no armoured block"),
            (HELLO_ARMOR.replace(b"aGVs", b"a!Vs"), "not valid base64"),
            (HELLO_ARMOR.replace(b"aGVs", b"aG Vs"), "not valid base64"),
            (HELLO_ARMOR.replace(b"aGVs", b"aGVs" * 25), "longer than 96"),
        ],
    )
    def test_what_opentofu_refuses_too(self, text: bytes, reason: str) -> None:
        with pytest.raises(ArmorError, match=reason):
            decode_armor(text, lax=True)

    def test_the_kind_is_known_before_the_rest_is_read(self) -> None:
        assert armor_kind(b"text\n-----BEGIN PGP SIGNATURE-----\n!") == "PGP SIGNATURE"
        assert armor_kind(b"no armour") == ""

    @given(st.binary(max_size=120))
    def test_any_bytes_come_back_from_armour(self, data: bytes) -> None:
        text = b"-----BEGIN PGP X-----\n\n" + base64.encodebytes(data) + b"-----END PGP X-----\n"
        assert decode_armor(text).data == data

    @given(st.binary(max_size=200))
    def test_any_text_is_armour_or_refused(self, data: bytes) -> None:
        with pytest.raises(ArmorError):
            decode_armor(data.replace(b"-", b"+"))


class TestKeyBlocks:
    KEY = packet(6, b"\x04" + bytes(4) + b"\x01key")

    def test_secret_keys_are_noticed(self) -> None:
        assert inspect_key_block(packet(5, b"\x04secret")).holds_secret_keys
        assert inspect_key_block(self.KEY + packet(7, b"\x04secret")).holds_secret_keys
        assert not inspect_key_block(self.KEY).holds_secret_keys

    @table("data", [b"", packet(13, b"a user ID without a key"), packet(14, b"\x04sub"), signature()])
    def test_packets_without_a_key_are_malformed(self, data: bytes) -> None:
        with pytest.raises(MalformedPacketError):
            inspect_key_block(data)

    @table("tag", [0, 8, 9, 11, 15, 16, 18, 19, 20, 22, 30, 39])
    def test_a_packet_that_opentofu_may_not_pass_over_is_malformed(self, tag: int) -> None:
        with pytest.raises(MalformedPacketError):
            inspect_key_block(self.KEY + packet(tag, b"abc"))

    @table("tag", [1, 3, 4, 10, 12, 21, 40, 60])
    def test_one_that_both_clients_pass_over_is_none(self, tag: int) -> None:
        assert inspect_key_block(self.KEY + packet(tag, b"abc")) == inspect_key_block(self.KEY)

    def test_user_ids_attributes_and_subkeys_are_counted(self) -> None:
        block = inspect_key_block(
            self.KEY + packet(13, b"one") + packet(13, b"two") + packet(17, b"picture") + packet(14, b"\x04sub")
        )
        primary = next(shape for fingerprint, shape in block.keys.items() if shape.primary == fingerprint)
        assert (primary.user_ids, primary.user_attributes) == (2, 1)
        assert len(list(block.subkeys_of(primary.primary))) == 1

    def test_keys_of_other_versions_have_no_fingerprint_here(self) -> None:
        assert inspect_key_block(packet(6, b"\x06key") + packet(14, b"\x06sub")).keys == {}
