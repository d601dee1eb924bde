"""Files in which Docker and other container tools keep credentials for registries."""

from __future__ import annotations

import base64
import binascii
import json
from pathlib import Path

import msgspec
from msgspec import Struct

from lockwarden.core.cli_config.files import ON_DISK, ConfigFiles
from lockwarden.core.cli_config.reading import MAX_BYTES
from lockwarden.core.cli_config.repositories import RepositoryAddressError, RepositoryPrefix
from lockwarden.core.cli_config.settings import BasicCredential, UselessCredential
from lockwarden.core.hcl.syntax import SyntaxProblem
from lockwarden.core.values.go_json import read_json
from lockwarden.core.values.secret import Secret


class DockerFileError(ValueError):
    """A file of credentials cannot be used; the message names it and holds nothing of its content."""


class AuthEntry(Struct, frozen=True, kw_only=True):
    """A user name and a password for a registry or for some of its repositories."""

    key: str
    prefix: RepositoryPrefix
    credential: BasicCredential | UselessCredential


class DockerFile(Struct, frozen=True, kw_only=True):
    """What one file says. Keys that are no address of a registry or repository never match and are left out."""

    path: str
    auths: tuple[AuthEntry, ...]
    helpers: tuple[tuple[str, str], ...]
    """Registry and name of its helper."""
    store: str
    """The helper for every registry, or empty."""


class _Auth(msgspec.Struct):
    auth: str = ""


class _Content(msgspec.Struct, rename={"auths": "auths", "helpers": "credHelpers", "store": "credsStore"}):
    auths: dict[str, _Auth | None] = {}
    helpers: dict[str, str] = {}
    store: str = ""


def read_docker_file(path: Path, files: ConfigFiles = ON_DISK) -> DockerFile | None:
    """Read a file of credentials; None when there is none. Raises DockerFileError when it cannot be used."""
    try:
        data = files.read(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no path"
        raise DockerFileError(f"{path} cannot be read: {reason}") from error
    except SyntaxProblem as problem:
        raise DockerFileError(f"{path} cannot be read: {problem.message}") from problem
    if len(data) > MAX_BYTES:
        raise DockerFileError(f"{path} is larger than the limit of {MAX_BYTES} bytes")
    return parse_docker_file(data, path=str(path))


def parse_docker_file(data: bytes, *, path: str) -> DockerFile:
    """Read a file's content. Raises DockerFileError unless it is JSON of the expected shape."""
    content = _content(data, path)
    return DockerFile(
        path=path,
        auths=tuple(_entries(content, path)),
        helpers=tuple((domain, name) for domain, name in content.helpers.items() if name),
        store=content.store,
    )


def _content(data: bytes, path: str) -> _Content:
    try:
        json.loads(data)
        return read_json(data, _Content, whole=True)
    except (ValueError, RecursionError):
        # The cause would hold the document, and with it the secrets.
        raise DockerFileError(f"{path} is not JSON of the form that container tools write") from None


def _entries(content: _Content, path: str) -> list[AuthEntry]:
    entries = []
    for key, auth in content.auths.items():
        decoded = _decoded(auth.auth if auth else "", path)
        prefix = _prefix(key)
        if decoded and prefix is not None:
            entries.append(AuthEntry(key=key, prefix=prefix, credential=_credential(decoded, key, path)))
    return entries


def _decoded(text: str, path: str) -> bytes:
    """The bytes of a value in base64, in which line ends do not count."""
    try:
        return base64.b64decode(text.replace("\r", "").replace("\n", ""), validate=True)
    except (binascii.Error, ValueError):
        # The cause would hold the text, and the text is a secret.
        raise DockerFileError(f"{path} holds an “auth” that is not base64") from None


def _prefix(key: str) -> RepositoryPrefix | None:
    """What a key stands for, or None when it is nothing that any repository could match."""
    try:
        return RepositoryPrefix.parse(key)
    except RepositoryAddressError:
        return None


def _credential(decoded: bytes, key: str, path: str) -> BasicCredential | UselessCredential:
    """User name and password, which a colon divides. Bytes that are not UTF-8 stay what they are as surrogates."""
    username, colon, password = decoded.decode("utf-8", "surrogateescape").partition(":")
    if not colon:
        return UselessCredential(message=f"the entry “{key}” of {path} is no user name and password")
    return BasicCredential(username=username, password=Secret(password))
