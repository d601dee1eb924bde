"""A command's function that runs in the tests' own process sees its own surroundings and leaves none behind."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from servers.in_process import in_process


def surroundings() -> list[object]:
    mask = os.umask(0)
    os.umask(mask)
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    streams = (sys.stdin, sys.stdout, sys.stderr, *(Path(f"/proc/self/fd/{number}").readlink() for number in range(3)))
    logs = (logging.root.level, tuple(logging.root.handlers), logging.root.manager.disable)
    return [dict(os.environ), Path.cwd(), mask, handlers, streams, logs, tempfile.gettempdir(), sys.argv]


def disturb() -> None:
    os.environ["MINE"] = "x"
    os.chdir("/")
    os.umask(0)
    logging.disable(logging.ERROR)
    logging.root.addHandler(logging.NullHandler())
    sys.argv = ["other"]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@pytest.mark.parametrize("ending", [0, 3, SystemExit(4), ValueError("a mistake")], ids=str)
def test_nothing_that_it_changes_stays(ending: int | BaseException, tmp_path: Path) -> None:
    def run() -> int:
        disturb()
        if isinstance(ending, BaseException):
            raise ending
        return ending

    before = surroundings()
    if isinstance(ending, ValueError):
        with pytest.raises(ValueError, match="a mistake"):
            in_process(run, folder=tmp_path, environment={})
    else:
        code, out, err = in_process(run, folder=tmp_path, environment={})
        assert (code, out, err) == (ending.code if isinstance(ending, SystemExit) else ending, "", "")
    assert surroundings() == before


def test_it_has_the_environment_the_folder_and_the_streams_that_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "temporary").mkdir()
    given = {"TMPDIR": str(tmp_path / "temporary"), "PATH": os.environ["PATH"], "ONE": "1"}

    def run() -> int:
        assert dict(os.environ) == given
        assert Path.cwd() == tmp_path
        assert tempfile.gettempdir() == given["TMPDIR"]
        assert sys.stdin.read() == ""
        assert not sys.stdout.isatty()
        sys.stdout.write("said\n")
        sys.stdout.flush()
        subprocess.run(["sh", "-c", 'echo "$ONE"; echo complained >&2'], check=True)
        return 0

    assert in_process(run, folder=tmp_path, environment=given) == (0, "said\n1\n", "complained\n")


def test_what_it_starts_has_nothing_of_the_tests_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OF_THE_TESTS", "1")

    def run() -> int:
        return subprocess.run(["/bin/sh", "-c", '[ -z "$OF_THE_TESTS" ]']).returncode

    assert in_process(run, folder=tmp_path, environment={})[0] == 0
