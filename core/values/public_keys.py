"""How a policy names keys and times of schemes other than GPG, and what a file with a public key holds."""

from __future__ import annotations

import base64
import binascii
import hashlib
from datetime import UTC, datetime
from typing import Final

from lockwarden.core.values.errors import InputError, InvalidFingerprintError
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.signature_schemes import SignatureScheme

MAX_KEY_FILE: Final = 64 * 1024
"""Bytes. A public RSA key of 16384 bits has three thousand."""
_SHA256: Final = LatePattern(r"sha256:[0-9a-f]{64}")
_SSH: Final = LatePattern(r"SHA256:[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]")
"""The last character has no bits but those of the digest."""
_PEM: Final = LatePattern(
    rb"\A\s*-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]*?)-----END \1-----\s*\Z"  # one block and nothing else
)
_TIME: Final = LatePattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_SHOWN: Final = 100
_HOW: Final = {
    SignatureScheme.COSIGN_KEY: "sha256: and the 64 digits of the SHA-256 of the key's DER form; to see it:"
    " openssl pkey -pubin -in FILE -outform DER | sha256sum",
    SignatureScheme.SSHSIG: "SHA256: and 43 characters, as ssh-keygen -l prints it",
}


def read_key_name(text: str, scheme: SignatureScheme) -> str:
    """The fingerprint by which a policy names a key of a scheme. Raises InvalidFingerprintError."""
    pattern = _SSH if scheme is SignatureScheme.SSHSIG else _SHA256
    if pattern.fullmatch(text):
        return text
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    raise InvalidFingerprintError(f"“{shown}” is not the fingerprint of a {scheme} key", hint=f"write {_HOW[scheme]}")


def spki_of(data: bytes) -> bytes:
    """The DER form of the one public key in a PEM file.

    Raises InputError for anything else, a private key and a certificate above all. That it can be read says nothing of
    what kind of key it is.
    """
    match = _PEM.match(data) if len(data) <= MAX_KEY_FILE else None
    if match is None:
        raise InputError("it is no file with one public key in PEM form", hint=_EXPORT)
    kind = match[1].decode("ascii")
    if "PRIVATE" in kind:
        raise InputError("it holds a private key, which nobody but its owner should have", hint=_EXPORT)
    if kind != "PUBLIC KEY":
        raise InputError(f"it holds a {kind.lower()} and not a public key", hint=_EXPORT)
    try:
        return base64.b64decode(b"".join(match[2].split()), validate=True)
    except binascii.Error as error:
        raise InputError("its base64 is broken", hint=_EXPORT) from error


_EXPORT: Final = "export it again: it begins with -----BEGIN PUBLIC KEY-----"


def fingerprint_of(spki: bytes) -> str:
    """The fingerprint of a public key in DER form."""
    return f"sha256:{hashlib.sha256(spki).hexdigest()}"


def read_time(text: str) -> datetime:
    """A time in UTC, to the second. Raises InputError."""
    try:
        if _TIME.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    raise InputError(f"“{shown}” is not a time", hint="write it in UTC, such as 2027-12-31T00:00:00Z")
