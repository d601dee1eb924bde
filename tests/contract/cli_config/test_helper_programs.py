"""Running helper programs: their input, their bounds, and what is left of them when they break these."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from lockwarden.core.cli_config.helper_programs import HelperLimits, run_helper
from lockwarden.core.values.errors import NoAnswerError, Stage

WATCHED = 'exec 3> "$NOTES/alive"'
"""Makes a program, and all that it starts, hold a pipe open for as long as it lives."""
SHORT = HelperLimits(seconds=0.5, output_bytes=1000)
LONG = HelperLimits(seconds=60.0, output_bytes=1000)


class Bench(Protocol):
    """What the fixture of that name offers."""

    folder: Path
    environ: dict[str, str]
    home: Path

    def program(self, path: Path, *lines: str) -> Path: ...


@pytest.fixture
def all_gone(bench: Bench) -> Iterator[Callable[[], bool]]:
    """Says whether everything is gone that a watched program started; waits for it, but not for ever."""
    os.mkfifo(bench.folder / "alive")
    reading = os.open(bench.folder / "alive", os.O_RDONLY | os.O_NONBLOCK)
    yield lambda: bool(select.select([reading], [], [], 10)[0]) and os.read(reading, 1) == b""
    os.close(reading)


def test_a_program_gets_its_arguments_the_input_and_the_environment_and_no_shell(bench: Bench) -> None:
    program = bench.program(bench.folder / "a b;c", 'printf "%s|" "$@" "$HOME" "$(pwd)"', "cat")
    output = run_helper(program, ["$(id)", "x y"], environ=bench.environ, folder=bench.home, given=b"https://r.test")
    assert output.printed.decode() == f"$(id)|x y|{bench.home}|{bench.home}|https://r.test"
    assert (output.exit_code, output.complained) == (0, False)
    assert "r.test" not in repr(output)


def test_without_input_there_is_an_end_of_it_and_never_the_terminals(bench: Bench) -> None:
    program = bench.program(bench.folder / "p", "cat", "echo end")
    assert run_helper(program, [], environ=bench.environ, folder=bench.home, limits=LONG).printed == b"end\n"


def test_a_program_that_does_not_read_its_input_is_no_trouble(bench: Bench) -> None:
    program = bench.program(bench.folder / "p", "exec 0<&-", "echo ok")
    output = run_helper(program, [], environ=bench.environ, folder=bench.home, given=b"x" * 10_000)
    assert output.printed == b"ok\n"


def test_the_exit_code_and_the_error_stream_are_a_result(bench: Bench) -> None:
    program = bench.program(bench.folder / "p", "echo hidden >&2", "exit 3")
    output = run_helper(program, [], environ=bench.environ, folder=bench.home / "missing")
    assert (output.exit_code, output.printed, output.complained) == (3, b"", True)


@pytest.mark.parametrize(
    ("lines", "limits", "code", "message"),
    [
        (["sleep 600"], SHORT, "helper-timeout", "did not end within 0.5 seconds and was ended"),
        (["exec >&- 2>&-", "sleep 600"], SHORT, "helper-timeout", "did not end within 0.5 seconds and was ended"),
        (["(sleep 600) & exit 0"], SHORT, "helper-timeout", "did not end within 0.5 seconds and was ended"),
        (["trap '' TERM INT", "while :; do sleep 1; done"], SHORT, "helper-timeout", "was ended"),
        (["yes hidden"], LONG, "helper-output", "printed more than 1000 bytes and was ended"),
        (["yes hidden >&2"], LONG, "helper-output", "printed more than 1000 bytes and was ended"),
    ],
)
def test_a_program_that_hangs_or_floods_is_ended_with_all_that_it_started(
    bench: Bench, all_gone: Callable[[], bool], lines: list[str], limits: HelperLimits, code: str, message: str
) -> None:
    program = bench.program(bench.folder / "p", WATCHED, *lines)
    with pytest.raises(NoAnswerError) as caught:
        run_helper(program, [], environ=bench.environ, folder=bench.home, limits=limits)
    assert (caught.value.code, caught.value.stage) == (code, Stage.CREDENTIALS)
    assert caught.value.message.startswith(f"the credentials helper {program} ")
    assert caught.value.message.endswith(message)
    assert "hidden" not in caught.value.message
    assert all_gone()


@pytest.mark.parametrize("kind", ["missing", "not executable", "no program", "folder", "no path"])
def test_what_cannot_be_started_is_named(bench: Bench, kind: str) -> None:
    path = bench.folder / ("a\0b" if kind == "no path" else "p")
    if kind == "folder":
        path.mkdir()
    elif kind in ("not executable", "no program"):
        bench.program(path, "exit 0").chmod(0o644 if kind == "not executable" else 0o755)
        if kind == "no program":
            path.write_bytes(b"\x7fELF nonsense")
    with pytest.raises(NoAnswerError, match="cannot be started: ") as caught:
        run_helper(path, [], environ=bench.environ, folder=bench.home)
    assert caught.value.code == "helper-not-started"


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_an_interrupted_run_leaves_no_program_behind(bench: Bench, all_gone: Callable[[], bool]) -> None:
    program = bench.program(bench.folder / "p", WATCHED, "cat", "kill -USR1 $PPID", "sleep 600")
    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_helper(program, [], environ=bench.environ, folder=bench.home, given=b"begun", limits=LONG)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert all_gone()
