"""OpenPGP keys and signatures written by hand, for what gpg refuses to make (RFC 4880; EdDSA as in its 2014 draft)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_CURVE: Final = bytes.fromhex("092B06010401DA470F01")
_EDDSA: Final = 22
_DIGESTS: Final = {"md5": 1, "sha1": 2, "sha256": 8, "sha512": 10}
MADE: Final = int(datetime(2025, 1, 1, tzinfo=UTC).timestamp())
SIGNED: Final = int(datetime(2025, 3, 1, tzinfo=UTC).timestamp())
SIGN_AND_CERTIFY: Final = 0x03


def packet(tag: int, body: bytes) -> bytes:
    return bytes([0xC0 | tag, 0xFF]) + len(body).to_bytes(4, "big") + body


def subpacket(kind: int, body: bytes) -> bytes:
    return b"\xff" + (len(body) + 1).to_bytes(4, "big") + bytes([kind]) + body


def _number(data: bytes) -> bytes:
    """A multiprecision integer."""
    value = int.from_bytes(data, "big")
    return value.bit_length().to_bytes(2, "big") + value.to_bytes((value.bit_length() + 7) // 8, "big")


@dataclass
class Forge:
    """One Ed25519 key, and whatever is to be signed with it."""

    secret: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)

    @property
    def body(self) -> bytes:
        public = b"\x40" + self.secret.public_key().public_bytes_raw()
        return b"\x04" + MADE.to_bytes(4, "big") + bytes([_EDDSA]) + _CURVE + _number(public)

    @property
    def framed(self) -> bytes:
        """The key as it goes into fingerprints and certifications."""
        return b"\x99" + len(self.body).to_bytes(2, "big") + self.body

    @property
    def fingerprint(self) -> str:
        return hashlib.sha1(self.framed).hexdigest().upper()

    def block(self, *user_ids: bytes, flags: int | None = SIGN_AND_CERTIFY) -> bytes:
        """The key with user IDs that it certifies itself; `flags` None leaves out what the key is for."""
        made = packet(6, self.body)
        for user_id in user_ids:
            made += packet(13, user_id) + self.certificate(user_id, flags=flags)
        return made

    def certificate(
        self,
        user_id: bytes,
        *,
        flags: int | None = SIGN_AND_CERTIFY,
        kind: int = 0x13,
        extra: bytes = b"",
        beside: bytes = b"",
        made: int | None = SIGNED,
    ) -> bytes:
        """The key's own signature over a user ID."""
        covered = self.framed + b"\xb4" + len(user_id).to_bytes(4, "big") + user_id
        usage = subpacket(27, bytes([flags])) if flags is not None else b""
        return self.signature(covered, kind=kind, extra=usage + extra, beside=beside, made=made)

    def subkey(self, other: Forge, *, flags: int | None = 0x02, made: int = SIGNED, back: bool = True) -> bytes:
        """Another key's packet as a subkey of this one, with the signature that binds it."""
        return packet(14, other.body) + self.binding(other, flags=flags, made=made, back=back)

    def binding(
        self, other: Forge, *, flags: int | None = 0x02, made: int = SIGNED, back: bool = True, limit: bytes = b""
    ) -> bytes:
        """The signature that makes another key a subkey of this one, with that one's own in it."""
        covered = self.framed + other.framed
        usage = subpacket(27, bytes([flags])) if flags is not None else b""
        held = subpacket(32, other.signature(covered, kind=0x19, extra=limit)[6:]) if back else b""
        return self.signature(covered, kind=0x18, extra=usage, beside=held, made=made)

    def signature(
        self,
        covered: bytes,
        *,
        kind: int = 0,
        digest: str = "sha512",
        extra: bytes = b"",
        beside: bytes = b"",
        made: int | None = SIGNED,
        issuer: bool = True,
    ) -> bytes:
        """A version 4 signature over any bytes; `beside` are subpackets that it does not cover."""
        fingerprint = bytes.fromhex(self.fingerprint)
        hashed = (subpacket(2, made.to_bytes(4, "big")) if made is not None else b"") + extra
        hashed += subpacket(33, b"\x04" + fingerprint) if issuer else b""
        unhashed = (subpacket(16, fingerprint[-8:]) if issuer else b"") + beside
        head = bytes([4, kind, _EDDSA, _DIGESTS[digest]]) + len(hashed).to_bytes(2, "big") + hashed
        trailer = b"\x04\xff" + len(head).to_bytes(4, "big")
        digested = hashlib.new(digest, covered + head + trailer).digest()
        return packet(2, head + len(unhashed).to_bytes(2, "big") + unhashed + self._finish(digested))

    def old_signature(self, covered: bytes, *, digest: str = "sha512") -> bytes:
        """A signature of version 3 over a document."""
        head = bytes([0]) + SIGNED.to_bytes(4, "big")
        digested = hashlib.new(digest, covered + head).digest()
        names = bytes.fromhex(self.fingerprint)[-8:] + bytes([_EDDSA, _DIGESTS[digest]])
        return packet(2, b"\x03\x05" + head + names + self._finish(digested))

    def _finish(self, digested: bytes) -> bytes:
        made = self.secret.sign(digested)
        return digested[:2] + _number(made[:32]) + _number(made[32:])
