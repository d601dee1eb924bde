"""SSH signatures over files (PROTOCOL.sshsig of OpenSSH): armor, fields, and the bytes that are signed."""

from __future__ import annotations

import hashlib
from typing import Final

from msgspec import Struct

from lockwarden.core.document_signatures.base64_text import decoded
from lockwarden.core.document_signatures.faults import MalformedError, UnsupportedError
from lockwarden.core.document_signatures.ssh_keys import (
    ECDSA_PREFIX,
    ED25519,
    RSA,
    SK_ECDSA,
    SK_ED25519,
    SshKey,
    read_key,
)
from lockwarden.core.document_signatures.ssh_wire import WireReader, string
from lockwarden.core.values.late_patterns import LatePattern

NAMESPACE: Final = "approved-hashes@lockwarden"
"""What our signatures are for: one over a Git commit, a file or a mail has another namespace and says nothing here."""
BEGIN: Final = "-----BEGIN SSH SIGNATURE-----"
_ARMOR: Final = LatePattern(rf"{BEGIN}\n((?:[A-Za-z0-9+/=]{{1,100}}\n)+)-----END SSH SIGNATURE-----\n?")
_MAGIC: Final = b"SSHSIG"
_HASHES: Final = frozenset({"sha256", "sha512"})
_RSA_ALGORITHMS: Final = frozenset({"rsa-sha2-256", "rsa-sha2-512"})
_ED25519_BYTES: Final = 64
_WHAT: Final = "the SSH signature"


class SshSignature(Struct, frozen=True, kw_only=True):
    """A signature that is well formed. Whether it is good is told by `verification`."""

    key: SshKey
    """The key that the signature itself names."""
    namespace: str
    hash_name: str
    algorithm: str
    raw: bytes = b""
    """The signature of RSA or Ed25519."""
    numbers: tuple[int, int] | None = None
    """That of ECDSA: r and s."""
    flags: int = 0
    counter: int = 0
    """What a security key signs with it."""

    def signed(self, document: bytes) -> bytes:
        """The bytes that the key signs of a document; a security key signs more, which is made of these."""
        digest = hashlib.new(self.hash_name, document).digest()
        fields = (self.namespace.encode("ascii"), b"", self.hash_name.encode("ascii"), digest)
        return _MAGIC + b"".join(map(string, fields))


def read_ssh_signature(text: str) -> SshSignature:
    """A signature from its armor. Raises MalformedError and UnsupportedError.

    One signature has one spelling: whatever follows it, a field in another length, or unused bits make it malformed.
    """
    found = _ARMOR.fullmatch(text.replace("\r\n", "\n"))
    if found is None:
        raise MalformedError(f"{_WHAT} has no whole armor", hint="keep the file as ssh-keygen wrote it")
    return read_ssh_blob(decoded(found[1].replace("\n", ""), _WHAT))


def read_ssh_blob(blob: bytes) -> SshSignature:
    """The same from what is in the armor."""
    reader = WireReader(blob, _WHAT)
    if reader.raw(len(_MAGIC)) != _MAGIC:
        raise MalformedError(f"{_WHAT} does not begin as one")
    if (version := reader.number()) != 1:
        raise UnsupportedError(f"{_WHAT} is of version {version}, and only version 1 is known")
    key_blob = reader.string()
    namespace, reserved, hash_name = reader.name(), reader.string(), reader.name()
    signature = reader.string()
    reader.end()
    if reserved:
        raise MalformedError(f"{_WHAT} has something in its reserved field")
    if hash_name not in _HASHES:
        raise MalformedError(f"{_WHAT} names the hash {hash_name}, which it cannot have")
    return _with_signature(read_key(key_blob), namespace, hash_name, WireReader(signature, _WHAT))


def _with_signature(key: SshKey, namespace: str, hash_name: str, reader: WireReader) -> SshSignature:
    algorithm = reader.name()
    if key.kind == RSA and algorithm == RSA:
        raise UnsupportedError(f"{_WHAT} is made with SHA-1, which is not taken", hint="sign with a newer ssh-keygen")
    known = _RSA_ALGORITHMS if key.kind == RSA else {key.kind}
    if algorithm not in known:
        raise UnsupportedError(f"{_WHAT} is of the kind {algorithm} by a key of the type {key.kind}")
    raw, numbers, flags, counter = b"", None, 0, 0
    inner = reader.string()
    if key.kind.startswith(ECDSA_PREFIX) or key.kind == SK_ECDSA:
        parts = WireReader(inner, _WHAT)
        numbers = (parts.positive(), parts.positive())
        parts.end()
    else:
        raw = inner
    if key.kind in {ED25519, SK_ED25519} and len(raw) != _ED25519_BYTES:
        raise MalformedError(f"{_WHAT} is not of {_ED25519_BYTES} bytes")
    if key.in_security_key:
        flags, counter = reader.raw(1)[0], reader.number()
    reader.end()
    return SshSignature(
        key=key,
        namespace=namespace,
        hash_name=hash_name,
        algorithm=algorithm,
        raw=raw,
        numbers=numbers,
        flags=flags,
        counter=counter,
    )
