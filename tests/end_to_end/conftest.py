"""Fixtures for tests of the installed command against real servers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.configuring import OCI_HOST, MakeLockFile
from end_to_end.oci_mirrors import filled, written
from end_to_end.registry_runs import RegistryRun, registry_run
from servers.authority import Authority
from servers.https import Breakage, Broken, HttpsServer, of_world
from servers.installed import Lockwarden
from servers.oci_registry import Registry, running_registry
from servers.shared import shared
from servers.terraform import Workspace

from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.world import Response


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
def backfilled(authority: Authority, tmp_path: Path) -> Iterator[RegistryRun]:
    """The command in a folder for a registry's metadata, and a server for what that names."""
    with registry_run(tmp_path, authority) as run:
        yield run


@pytest.fixture(scope="session")
def lock_file_of(tmp_path_factory: pytest.TempPathFactory) -> MakeLockFile:
    """Gives a lock file that a real program writes, by its name; each is made once a session, for all workers.

    The packages of the three providers are the same for all of them, and only their hashes are in the lock files.
    """

    def made_once(name: str, make: Callable[[], bytes]) -> bytes:
        return shared(tmp_path_factory, f"lock-file-{name}", make)

    return made_once


@pytest.fixture
def workspace(
    three_providers: ThreeProviders,
    lockwarden: Lockwarden,
    served: HttpsServer,
    tmp_path: Path,
    lock_file_of: MakeLockFile,
) -> Workspace:
    """A folder that requires the three providers, locked for linux_amd64 by the real terraform."""
    made = Workspace.make(tmp_path / "configuration", lockwarden.environment, three_providers.required)

    def locked() -> bytes:
        made.run("providers", "lock", "-platform=linux_amd64")
        served.journal.clear()
        return made.lock_file.read_bytes()

    made.lock_file.write_bytes(lock_file_of("linux_amd64", locked))
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


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory, three_providers: ThreeProviders) -> Iterator[Registry]:
    """A real OCI registry with the three providers that anyone may use."""
    with running_registry(tmp_path_factory.mktemp("registry")) as running:
        yield filled(running, three_providers)


@pytest.fixture(scope="session")
def password_registry(tmp_path_factory: pytest.TempPathFactory, three_providers: ThreeProviders) -> Iterator[Registry]:
    """A real OCI registry with the three providers that asks for a user name and a password."""
    with running_registry(tmp_path_factory.mktemp("password-registry"), password=True) as running:
        yield filled(running, three_providers)


@pytest.fixture
def folder(tmp_path: Path, three_providers: ThreeProviders) -> Path:
    """A folder with a lock file of OpenTofu's that locks the zh of every package and the h1 of linux_amd64."""
    return written(tmp_path / "configuration", three_providers.releases, known=True)


@pytest.fixture
def everything(https_server: HttpsServer, three_providers: ThreeProviders, password_registry: Registry) -> HttpsServer:
    """The registry of providers, the network mirror and an OCI registry with a password, each under its name."""
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        return password_registry.respond(host, path, headers) if host == OCI_HOST else world.respond(host, path)

    https_server.serve(respond)
    return https_server


@pytest.fixture
def home(lockwarden: Lockwarden) -> Path:
    """The home folder of the installed command."""
    return Path(lockwarden.environment["HOME"])
