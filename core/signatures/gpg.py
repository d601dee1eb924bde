"""python-gnupg with bounds: a private home, no helpers, no options file, limited time and output.

python-gnupg builds the command line and feeds gpg; this subclass replaces how the process is started and read, because
the library waits for ever, keeps everything that gpg prints, and mixes messages for people with status lines.
"""

from __future__ import annotations

import contextlib
import copy
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, ClassVar, Final

import gnupg

from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.status import StatusLog
from lockwarden.core.system.allowance import Allowance, AuditLimits
from lockwarden.core.system.programs import Stop, Stream, drained
from lockwarden.core.values.errors import ToolError

OLDEST_VERSION: Final = (2, 2)
INSTALL_HINT: Final = "Install GnuPG 2.2 or newer, and see that `gpg` is on the PATH."
_SLACK: Final = 0.05
_STATUS_PREFIX: Final = b"[GNUPG:] "

_OPTIONS: Final = (
    "--no-options",  # whatever a gpg.conf says
    "--no-autostart",  # no gpg-agent, no keyboxd
    "--disable-dirmngr",
    "--no-auto-key-retrieve",
    "--no-auto-key-locate",
    "--no-permission-warning",
    "--no-random-seed-file",
    "--no-auto-check-trustdb",
    "--no-allow-non-selfsigned-uid",  # some distributions allow them by default
    "--lock-never",  # nobody else knows the home
    "--ignore-time-conflict",  # a key newer than its signature is a fact to report, not an error
    "--display-charset=utf-8",
    "--logger-file=/dev/null",  # messages for people: never read
)


class Cancellation:
    """Ends the gpg process of one verification from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self.cancelled = False

    def cancel(self) -> None:
        """Kill the process that runs now, if any, and let no further one start."""
        with self._lock:
            self.cancelled = True
            if self._process is not None:
                kill_group(self._process)

    def attach(self, process: subprocess.Popen[bytes]) -> None:
        """The process that a cancellation has to kill from now on."""
        with self._lock:
            self._process = process
            if self.cancelled:
                kill_group(process)

    def detach(self) -> None:
        """The process has ended and was waited for."""
        with self._lock:
            self._process = None


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads its own group, with all that it started; one that is gone already stays so.

    While another thread waits for the process, nobody else can know whether it has ended.
    """
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _new_log(gpg: BoundedGpg) -> StatusLog:
    """Where python-gnupg puts the status lines of the run that it starts."""
    gpg.log = StatusLog()
    return gpg.log


class VerificationCancelledError(Exception):
    """The caller no longer waits for the result; gpg was killed."""


