"""Serves the recorded conformance world: static files, the same for every host name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lockwarden.demo.responses import JSON_TYPE, Response
from servers.packed import unpacked

RECORDINGS = Path(__file__).parent.parent / "conformance"
"""Where what the clients did over the world is."""
WORLD = unpacked(RECORDINGS / "world.tar.xz")
_JSON_PLACES = ("/.well-known/", "/v1/", "/mirror/")


@dataclass(frozen=True, slots=True)
class GoldenWorld:
    """The files below `folder`, as `tests/conformance/README.md` says how to serve them."""

    folder: Path = WORLD

    def respond(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        """What any host answers to a GET of `path`; the query is ignored."""
        return _answer(self.folder, path.partition("?")[0])


@cache
def _answer(world: Path, path: str) -> Response:
    """What lies at a path, read once: no test writes into a world that it serves."""
    top = world if path.startswith("/mirror/") else world / "registry"
    file = top / path.lstrip("/")
    if ".." in file.parts or not file.is_file():
        return Response.of_status(404, text="not found\n")
    body = file.read_bytes()
    if path.startswith(_JSON_PLACES):
        return Response(headers=(("Content-Type", JSON_TYPE),), body=body)
    return Response.of_bytes(body)
