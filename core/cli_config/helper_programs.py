"""Runs programs that know credentials, with bounds: no shell, little input, limited time and output.

What such a program prints may be a secret, so that no message ever repeats it.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from msgspec import Struct

from lockwarden.core.errors import NoAnswerError, Stage

_CHUNK: Final = 1 << 16
_GRACE: Final = 0.1
"""Seconds that a process gets to end after it has closed its output, at least."""
_TRY_YOURSELF: Final = "run it yourself to see what it says"


class HelperLimits(Struct, frozen=True, kw_only=True):
    """How much one run may ask for."""

    seconds: float = 30.0
    """Some helpers ask a person to unlock a key ring."""
    output_bytes: int = 64 * 1024
    """Of each of its two streams."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HelperOutput:
    """How a program ended and what it printed, which may be a secret."""

    exit_code: int
    """Negative for a signal."""
    printed: bytes
    complained: bool
    """Whether it wrote anything for people."""


def run_helper(
    program: Path,
    arguments: Sequence[str],
    *,
    environ: Mapping[str, str],
    folder: Path,
    given: bytes = b"",
    limits: HelperLimits | None = None,
) -> HelperOutput:
    """Run a program to its end and hand back what it printed; it gets `given` as input and nothing else. It blocks.

    Raises NoAnswerError when it cannot be started, needs too long or prints too much; then it has been killed with all
    that it started. Any exit code is a result.
    """
    bounds = limits or HelperLimits()
    try:
        process = subprocess.Popen(
            [str(program), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environ),
            cwd=folder if folder.is_dir() else None,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name or arguments are wrong"
        raise trouble(program, f"cannot be started: {reason}", code="helper-not-started") from error
    with process:
        try:
            return _watched(process, program, given, bounds)
        except BaseException:
            _kill(process)
            raise


def trouble(program: Path | str, what: str, *, code: str, hint: str = _TRY_YOURSELF) -> NoAnswerError:
    """The error of a program that could not be asked; `what` continues a sentence that starts with its name."""
    return NoAnswerError(f"the credentials helper {program} {what}", stage=Stage.CREDENTIALS, code=code, hint=hint)


def _watched(process: subprocess.Popen[bytes], program: Path, given: bytes, bounds: HelperLimits) -> HelperOutput:
    """Feed the process and read both its streams to their ends, within the bounds. Raises NoAnswerError."""
    deadline = time.monotonic() + bounds.seconds
    try:
        if process.stdin is not None:
            _feed(process.stdin, given)
        printed, complaints = _drained(process, deadline, bounds.output_bytes)
        code = process.wait(max(deadline - time.monotonic(), _GRACE))
    except _TooMuchError as error:
        what = f"printed more than {bounds.output_bytes} bytes and was ended"
        raise trouble(program, what, code="helper-output") from error
    except (TimeoutError, subprocess.TimeoutExpired) as error:
        what = f"did not end within {bounds.seconds:g} seconds and was ended"
        raise trouble(program, what, code="helper-timeout") from error
    return HelperOutput(exit_code=code, printed=printed, complained=bool(complaints))


class _TooMuchError(Exception):
    """A stream is longer than the limit."""


def _feed(stream: IO[bytes], given: bytes) -> None:
    """Give the input, which is short enough for any pipe to hold it, and end it."""
    with contextlib.suppress(BrokenPipeError), stream:
        stream.write(given)


def _drained(process: subprocess.Popen[bytes], deadline: float, limit: int) -> list[bytes]:
    """What the process writes to its output and to its error stream."""
    gathered = {stream.fileno(): bytearray() for stream in (process.stdout, process.stderr) if stream is not None}
    with selectors.DefaultSelector() as selector:
        for descriptor in gathered:
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            remaining = deadline - time.monotonic()
            ready = selector.select(remaining) if remaining > 0 else []
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                chunk = os.read(key.fd, _CHUNK)
                gathered[key.fd] += chunk
                if len(gathered[key.fd]) > limit:
                    raise _TooMuchError
                if not chunk:
                    selector.unregister(key.fd)
    return [bytes(each) for each in gathered.values()]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that nobody has waited for yet, so that its number is still its own, with all that it started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
