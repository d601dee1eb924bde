"""Keeps a program running that answers one question after another: starting one for each takes longer."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

from lockwarden.core.system.programs import NotStartedError, ProgramStoppedError, Stop

_CHUNK: Final = 1 << 16
_GRACE: Final = 1.0
"""Seconds that a program gets to end by itself once nothing comes any more."""


class ProgramEndedError(Exception):
    """The program has ended instead of answering."""

    def __init__(self, exit_code: int, complaint: bytes) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code
        self.complaint = complaint


class KeptProgram:
    """One program, for one question at a time. It ends with this value, and with this process, however that ends.

    Whatever it raises, it has been ended with all that it started, and answers nothing more.
    """

    def __init__(
        self, command: Sequence[str], *, environ: Mapping[str, str], folder: Path | None, complaint_bytes: int
    ) -> None:
        """Start it. Of what it says to people no more than `complaint_bytes` are kept. Raises NotStartedError."""
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environ),
                cwd=folder,
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            raise NotStartedError(reason or "its name or arguments are wrong") from error
        assert process.stdin is not None  # noqa: S101
        assert process.stdout is not None  # noqa: S101
        assert process.stderr is not None  # noqa: S101
        self._process = process
        self._input: IO[bytes] = process.stdin
        self._selector = selectors.DefaultSelector()
        self._selector.register(process.stdout, selectors.EVENT_READ, True)
        self._selector.register(process.stderr, selectors.EVENT_READ, False)
        self._answer = bytearray()
        self._complaint = bytearray()
        self._complaint_bytes = complaint_bytes
        self._deadline = 0.0
        self._end = weakref.finalize(self, _end, process, self._selector)

    def ask(self, question: bytes, *, seconds: float) -> None:
        """Ask; the answers then have so much time. The question is short enough for any pipe."""
        self._deadline = time.monotonic() + seconds
        self._complaint.clear()
        with contextlib.suppress(BrokenPipeError):  # reading tells why
            self._input.write(question)

    def line(self, *, at_most: int) -> bytes:
        """The next line of the answer, without its end. Raises ProgramEndedError and ProgramStoppedError."""
        searched = 0
        while (end := self._answer.find(b"\n", searched)) < 0:
            searched = len(self._answer)
            if searched > at_most:
                self._end()
                raise ProgramStoppedError(Stop.SIZE)
            self._more()
        line = bytes(self._answer[:end])
        del self._answer[: end + 1]
        return line

    def until(self, ending: bytes, *, at_most: int) -> bytes:
        """All that comes before `ending`, behind which nothing comes any more, and which is left out.

        Raises ProgramEndedError, and ProgramStoppedError also for more than so many bytes.
        """
        while not self._answer.endswith(ending):
            if len(self._answer) > at_most + len(ending):
                self._end()
                raise ProgramStoppedError(Stop.SIZE)
            self._more()
        data = bytes(self._answer[: -len(ending)])
        self._answer.clear()
        return data

    @property
    def complaint(self) -> bytes:
        """What it has said to people since it was asked."""
        while any(not key.data for key, _ in self._selector.select(0)) and self._hear():
            pass
        return bytes(self._complaint)

    @property
    def ended(self) -> bool:
        """Whether it answers nothing more."""
        return not self._end.alive

    def end(self) -> None:
        """End it now."""
        self._end()

    def _more(self) -> None:
        remaining = self._deadline - time.monotonic()
        ready = self._selector.select(remaining) if remaining > 0 else []
        if not ready:
            self._end()
            raise ProgramStoppedError(Stop.TIME)
        for key, _ in ready:
            if not key.data:
                self._hear()
                continue
            chunk = os.read(key.fd, _CHUNK)
            if not chunk:
                raise self._ended()
            self._answer += chunk

    def _hear(self) -> bool:
        """Take what it says to people; False when it says nothing more."""
        assert self._process.stderr is not None  # noqa: S101
        chunk = os.read(self._process.stderr.fileno(), _CHUNK)
        if not chunk:
            self._selector.unregister(self._process.stderr)
            return False
        self._complaint += chunk[: max(0, self._complaint_bytes - len(self._complaint))]
        return True

    def _ended(self) -> ProgramEndedError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        complaint, code = self.complaint, self._process.returncode
        self._end()
        return ProgramEndedError(-signal.SIGKILL if code is None else code, complaint)


def _end(process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> None:
    """End a program that only waits for questions, with all that it started."""
    selector.close()
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
