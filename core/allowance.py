"""What auditing one release may cost in all: time, gpg's time, bytes of documents, hashes.

Limits elsewhere are for one thing each, and a server can send many things. What goes beyond is no answer, with the name
of the limit; so a verdict says less for it and never more. An allowance goes with the task that audits a release, and
with every task that this starts, as a cancellation does; what several releases share is charged to whoever asks first.
"""

from __future__ import annotations

import threading
from contextvars import ContextVar
from typing import Final

from msgspec import Struct

from lockwarden.core.errors import NoAnswerError, Stage

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
    hashes: int = 20_000
    """Listed or reported, the same hash counted each time. A release with fifteen platforms has a few hundred."""


class Allowance:
    """What is left of the limits. Safe to use from several threads."""

    def __init__(self, limits: AuditLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._document_bytes = 0
        self._hashes = 0
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
                code="documents-too-large",
                hint=_HINT,
            )

    def charge_hashes(self, count: int, *, stage: Stage) -> None:
        """Count hashes that a document gives. Raises NoAnswerError where they would be more than the limit in all.

        Then they are not counted, so that a smaller document may still be read.
        """
        with self._lock:
            over = self._hashes + count > self._limits.hashes
            if not over:
                self._hashes += count
        if over:
            raise NoAnswerError(
                f"a document with {count} hashes was not used, since this release would have more than"
                f" {self._limits.hashes} in all, which is the limit",
                stage=stage,
                code="too-many-hashes",
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
            code="gpg-time-spent",
            hint=_HINT,
        )


_CURRENT: Final[ContextVar[Allowance | None]] = ContextVar("allowance", default=None)


def begin_allowance(limits: AuditLimits) -> None:
    """Charge what this task, and those that it starts from now on, ask for to a new allowance."""
    _CURRENT.set(Allowance(limits))


def current_allowance() -> Allowance:
    """The allowance of the release that is audited; outside an audit, a new one."""
    return _CURRENT.get() or Allowance(AuditLimits())
