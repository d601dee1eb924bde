"""Fixtures for all tests: a clean environment, a certificate authority, keys, the demo world, its HTTPS server."""

from __future__ import annotations

import faulthandler
import gc
import os
import signal
from collections.abc import Callable, Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.reading import SECOND_READER
from builders.thorough import THOROUGH
from hypothesis import HealthCheck, settings
from servers.authority import NAMES, Authority
from servers.environment import environment
from servers.https import HttpsServer, of_world, serving
from servers.no_connections import Way, known
from servers.packed import begin_session
from servers.proxy import Proxy, proxying
from servers.shared import shared

from lockwarden.cli.process_tuning import do_without_absent_modules
from lockwarden.demo.building import RECORD, DemoWorld, build
from lockwarden.demo.keys import KeyMaker

_UNWANTED = ("TF_", "TOFU_", "OPENTOFU_", "LOCKWARDEN_", "SSL_CERT_", "GNUPG", "XDG_")
_UNWANTED_NAMES = frozenset({"NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORFGBG", "COLUMNS", "LINES"})

# How long something takes says nothing on a busy machine.
_TIMELESS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The common run says the same of the same tree every time; what is new is looked for in thorough ones.
settings.register_profile("quick", _TIMELESS, max_examples=30, derandomize=True, database=None)
settings.register_profile("thorough", _TIMELESS, max_examples=3_000)
settings.load_profile("thorough" if THOROUGH else "quick")


_ALLOCATIONS = (50_000, 20, 20)
"""After so many the collector looks for garbage; with Python's own numbers that is a sixth of the time of all tests."""
_HUNG = None if THOROUGH else 600
"""Seconds after which a test waits for something that will not come; the longest takes some seconds."""
_STDERR: list[int] = []
_LONGEST_VALUE = 60
_LONGEST_ID = 500


def pytest_configure() -> None:
    """Have one folder for what is unpacked, made before there are workers, who share it; and be quick."""
    begin_session()
    _STDERR.append(os.dup(2))  # while tests run, pytest keeps what comes there
    gc.set_threshold(*_ALLOCATIONS)
    gc.disable()  # until the tests are collected, of which nothing goes
    do_without_absent_modules()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """End a worker whose test hangs, with what it was doing; the others go on, and the test has failed."""
    if _HUNG:
        faulthandler.dump_traceback_later(_HUNG, exit=True, file=_STDERR[0])
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a long text by its beginning and its length. Values that then have the same name get a number by pytest."""
    if isinstance(val, str | bytes) and len(ascii(val)) > _LONGEST_VALUE:
        start = ascii(val[:_LONGEST_VALUE]).lstrip("b").strip("'\"")
        return f"{start[:_LONGEST_VALUE]}... ({len(val)})"
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is thorough to thorough runs, and refuse names that no report could show."""
    if not THOROUGH:
        left_out = [item for item in items if item.get_closest_marker("thorough")]
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=left_out)
    # A long value that is no text needs an id of its own.
    if long := next((item.nodeid for item in items if len(item.nodeid) > _LONGEST_ID), None):
        raise pytest.UsageError(f"the id of a test has {len(long)} characters, give it one: {long[:200]}")


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests that it would otherwise look through again and again."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for garbage once more and leave alone what is no garbage: pytest looks through all of it five times."""
    for _ in range(2):
        gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Take away every variable that could change a result, and give the session a home of its own."""
    with pytest.MonkeyPatch.context() as patch:
        for name in tuple(os.environ):
            if name.startswith(_UNWANTED) or name.upper().endswith("_PROXY") or name in _UNWANTED_NAMES:
                patch.delenv(name)
        home = tmp_path_factory.mktemp("home")
        patch.setenv("HOME", str(home))
        patch.setenv("XDG_DATA_DIRS", str(home / "share"))
        yield


@pytest.fixture(scope="session", autouse=True)
def heard_signals() -> None:
    """Let programs that tests start hear signals, which they would not where this process was told to ignore them."""
    for number, handler in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
        (signal.SIGHUP, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def one_second_reader() -> Iterator[None]:
    """Let the commands that run in this process share python-hcl2's parser; keeping its tables has tests of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lockwarden.cli.process_runtime.SecondReader", lambda make: SECOND_READER)
        yield


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The certificate authority that the tests' clients trust."""
    return Authority.make(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="session")
def key_maker() -> Iterator[KeyMaker]:
    """Real gpg keys for releases that a test makes itself."""
    with KeyMaker() as maker:
        yield maker


@pytest.fixture(scope="session")
def demo_world(tmp_path_factory: pytest.TempPathFactory) -> DemoWorld:
    """The demo's world, signed once for all workers. Tests that write into its folder copy it first."""
    folder = tmp_path_factory.mktemp("demo")

    def record() -> bytes:
        build(folder, now=datetime.now(UTC))
        return (folder / RECORD).read_bytes()

    (folder / RECORD).write_bytes(shared(tmp_path_factory, "demo-record", record))
    return build(folder, now=datetime.now(UTC))


@pytest.fixture
def https_server(authority: Authority, demo_world: DemoWorld) -> Iterator[HttpsServer]:
    """The demo world over real HTTPS, with a journal of its own; `serve` makes it serve something else."""
    with serving(of_world(demo_world.world), context=authority.server_context) as server:
        yield server


@pytest.fixture
def proxy(https_server: HttpsServer, authority: Authority) -> Iterator[Proxy]:
    """A proxy that leads every host name of the tests to the HTTPS server and refuses everything else.

    Commands that run in this process do without both where the server gives a whole answer.
    """
    with (
        proxying(https_server.address, hosts=NAMES) as running,
        known(Way(proxy=running, server=https_server, ca_file=str(authority.ca_file))),
    ):
        yield running


@pytest.fixture
def program_environment(authority: Authority, proxy: Proxy, tmp_path: Path) -> Callable[..., dict[str, str]]:
    """Makes the environment for a program that shall reach the HTTPS server; keywords are further variables."""

    def make(**extra: str) -> dict[str, str]:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        return environment(home, proxy_url=proxy.url, ca_file=authority.ca_file, extra=extra)

    return make
