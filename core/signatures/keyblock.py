"""The shape of a key block: what the clients' library looks at and gpg does not report.

The clients refuse a whole key for faults of structure that gpg mends, and use a key only for what its own signatures
declare. Signatures are not checked here; gpg does that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.signatures.packets import (
    MalformedPacketError,
    Packet,
    SignaturePacket,
    SubpacketType,
    Tag,
    read_packets,
    read_signature,
)

_MAY_SIGN: Final = 0x02
_CERTIFICATIONS: Final = frozenset({0x10, 0x11, 0x12, 0x13})
_BINDING: Final = 0x18
"""Signature types (RFC 9580, section 5.2.1), as are those below."""
_REVOKES_KEY: Final = 0x20
_REVOKES_SUBKEY: Final = 0x28
_REVOKES_CERTIFICATION: Final = 0x30
_REASONS: Final = {1: "superseded", 2: "compromised", 3: "no longer used", 32: "user ID no longer valid"}


class KeyShape(Struct, frozen=True, kw_only=True):
    """What the packets say of one key or subkey."""

    primary: str
    """Fingerprint of the primary key that it belongs to; its own when it is one."""
    declares_use: bool = False
    """Whether a self-signature says what the key is for. The clients ignore a key that does not."""
    revocation: str = ""
    """The reason that a revocation gives, in a word or two; gpg decides whether the revocation counts."""
    fault: str = ""
    """Why the clients would refuse the whole key (primary keys only)."""
    user_ids: int = 0
    certified_user_ids: frozenset[bytes] = frozenset()
    """Those of them that carry a signature which names the key itself as its maker."""
    user_attributes: int = 0


class BlockShape(Struct, frozen=True, kw_only=True):
    """What a block of keys consists of."""

    holds_secret_keys: bool
    keys: Mapping[str, KeyShape]
    """By fingerprint, primary keys and subkeys, version 4 only."""

    def fault(self, fingerprint: str) -> str:
        """Why the clients would refuse the whole primary key, or the empty string."""
        shape = self.keys.get(fingerprint)
        return shape.fault if shape else ""

    def subkeys_of(self, fingerprint: str) -> Iterator[str]:
        """Fingerprints of the subkeys that follow a primary key, bound to it or not."""
        return (name for name, shape in self.keys.items() if shape.primary == fingerprint and name != fingerprint)


def inspect_key_block(data: bytes) -> BlockShape:
    """Walk through a decoded key block.

    Raises:
        MalformedPacketError: the bytes are not whole packets, or not keys.
    """
    reader = _Reader()
    for packet in read_packets(data):
        reader.take(packet)
    if not reader.saw_key:
        raise MalformedPacketError("there is no key in it")
    return BlockShape(
        holds_secret_keys=reader.holds_secret_keys,
        keys=MappingProxyType({fingerprint: draft.freeze() for fingerprint, draft in reader.keys.items()}),
    )


class _Draft(Struct):
    """A `KeyShape` in the making."""

    primary: str
    declares_use: bool = False
    revocation: str = ""
    fault: str = ""
    user_ids: int = 0
    certified_user_ids: set[bytes] = msgspec.field(default_factory=set)
    user_attributes: int = 0

    def freeze(self) -> KeyShape:
        return KeyShape(
            primary=self.primary,
            declares_use=self.declares_use,
            revocation=self.revocation,
            fault=self.fault,
            user_ids=self.user_ids,
            certified_user_ids=frozenset(self.certified_user_ids),
            user_attributes=self.user_attributes,
        )


class _Reader:
    """Attaches each signature to the key, user ID or subkey before it."""

    def __init__(self) -> None:
        self.keys: dict[str, _Draft] = {}
        self.holds_secret_keys = False
        self.saw_key = False
        self._primary: _Draft | None = None
        self._subkey: _Draft | None = None
        self._user_id = b""
        self._after: int = 0

    def take(self, packet: Packet) -> None:
        """Read the next packet of the block."""
        match packet.tag:
            case Tag.SECRET_KEY | Tag.SECRET_SUBKEY:
                self.holds_secret_keys = self.saw_key = True
            case Tag.PUBLIC_KEY:
                self._start_primary(packet)
            case Tag.PUBLIC_SUBKEY if self._primary is not None:
                self._start_subkey(packet, self._primary)
            case Tag.USER_ID if self._primary is not None:
                self._primary.user_ids += 1
                self._user_id = packet.body
            case Tag.USER_ATTRIBUTE if self._primary is not None:
                self._primary.user_attributes += 1
            case Tag.SIGNATURE if self._primary is not None:
                self._signature(packet, self._primary)
            case _:
                pass
        if packet.tag not in (Tag.SIGNATURE, Tag.TRUST, Tag.MARKER):
            self._after = packet.tag

    def _start_primary(self, packet: Packet) -> None:
        self.saw_key = True
        fingerprint = _fingerprint(packet.body)
        self._subkey = None
        self._primary = _Draft(primary=fingerprint)
        if fingerprint:
            self.keys.setdefault(fingerprint, self._primary)

    def _start_subkey(self, packet: Packet, primary: _Draft) -> None:
        fingerprint = _fingerprint(packet.body)
        self._subkey = _Draft(primary=primary.primary)
        if fingerprint:
            self.keys.setdefault(fingerprint, self._subkey)

    def _signature(self, packet: Packet, primary: _Draft) -> None:
        signature = read_signature(packet)
        if signature.version != 4:
            return
        own = primary.primary.endswith(signature.key_id) and signature.key_id != ""
        match self._after:
            case Tag.PUBLIC_KEY if signature.kind == _REVOKES_KEY and own:
                primary.revocation = primary.revocation or _reason(signature)
            case Tag.PUBLIC_KEY if signature.kind == _REVOKES_KEY:
                primary.fault = "it is revoked by another key"
            case Tag.USER_ID:
                self._on_user_id(signature, primary, own=own)
            case Tag.PUBLIC_SUBKEY if self._subkey is not None:
                self._on_subkey(signature, primary, self._subkey)
            case _:
                pass

    def _on_user_id(self, signature: SignaturePacket, primary: _Draft, *, own: bool) -> None:
        if signature.kind not in _CERTIFICATIONS | {_REVOKES_CERTIFICATION}:
            primary.fault = "a user ID has a signature of a wrong type"
        elif own and signature.kind in _CERTIFICATIONS:
            primary.certified_user_ids.add(self._user_id)
            primary.declares_use = primary.declares_use or _flags(signature) is not None
        elif own:
            primary.revocation = primary.revocation or _reason(signature)

    def _on_subkey(self, signature: SignaturePacket, primary: _Draft, subkey: _Draft) -> None:
        match signature.kind:
            case kind if kind == _REVOKES_SUBKEY:
                subkey.revocation = subkey.revocation or _reason(signature)
            case kind if kind == _BINDING:
                flags = _flags(signature)
                subkey.declares_use = subkey.declares_use or flags is not None
                if flags is not None and flags & _MAY_SIGN and not _is_cross_certified(signature):
                    primary.fault = "a signing subkey has not signed the primary key (no cross-certification)"
            case _:
                primary.fault = "a subkey has a signature of a wrong type"


def _fingerprint(body: bytes) -> str:
    """The fingerprint of a version 4 key packet, or the empty string for another version (RFC 4880, section 12.2)."""
    if not body or body[0] != 4 or len(body) > 0xFFFF:
        return ""
    framed = b"\x99" + len(body).to_bytes(2, "big") + body
    return hashlib.sha1(framed, usedforsecurity=False).hexdigest().upper()


def _flags(signature: SignaturePacket) -> int | None:
    """The first octet of the key flags that the signature covers; None when it declares none."""
    for subpacket in signature.subpackets:
        if subpacket.kind == SubpacketType.KEY_FLAGS and subpacket.hashed:
            return subpacket.body[0] if subpacket.body else 0
    return None


def _reason(signature: SignaturePacket) -> str:
    for subpacket in signature.subpackets:
        if subpacket.kind == SubpacketType.REVOCATION_REASON and subpacket.hashed and subpacket.body:
            return _REASONS.get(subpacket.body[0], "no reason given")
    return "no reason given"


def _is_cross_certified(signature: SignaturePacket) -> bool:
    return any(subpacket.kind == SubpacketType.EMBEDDED_SIGNATURE for subpacket in signature.subpackets)
