"""OpenPGP: packets, armour, key blocks, and gpg's listing of what hostile keys say of themselves."""

from __future__ import annotations

from fuzzing.oracle import promise
from lockwarden.core.signatures.armor import ArmorError, armor_kind, decode_armor
from lockwarden.core.signatures.colons import read_certificates, read_time
from lockwarden.core.signatures.detached import read_detached
from lockwarden.core.signatures.keyblock import inspect_key_block
from lockwarden.core.signatures.packets import MalformedPacketError, read_packets

_FINGERPRINT_LENGTHS = frozenset({0, 40})


def openpgp_packets(data: bytes) -> None:
    """Read bytes as packets, as a signature file and as a key block."""
    raw: list[bytes] = []
    whole = True
    try:
        raw.extend(packet.raw for packet in read_packets(data))
    except MalformedPacketError:
        whole = False
        raw = []
    promise(not whole or b"".join(raw) == data, "packets that are read hold every byte")
    found = read_detached(data)
    promise(whole or found.defect or not raw, "a broken signature file has a defect")
    for signature in found.readable:
        promise(
            (signature.version == 4 and not signature.created) or signature.subpackets, "a signature is of version 4"
        )
        promise(len(signature.fingerprint) in _FINGERPRINT_LENGTHS, "a fingerprint is whole")
        promise(not signature.fingerprint or signature.fingerprint.endswith(signature.key_id), "the ID is its end")
    try:
        shape = inspect_key_block(data)
    except MalformedPacketError:
        return
    for fingerprint, key in shape.keys.items():
        promise(len(fingerprint) == 40 and key.primary in (*shape.keys, ""), "a key has a whole fingerprint")
        promise(fingerprint not in shape.subkeys_of(fingerprint), "no key is its own subkey")


def openpgp_armor(data: bytes) -> None:
    """Read a text as armour, and what is inside as packets; read it as gpg's listing, too."""
    try:
        block = decode_armor(data)
    except ArmorError:
        pass
    else:
        promise(armor_kind(data) or b"\n" in data, "what is decoded has a kind")
        openpgp_packets(block.data)
    read_detached(data)
    for certificate in read_certificates(data):
        promise(certificate.valid_user_ids <= len(certificate.user_ids), "no user ID is counted twice")
    read_time(data[:32].decode("latin-1"))
