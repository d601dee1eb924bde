"""Opens the connections that HTTP goes over: trusted certificates, proxies, no cookies, a limit on their number.

`NO_PROXY` is read as httpx does: a domain stands for itself and all below it, one that begins with a dot only for those
below, an address for itself, and `*` for every host.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx

from lockwarden.core.http.client_certificates import load_client_certificate
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tls import tls_context
from lockwarden.core.http.transports import DirectTransport
from lockwarden.core.values.errors import InputError

_LOOPBACK: Final = ("all://localhost", "all://127.0.0.1", "all://[::1]")
_CONNECTIONS: Final = 100
"""Open at the same time, to all hosts together."""
_IDLE: Final = 50


_SCHEMES: Final = ("http", "https", "all")
_EVERY_HOST: Final = "*"


def open_client(settings: HttpSettings, transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """A client for one audit; whoever opens it closes it. With `transport` nothing leaves the process.

    Without one, the settings' proxies count, but never for this machine itself, as for the clients. Raises
    InputError when a proxy variable, the trusted certificates or the client certificate cannot be used.
    """
    headers = {"User-Agent": settings.user_agent, "Accept-Encoding": "gzip"}
    cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # keeps none
    if transport is not None:
        return httpx.AsyncClient(transport=transport, headers=headers, cookies=cookies, trust_env=False)
    verify = tls_context(ca_file=settings.ca_file, ca_folders=settings.ca_folders)
    load_client_certificate(verify, certificate=settings.client_certificate, key=settings.client_key)
    direct = DirectTransport(verify, connections=_CONNECTIONS, idle=_IDLE)
    if not settings.proxies:
        return httpx.AsyncClient(transport=direct, headers=headers, cookies=cookies, trust_env=False)
    try:
        limits = httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_IDLE)
        through = {
            pattern: None if proxy is None else httpx.AsyncHTTPTransport(verify=verify, limits=limits, proxy=proxy)
            for pattern, proxy in proxy_routes(settings.proxies).items()
        }
        return httpx.AsyncClient(
            verify=verify,
            headers=headers,
            cookies=cookies,
            limits=limits,
            mounts={**through, **dict.fromkeys(_LOOPBACK, direct)},
            trust_env=False,
        )
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise InputError(
            "a proxy variable (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY) cannot be used",
            hint="a proxy looks like http://proxy.example.test:3128; SOCKS is not supported",
        ) from error


def uses_a_proxy(proxies: Mapping[str, str]) -> bool:
    """Whether a proxy may stand between this process and HTTPS servers."""
    return bool({"https", "all"} & proxies.keys())


def proxy_routes(proxies: Mapping[str, str]) -> Mapping[str, httpx.Proxy | None]:
    """The proxy for each of httpx's patterns of URLs, None for directly.

    Raises ValueError and httpx.InvalidURL for what is no proxy.
    """
    without = [each.strip() for each in proxies.get("no", "").split(",")]
    if _EVERY_HOST in without:
        return {}
    through = {f"{scheme}://": httpx.Proxy(_url(proxies[scheme])) for scheme in _SCHEMES if proxies.get(scheme)}
    return {**through, **dict.fromkeys(_patterns(without))}


def _url(proxy: str) -> str:
    return proxy if "://" in proxy else f"http://{proxy}"


def _patterns(hosts: list[str]) -> Iterator[str]:
    for host in filter(None, hosts):
        bits = _address_bits(host)
        if "://" in host:
            yield host
        elif bits is not None:
            yield f"all://[{host}]" if bits == ipaddress.IPV6LENGTH else f"all://{host}"
        else:
            yield f"all://{host}" if host.lower() == "localhost" else f"all://*{host}"


def _address_bits(host: str) -> int | None:
    """Bits of an address, which may have the length of a network behind it; None for a name."""
    try:
        return ipaddress.ip_address(host.split("/", maxsplit=1)[0]).max_prefixlen
    except ValueError:
        return None
