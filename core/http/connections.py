"""Opens the connections that HTTP goes over: trusted certificates, proxies, no cookies, a limit on their number."""

from __future__ import annotations

from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx

from lockwarden.core.http.client_certificates import load_client_certificate
from lockwarden.core.http.proxies import proxy_routes
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tls import tls_context
from lockwarden.core.http.transports import DirectTransport
from lockwarden.core.values.errors import InputError

_LOOPBACK: Final = ("all://localhost", "all://127.0.0.1", "all://[::1]")
_CONNECTIONS: Final = 100
"""Open at the same time, to all hosts together."""
_IDLE: Final = 50


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
