"""Runs git with bounds: no shell, hardly any input, limited time and output."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from msgspec import Struct

from lockwarden.core.errors import GitError, ToolError

INSTALL_HINT: Final = "install git 2.30 or newer, and see that `git` is on the PATH"
_CHUNK: Final = 1 << 16
_GRACE: Final = 0.1
"""Seconds that git gets to end after it has closed its output, at least."""
_COMPLAINT: Final = 16 * 1024
"""Bytes of what git says to people that are kept; the rest is read and dropped."""


class Answer(Struct, frozen=True, kw_only=True):
    """How a run of git ended."""

    exit_code: int
    """Negative for a signal."""
    printed: bytes
    complaint: str
    """What it said to people, in English; it can name hostile things."""


class Bounds(Struct, frozen=True, kw_only=True):
    """What one run may take."""

    seconds: float
    output_bytes: int


def run(
    command: Sequence[str], *, environ: Mapping[str, str], folder: Path, given: bytes, bounds: Bounds, doing: str
) -> Answer:
    """Run git to its end; `given` is all its input, and short enough for any pipe. It blocks.

    `doing` is what it is run for, as words that follow “git could not”.

    Raises ToolError when it cannot be started, GitError when it needs too long or prints too much; then it has been
    killed with all that it started. Any exit code is an answer.
    """
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if given else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environ),
            cwd=folder,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "its arguments are wrong"
        raise ToolError(f"git cannot be started to {doing}: {reason}", hint=INSTALL_HINT) from error
    with process:
        try:
            return _watched(process, given, bounds, doing)
        except BaseException:
            _kill(process)
            raise


def _watched(process: subprocess.Popen[bytes], given: bytes, bounds: Bounds, doing: str) -> Answer:
    deadline = time.monotonic() + bounds.seconds
    try:
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError), process.stdin as stream:
                stream.write(given)
        printed, complaint = _drained(process, deadline, bounds.output_bytes)
        code = process.wait(max(deadline - time.monotonic(), _GRACE))
    except _TooMuchError as error:
        raise GitError(
            f"git could not {doing}: the answer is longer than the limit of {bounds.output_bytes} bytes",
            code="too-large",
            hint="look at the repository with git itself: it holds far more than is usual",
        ) from error
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        raise GitError(
            f"git could not {doing} within {bounds.seconds:g} seconds and was ended",
            code="timeout",
            hint="try the same with git itself; the repository or its disk may be damaged or very slow",
        ) from error
    return Answer(exit_code=code, printed=printed, complaint=complaint.decode("utf-8", "backslashreplace"))


class _TooMuchError(Exception):
    """The output is longer than the limit."""


def _drained(process: subprocess.Popen[bytes], deadline: float, limit: int) -> tuple[bytes, bytes]:
    """All output, and the beginning of what is said to people."""
    printed, complaint = bytearray(), bytearray()
    with selectors.DefaultSelector() as selector:
        for stream, kept in ((process.stdout, printed), (process.stderr, complaint)):
            _register(selector, stream, kept)
        while selector.get_map():
            remaining = deadline - time.monotonic()
            ready = selector.select(remaining) if remaining > 0 else []
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                chunk = os.read(key.fd, _CHUNK)
                if key.data is printed or len(complaint) < _COMPLAINT:
                    key.data.extend(chunk)
                if not chunk:
                    selector.unregister(key.fd)
            if len(printed) > limit:
                raise _TooMuchError
    return bytes(printed), bytes(complaint)


def _register(selector: selectors.BaseSelector, stream: IO[bytes] | None, kept: bytearray) -> None:
    if stream is not None:
        selector.register(stream.fileno(), selectors.EVENT_READ, kept)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill git before anyone has waited for it, so that its number is still its own, with all that it started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
