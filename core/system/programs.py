"""Runs other programs with bounds: no shell, hardly any input, limited time and output."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import IO, Final

from msgspec import Struct

_CHUNK: Final = 1 << 16
_GRACE: Final = 0.1
"""Seconds that a program gets to end after it has closed its output, at least."""


class Bounds(Struct, frozen=True, kw_only=True):
    """What one run may take."""

    seconds: float
    output_bytes: int
    """Of what it prints."""
    complaint_bytes: int
    """Of what it says to people."""
    cuts_complaint: bool = False
    """Whether what it says beyond that is dropped; otherwise the run is ended."""


class Ended(Struct, frozen=True, kw_only=True):
    """How a run ended; what it printed may be a secret, so nothing here is ever shown as it is."""

    exit_code: int
    """Negative for a signal."""
    printed: bytes
    complaint: bytes

    def __repr__(self) -> str:
        return f"Ended({self.exit_code})"


def search_path(environ: Mapping[str, str], *, separator: str = os.pathsep) -> list[str]:
    """The folders of PATH in which programs are looked for: absolute ones only.

    A relative one, the current folder among them, leads into whatever was checked out there, and what lies in a
    repository is never run.
    """
    return [each for each in environ.get("PATH", "").split(separator) if Path(each).is_absolute()]


def find_program(
    name: str, environ: Mapping[str, str], *, separator: str = os.pathsep, endings: Sequence[str] = ("",)
) -> Path | None:
    """The first program of a name, with one of some endings, on the search path; None when there is none."""
    folders = search_path(environ, separator=separator)
    programs = (Path(folder, f"{name}{ending}") for folder in folders for ending in endings)
    return next((each for each in programs if os.access(each, os.X_OK) and each.is_file()), None)


def temporary_folder() -> str:
    """Where temporary files go, absolute: a program that works in another folder finds them too."""
    return os.path.abspath(tempfile.gettempdir())  # noqa: PTH100 - links stay what they are


class Stop(Enum):
    """Why a program was not read to its end."""

    TIME = auto()
    SIZE = auto()


class NotStartedError(Exception):
    """The program cannot be started; the message says why, as far as the system does."""


class ProgramStoppedError(Exception):
    """The program took more than it may, and was killed with all that it started."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop = stop


class Stream(Struct, frozen=True):
    """One of a program's outputs, and how many bytes of it are read."""

    pipe: IO[bytes]
    limit: int
    cuts: bool = False
    """Whether more is dropped; otherwise it is a reason to stop."""


def run(
    command: Sequence[str], *, environ: Mapping[str, str], folder: Path | None, given: bytes, bounds: Bounds
) -> Ended:
    """Run a program to its end; `given` is all its input, and short enough for any pipe. It blocks.

    Any exit code is a result. Raises NotStartedError, and ProgramStoppedError where it takes more than its bounds.
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
        reason = error.strerror if isinstance(error, OSError) else None
        raise NotStartedError(reason or "its name or arguments are wrong") from error
    with process:
        try:
            return _watched(process, given, bounds)
        except BaseException:  # an interruption too: neither it nor what it started may outlive us
            _kill(process)
            raise


def _watched(process: subprocess.Popen[bytes], given: bytes, bounds: Bounds) -> Ended:
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    deadline = time.monotonic() + bounds.seconds
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError), process.stdin as stream:
            stream.write(given)
    output = Stream(process.stdout, bounds.output_bytes)
    complaints = Stream(process.stderr, bounds.complaint_bytes, bounds.cuts_complaint)
    (printed, complaint), stop = drained((output, complaints), deadline=deadline)
    if stop is not None:
        raise ProgramStoppedError(stop)
    try:
        code = process.wait(max(deadline - time.monotonic(), _GRACE))
    except subprocess.TimeoutExpired as error:
        raise ProgramStoppedError(Stop.TIME) from error
    return Ended(exit_code=code, printed=printed, complaint=complaint)


def drained(streams: Sequence[Stream], *, deadline: float) -> tuple[list[bytes], Stop | None]:
    """What comes out of the streams until all have ended, or until one is too long or the time is over; then why."""
    gathered = [bytearray() for _ in streams]
    with selectors.DefaultSelector() as selector:
        for place, stream in enumerate(streams):
            selector.register(stream.pipe.fileno(), selectors.EVENT_READ, place)
        while selector.get_map():
            remaining = deadline - time.monotonic()
            ready = selector.select(remaining) if remaining > 0 else []
            if not ready:
                return [bytes(each) for each in gathered], Stop.TIME
            for key, _ in ready:
                stream, kept = streams[key.data], gathered[key.data]
                chunk = os.read(key.fd, _CHUNK)
                if not chunk:
                    selector.unregister(key.fd)
                kept += chunk
                if len(kept) > stream.limit:
                    if not stream.cuts:
                        return [bytes(each) for each in gathered], Stop.SIZE
                    del kept[stream.limit :]
    return [bytes(each) for each in gathered], None


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that nobody has waited for yet, so that its number is still its own, with all that it started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
