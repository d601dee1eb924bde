"""URLs from outside: read, judged before they are asked, resolved against one another, and shown without secrets."""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.errors import BadAnswerError, InvalidAddressError, Stage
from lockwarden.core.values.go_addresses import read_url
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.problem_codes import ProblemCode

if TYPE_CHECKING:
    import httpx  # imported where a URL is read, since those who ask no server need none

LONGEST_URL: Final = 16 * 1024
"""Characters; signed download URLs reach four thousand."""
_HOST: Final = re.compile(rb"[A-Za-z0-9._-]+\Z")
_LITERAL: Final = LatePattern(r"\[(?P<host>[0-9A-Fa-f:.]+)\](?::(?P<port>[0-9]{1,5}))?")
_PUNYCODE: Final = LatePattern(r"(?P<host>(?=.*\bxn--)[a-z0-9.-]+)(?::(?P<port>[0-9]{1,5}))?")
"""Provider addresses have to be written with the letters that they mean; a place to ask may be in punycode already."""
_PATH: Final = LatePattern(r"/(?!/)(?!.*/\.)[A-Za-z0-9._~!$&'()*+,=:@%/-]*")
_PLACE: Final = LatePattern(r"https?://[^/?#]+(?=/)")
_WHOLE: Final = LatePattern(r"https?://[^?#;\[]+(?:\?[^?#;]+)?")
"""What means the same wherever it is written: a path from the root without detours, its place, a whole URL."""
_NOT_YET_SHOWN: Final = ("@", "?", "#", ":443", ":80")
"""Marks of what is left out of a URL for people; httpx leaves usual ports out when it reads one again."""
_REMEMBERED: Final = 128
"""URLs that are read once however often they are met: reading one takes as long as asking for it."""
_HTTPS_PORT: Final = 443
_LAST_PORT: Final = 65_535
_SHOWN: Final = 300
_USER_INFORMATION: Final = "it holds a user name or a password"
_PLAIN: Final = "it is plain http"
_ASK: Final = "ask who runs the server that answered so"
_HINTS: Final = {
    _USER_INFORMATION: "take it out of the URL; a token goes into a credentials block of the CLI configuration",
    _PLAIN: "only https is used; plain http needs a loopback address or --insecure-http",
}
_ESCAPED_BY_GO: Final = {b"\\": b"%5C", b"^": b"%5E", b"|": b"%7C"}
_IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


@lru_cache(_REMEMBERED)
def _read(text: str) -> httpx.URL:
    """The URL as httpx reads it. Raises httpx.InvalidURL."""
    import httpx

    return httpx.URL(text)


@lru_cache(_REMEMBERED)
def redacted(url: str | httpx.URL) -> str:
    """A URL for people: no user information, no query, no fragment, cut where it is very long."""
    import httpx

    try:
        parsed = _read(url) if isinstance(url, str) else url
        text = str(parsed)
        if any(mark in text for mark in _NOT_YET_SHOWN):
            text = str(parsed.copy_with(username=None, password=None, query=None, fragment=None))
    except (httpx.InvalidURL, UnicodeError):
        return "a URL that cannot be read"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


@lru_cache(_REMEMBERED)
def readable(url: str | httpx.URL) -> httpx.URL:
    """The URL. Raises httpx.InvalidURL, also for a host that httpx stumbles over only when it is asked for it."""
    import httpx

    try:
        parsed = _read(url) if isinstance(url, str) else url
        _ = parsed.host, parsed.raw_host
    except UnicodeError as error:
        raise httpx.InvalidURL("its host is no host name") from error
    return _as_go_sends(parsed)


def _as_go_sends(url: httpx.URL) -> httpx.URL:
    """The URL with those characters of its path escaped that httpx sends as they are, and Go does not."""
    path, mark, query = url.raw_path.partition(b"?")
    if not any(char in path for char in _ESCAPED_BY_GO):
        return url
    for char, escaped in _ESCAPED_BY_GO.items():
        path = path.replace(char, escaped)
    return url.copy_with(raw_path=path + mark + query)


def host_of(url: httpx.URL) -> str:
    """Host and port in comparison form: lower-case punycode, with `:port` unless that is 443."""
    port = url.port or (_HTTPS_PORT if url.scheme == "https" else 80)
    host = url.raw_host.decode("ascii").lower()
    return _with_port(f"[{ipaddress.ip_address(host)}]" if ":" in host else host, port)


def host_from(text: str) -> str:
    """Host and port that a person wrote, in the same form; an IPv6 address stands in square brackets.

    Raises InvalidAddressError.
    """
    literal = _LITERAL.fullmatch(text)
    match = literal or _PUNYCODE.fullmatch(text.lower())
    if match is None:
        return Hostname.parse(text).ascii
    port = int(match["port"] or _HTTPS_PORT)
    try:
        host = f"[{ipaddress.IPv6Address(match['host'])}]" if literal else match["host"]
    except ValueError as error:
        raise InvalidAddressError(f"“{text}” is not a hostname: “{match['host']}” is no IPv6 address") from error
    if port > _LAST_PORT:
        raise InvalidAddressError(f"“{text}” is not a hostname: its port is above {_LAST_PORT}")
    return _with_port(host, port)


