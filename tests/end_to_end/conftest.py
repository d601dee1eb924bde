"""Fixtures for tests of the installed command against real servers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from servers.https import Breakage, Broken, HttpsServer, of_world
from servers.installed import Lockwarden
from servers.terraform import Workspace

from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.responses import Response


@pytest.fixture(scope="session")
def three_providers(key_maker: KeyMaker) -> ThreeProviders:
    return ThreeProviders.make(key_maker)


@pytest.fixture
def served(three_providers: ThreeProviders, https_server: HttpsServer) -> HttpsServer:
    """The three providers over real HTTPS."""
    https_server.serve(of_world(three_providers.world()))
    return https_server


@pytest.fixture
def lockwarden(program_environment: Callable[..., dict[str, str]], tmp_path: Path) -> Lockwarden:
    """The installed command with its own home, temporary folder and the way to the tests' servers."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    return Lockwarden(environment=program_environment(TMPDIR=str(temporary)), temporary=temporary)


@pytest.fixture
def workspace(
    three_providers: ThreeProviders, lockwarden: Lockwarden, served: HttpsServer, tmp_path: Path
) -> Workspace:
    """A folder that requires the three providers, locked for linux_amd64 by the real terraform."""
    made = Workspace.make(tmp_path / "configuration", lockwarden.environment, three_providers.required)
    made.run("providers", "lock", "-platform=linux_amd64")
    served.journal.clear()
    return made


@pytest.fixture
def stalled(served: HttpsServer, three_providers: ThreeProviders) -> threading.Event:
    """Set once a package is under way of which only the beginning ever comes."""
    event = threading.Event()
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        response = world.respond(host, path)
        if path.endswith(".zip"):
            event.set()
            stated = Response(headers=(("Content-Length", str(len(response.body))),), body=response.body)
            raise Broken(Breakage.STALL, response=stated, after=1000)
        return response

    served.serve(respond)
    return event
