"""Forms of keys and signatures on which gpg and the clients' library disagree: what the clients do counts.

Each right value is what Terraform 1.11.4 and OpenTofu 1.12.6 did with the same bytes: they installed, refused, or found
no issuer. Where they differ, the one that refused counts.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from contract.signatures.forge import SIGNED, Forge, packet, subpacket
from contract.signatures.workshop import DOCUMENT, NOW, Judge, Workshop

from lockwarden.core.values.signing_keys import SignatureState

USER_ID, OTHER_ID = b"Forge <forge@widget.example>", b"Second <second@widget.example>"
MAIN = subpacket(25, b"\x01")
LATER, FUTURE = SIGNED + 1000, int(NOW.timestamp()) + 86_400
MINUTE = (60).to_bytes(4, "big")
GOOD, BAD, UNKNOWN = SignatureState.GOOD, SignatureState.BAD, SignatureState.UNKNOWN_ISSUER
NO_KEY, NO_SIGNATURE = SignatureState.UNDECODABLE_KEY, SignatureState.UNDECODABLE_SIGNATURE
EXPIRED = SignatureState.EXPIRED_SIGNATURE


MAKER_OF_VERSION_6 = subpacket(2, SIGNED.to_bytes(4, "big")) + subpacket(33, b"\x06" + bytes(32))
NEWEST = b"\x06\x00\x1b\x0a" + len(MAKER_OF_VERSION_6).to_bytes(4, "big") + MAKER_OF_VERSION_6
NEWEST += bytes(4) + b"\xab\xcd" + b"\x20" + bytes(32 + 64)
"""A signature of version 6 by a key that nobody has."""


def notation(name: bytes) -> bytes:
    return b"\x80\0\0\0" + len(name).to_bytes(2, "big") + b"\0\x01" + name + b"v"


SIGNATURES: dict[str, tuple[Callable[[Forge], bytes], SignatureState]] = {
    # Anyone may add what is not covered; of that the clients read who made the signature, and what it holds.
    "a critical subpacket beside": (lambda f: f.signature(DOCUMENT, beside=subpacket(0x80 | 100, b"x")), GOOD),
    "a critical notation beside": (lambda f: f.signature(DOCUMENT, beside=subpacket(0x94, notation(b"a@b"))), GOOD),
    "a signature of a wrong type beside": (
        lambda f: f.signature(DOCUMENT, beside=subpacket(32, f.signature(b"x")[6:])),
        NO_SIGNATURE,
    ),
    "two signatures beside": (
        lambda f: f.signature(DOCUMENT, beside=2 * subpacket(32, f.signature(b"x", kind=0x19)[6:])),
        NO_SIGNATURE,
    ),
    "an old signature beside": (lambda f: f.signature(DOCUMENT, beside=subpacket(32, b"\x03old")), UNKNOWN),
    "nothing of a signature beside": (lambda f: f.signature(DOCUMENT, beside=subpacket(32, b"\x04")), NO_SIGNATURE),
    "no time": (lambda f: f.signature(DOCUMENT, made=None), NO_SIGNATURE),
    "a time beside": (
        lambda f: f.signature(DOCUMENT, made=None, beside=subpacket(2, SIGNED.to_bytes(4, "big"))),
        NO_SIGNATURE,
    ),
    "two times": (lambda f: f.signature(DOCUMENT, extra=subpacket(2, FUTURE.to_bytes(4, "big"))), EXPIRED),
    "two ends": (
        lambda f: f.signature(DOCUMENT, extra=subpacket(3, (1 << 31).to_bytes(4, "big")) + subpacket(3, MINUTE)),
        EXPIRED,
    ),
    "a critical notation that gpg knows": (
        lambda f: f.signature(DOCUMENT, extra=subpacket(0x94, notation(b"preferred-email-encoding@pgp.com"))),
        BAD,
    ),
    "one of version 6 before it": (lambda f: packet(2, NEWEST) + f.signature(DOCUMENT), GOOD),
    "one of version 6 that is cut short before it": (
        lambda f: packet(2, NEWEST[:-1]) + f.signature(DOCUMENT),
        NO_SIGNATURE,
    ),
    "one of version 6 that claims to be of the same key before it": (
        lambda f: packet(2, NEWEST.replace(bytes(32), named_late(f), 1)) + f.signature(DOCUMENT),
        NO_SIGNATURE,
    ),
    "one of version 5 by the same key before it": (
        lambda f: (
            packet(2, b"\x05" + f.signature(b"x", extra=subpacket(33, b"\x05" + named_late(f)), issuer=False)[7:])
            + f.signature(DOCUMENT)
        ),
        NO_SIGNATURE,
    ),
    "another's with bytes after its numbers before it": (
        lambda f: packet(2, Forge().signature(DOCUMENT)[6:] + f.signature(b"x")) + f.signature(DOCUMENT),
        NO_SIGNATURE,
    ),
    "an issuer fingerprint of another version": (
        lambda f: f.signature(DOCUMENT, extra=subpacket(33, b"\x06" + bytes.fromhex(f.fingerprint)), issuer=False),
        NO_SIGNATURE,
    ),
    "kept for its maker": (lambda f: f.signature(DOCUMENT, extra=subpacket(4, b"\0")), NO_SIGNATURE),
    "kept for its maker, and critical": (lambda f: f.signature(DOCUMENT, extra=subpacket(0x84, b"\0")), UNKNOWN),
    "critical key server preferences": (lambda f: f.signature(DOCUMENT, extra=subpacket(0x97, b"\x80")), NO_SIGNATURE),
    "bad by critical preferences, before it": (
        lambda f: f.signature(b"x", extra=subpacket(0x97, b"\x80")) + f.signature(DOCUMENT),
        NO_SIGNATURE,
    ),
    # Right for the clients: gpg does not know these, and its word that they are bad is not passed on.
    "a critical signer's user ID": (lambda f: f.signature(DOCUMENT, extra=subpacket(0x9C, b"a")), NO_SIGNATURE),
    "critical cipher suites": (lambda f: f.signature(DOCUMENT, extra=subpacket(0xA7, b"\1\1")), NO_SIGNATURE),
    **{
        f"subpacket {kind} of {len(body)} bytes": (
            lambda f, kind=kind, body=body: f.signature(DOCUMENT, extra=subpacket(kind, body)),  # type: ignore[misc]
            NO_SIGNATURE,
        )
        for kind, body in (
            (3, b"ab"),
            (4, b""),
            (5, b"a"),
            (6, b"a"),
            (9, b"a"),
            (20, notation(b"a@b") + b"x"),
            (20, b"a"),
            (25, b""),
            (27, b""),
            (29, b""),
            (35, b""),
            (35, b"\x04" + bytes(32)),
            (35, b"\x06" + bytes(20)),
            (39, b"a"),
        )
    },
}


def named_late(forge: Forge) -> bytes:
    """The fingerprint of a newer key whose ID is that of the older one."""
    return bytes.fromhex(forge.fingerprint)[-8:] + bytes(24)


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_counts_as_for_the_clients(name: str, judge: Judge, workshop: Workshop, forge: Forge) -> None:
    made, state = SIGNATURES[name]
    judgement = judge(made(forge), workshop.wrap(forge.block(USER_ID)))
    assert (judgement.state, judgement.vouches) == (state, state is GOOD or (state is EXPIRED and "ends" in name))


def named(forge: Forge, *user_ids: tuple[bytes, bytes]) -> bytes:
    """The key with user IDs and what stands behind each."""
    return packet(6, forge.body) + b"".join(packet(13, name) + behind for name, behind in user_ids)


KEYS: dict[str, tuple[Callable[[Forge, Forge], bytes], SignatureState]] = {
    "the newest certificate does not say what the key is for": (
        lambda f, _: named(f, (USER_ID, f.certificate(USER_ID) + f.certificate(USER_ID, flags=None, made=LATER))),
        UNKNOWN,
    ),
    "an older one does not": (
        lambda f, _: named(f, (USER_ID, f.certificate(USER_ID, flags=None) + f.certificate(USER_ID, made=LATER))),
        GOOD,
    ),
    "the main user ID has the key certify only": (
        lambda f, _: named(
            f, (USER_ID, f.certificate(USER_ID, flags=1, extra=MAIN)), (OTHER_ID, f.certificate(OTHER_ID, made=LATER))
        ),
        UNKNOWN,
    ),
    "a direct signature allows what the user ID does not": (
        lambda f, _: (
            packet(6, f.body)
            + f.signature(f.framed, kind=0x1F, extra=subpacket(27, b"\x03"), made=LATER)
            + named(f, (USER_ID, f.certificate(USER_ID, flags=1)))[len(packet(6, f.body)) :]
        ),
        UNKNOWN,
    ),
    "the same user ID stands there again": (
        lambda f, _: f.block(USER_ID) + packet(13, USER_ID) + f.certificate(USER_ID, flags=None, made=LATER),
        UNKNOWN,
    ),
    "the user ID was revoked and certified anew": (
        lambda f, _: (
            f.block(USER_ID)
            + f.certificate(USER_ID, kind=0x30, flags=None, made=SIGNED + 9)
            + f.certificate(USER_ID, made=LATER)
        ),
        NO_KEY,
    ),
    "what the key signed of itself has expired": (
        lambda f, _: named(f, (USER_ID, f.certificate(USER_ID, extra=subpacket(3, MINUTE)))),
        EXPIRED,
    ),
    "what the key signed of itself is of the future": (
        lambda f, _: named(f, (USER_ID, f.certificate(USER_ID, made=FUTURE))),
        EXPIRED,
    ),
    "what the key signed of itself has no time": (
        lambda f, _: named(f, (USER_ID, f.certificate(USER_ID, made=None))),
        NO_KEY,
    ),
    "another key's fingerprint stands beside the certificate": (
        lambda f, o: named(
            f, (USER_ID, f.certificate(USER_ID, beside=subpacket(33, b"\x04" + bytes.fromhex(o.fingerprint))))
        ),
        NO_KEY,
    ),
    "another key's ID stands beside the certificate": (
        lambda f, o: named(
            f, (USER_ID, f.certificate(USER_ID, beside=subpacket(16, bytes.fromhex(o.fingerprint)[-8:])))
        ),
        GOOD,
    ),
    "a wrong revocation": (
        lambda f, _: (
            packet(6, f.body) + f.signature(b"something else", kind=0x20) + f.block(USER_ID)[len(packet(6, f.body)) :]
        ),
        NO_KEY,
    ),
    "a wrong revocation of a user ID": (
        lambda f, _: f.block(USER_ID) + f.certificate(OTHER_ID, kind=0x30, flags=None),
        NO_KEY,
    ),
    "a wrong revocation of a subkey": (
        lambda f, o: f.block(USER_ID) + f.subkey(o) + f.signature(b"something else", kind=0x28),
        NO_KEY,
    ),
    "a newer binding that is wrong": (
        lambda f, o: f.block(USER_ID) + f.subkey(o) + f.signature(b"something else", kind=0x18, made=LATER),
        NO_KEY,
    ),
    "a binding by another key": (lambda f, o: f.block(USER_ID) + f.subkey(o) + o.binding(o), NO_KEY),
    "a wrong certificate beside a right one": (
        lambda f, o: f.block(USER_ID) + f.certificate(OTHER_ID, made=LATER),
        NO_KEY,
    ),
    "an older one is wrong": (
        lambda f, _: named(f, (USER_ID, f.certificate(OTHER_ID) + f.certificate(USER_ID, made=LATER))),
        NO_KEY,
    ),
    "a newer one that neither client reads": (
        lambda f, _: f.block(USER_ID) + f.certificate(USER_ID, flags=1, extra=subpacket(0x80 | 100, b"x"), made=LATER),
        GOOD,
    ),
    "a newer one that one client reads": (
        lambda f, _: f.block(USER_ID) + f.certificate(USER_ID, flags=1, extra=subpacket(0x97, b"\1"), made=LATER),
        NO_KEY,
    ),
    "a wrong signature over the key alone": (
        lambda f, _: (
            packet(6, f.body) + f.signature(b"something else", kind=0x1F) + f.block(USER_ID)[len(packet(6, f.body)) :]
        ),
        GOOD,
    ),
    "a packet that may not be passed over": (lambda f, _: f.block(USER_ID) + packet(30, b"abc"), NO_KEY),
    "one that may": (lambda f, _: f.block(USER_ID) + packet(60, b"abc"), GOOD),
    "compressed data": (lambda f, _: f.block(USER_ID) + packet(8, b"\x01abc"), NO_KEY),
    "a right subkey": (lambda f, o: f.block(USER_ID) + f.subkey(o), GOOD),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_counts_as_for_the_clients(name: str, judge: Judge, workshop: Workshop, forge: Forge) -> None:
    made, state = KEYS[name]
    assert judge(forge.signature(DOCUMENT), workshop.wrap(made(forge, Forge()))).state is state


def test_the_newest_binding_says_what_a_subkey_is_for(judge: Judge, workshop: Workshop, forge: Forge) -> None:
    subkey = Forge()
    block = forge.block(USER_ID, flags=1) + forge.subkey(subkey)
    assert judge(subkey.signature(DOCUMENT), workshop.wrap(block)).state is GOOD
    none = block + forge.binding(subkey, flags=None, made=LATER)
    assert judge(subkey.signature(DOCUMENT), workshop.wrap(none)).state is UNKNOWN
    over = block + forge.binding(subkey, limit=subpacket(3, MINUTE), made=LATER)
    assert judge(subkey.signature(DOCUMENT), workshop.wrap(over)).state is EXPIRED


def test_signatures_in_signatures_are_not_followed(judge: Judge, workshop: Workshop, forge: Forge) -> None:
    nested = b"\x04\x19"
    while len(nested) < 40_000:
        nested = forge.signature(b"x", kind=0x19, beside=subpacket(32, nested))[6:]
        if len(nested) > 60_000:
            break
    signed = forge.signature(DOCUMENT, beside=subpacket(32, nested[:60_000]))
    assert judge(signed, workshop.wrap(forge.block(USER_ID))).state is GOOD


def test_a_key_that_was_renewed_again_and_again_stays_good(judge: Judge, workshop: Workshop) -> None:
    key = workshop.add_subkey(workshop.make("Renewed <a@widget.example>", expires="2026-01-01"), expires="2026-01-01")
    for day in (3, 4):
        when = f"2025010{day}T000000"
        workshop.run("--quick-set-expire", key.fingerprint, f"2027-01-0{day}", when=when)
        workshop.run("--quick-set-expire", key.fingerprint, f"2027-01-0{day}", "*", when=when)
        workshop.run("--quick-add-uid", key.fingerprint, f"Renewed {day} <a@widget.example>", when=when)
    workshop.run("--quick-revoke-uid", key.fingerprint, "Renewed 3 <a@widget.example>", when="20250107T000000")
    workshop.run("--quick-set-primary-uid", key.fingerprint, "Renewed 4 <a@widget.example>", when="20250108T000000")
    for maker in (key.fingerprint, key.subkeys[0]):
        assert judge(workshop.sign(maker), workshop.armor(key)).state is GOOD