def _with_port(host: str, port: int) -> str:
    return host if port == _HTTPS_PORT else f"{host}:{port}"


def is_named(host: str, named: frozenset[str]) -> bool:
    """Whether a host in comparison form is among those that were named; one named without a port is so at any port."""
    return not named.isdisjoint({host, host.rpartition(":")[0]})


def joined(base: httpx.URL, reference: str) -> httpx.URL:
    """The URL that a reference means in a document from `base`, as Go resolves it: empty parts of a path stay, so that
    `//` stays as it is written. Raises httpx.InvalidURL, ValueError.
    """
    if _PATH.fullmatch(reference) and (place := _PLACE.match(str(base))):
        return _read(f"{place[0]}{reference}")
    target = _read(reference)
    if target.scheme and target.host and _WHOLE.fullmatch(text := str(target)):
        return _read(text)
    path = target.raw_path
    if target.scheme or target.host or not path or path.startswith((b"/", b"?")):
        return base.join(reference)
    folder = base.raw_path.partition(b"?")[0].rpartition(b"/")[0]
    return base.copy_with(raw_path=folder + b"/" + path, fragment=target.fragment or None)


def resolved(base: str, reference: str, *, stage: Stage, by_operator: bool = False) -> str:
    """The absolute URL that `reference` means in a document from `base`, without its fragment.

    Whether it may be asked is judged when it is asked. Raises BadAnswerError for what is too long or no URL, and unless
    `by_operator` wrote it for what leads from elsewhere into this machine or its network link.
    """
    if len(reference) > LONGEST_URL:
        raise BadAnswerError(
            f"the answer names a URL of {len(reference)} characters, the limit is {LONGEST_URL}",
            stage=stage,
            code=ProblemCode.URL_REFUSED,
            hint=_ASK,
        )
    import httpx

    try:
        if reference and read_url(reference) is None:
            raise httpx.InvalidURL("the clients cannot read it")
        origin = readable(base)
        target = readable(joined(origin, reference))
        target = target.copy_with(fragment=None) if "#" in str(target) else target
    except (httpx.InvalidURL, ValueError) as error:
        raise BadAnswerError(
            "the answer names something that is no URL", stage=stage, code=ProblemCode.URL_REFUSED, hint=_ASK
        ) from error
    if not by_operator and is_inside(target.host) and not is_inside(origin.host):
        raise BadAnswerError(
            f"{host_of(origin)} names {redacted(target)}, which is an address inside this machine or its network link",
            stage=stage,
            code=ProblemCode.URL_REFUSED,
            hint="a server's word leads nowhere inside; where that is meant, name the address yourself, in a host block"
            " of the CLI configuration or as a mirror",
        )
    return str(target)


def first_url(text: str, *, stage: Stage, insecure_hosts: frozenset[str]) -> httpx.URL:
    """The URL of a first request. Raises BadAnswerError, which says why it may not be asked."""
    import httpx

    if len(text) > LONGEST_URL:
        reason = f"it has {len(text)} characters, the limit is {LONGEST_URL}"
    else:
        try:
            if read_url(text) is None:
                raise httpx.InvalidURL("the clients cannot read it")
            url = readable(text)
            url = url.copy_with(fragment=None) if "#" in text else url
        except httpx.InvalidURL:
            reason = "it cannot be read"
        else:
            reason = objection(url, insecure_hosts)
            if not reason:
                return url
    raise BadAnswerError(
        f"the URL “{redacted(text[:LONGEST_URL])}” is refused: {reason}",
        stage=stage,
        code=ProblemCode.URL_REFUSED,
        hint=_HINTS.get(reason, "write an absolute https:// URL with a host name"),
    )


def objection(url: httpx.URL, insecure_hosts: frozenset[str]) -> str:
    """Why the URL may not be asked at all, or the empty string."""
    if url.scheme not in ("http", "https"):
        return f"the scheme “{url.scheme}” is not https" if url.scheme else "it is not absolute"
    if not url.host:
        return "it names no host"
    if not (_HOST.match(url.raw_host) or _is_ipv6(url.host)):
        return "its host is no host name"
    if (url.port or 0) > _LAST_PORT:
        return f"its port is above {_LAST_PORT}"
    if url.userinfo:
        return _USER_INFORMATION
    if url.scheme == "https" or is_loopback(url.host):
        return ""
    return "" if is_named(host_of(url), insecure_hosts) else _PLAIN


def ip_address_of(host: str) -> _IPAddress | None:
    """The IP address that the host is, in any spelling that a resolver takes, or None for a name."""
    try:
        address: _IPAddress = ipaddress.ip_address(host)
    except ValueError:
        try:
            return ipaddress.IPv4Address(socket.inet_aton(host))
        except (OSError, ValueError):
            return None
    return getattr(address, "ipv4_mapped", None) or address


def _is_ipv6(host: str) -> bool:
    try:
        return "%" not in host and ipaddress.ip_address(host).version == 6
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether it is surely this machine: `localhost` or a loopback address in its usual spelling."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_inside(host: str) -> bool:
    """Whether nobody elsewhere can mean this place: this machine, the local link, no place at all."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = ip_address_of(host)
    return address is not None and (
        address.is_loopback or address.is_link_local or address.is_unspecified or address.is_multicast
    )
