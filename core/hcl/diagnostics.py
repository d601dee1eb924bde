"""What is wrong with a policy or approvals file, collected so that a person sees all of it at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lockwarden.core.values.diagnostics import Diagnostic

MAX_DIAGNOSTICS: Final = 100
"""After so many the rest of a file is not judged."""

_LONGEST_NAME: Final = 64
"""Characters of a name that are repeated in a message; no setting's name is nearly as long."""


class TooManyDiagnostics(Exception):  # noqa: N818
    """MAX_DIAGNOSTICS are collected."""


class BlockDiagnostics:
    """A list of diagnostics that grows."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def add(self, line: int, message: str, *, hint: str = "") -> None:
        """Note one more. Raises TooManyDiagnostics."""
        self.diagnostics.append(Diagnostic(line=line, message=message, hint=hint))
        if len(self.diagnostics) >= MAX_DIAGNOSTICS:
            rest = f"after {MAX_DIAGNOSTICS} mistakes the rest of the file was not judged"
            self.diagnostics.append(Diagnostic(line=line, message=rest))
            raise TooManyDiagnostics

    @property
    def in_order(self) -> tuple[Diagnostic, ...]:
        """All of them by line."""
        return tuple(sorted(self.diagnostics, key=lambda diagnostic: diagnostic.line))


def shown_name(name: str) -> str:
    """A name for a message, in quotation marks, cut when it is absurdly long."""
    return f"“{name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + '…'}”"


def meant(name: str, known: Iterable[str]) -> str:
    """The known name that somebody probably meant, or the empty string."""
    if len(name) > _LONGEST_NAME:
        return ""
    import difflib

    return next(iter(difflib.get_close_matches(name.lower(), tuple(known), n=1, cutoff=0.6)), "")


def listed(names: Iterable[str]) -> str:
    """Names as a sentence has them: `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
