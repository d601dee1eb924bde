"""Runs git with bounds, and tells what went wrong in words about git."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.system import programs
from lockwarden.core.system.kept_programs import KeptProgram
from lockwarden.core.system.programs import Bounds, NotStartedError, ProgramStoppedError, Stop
from lockwarden.core.values.errors import GitError, ToolError

INSTALL_HINT: Final = "install git 2.30 or newer, and see that `git` is on the PATH"
_COMPLAINT: Final = 16 * 1024
"""Bytes of what git says to people that are kept; the rest is read and dropped."""


class GitOutput(Struct, frozen=True, kw_only=True):
    """How a run of git ended."""

    exit_code: int
    """Negative for a signal."""
    printed: bytes
    complaint: str
    """What it said to people, in English; it can name hostile things."""


def git_bounds(*, seconds: float, output_bytes: int) -> Bounds:
    """What one run of git may take. What it says to people beyond some kilobytes is dropped, and ends nothing."""
    return Bounds(seconds=seconds, output_bytes=output_bytes, complaint_bytes=_COMPLAINT, cuts_complaint=True)


def run(
    command: Sequence[str], *, environ: Mapping[str, str], folder: Path, given: bytes, bounds: Bounds, doing: str
) -> GitOutput:
    """Run git to its end; `given` is all its input, and short enough for any pipe. It blocks.

    `doing` is what it is run for, as words that follow “git could not”.

    Raises ToolError when it cannot be started, GitError when it needs too long or prints too much; then it has been
    killed with all that it started. Any exit code is an answer.
    """
    try:
        ended = programs.run(command, environ=environ, folder=folder, given=given, bounds=bounds)
    except NotStartedError as error:
        raise _not_started(error, doing) from error
    except ProgramStoppedError as error:
        raise stopped(error.stop, bounds, doing) from error
    complaint = complaint_of(ended.complaint)
    return GitOutput(exit_code=ended.exit_code, printed=ended.printed, complaint=complaint)


def keep(command: Sequence[str], *, environ: Mapping[str, str], folder: Path, doing: str) -> KeptProgram:
    """Start a git that answers one question after another. Raises ToolError when it cannot be started."""
    try:
        return KeptProgram(command, environ=environ, folder=folder, complaint_bytes=_COMPLAINT)
    except NotStartedError as error:
        raise _not_started(error, doing) from error


def complaint_of(said: bytes) -> str:
    """What git said to people, as text."""
    return said.decode("utf-8", "backslashreplace")


def _not_started(error: NotStartedError, doing: str) -> ToolError:
    return ToolError(f"git cannot be started to {doing}: {error}", hint=INSTALL_HINT)


def stopped(stop: Stop, bounds: Bounds, doing: str) -> GitError:
    """The error for a git that took more than it may."""
    if stop is Stop.SIZE:
        return GitError(
            f"git could not {doing}: the answer is longer than the limit of {bounds.output_bytes} bytes",
            code="too-large",
            hint="look at the repository with git itself: it holds far more than is usual",
        )
    return GitError(
        f"git could not {doing} within {bounds.seconds:g} seconds and was ended",
        code="timeout",
        hint="try the same with git itself; the repository or its disk may be damaged or very slow",
    )