class BoundedGpg(gnupg.GPG):  # type: ignore[misc]  # python-gnupg has no types
    """gpg in one throw-away home. The first one asks gpg for its version; `at` makes the others from it."""

    result_map: ClassVar = {**gnupg.GPG.result_map, "import": _new_log, "verify": _new_log}

    def __init__(self, *, program: Path, home: Path, limits: SignatureLimits) -> None:
        """Raises `ToolError` when gpg is missing, does not run or is too old."""
        self._limits = limits
        self._cancellation = Cancellation()
        self._allowance = Allowance(AuditLimits())
        self.log = StatusLog()
        try:
            super().__init__(
                gpgbinary=str(program), gnupghome=str(home), options=list(_OPTIONS), env=_environment(home)
            )
        except (OSError, ValueError) as error:
            raise ToolError(f"{program} does not run as gpg", hint=INSTALL_HINT) from error
        if self.version is None or self.version < OLDEST_VERSION:
            raise ToolError(f"{program} is not GnuPG 2.2 or newer", hint=INSTALL_HINT)

    def at(self, home: Path, *, now: int, cancellation: Cancellation, allowance: Allowance) -> BoundedGpg:
        """The same gpg in another home, at a stated time (seconds since 1970), whose time `allowance` pays for."""
        other = copy.copy(self)
        other.gnupghome = str(home)
        other.env = _environment(home)
        other.options = [*_OPTIONS, f"--faked-system-time={now}!"]
        other._cancellation = cancellation
        other._allowance = allowance
        return other

    def read_keys(self, keys: bytes) -> StatusLog:
        """Import binary key packets into the home. The log's data is gpg's listing of them, each signature checked.

        Signatures by others are dropped unread: they can be many, and no client looks at them.
        """
        options = ["--trust-model=direct", "--import-options=import-show,self-sigs-only", "--with-sig-check"]
        return self._run(lambda: self.import_keys(keys, extra_args=options))

    def check(self, *, signature: bytes, document: Path) -> StatusLog:
        """Verify a detached signature over a file against the keys in the home."""
        options = ["--trust-model=always", "-", str(document)]
        return self._run(lambda: self.verify(signature, extra_args=options))

    def _run(self, run: Callable[[], object]) -> StatusLog:
        """Raises NoAnswerError when the allowance for gpg is spent, before the run or in it."""
        self.log = StatusLog()
        if self._allowance.gpg_seconds_left <= 0:
            raise self._allowance.gpg_spent()
        begin = time.monotonic()
        try:
            run()
        except OSError as error:
            # With an exit code, gpg ended before it had read all its input, and its status lines say why.
            if self.log.returncode is None:
                raise ToolError(f"{self.gpgbinary} cannot be started", hint=INSTALL_HINT) from error
        finally:
            self._allowance.charge_gpg(time.monotonic() - begin)
        if self._cancellation.cancelled:
            raise VerificationCancelledError
        if self.log.stopped and self._allowance.gpg_seconds_left <= 0:
            raise self._allowance.gpg_spent()
        return self.log

    def _open_subprocess(self, args: list[str], passphrase: bool = False) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self.make_args(args, passphrase),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.env,
            cwd=self.gnupghome,
            start_new_session=True,
        )
        self._cancellation.attach(process)
        return process

    def _collect_output(
        self,
        process: subprocess.Popen[bytes],
        result: StatusLog,
        writer: threading.Thread | None = None,
        stdin: IO[bytes] | None = None,
    ) -> int:
        pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]
        # Beyond what is left by a little, so that a run that was cut for it has spent all.
        seconds = min(self._limits.seconds, max(self._allowance.gpg_seconds_left, 0) + _SLACK)
        deadline = time.monotonic() + seconds
        try:
            result.data, messages = self._drain(*pipes, result=result, deadline=deadline)
            if not result.stopped:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(deadline - time.monotonic(), 0))
        finally:
            kill_group(process)
            result.returncode = process.wait()
            self._cancellation.detach()
            for pipe in pipes:
                pipe.close()
        if writer is not None:
            writer.join()
        if stdin is not None:
            with contextlib.suppress(OSError):
                stdin.close()
        for line in messages.split(b"\n"):
            if line.startswith(_STATUS_PREFIX):
                keyword, _, value = line[len(_STATUS_PREFIX) :].decode("utf-8", "backslashreplace").partition(" ")
                result.handle_status(keyword, value)
        return result.returncode

    def _drain(
        self, stdout: IO[bytes], stderr: IO[bytes], *, result: StatusLog, deadline: float
    ) -> tuple[bytes, bytes]:
        """Read both streams to their ends, or until a limit; then `result.stopped` names it."""
        most = self._limits.output_bytes
        (data, messages), stop = drained((Stream(stdout, most), Stream(stderr, most)), deadline=deadline)
        if stop is Stop.TIME:
            result.stopped = f"gpg needed more than {self._limits.seconds:g} seconds"
        elif stop is Stop.SIZE:
            result.stopped = f"gpg printed more than {most} bytes"
        return data, messages


def _environment(home: Path) -> dict[str, str]:
    """All that gpg gets to know: nothing of the operator's environment, least of all their GNUPGHOME."""
    return {"HOME": str(home), "GNUPGHOME": str(home), "LC_ALL": "C", "TZ": "UTC"}
