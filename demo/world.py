"""Provider servers as one value: which host answers what under which path.

Nothing here opens a socket. `lockwarden.demo.transport` serves a world inside the process, and the tests serve the
same world over real HTTPS.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from lockwarden.demo.responses import Response

Site = Mapping[str, Response]
"""Path (without a query) → answer, for one host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The answers of several hosts. A path that a host does not have answers 404."""

    sites: Mapping[str, Site]

    @classmethod
    def of(cls, parts: Iterable[tuple[str, Site]]) -> Self:
        """Put sites together; of two answers for one host and path the later one holds."""
        sites: dict[str, dict[str, Response]] = {}
        for host, site in parts:
            sites.setdefault(host, {}).update(site)
        return cls(sites=MappingProxyType({host: MappingProxyType(site) for host, site in sites.items()}))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The host names that exist in this world."""
        return tuple(sorted(self.sites))

    def respond(self, host: str, path: str) -> Response:
        """What `host` answers to a GET of `path`; a query is ignored.

        A host that does not exist in this world answers 421. Who serves the world should not let it come so far: in
        the real world such a name does not resolve.
        """
        site = self.sites.get(host.lower())
        if site is None:
            return Response.of_status(421, text=f"there is no host {host} in this world\n")
        answer = site.get(path.partition("?")[0])
        return Response.of_status(404, text="not found\n") if answer is None else answer

    def with_answers(self, host: str, answers: Mapping[str, Response]) -> Self:
        """The same world in which `host` gives other answers under some paths."""
        return type(self).of([*self.sites.items(), (host, answers)])
