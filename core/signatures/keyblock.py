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

from lockwarden.core.signatures.packets import MalformedPacketError, Packet, Tag, read_packets
from lockwarden.core.signatures.signature_packets import SignaturePacket, embedded, read_signature, why_unread
from lockwarden.core.signatures.signature_subpackets import SubpacketType

_MAY_SIGN: Final = 0x02
_READ_IN_PARTS: Final = frozenset({8, 9, 11, 18, 20})
"""Tags of compressed, encrypted and literal data, of which the clients' library reads the beginning alone."""
_UNKNOWN_AND_CRITICAL: Final = frozenset({0, 15, 16, 19, *range(22, 40)})
"""Tags that may not be passed over by who does not know them, as OpenTofu does not (RFC 9580, section 4.3)."""
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
    own: SignaturePacket | None = None
    """The self-signature that counts for the clients: the newest of their main user ID, or of a subkey's binding."""
    main_revoked: bool = False
    """Whether its main user ID carries a revocation in its name, which no later signature heals for the clients."""
    certificates: tuple[SignaturePacket, ...] = ()
    """What the key signed about itself, as far as nothing newer makes gpg forget it (primary keys only)."""
    revocation: str = ""
    """The reason that a revocation gives, in a word or two; gpg decides whether the revocation counts."""
    fault: str = ""
    """Why the clients would refuse the whole key (primary keys only)."""
    user_ids: int = 0
    certified_user_ids: frozenset[bytes] = frozenset()
    """Those of them that carry a signature which names the key itself as its maker."""
    user_attributes: int = 0
    passed_over: bool = False
    """Whether the clients pass over a signature behind it, which may be what gpg calls wrong (primary keys only)."""

    @property
    def may_sign(self) -> bool:
        """Whether the signature that counts says that the key is for signing; the clients ask for that."""
        return self.own is not None and bool(_flags(self.own) & _MAY_SIGN)


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


class _Identity(Struct):
    """A user ID in the making."""

    own: SignaturePacket | None = None
    revocations: int = 0

    @property
    def order(self) -> tuple[int, bool, float]:
        """The clients' main user ID comes first: the least revoked, then one that says so, then the newest."""
        created = self.own.created if self.own is not None else None
        return self.revocations, not _is_primary(self.own), -created.timestamp() if created is not None else 0.0


