"""Opens the connections that HTTP goes over: trusted certificates, proxies, no cookies, a limit on their number."""

from __future__ import annotations

from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final
from urllib.request import getproxies

import httpx
from msgspec import Struct

from lockwarden.core.http.client_certificates import load_client_certificate
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tls import tls_context
from lockwarden.core.http.transports import DirectTransport
from lockwarden.core.values.errors import InputError

_LOOPBACK: Final = ("all://localhost", "all://127.0.0.1", "all://[::1]")
_CONNECTIONS: Final = 100
_IDLE: Final = 50


class OpenClient(Struct, frozen=True, kw_only=True):
    """A client, and what its connections are opened by; None where a proxy stands between, or a transport is given."""

    client: httpx.AsyncClient
    direct: DirectTransport | None = None


def open_client(settings: HttpSettings, transport: httpx.AsyncBaseTransport | None) -> OpenClient:
    """A client for one audit; whoever opens it closes it. With `transport` nothing leaves the process.

    Without one, the process's proxy variables count, but never for this machine itself, as for the clients. Raises
    InputError when a proxy variable, the trusted certificates or the client certificate cannot be used.
    """
    headers = {"User-Agent": settings.user_agent, "Accept-Encoding": "gzip"}
    cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # keeps none
    if transport is not None:
        return OpenClient(
            client=httpx.AsyncClient(transport=transport, headers=headers, cookies=cookies, trust_env=False)
        )
    verify = tls_context(ca_file=settings.ca_file, ca_folders=settings.ca_folders)
    load_client_certificate(verify, certificate=settings.client_certificate, key=settings.client_key)
    direct = DirectTransport(verify, connections=_CONNECTIONS, idle=_IDLE)
    if not getproxies():
        client = httpx.AsyncClient(transport=direct, headers=headers, cookies=cookies, trust_env=False)
        return OpenClient(client=client, direct=direct)
    try:
        client = httpx.AsyncClient(
            verify=verify,
            headers=headers,
            cookies=cookies,
            limits=httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_IDLE),
            mounts=dict.fromkeys(_LOOPBACK, direct),
        )
        return OpenClient(client=client)
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise InputError(
            "a proxy variable (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY) cannot be used",
            hint="a proxy looks like http://proxy.example.test:3128; SOCKS is not supported",
        ) from error


def uses_a_proxy() -> bool:
    """Whether a proxy may stand between this process and HTTPS servers."""
    return bool({"https", "all"} & getproxies().keys())
