"""Turns what an operator wrote for `--source` into a source's kind and place, and gives every source a short name."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final, assert_never
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from lockwarden.core.cli_config.settings import Method
from lockwarden.core.evidence.source_answers import SourceKind, SourceRef
from lockwarden.core.values.errors import InputError, InvalidAddressError
from lockwarden.core.values.mirror_locations import comparable_location
from lockwarden.core.values.oci_templates import UriTemplate
from lockwarden.core.values.urls import host_from, is_named

DIRECT: Final = "direct"
MAX_LENGTH: Final = 4_096
"""Characters in what stands for one source."""

_SCHEME: Final = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")
_PREFIXES: Final = {"plugin-cache:": SourceKind.PLUGIN_CACHE, "installed:": SourceKind.INSTALLED}
_INSTALLED: Final = (".terraform", "providers")
_MIRRORS: Final = (
    "write the https:// URL of a network mirror, oci://REGISTRY/{namespace}/{type} for an OCI mirror, or a folder"
)
_FORMS: Final = (
    "write direct, the https:// URL of a network mirror, oci://REGISTRY/{namespace}/{type} for an OCI mirror, or a"
    " folder: a filesystem mirror as it is, plugin-cache:FOLDER or installed:FOLDER"
)


class SourceSpec(Struct, frozen=True, kw_only=True):
    """A source that the operator chose: its kind and where it is."""

    kind: SourceKind
    location: str
    """A URL that ends in a slash, an absolute path, `oci://` and the template of an OCI mirror's repositories, or
    `direct` for each provider's own origin registry."""
    method: Method | None = None
    """What the CLI configuration says of it; None when the operator named it, so that it serves every provider."""


def parse_source(text: str, *, directory: Path, insecure_hosts: frozenset[str] = frozenset()) -> SourceSpec:
    """Read one `--source`; relative folders are relative to `directory`, and folders must exist.

    `insecure_hosts` (`host` or `host:port` in comparison form) may be spoken to over plain HTTP, beside this machine
    itself. Raises InputError.
    """
    if not text.strip() or "\0" in text or len(text) > MAX_LENGTH:
        raise InputError("a source must be given as a text of at most a few thousand characters", hint=_FORMS)
    if text == DIRECT:
        return SourceSpec(kind=SourceKind.DIRECT, location=DIRECT)
    for prefix, kind in _PREFIXES.items():
        if text.startswith(prefix):
            return SourceSpec(kind=kind, location=_folder(text.removeprefix(prefix), directory))
    if match := _SCHEME.match(text):
        scheme = match["scheme"].lower()
        if scheme == "oci":
            return SourceSpec(kind=SourceKind.OCI_MIRROR, location=_oci_location(text[match.end() :]))
        return _of_url(text, scheme, insecure_hosts)
    folder = _folder(text, directory)
    installed = PurePath(folder).parts[-2:] == _INSTALLED
    return SourceSpec(kind=SourceKind.INSTALLED if installed else SourceKind.FILESYSTEM_MIRROR, location=folder)


def mirror_location(text: str, *, directory: Path) -> str:
    """The location that a source has for the mirror that a rule names; a relative folder is relative to `directory`.

    Nothing is asked, not even whether a folder is there. Raises InputError; the message never repeats a URL, which may
    hold a password.
    """
    if not text.strip() or "\0" in text or len(text) > MAX_LENGTH:
        raise InputError("a mirror must be named by a text of at most a few thousand characters", hint=_MIRRORS)
    if text == DIRECT or text.startswith(tuple(_PREFIXES)):
        raise InputError(f"“{text.partition(':')[0]}” is no mirror", hint=_MIRRORS)
    if match := _SCHEME.match(text):
        scheme = match["scheme"].lower()
        if scheme == "oci":
            return _oci_location(comparable_location(f"oci://{text[match.end() :]}").removeprefix("oci://"))
        return _of_url(text, scheme, frozenset()).location
    first = text.partition("/")[0]
    if first.startswith("~") or "@" in first or "." in first.strip("."):
        raise InputError(
            "the mirror is neither a URL nor clearly a folder",
            hint="write https:// before a host, / or ./ before a folder; a ~ is not replaced",
        )
    return str(_absolute(text, directory))


