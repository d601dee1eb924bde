"""SSH public keys (RFC 4253, section 6.6; RFC 5656; RFC 8709; PROTOCOL.u2f of OpenSSH): which one it is, and its parts.

The type in the key's own bytes decides what it is. A certificate is another type and is never taken for the key in it.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final

from msgspec import Struct

from lockwarden.core.document_signatures.base64_text import decoded
from lockwarden.core.document_signatures.faults import MalformedError, UnsupportedError
from lockwarden.core.document_signatures.ssh_wire import WireReader

ED25519: Final = "ssh-ed25519"
RSA: Final = "ssh-rsa"
ECDSA_PREFIX: Final = "ecdsa-sha2-"
SK_ED25519: Final = "sk-ssh-ed25519@openssh.com"
SK_ECDSA: Final = "sk-ecdsa-sha2-nistp256@openssh.com"
CURVES: Final = {"nistp256": 65, "nistp384": 97, "nistp521": 133}
"""The length of an uncompressed point of each."""
_ED25519_BYTES: Final = 32
_UNCOMPRESSED: Final = 4
_RSA_BITS: Final = range(2048, 16384 + 1)
_MAX_BLOB: Final = 16 * 1024
_CERTIFICATE: Final = "-cert-v01@openssh.com"
_WHAT: Final = "the SSH key"


class SshKey(Struct, frozen=True, kw_only=True):
    """A public key of a kind that is verified here."""

    kind: str
    """The type as its own bytes name it."""
    blob: bytes
    """The key as SSH writes it."""
    curve: str = ""
    """Of ECDSA."""
    point: bytes = b""
    """Of ECDSA, uncompressed; of Ed25519, the 32 bytes."""
    exponent: int = 0
    modulus: int = 0
    """Of RSA."""
    application: bytes = b""
    """Of a key that lies in a security key: for what it was made."""

    @property
    def fingerprint(self) -> str:
        """As OpenSSH prints it: `SHA256:` and base64 without padding."""
        return fingerprint_of(self.blob)

    @property
    def in_security_key(self) -> bool:
        """Whether the key lies in a device of its own, which signs further fields."""
        return self.kind in {SK_ED25519, SK_ECDSA}


def fingerprint_of(blob: bytes) -> str:
    """The fingerprint of a key in SSH's own form, whatever its type."""
    return f"SHA256:{base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip('=')}"


def read_key(blob: bytes) -> SshKey:
    """A public key from its bytes. Raises MalformedError, and UnsupportedError for types that are not verified here."""
    if len(blob) > _MAX_BLOB:
        raise MalformedError(f"{_WHAT} has more than {_MAX_BLOB} bytes")
    reader = WireReader(blob, _WHAT)
    kind = reader.name()
    if kind.endswith(_CERTIFICATE):
        raise UnsupportedError("it is an SSH certificate, and certificates are not verified", hint="sign with a key")
    if kind == RSA:
        key = SshKey(kind=kind, blob=blob, exponent=reader.positive(), modulus=reader.positive())
    elif kind in {ED25519, SK_ED25519}:
        key = SshKey(kind=kind, blob=blob, point=_ed25519(reader), application=_application(reader, kind))
    elif kind == SK_ECDSA or kind.removeprefix(ECDSA_PREFIX) in CURVES:
        curve, point = _ecdsa(reader, kind)
        key = SshKey(kind=kind, blob=blob, curve=curve, point=point, application=_application(reader, kind))
    else:
        raise UnsupportedError(f"SSH keys of the type {kind} are not verified", hint="sign with an Ed25519 key")
    reader.end()
    if kind == RSA and key.modulus.bit_length() not in _RSA_BITS:
        raise UnsupportedError(
            f"an RSA key of {key.modulus.bit_length()} bits is not verified", hint="sign with an Ed25519 key"
        )
    return key


def read_key_words(kind: str, text: str) -> SshKey:
    """A public key as files ending in .pub have it: its type, and base64. Raises as `read_key`."""
    key = read_key(decoded(text, _WHAT))
    if key.kind != kind:
        raise MalformedError(f"{_WHAT} is called {kind} and is of the type {key.kind}")
    return key


def _ed25519(reader: WireReader) -> bytes:
    point = reader.string()
    if len(point) != _ED25519_BYTES:
        raise MalformedError(f"{_WHAT} is not of {_ED25519_BYTES} bytes")
    return point


def _ecdsa(reader: WireReader, kind: str) -> tuple[str, bytes]:
    curve, point = reader.name(), reader.string()
    expected = "nistp256" if kind == SK_ECDSA else kind.removeprefix(ECDSA_PREFIX)
    if curve != expected:
        raise MalformedError(f"{_WHAT} names the curve {curve} in a key of the type {kind}")
    if len(point) != CURVES[curve] or point[0] != _UNCOMPRESSED:
        raise MalformedError(f"{_WHAT} has no point of the curve {curve}")
    return curve, point


def _application(reader: WireReader, kind: str) -> bytes:
    return reader.string() if kind in {SK_ED25519, SK_ECDSA} else b""
