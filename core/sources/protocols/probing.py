"""Asks a host once whether it speaks the other protocol, after it was no use in the one that it was asked in.

A registry's URL is easily taken for that of a network mirror, and the reverse; both end in "not found". What comes out
here is for a message. It is never evidence about a package.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Final

import httpx
from msgspec import Struct

from lockwarden.core.http.client import HttpClient
from lockwarden.core.sources.once import Once
from lockwarden.core.sources.protocols.discovery import PROVIDERS, WELL_KNOWN
from lockwarden.core.sources.protocols.registry_documents import read_services, read_versions
from lockwarden.core.values.addresses import Hostname, ProviderAddress
from lockwarden.core.values.errors import SourceError, Stage
from lockwarden.core.values.go_json import BodyError
from lockwarden.core.values.urls import host_of, redacted, resolved

_LIMIT: Final = 1024 * 1024
"""Bytes of an answer to a probe."""
_JSON: Final = frozenset({"application/json"})
_ACCEPT: Final = "application/json"
_OK: Final = 200
_REGISTRY_PATH: Final = "/providers/"
"""How the path of a provider registry's base URL ends nearly everywhere."""


class RegistryTrace(Struct, frozen=True, kw_only=True):
    """What shows that a provider registry stands where a network mirror should."""

    url: str
    """The registry's base URL, without secrets."""
    certain: bool
    """Whether the URL itself is the registry's; otherwise only its host offers one."""


class _Protocol(StrEnum):
    REGISTRY = "provider registry protocol"
    MIRROR = "provider network mirror protocol"


class _Heard(Struct, frozen=True, kw_only=True):
    """What a host answered, in which protocol."""

    protocol: _Protocol
    url: str
    """The base URL of what speaks it."""
    only_at: str = ""
    """The base URL that the answer is about; the empty string where it is about the whole host."""


class Probes:
    """The probes of one audit: at most one request to a host, without credentials, redirects and retries.

    Sources that share it share the answers. A probe that fails in any way says nothing.
    """

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self._heard: Once[str, _Heard | None] = Once()

    async def registry_at(self, base: str, address: ProviderAddress) -> RegistryTrace | None:
        """Whether a provider registry answers at a mirror's base URL or its host; None where nothing shows it.

        A base URL that looks like a registry's is asked for the versions of the provider, any other's host for its
        discovery document.
        """
        try:
            url = httpx.URL(base)
        except httpx.InvalidURL:
            return None

        async def ask() -> _Heard | None:
            if url.path.endswith(_REGISTRY_PATH):
                return await self._versions(base, address)
            return await self._discovery(str(url.join(WELL_KNOWN)))

        heard = await self._once(host_of(url), ask)
        if heard is None or heard.protocol is not _Protocol.REGISTRY or heard.only_at not in {"", base}:
            return None
        return RegistryTrace(url=redacted(heard.url), certain=url.path == "/" or heard.url == base)

    async def mirror_at(self, host: Hostname, address: ProviderAddress) -> str:
        """The base URL of a network mirror at the root of a host that serves the provider, or the empty string."""
        if ":" in address.hostname.ascii:
            return ""  # no network mirror can serve it
        base = f"https://{host.ascii}/"
        heard = await self._once(host.ascii, lambda: self._index(base, address))
        return heard.url if heard is not None and heard.protocol is _Protocol.MIRROR else ""

    async def _once(self, host: str, ask: Callable[[], Awaitable[_Heard | None]]) -> _Heard | None:
        async def silent() -> _Heard | None:
            try:
                return await ask()
            except (SourceError, BodyError):
                return None

        return await self._heard.get(host, silent)

    async def _discovery(self, url: str) -> _Heard | None:
        body = await self._get(url, Stage.DISCOVERY)
        service = read_services(body).get(PROVIDERS) if body else None
        if not isinstance(service, str) or not service:
            return None
        return _Heard(protocol=_Protocol.REGISTRY, url=resolved(url, service, stage=Stage.DISCOVERY))

    async def _versions(self, base: str, address: ProviderAddress) -> _Heard | None:
        url = httpx.URL(base).join(f"{address.namespace}/{address.type}/versions")
        body = await self._get(str(url), Stage.VERSIONS)
        listed = bool(body) and bool(read_versions(body).versions)
        return _Heard(protocol=_Protocol.REGISTRY, url=base, only_at=base) if listed else None

    async def _index(self, base: str, address: ProviderAddress) -> _Heard | None:
        from lockwarden.core.sources.protocols.mirror_documents import read_mirror_index
        from lockwarden.core.sources.protocols.mirror_urls import document_url

        body = await self._get(document_url(base, address, "index.json"), Stage.INDEX)
        listed = bool(body) and bool(read_mirror_index(body).versions)
        return _Heard(protocol=_Protocol.MIRROR, url=base) if listed else None

    async def _get(self, url: str, stage: Stage) -> bytes:
        """The body of a 200 that is JSON; nothing for any other status. Raises SourceError."""
        document = await self._http.get_document(
            url,
            stage=stage,
            limit=_LIMIT,
            content_types=_JSON,
            max_redirects=0,
            retries=0,
            headers={"Accept": _ACCEPT},
        )
        return document.body if document.status == _OK else b""