def is_loopback(host: str) -> bool:
    """Whether a host name, without a port, always means this machine."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _of_url(text: str, scheme: str, insecure_hosts: frozenset[str]) -> SourceSpec:
    if scheme not in {"https", "http"}:
        raise InputError(f"“{scheme}://” does not stand for any kind of source", hint=_FORMS)
    parts, host = _checked_url(text)
    if scheme == "http" and not (is_loopback(parts.hostname or "") or is_named(host, insecure_hosts)):
        raise InputError(
            f"the network mirror at {host} would be asked over plain HTTP, which anyone on the way can change",
            hint="network mirrors speak https://, and the clients accept nothing else",
        )
    return SourceSpec(kind=SourceKind.NETWORK_MIRROR, location=f"{scheme}://{host}{parts.path or '/'}")


def _oci_location(template: str) -> str:
    """A template in the form that audits take. Messages never repeat a template with a password in it."""
    _, at, registry = template.partition("/")[0].rpartition("@")
    if at:
        raise InputError(
            f"the template of the OCI mirror at {registry} holds a user name or a password",
            hint="leave it out and put the credentials into the CLI configuration: an oci_credentials block",
        )
    return f"oci://{UriTemplate.parse(f'oci://{template}').text}"


def _checked_url(text: str) -> tuple[SplitResult, str]:
    """The parts of a mirror's URL, and its host and port in comparison form. Messages never repeat the text."""
    try:
        parts = urlsplit(text)
        host = host_from(parts.netloc.rpartition("@")[2])
    except (ValueError, InvalidAddressError) as error:
        raise InputError("the URL of the network mirror has no host name that could be used", hint=_FORMS) from error
    if parts.username is not None or parts.password is not None:
        raise InputError(
            f"the URL of the network mirror at {host} holds a user name or a password",
            hint="leave it out and put the token into the CLI configuration: a credentials block for the host",
        )
    if parts.query or parts.fragment or text.endswith(("?", "#")):
        raise InputError(
            f"the URL of the network mirror at {host} has a query or a fragment, which the protocol does not know",
            hint="leave out everything from the “?” or “#” on",
        )
    if parts.path and not parts.path.endswith("/"):
        raise InputError(
            f"the URL of the network mirror at {host} does not end in a slash, so that the clients drop its last part",
            hint=f"write https://{host}{parts.path}/",
        )
    if any(char.isspace() or not char.isprintable() for char in parts.path):
        raise InputError(f"the URL of the network mirror at {host} has a space or a control character", hint=_FORMS)
    return parts, host


def _folder(text: str, directory: Path) -> str:
    path = directory / text
    try:
        found = path.is_dir()
    except OSError:
        found = False
    if not text or not found:
        like_url = "/" in text and "." in text.split("/", maxsplit=1)[0].strip(".")
        hint = f"if it is a network mirror, write https://{text}" if like_url else _FORMS
        raise InputError(f"“{text}” is not a source: there is no such folder", hint=hint)
    return str(_absolute(text, directory))


def _absolute(text: str, directory: Path) -> Path:
    path = directory / text
    # Unlike the method resolve, realpath takes a circle of links as it takes a folder that is not there.
    return Path(os.path.realpath(path)) if ".." in path.parts else path.absolute()


def name_sources(specs: Sequence[SourceSpec]) -> tuple[SourceRef, ...]:
    """A reference for each spec, in their order: the id is short, and no two are equal."""
    taken: set[str] = set()
    refs: list[SourceRef] = []
    for spec in specs:
        id_ = next(name for name in _names(spec) if name not in taken)
        taken.add(id_)
        refs.append(SourceRef(id=id_, kind=spec.kind, location=spec.location))
    return tuple(refs)


def _names(spec: SourceSpec) -> Iterator[str]:
    """Names for a source, the shortest first, without end."""
    names = list(_natural_names(spec))
    yield from names
    number = 2
    while True:
        yield f"{names[-1]} ({number})"
        number += 1


def _natural_names(spec: SourceSpec) -> Iterator[str]:
    match spec.kind:
        case SourceKind.NETWORK_MIRROR | SourceKind.OCI_MIRROR:
            parts = urlsplit(spec.location)
            yield parts.netloc
            yield f"{parts.netloc}{parts.path}".rstrip("/")
        case SourceKind.DIRECT:
            yield DIRECT
        case SourceKind.INSTALLED | SourceKind.PLUGIN_CACHE | SourceKind.FILESYSTEM_MIRROR:
            parts_ = PurePath(spec.location).parts
            if parts_[-2:] != _INSTALLED and parts_[-1] != DIRECT:
                yield parts_[-1]
            yield "/".join(parts_[-2:])
            yield spec.location
        case _:
            assert_never(spec.kind)
