"""Locations of mirrors: how they are spelt, and when that of a source and that of a rule mean the same mirror."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, quote, unquote, urlsplit

from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.errors import InputError, InvalidAddressError
from lockwarden.core.values.go_addresses import read_url
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.oci_templates import UriTemplate
from lockwarden.core.values.urls import host_from, is_loopback, is_named

MAX_LENGTH: Final = 4_096
"""Characters in what stands for one source."""

SCHEME: Final = LatePattern(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://")

FolderOf = Callable[[str, Path], Path]
"""Makes an absolute path of the name of a folder and the folder that a relative one starts at."""

_LOCAL_PREFIXES: Final = ("plugin-cache:", "installed:")
_MIRRORS: Final = (
    "write the https:// URL of a network mirror, oci://REGISTRY/{namespace}/{type} for an OCI mirror, or a folder"
)

_OF_PUNYCODE: Final = LatePattern(r"(?i:xn--)")
_TEMPLATE_NAME: Final = LatePattern(r"\$(\{(?:hostname|namespace|type)\})")
_HTTP_PORT: Final = LatePattern(r"(http://(?:\[[^\]/]*\]|[^/:]*)):80(?=/|$)")
_AS_THEY_ARE: Final = "".join(map(chr, range(0x21, 0x7F))).translate(str.maketrans("", "", '"<>`{}'))


def comparable_location(location: str) -> str:
    """The location in a form that is equal for equal mirrors, however they came to be among the sources.

    The template of an OCI mirror may have the form of options, `{type}`, or of the CLI configuration, `${type}`; a URL
    may have been through a URL library or not. Two that differ may still be the same server; folders are compared as
    they are written, links are not followed.
    """
    if location.startswith("oci://"):
        return _TEMPLATE_NAME.sub(r"\1", location)
    if location.startswith(("https://", "http://")):
        return _HTTP_PORT.sub(r"\1", quote(location, safe=_AS_THEY_ARE))
    return location


def folder_as_written(text: str, directory: Path) -> Path:
    """The folder as an absolute path, by the names alone: `..` takes one away, wherever a link of that name leads."""
    return Path(os.path.normpath(directory / text))


def mirror_location(text: str, *, directory: Path, folder_of: FolderOf = folder_as_written) -> str:
    """The location that a source has for the mirror that a rule names; a relative folder is relative to `directory`.

    Only `folder_of` may ask anything. Where the location is compared with a source's, it is the one that sources are
    spelt with. Raises InputError; the message never repeats a URL, which may
    hold a password.
    """
    if not text.strip() or "\0" in text or len(text) > MAX_LENGTH:
        raise InputError("a mirror must be named by a text of at most a few thousand characters", hint=_MIRRORS)
    if text == "direct" or text.startswith(_LOCAL_PREFIXES):
        raise InputError(f"“{text.partition(':')[0]}” is no mirror", hint=_MIRRORS)
    if match := SCHEME.match(text):
        scheme = match["scheme"].lower()
        if scheme == "oci":
            return oci_mirror_location(comparable_location(f"oci://{text[match.end() :]}").removeprefix("oci://"))
        return network_mirror_location(text, scheme, frozenset(), forms=_MIRRORS)
    first = text.partition("/")[0]
    if first.startswith("~") or "@" in first or "." in first.strip("."):
        raise InputError(
            "the mirror is neither a URL nor clearly a folder",
            hint="write https:// before a host, / or ./ before a folder; a ~ is not replaced",
        )
    return str(folder_of(text, directory))


def why_no_client_asks(url: str) -> str:
    """Why both clients end as soon as they want something of the network mirror at a URL; empty where they do not.

    They look for its token by the rules for the host of a provider's address, which not every host of a URL keeps to;
    punycode and dots at the end are the exceptions. Whatever a URL says beside its host is left out of the words.
    """
    host = urlsplit(url).netloc.rpartition("@")[2]
    if host.startswith("["):
        return f"{host} is an IPv6 address, and they take names alone"
    name, colon, port = unquote(host).partition(":")
    try:
        Hostname.parse(_OF_PUNYCODE.sub("xn", f"{name.rstrip('.')}{colon}{port}"))
    except InvalidAddressError as error:
        return error.message
    return ""


def network_mirror_location(text: str, scheme: str, insecure_hosts: frozenset[str], *, forms: str) -> str:
    """The location of the network mirror at a URL of this scheme; `forms` says what else could be written.

    Raises InputError; the message never repeats the URL, which may hold a password.
    """
    if scheme not in {"https", "http"}:
        raise InputError(f"“{scheme}://” does not stand for any kind of source", hint=forms)
    parts, host = _checked_url(text, forms)
    if scheme == "http" and not (is_loopback(parts.hostname or "") or is_named(host, insecure_hosts)):
        raise InputError(
            f"the network mirror at {host} would be asked over plain HTTP, which anyone on the way can change",
            hint="network mirrors speak https://, and the clients accept nothing else",
        )
    return f"{scheme}://{host}{parts.path or '/'}"


def oci_mirror_location(template: str) -> str:
    """A template in the form that audits take. Messages never repeat a template with a password in it."""
    _, at, registry = template.partition("/")[0].rpartition("@")
    if at:
        raise InputError(
            f"the template of the OCI mirror at {registry} holds a user name or a password",
            hint="leave it out and put the credentials into the CLI configuration: an oci_credentials block",
        )
    return f"oci://{UriTemplate.parse(f'oci://{template}').text}"


def _checked_url(text: str, forms: str) -> tuple[SplitResult, str]:
    """The parts of a mirror's URL, and its host and port in comparison form. Messages never repeat the text."""
    try:
        parts = urlsplit(text)
        host = host_from(parts.netloc.rpartition("@")[2])
    except (ValueError, InvalidAddressError) as error:
        raise InputError("the URL of the network mirror has no host name that could be used", hint=forms) from error
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
    # Of the whole text: the parts are without tabs and line ends.
    if any(char.isspace() or not char.isprintable() for char in text):
        raise InputError(
            f"the URL of the network mirror at {host} has a space or a control character",
            hint="leave it out; a space in the path is written %20",
        )
    if parts.path and not parts.path.endswith("/"):
        raise InputError(
            f"the URL of the network mirror at {host} does not end in a slash, so that the clients drop its last part",
            hint=f"write https://{host}{parts.path}/",
        )
    if read_url(text) is None:
        raise InputError(
            f"the URL of the network mirror at {host} is none that the clients can read",
            hint="a % stands before two hexadecimal digits, and a % itself is written %25",
        )
    return parts, host
