"""What a registry wants before it answers, where it may send us for a token, and whether credentials may go there.

A registry names its token server itself, so whoever controls a registry's answers could name any place. What it wants
stands in its `WWW-Authenticate` header (RFC 9110, section 11.6.1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import httpx
from msgspec import Struct

from lockwarden.core.values.urls import LONGEST_URL, host_of, ip_address_of, is_inside, is_loopback, readable

KNOWN_TOKEN_HOSTS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "registry-1.docker.io": frozenset({"auth.docker.io"}),
        "registry.gitlab.com": frozenset({"gitlab.com"}),
    }
)
"""Public registries whose token server is another host of the same service, which its documentation names."""


MAX_LENGTH: Final = 16 * 1024
"""Characters of the header that are looked at."""
MAX_CHALLENGES: Final = 20
_WORD: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_BLANK_OR_COMMA: Final = re.compile(r"[\s,]*")
_SCHEME: Final = re.compile(rf"({_WORD})(?=\s|,|$)")
_PARAMETER: Final = re.compile(rf'\s*({_WORD})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|({_WORD}))\s*(?=,|$)')
_SINGLE: Final = re.compile(r"\s+[A-Za-z0-9._~+/-]+=*\s*(?=,|$)")
_ESCAPED: Final = re.compile(r"\\(.)")


def realm_url(text: str) -> httpx.URL | None:
    """The realm as a URL, or None for what is none."""
    if len(text) > LONGEST_URL:
        return None
    try:
        return readable(text).copy_with(fragment=None)
    except httpx.InvalidURL:
        return None


def realm_objection(realm: httpx.URL, registry: httpx.URL) -> str:
    """Why no token may be asked for there, or the empty string.

    Plain http is for a registry that itself is spoken to over plain http on this machine. A registry that anyone may
    run must not lead us to a server inside this machine or this network.
    """
    if realm.scheme not in ("https", "http"):
        return f"its scheme “{realm.scheme[:20]}” is not https" if realm.scheme else "it is not absolute"
    if not realm.host:
        return "it names no host"
    if realm.userinfo:
        return "it holds a user name or a password"
    if realm.scheme == "http" and not (registry.scheme == "http" and is_loopback(realm.host)):
        return "it is plain http"
    if is_inside(realm.host) and not is_inside(registry.host):
        return "it is an address inside this machine or its network link, and the registry is not"
    if _is_private(realm.host) and not (_is_private(registry.host) or is_inside(registry.host)):
        return "it is an address of a private network, and the registry is not"
    return ""


def may_see_credentials(realm: httpx.URL, registry: httpx.URL, allowed: frozenset[str]) -> bool:
    """Whether the registry's credentials may go to the token server: same host and port, or one that is vouched for.

    `allowed` are hosts in comparison form that the operator named.
    """
    host, own = host_of(realm), host_of(registry)
    return host == own or host in allowed or host in KNOWN_TOKEN_HOSTS.get(own, frozenset())


def _is_private(host: str) -> bool:
    address = ip_address_of(host)
    return address is not None and not address.is_global


class Challenge(Struct, frozen=True, kw_only=True):
    """One way to authenticate that a server offers."""

    scheme: str
    """In lower case, such as `basic` or `bearer`."""
    parameters: Mapping[str, str]
    """Names in lower case; of one that comes twice the first counts."""


def challenges_in(header: str) -> tuple[Challenge, ...]:
    """The challenges of a header, in its order; several headers joined by commas are one.

    Reading ends where the header can no longer be understood: what came before it counts.
    """
    text = header[:MAX_LENGTH]
    found: list[Challenge] = []
    at = _skip(text, 0)
    while at < len(text) and len(found) < MAX_CHALLENGES:
        match = _SCHEME.match(text, at)
        if match is None:
            break
        parameters, at = _parameters(text, match.end())
        found.append(Challenge(scheme=match[1].lower(), parameters=MappingProxyType(parameters)))
    return tuple(found)


def _parameters(text: str, at: int) -> tuple[dict[str, str], int]:
    """The parameters that follow a scheme, and where the next challenge begins."""
    parameters: dict[str, str] = {}
    if match := _SINGLE.match(text, at):
        return parameters, _skip(text, match.end())
    while match := _PARAMETER.match(text, at):
        value = match[3] if match[2] is None else _ESCAPED.sub(r"\1", match[2])
        parameters.setdefault(match[1].lower(), value)
        at = _skip(text, match.end())
    return parameters, _skip(text, at)


def _skip(text: str, at: int) -> int:
    match = _BLANK_OR_COMMA.match(text, at)
    return at if match is None else match.end()
