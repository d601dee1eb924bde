"""The two ways out of a command: results to stdout, everything else to stderr; safe for terminals and CI logs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

from lockwarden.core.values.printable import printed

if TYPE_CHECKING:
    from lockwarden.core.engine.lock_files import Loaded
    from lockwarden.core.reports.result import LeftOut


def make_tolerant() -> None:
    """Let characters that the terminal's encoding lacks be spelled out instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def out(text: str) -> None:
    """Write a finished text to stdout. Whoever has stopped reading is no error: the exit code still tells.

    Raises OSError when it cannot be written for another reason, such as a full disk.
    """
    _write(sys.stdout, text)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except OSError as error:
        # Python flushes once more at its end and would complain; what is left goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not isinstance(error, BrokenPipeError):
            raise


def complain(message: str, *, hint: str = "", prefix: str = "lockwarden: error: ") -> None:
    """Write one sentence, and what to do about it, to stderr."""
    lines = [f"{prefix}{message}", *([f"  hint: {hint}"] if hint else [])]
    _write(sys.stderr, "".join(f"{printed(line)}\n" for line in lines))


def on_terminal() -> bool:
    """Whether a person sits in front of it, so that a screen can be drawn and keys can be read."""
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams)


def complain_of(loaded: Iterable[Loaded]) -> None:
    """Tell on stderr why files cannot be read: every problem on a line of its own, with file and line where known."""
    for each in loaded:
        if each.lock_file is not None:
            continue
        for problem in each.problems:
            place = "lockwarden" if problem.line is None else f"{each.path}:{problem.line}"
            complain(problem.message, hint=problem.hint, prefix=f"{place}: {problem.severity}: ")


def tell_left_out(left_out: Iterable[LeftOut]) -> None:
    """Tell on stderr what a search did not look at."""
    for each in left_out:
        complain(each.message, prefix="lockwarden: note: ")
