"""Leaving in the middle of an audit changes no file and leaves no process and no temporary file behind."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from servers.https import HttpsServer
from servers.installed import PATIENCE, Lockwarden
from servers.terraform import Workspace
from servers.warm import started


def children_of(process: int) -> Iterator[int]:
    """The processes that name this one as their parent."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            yield int(path.parent.name)


SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
IN_THE_MIDDLE = (
    ("check", signal.SIGINT, ()),
    ("lock", signal.SIGTERM, ("--no-cache",)),
    ("check", signal.SIGHUP, ("--no-cache",)),
    ("lock", signal.SIGINT, ("--no-cache",)),
)
"""Command, signal and further words: each of them once. A thorough run tries them all with each other."""
REPETITIONS = tuple(
    pytest.param(*case, marks=pytest.mark.thorough)
    for case in product(("check", "lock"), SIGNALS, ((), ("--no-cache",)))
    if case not in IN_THE_MIDDLE
)


@pytest.mark.parametrize(("command", "number", "extra"), [*IN_THE_MIDDLE, *REPETITIONS])
def test_a_signal_in_the_middle_of_an_audit_leaves_nothing_behind(
    workspace: Workspace,
    lockwarden: Lockwarden,
    stalled: threading.Event,
    command: str,
    number: signal.Signals,
    extra: tuple[str, ...],
) -> None:
    before = workspace.lock_file.read_bytes()
    names = sorted(path.name for path in workspace.folder.iterdir())
    process = lockwarden.start(command, *extra, folder=workspace.folder)
    try:
        assert stalled.wait(PATIENCE)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (process.returncode, out, err) == (SIGNALS[number], "", "")
    assert workspace.lock_file.read_bytes() == before
    assert sorted(path.name for path in workspace.folder.iterdir()) == names
    assert lockwarden.leftovers() == []
    assert list(children_of(process.pid)) == []


def checked(workspace: Workspace, lockwarden: Lockwarden, out: int) -> tuple[int, str]:
    """Check where the report goes to a descriptor; the exit code, and what is said beside it."""
    with tempfile.TemporaryFile() as said, Path(os.devnull).open() as nothing:
        streams = (nothing.fileno(), out, said.fileno())
        process = started(
            ["check", "--offline"], folder=workspace.folder, environment=lockwarden.environment, streams=streams
        )
        code = process.wait(PATIENCE)
        said.seek(0)
        return code, said.read().decode()


def test_a_reader_that_stops_reading_is_no_error(workspace: Workspace, lockwarden: Lockwarden) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        assert checked(workspace, lockwarden, write) == (3, "")
    finally:
        os.close(write)


def test_a_full_disk_is_one_sentence(workspace: Workspace, lockwarden: Lockwarden) -> None:
    with Path("/dev/full").open("w") as full:
        code, told = checked(workspace, lockwarden, full.fileno())
    assert code == 2
    assert "No space left on device" in told
    assert "Traceback" not in told


def test_after_a_run_nothing_is_left(workspace: Workspace, lockwarden: Lockwarden) -> None:
    lockwarden.run("check", "--no-cache", folder=workspace.folder, expected=0)
    assert lockwarden.leftovers() == []
    assert not list(Path(lockwarden.environment["XDG_CACHE_HOME"]).rglob("*.zip"))


def test_packages_are_kept_and_used_again_unless_asked_otherwise(
    workspace: Workspace, lockwarden: Lockwarden, served: HttpsServer
) -> None:
    def fetched(*extra: str) -> int:
        served.journal.clear()
        lockwarden.run("check", *extra, folder=workspace.folder, expected=0)
        return sum(request.path.endswith(".zip") for request in served.journal.requests)

    assert fetched() == 3
    assert fetched() == 0
    assert fetched("--no-cache") == 3
    assert fetched("--fresh") == 3
