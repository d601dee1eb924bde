"""The certificate with which this program shows who it is, to servers that ask for one in the TLS handshake."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Final

from lockwarden.core.values.errors import InputError

CERTIFICATE: Final = "LOCKWARDEN_CLIENT_CERT"
"""Names a PEM file with the certificate, the certificates between it and its authority, and perhaps the key."""
KEY: Final = "LOCKWARDEN_CLIENT_KEY"
"""Names a PEM file with the private key, where the certificate's file does not hold it."""
_LARGEST_FILE: Final = 1024 * 1024
_HINT: Final = f"name files in PEM form with {CERTIFICATE} and {KEY}, or unset both variables"


def load_client_certificate(context: ssl.SSLContext, *, certificate: str, key: str) -> None:
    """Show the certificate to servers that ask; the private key stays here. Without paths nothing is done.

    Without `key` the certificate's file has to hold the key too. Raises InputError, which names the path, for what
    cannot be read, needs a pass phrase or does not belong together. Which servers accept the certificate is theirs to
    say.
    """
    if not certificate:
        if key:
            raise InputError(f"{KEY} names “{key}”, but {CERTIFICATE} is not set", hint=_HINT)
        return
    _require(certificate, variable=CERTIFICATE, mark=b"-----BEGIN CERTIFICATE-----", what="certificate")
    holder, variable = (key, KEY) if key else (certificate, CERTIFICATE)
    content = _require(holder, variable=variable, mark=b"PRIVATE KEY-----", what="private key")
    if b"ENCRYPTED" in content:
        raise InputError(
            f"{variable} names “{holder}”, whose private key needs a pass phrase",
            hint="a program without a screen cannot ask for it: name a file with a key that needs none",
        )
    try:
        context.load_cert_chain(certificate, key or None, password=_no_password)
    except (OSError, ValueError) as error:
        raise InputError(_refusal(error, certificate, holder), hint=_HINT) from error


def _no_password() -> bytes:
    """Stand in for OpenSSL's question at the terminal."""
    return b""


def _require(path: str, *, variable: str, mark: bytes, what: str) -> bytes:
    """The content of a PEM file that holds such a thing at least by its marks."""
    try:
        if not Path(path).is_file():
            raise InputError(f"{variable} names “{path}”, which is no file", hint=_HINT)
        with Path(path).open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{variable} names “{path}”, which cannot be read: {reason}", hint=_HINT) from error
    if len(content) > _LARGEST_FILE:
        raise InputError(f"{variable} names “{path}”, which has more than {_LARGEST_FILE} bytes", hint=_HINT)
    if mark not in content:
        raise InputError(f"{variable} names “{path}”, which holds no {what} in PEM form", hint=_HINT)
    return content


def _refusal(error: Exception, certificate: str, key: str) -> str:
    if getattr(error, "reason", None) in {"KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH"}:
        return f"the private key in “{key}” does not belong to the certificate in “{certificate}”"
    files = f"“{certificate}”" if key == certificate else f"“{certificate}” and “{key}”"
    return f"the client certificate in {files} cannot be used: its certificate or its private key is damaged"
