"""Provider servers as one value: which host answers what under which path.

Nothing here opens a socket. `lockwarden.demo.transport` serves a world inside the process, and the tests serve the
same world over real HTTPS.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Self

JSON_TYPE: Final = "application/json"
BYTES_TYPE: Final = "application/octet-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """Status, headers and body of one answer. Who serves it adds the length of the body where no header states it."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @classmethod
    def of_json(cls, document: Any, *, status: int = 200) -> Self:
        """A JSON document, indented for people who look at it."""
        body = json.dumps(document, indent=1).encode()
        return cls(status=status, headers=(("Content-Type", JSON_TYPE),), body=body)

    @classmethod
    def of_bytes(cls, body: bytes) -> Self:
        """A file as it lies on a release server: a package, a list of checksums, a signature."""
        return cls(headers=(("Content-Type", BYTES_TYPE),), body=body)

    @classmethod
    def of_status(cls, status: int, *, text: str = "", headers: tuple[tuple[str, str], ...] = ()) -> Self:
        """A bare status with a short plain text."""
        return cls(status=status, headers=(("Content-Type", "text/plain; charset=utf-8"), *headers), body=text.encode())

    @property
    def headers_with_length(self) -> tuple[tuple[str, str], ...]:
        """The headers to send: as they are when they say how the body ends, else with its true length."""
        if any(name.lower() in {"content-length", "transfer-encoding"} for name, _ in self.headers):
            return self.headers
        return (*self.headers, ("Content-Length", str(len(self.body))))


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
