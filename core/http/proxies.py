"""Through which proxy a request goes, by the variables that name proxies; the process's own are handed in.

`NO_PROXY` is read as httpx does: a domain stands for itself and all below it, one that begins with a dot only for those
below, an address for itself, and `*` for every host.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Final

import httpx

_SCHEMES: Final = ("http", "https", "all")
_EVERY_HOST: Final = "*"


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
