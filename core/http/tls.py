"""Which certificates are trusted, and who issued one that is not."""

from __future__ import annotations

import asyncio
import os
import ssl
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lockwarden.core.values.errors import InputError

_MOST_FILES: Final = 4096
_LARGEST_FILE: Final = 16 * 1024 * 1024


_SEQUENCE: Final = 0x30
_SET: Final = 0x31
_VERSION: Final = 0xA0
_OBJECT_IDENTIFIER: Final = 0x06
_COMMON_NAME: Final = b"\x55\x04\x03"
_ORGANISATION: Final = b"\x55\x04\x0a"
_UNIT: Final = b"\x55\x04\x0b"
_TEXT_ENCODINGS: Final = {0x0C: "utf-8", 0x13: "ascii", 0x14: "latin-1", 0x16: "ascii", 0x1E: "utf-16-be"}
_LONGEST: Final = 200


def tls_context(*, ca_file: str = "", ca_folders: str = "") -> ssl.SSLContext:
    """A client's context of TLS 1.2 or newer that trusts what the system trusts.

    `ca_file` (SSL_CERT_FILE) and `ca_folders` (SSL_CERT_DIR) each replace their part of the system's certificates, as
    for the clients. Raises InputError when they cannot be read.
    """
    if ca_file or ca_folders:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        defaults = ssl.get_default_verify_paths()
        if ca_file:
            _load_file(context, ca_file)
        elif defaults.cafile:
            context.load_verify_locations(cafile=defaults.cafile)
        if ca_folders:
            for folder in ca_folders.split(os.pathsep):
                _load_folder(context, Path(folder))
        elif defaults.capath:
            context.load_verify_locations(capath=defaults.capath)
    else:
        context = _system_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _system_context() -> ssl.SSLContext:
    import truststore  # whoever names the certificates does without

    try:
        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    except (ImportError, NotImplementedError, OSError):
        return ssl.create_default_context()


def _load_file(context: ssl.SSLContext, ca_file: str) -> None:
    try:
        context.load_verify_locations(cafile=ca_file)
    except (OSError, ValueError) as error:
        raise InputError(
            f"SSL_CERT_FILE names “{ca_file}”, which holds no certificates that can be read: {error}",
            hint="name a file of certificates in PEM form, or unset the variable",
        ) from error


def _load_folder(context: ssl.SSLContext, folder: Path) -> None:
    """Trust the certificates in every file of the folder; like the clients, without a look at the files' names."""
    try:
        paths = sorted(folder.iterdir())[:_MOST_FILES] if str(folder) != "." else []
    except OSError as error:
        raise InputError(
            f"SSL_CERT_DIR names “{folder}”, which cannot be read: {error.strerror}",
            hint="name a folder of certificates in PEM form, or unset the variable",
        ) from error
    seen: set[tuple[int, int]] = set()
    for path in paths:
        try:
            status = path.stat()
            known = (status.st_dev, status.st_ino)  # most systems have each file twice, the second time as a link
            if stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_FILE and known not in seen:
                seen.add(known)
                context.load_verify_locations(cafile=path)
        except (OSError, ValueError):
            continue  # as for the clients, a folder may hold other things too


async def issuer_shown_by(host: str, port: int, *, seconds: float) -> str:
    """The issuer of the certificate that a server shows, or the empty string where it cannot be learned.

    Shakes hands once more without any check, sends nothing, and trusts nothing: the name is for a message.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(host, port, ssl=context, server_hostname=host)
    except (OSError, ValueError):
        return ""
    try:
        connection = writer.get_extra_info("ssl_object")
        return issuer_name(connection.getpeercert(binary_form=True) or b"")
    finally:
        writer.transport.abort()


def issuer_name(certificate: bytes) -> str:
    """The issuer's common name, unit and organisation, or the empty string where they cannot be read. Hostile text."""
    try:
        (_, body), *_ = _elements(certificate)
        (_, signed), *_ = _elements(body)
        fields = [content for tag, content in _elements(signed) if tag != _VERSION]
        names = dict(_attributes(fields[2]))  # serial number, algorithm, issuer
    except (ValueError, IndexError):
        return ""
    parts = [names[identifier] for identifier in (_COMMON_NAME, _UNIT, _ORGANISATION) if names.get(identifier)]
    return ", ".join(dict.fromkeys(parts))[:_LONGEST]


def _attributes(name: bytes) -> Iterator[tuple[bytes, str]]:
    for set_tag, group in _elements(name):
        for tag, pair in _elements(group) if set_tag == _SET else ():
            (identifier_tag, identifier), (text_tag, text) = _elements(pair)
            if tag == _SEQUENCE and identifier_tag == _OBJECT_IDENTIFIER and text_tag in _TEXT_ENCODINGS:
                yield identifier, text.decode(_TEXT_ENCODINGS[text_tag], "replace")


def _elements(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and content of each DER element in a row. Raises ValueError where one runs past the end."""
    at = 0
    while at < len(data):
        tag = data[at]
        length = data[at + 1]
        at += 2
        if length >= 0x80:
            size = length & 0x7F
            length = int.from_bytes(data[at : at + size], "big")
            at += size
        if at + length > len(data):
            raise ValueError("an element runs past the end")
        yield tag, data[at : at + length]
        at += length
