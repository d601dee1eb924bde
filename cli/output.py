"""The two ways out of a command: results to stdout, everything else to stderr; safe for terminals and CI logs."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

import click

from lockwarden.core.values.printable import printed

if TYPE_CHECKING:
    from lockwarden.core.engine.lock_files import Loaded
    from lockwarden.core.engine.user_settings import UserSettings
    from lockwarden.core.reports.pages import Page
    from lockwarden.core.reports.result import LeftOut, RunResult
    from lockwarden.core.values.terminals import Outlet, Signs, When

COLOUR_SAID = "lockwarden.colour"
"""Under this name the command line keeps what was said of colours, in click's context."""
_SIGNS_SAID = "lockwarden.signs"


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


def show(text: str, result: RunResult | None = None) -> None:
    """Write a finished text for people to stdout: coloured, wrapped and in ASCII where that is right there.

    Where it is the report of a `result`, its first lines are coloured by their answers. Raises OSError as `out` does.
    """
    from lockwarden.core.reports.pages import heads_of, on_page

    out(on_page(text, page(), None if result is None else heads_of(result)))


def page() -> Page:
    """Where text for people goes to on stdout."""
    from lockwarden.cli.surroundings import environment
    from lockwarden.core.reports.pages import LineWidth, Page
    from lockwarden.core.values.terminals import signs_for, wants_colours

    outlet = outlet_of(sys.stdout)
    environ = environment()
    return Page(
        colours=wants_colours(_said(), environ, outlet),
        signs=signs_for(_signs_said(), environ, outlet),
        lines=None if outlet.columns is None else LineWidth(outlet.columns, cells),
    )


def cells(text: str) -> int:
    """The cells that a text takes on the terminal, by the same rule as on the screen."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def outlet_of(stream: TextIO | None) -> Outlet:
    """What a stream leads to."""
    import shutil

    from lockwarden.core.values.terminals import Outlet

    if stream is None:
        return Outlet()
    try:
        terminal, mode = stream.isatty(), os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):  # closed, or none of the system's
        terminal, mode = False, 0
    columns = shutil.get_terminal_size().columns if terminal else None
    return Outlet(terminal=terminal, file=stat.S_ISREG(mode), encoding=stream.encoding or "utf-8", columns=columns)


def let_output_know(settings: UserSettings) -> None:
    """Let what the user has set of colours and signs count for the command that runs."""
    context = click.get_current_context(silent=True)
    if context is not None and settings.color is not None:
        context.meta.setdefault(COLOUR_SAID, settings.color)
    if context is not None and settings.signs is not None:
        context.meta[_SIGNS_SAID] = settings.signs


def _said() -> When | None:
    """What the command line, or else the settings, say of colours."""
    from lockwarden.core.values.terminals import When

    said = _meta(COLOUR_SAID)
    return None if said is None else When(said)


def _signs_said() -> Signs | None:
    from lockwarden.core.values.terminals import Signs

    said = _meta(_SIGNS_SAID)
    return None if said is None else Signs(said)


def _meta(name: str) -> str | None:
    context = click.get_current_context(silent=True)
    said = None if context is None else context.meta.get(name)
    return said if isinstance(said, str) else None


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
    from lockwarden.core.values.terminals import Signs, in_ascii

    lines = [f"{prefix}{message}", *([f"  hint: {hint}"] if hint else [])]
    told = "".join(f"{printed(line)}\n" for line in lines)
    begin = printed(prefix)
    if coloured_stderr() and told.startswith(begin):
        from lockwarden.core.reports.pages import severity_inked

        told = severity_inked(begin) + told.removeprefix(begin)
    _write(sys.stderr, in_ascii(told) if signs_of_stderr() is Signs.ASCII else told)


def coloured_stderr() -> bool:
    """Whether what goes to stderr is coloured."""
    from lockwarden.cli.surroundings import environment
    from lockwarden.core.values.terminals import wants_colours

    return wants_colours(_said(), environment(), outlet_of(sys.stderr))


def signs_of_stderr() -> Signs:
    """Which signs can be shown on stderr."""
    from lockwarden.cli.surroundings import environment
    from lockwarden.core.values.terminals import signs_for

    return signs_for(_signs_said(), environment(), outlet_of(sys.stderr))


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
