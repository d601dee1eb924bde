"""The command in a folder with a registry's metadata, and the HTTPS server that gives out what it names."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builders.registry_metadata import Registry
from servers.authority import NAMES, Authority
from servers.environment import environment
from servers.https import HttpsServer, Respond, serving
from servers.installed import Ended, Lockwarden
from servers.no_connections import Way, known
from servers.proxy import proxying
from servers.warm import Forked

from lockwarden.demo.responses import Response

JOURNAL = "lockwarden-backfill.jsonl"
QUICK = ("--host-starts", "1000")
"""Servers of tests need no politeness."""


@dataclass(kw_only=True)
class RegistryRun:
    """One registry."""

    folder: Path
    server: HttpsServer
    lockwarden: Lockwarden

    @property
    def journal(self) -> Path:
        return self.folder / JOURNAL

    @property
    def files(self) -> dict[str, bytes]:
        """The metadata files by their paths."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes() for path in self.folder.glob("providers/**/*.json")
        }

    def serve(self, registry: Registry, respond: Respond | None = None) -> None:
        """Write the metadata, and give out its packages."""
        registry.write(self.folder)
        self.server.serve(respond or registry.respond)

    def backfill(self, *arguments: str, expected: int | None = None) -> Ended:
        return self.lockwarden.run(
            "registry", "backfill", ".", *QUICK, *arguments, folder=self.folder, expected=expected
        )

    def start(self, *arguments: str) -> Forked:
        """The installed command, in a process of its own."""
        return self.lockwarden.start("registry", "backfill", ".", *QUICK, *arguments, folder=self.folder)

    @property
    def asked(self) -> int:
        return len(self.server.journal.requests)


@contextlib.contextmanager
def registry_run(folder: Path, authority: Authority) -> Iterator[RegistryRun]:
    """A registry without files yet, and a server that gives out nothing."""
    for name in ("home", "temporary", "registry"):
        (folder / name).mkdir(parents=True)

    def nothing(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return Response(status=404)

    with (
        serving(nothing, context=authority.server_context) as server,
        proxying(server.address, hosts=NAMES) as proxy,
        known(Way(proxy=proxy, server=server, ca_file=str(authority.ca_file))),
    ):
        variables = environment(folder / "home", proxy_url=proxy.url, ca_file=authority.ca_file)
        command = Lockwarden(
            environment=variables | {"TMPDIR": str(folder / "temporary")}, temporary=folder / "temporary"
        )
        yield RegistryRun(folder=folder / "registry", server=server, lockwarden=command)


@dataclass
class Gate:
    """Lets a server give so many answers and holds the others back until it is opened."""

    respond: Respond
    answers: int
    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)
    _given: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, host: str, path: str, headers: Mapping[str, str]) -> Response:
        with self._lock:
            self._given += 1
            late = self._given > self.answers
        if late:
            self.reached.set()
            self.opened.wait()
        return self.respond(host, path, headers)
