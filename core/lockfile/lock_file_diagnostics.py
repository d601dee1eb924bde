"""Collects what is wrong with a lock file."""

from __future__ import annotations

from typing import Final

from lockwarden.core.lockfile.positions import Lines
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.severity import Severity

MAX_ERRORS: Final = 1000
"""Errors after which the rest of a file is not judged."""


class TooManyErrors(Exception):  # noqa: N818
    """MAX_ERRORS are collected."""


class LockFileDiagnostics:
    """A list of diagnostics that grows; places in the text become line numbers."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.diagnostics: list[Diagnostic] = []

    def error(self, offset: int, summary: LockFileSummary, message: str, *, hint: str = "") -> None:
        """Note something that the clients refuse. Raises TooManyErrors."""
        self._note(Severity.ERROR, offset, summary, message, hint)
        if len(self.diagnostics) >= MAX_ERRORS:
            more = f"after {MAX_ERRORS} errors the rest of the file was not judged"
            self._note(Severity.ERROR, offset, LockFileSummary.TOO_MANY_ERRORS, more, "")
            raise TooManyErrors

    def warning(self, offset: int, summary: LockFileSummary, message: str) -> None:
        """Note something that the clients warn of."""
        self._note(Severity.WARNING, offset, summary, message, "")

    def _note(self, severity: Severity, offset: int, summary: LockFileSummary, message: str, hint: str) -> None:
        line = self.lines.line_of(offset)
        self.diagnostics.append(Diagnostic(severity=severity, summary=summary, message=message, line=line, hint=hint))
