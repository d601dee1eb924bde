"""What auditing one release may cost in all: time, gpg's time, bytes of documents, hashes.

Limits elsewhere are for one thing each, and a server can send many things. What goes beyond is no answer, with the name
of the limit; so a verdict says less for it and never more. An allowance goes with the task that audits a release, and
with every task that this starts, as a cancellation does; what several releases share is charged to whoever asks first.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextvars import ContextVar
from typing import Final

from msgspec import Struct

from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode

_HINT: Final = "no honest release comes near it; ask who runs the server what this is"
_MIB: Final = 1024 * 1024


class AuditLimits(Struct, frozen=True, kw_only=True):
    """How much one release may ask for, over all its sources. Real ones stay below a hundredth of most."""

    seconds: float = 600.0
    """From its first question to its last answer, as a clock on the wall has it."""
    gpg_seconds: float = 60.0
    """While gpg runs, all runs together. One takes some hundredths."""
    document_bytes: int = 32 * _MIB
    """Everything but packages, once its encoding is undone. A large list of versions has one MiB."""
    hashes: int = 5_000
    """Different ones that are listed or reported. A release with fifteen platforms has some fifty."""
    mentions: int = 100_000
    """Hashes that are listed or reported, counted each time."""
    hashes_of_all: int = 50_000
    """Different ones of each release, over all releases that are audited together."""


class Total:
    """What all releases of an audit have used together."""

    def __init__(self) -> None:
        self.hashes = 0


class Allowance:
    """What is left of the limits for one release. Safe to use from several threads, but for `charge_hashes`."""

    def __init__(self, limits: AuditLimits, total: Total | None = None) -> None:
        self._limits = limits
        self._total = total or Total()
        self._lock = threading.Lock()
        self._document_bytes = 0
        self._hashes: set[Hash] = set()
        self._mentions = 0
        self._gpg_seconds = 0.0

    def charge_document(self, size: int, *, stage: Stage) -> None:
        """Count bytes of a document. Raises NoAnswerError once all of them together are more than the limit."""
        with self._lock:
            self._document_bytes += size
            over = self._document_bytes > self._limits.document_bytes
        if over:
            raise NoAnswerError(
                f"the documents of this release have more than {self._limits.document_bytes} bytes together, which is"
                " the limit; the rest was not read",
                stage=stage,
                code=ProblemCode.DOCUMENTS_TOO_LARGE,
                hint=_HINT,
            )

    def charge_hashes(self, hashes: Sequence[Hash], *, stage: Stage) -> None:
        """Count the hashes that a document gives. Raises NoAnswerError where they would be more than a limit in all.

        Then they are not counted, so that a smaller document may still be read.
        """
        limits = self._limits
        new = set(hashes) - self._hashes
        if len(self._hashes) + len(new) > limits.hashes:
            over = f"this release would have more than {limits.hashes} in all"
        elif self._mentions + len(hashes) > limits.mentions:
            over = f"this release would name hashes more than {limits.mentions} times in all"
        elif self._total.hashes + len(new) > limits.hashes_of_all:
            over = f"all releases together would have more than {limits.hashes_of_all}"
        else:
            self._hashes |= new
            self._mentions += len(hashes)
            self._total.hashes += len(new)
            return
        raise NoAnswerError(
            f"a document with {len(hashes)} hashes was not used, since {over}, which is the limit",
            stage=stage,
            code=ProblemCode.TOO_MANY_HASHES,
            hint=_HINT,
        )

    @property
    def gpg_seconds_left(self) -> float:
        """How long gpg may still run; zero or less for not at all."""
        with self._lock:
            return self._limits.gpg_seconds - self._gpg_seconds

    def charge_gpg(self, seconds: float) -> None:
        """Count the time of one run of gpg."""
        with self._lock:
            self._gpg_seconds += seconds

    def gpg_spent(self) -> NoAnswerError:
        """The error for what gpg was not asked any more."""
        return NoAnswerError(
            f"gpg has worked {self._limits.gpg_seconds:g} seconds for this release, which is the limit; the rest of its"
            " keys and signatures was not checked",
            stage=Stage.SIGNATURE,
            code=ProblemCode.GPG_TIME_SPENT,
            hint=_HINT,
        )


_CURRENT: Final[ContextVar[Allowance | None]] = ContextVar("allowance", default=None)


def begin_allowance(limits: AuditLimits, total: Total | None = None) -> None:
    """Charge what this task, and those that it starts from now on, ask for to a new allowance."""
    _CURRENT.set(Allowance(limits, total))


def current_allowance() -> Allowance:
    """The allowance of the release that is audited; outside an audit, a new one."""
    return _CURRENT.get() or Allowance(AuditLimits())