class _Draft(Struct):
    """A `KeyShape` in the making."""

    primary: str
    identities: dict[bytes, _Identity] = msgspec.field(default_factory=dict)
    own: SignaturePacket | None = None
    certificates: list[SignaturePacket] = msgspec.field(default_factory=list)
    newest: dict[tuple[str, int], SignaturePacket] = msgspec.field(default_factory=dict)
    """Of each subkey, the newest signature of each type."""
    revocation: str = ""
    fault: str = ""
    user_ids: int = 0
    certified_user_ids: set[bytes] = msgspec.field(default_factory=set)
    user_attributes: int = 0
    passed_over: bool = False

    def freeze(self) -> KeyShape:
        main = min(self.identities.values(), key=lambda each: each.order, default=_Identity(own=self.own))
        return KeyShape(
            primary=self.primary,
            own=main.own,
            main_revoked=main.revocations > 0,
            certificates=(*self.certificates, *self.newest.values()),
            revocation=self.revocation,
            fault=self.fault,
            user_ids=self.user_ids,
            certified_user_ids=frozenset(self.certified_user_ids),
            user_attributes=self.user_attributes,
            passed_over=self.passed_over,
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
        self._identity = _Identity()
        self._subkey_name = ""
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
                self._user_id, self._identity = packet.body, _Identity()
            case Tag.USER_ATTRIBUTE if self._primary is not None:
                self._primary.user_attributes += 1
            case Tag.SIGNATURE if self._primary is not None:
                try:
                    self._signature(packet, self._primary)
                except MalformedPacketError as error:
                    self._primary.fault = self._primary.fault or str(error)
            case tag if tag in _READ_IN_PARTS | _UNKNOWN_AND_CRITICAL:
                raise MalformedPacketError("it holds what is no part of a key")
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
        self._subkey, self._subkey_name = _Draft(primary=primary.primary), fingerprint
        if fingerprint:
            self.keys.setdefault(fingerprint, self._subkey)

    def _signature(self, packet: Packet, primary: _Draft) -> None:
        signature = read_signature(packet)
        if signature.version != 4 or why_unread(signature):
            primary.passed_over = True
            return
        own = _names(signature, primary.primary)
        match self._after:
            case Tag.PUBLIC_KEY if signature.kind == _REVOKES_KEY and own:
                primary.revocation = primary.revocation or _reason(signature)
                primary.certificates.append(signature)
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
        elif own:
            self._on_own_user_id(signature, primary)

    def _on_own_user_id(self, signature: SignaturePacket, primary: _Draft) -> None:
        primary.certificates.append(signature)
        primary.identities[self._user_id] = self._identity
        if signature.kind == _REVOKES_CERTIFICATION:
            self._identity.revocations += 1
            primary.revocation = primary.revocation or _reason(signature)
            return
        primary.certified_user_ids.add(self._user_id)
        self._identity.own = _newer(self._identity.own, signature)

    def _on_subkey(self, signature: SignaturePacket, primary: _Draft, subkey: _Draft) -> None:
        match signature.kind:
            case kind if kind == _REVOKES_SUBKEY:
                subkey.revocation = subkey.revocation or _reason(signature)
            case kind if kind == _BINDING:
                subkey.own, back = _newer(subkey.own, signature), embedded(signature)
                if _flags(signature) & _MAY_SIGN and back is None:
                    primary.fault = "a signing subkey has not signed the primary key (no cross-certification)"
            case _:
                primary.fault = "a subkey has a signature of a wrong type"
                return
        if not _names(signature, primary.primary):
            primary.fault = primary.fault or "a subkey has a signature by another key"
        place = (self._subkey_name, signature.kind)
        primary.newest[place] = _newer(primary.newest.get(place), signature)


def _fingerprint(body: bytes) -> str:
    """The fingerprint of a version 4 key packet, or the empty string for another version (RFC 4880, section 12.2)."""
    if not body or body[0] != 4 or len(body) > 0xFFFF:
        return ""
    framed = b"\x99" + len(body).to_bytes(2, "big") + body
    return hashlib.sha1(framed, usedforsecurity=False).hexdigest().upper()


def _flags(signature: SignaturePacket) -> int:
    """The first octets of the key flags that the signature covers, together; 0 when it declares none."""
    found = 0
    for subpacket in signature.subpackets:
        if subpacket.kind == SubpacketType.KEY_FLAGS and subpacket.hashed:
            found |= subpacket.body[0]
    return found


def _is_primary(signature: SignaturePacket | None) -> bool:
    subpackets = () if signature is None else signature.subpackets
    said = [each.body for each in subpackets if each.kind == SubpacketType.PRIMARY_USER_ID and each.hashed]
    return bool(said) and said[-1] > b"\0"


def _newer(known: SignaturePacket | None, signature: SignaturePacket) -> SignaturePacket:
    """Of two that were made in the same second the first counts."""
    if known is None or known.created is None or signature.created is None:
        return signature
    return signature if signature.created > known.created else known


def _names(signature: SignaturePacket, fingerprint: str) -> bool:
    """Whether a signature names the key as its maker. As for the clients, a fingerprint weighs more than a key ID."""
    named = [each.body for each in signature.subpackets if each.kind == SubpacketType.ISSUER_FINGERPRINT]
    if named:
        return named[-1][1:].hex().upper() == fingerprint
    return signature.key_id != "" and fingerprint.endswith(signature.key_id)


def _reason(signature: SignaturePacket) -> str:
    for subpacket in signature.subpackets:
        if subpacket.kind == SubpacketType.REVOCATION_REASON and subpacket.hashed and subpacket.body:
            return _REASONS.get(subpacket.body[0], "no reason given")
    return "no reason given"
