"""gpg's status lines: the only words of gpg that count (GnuPG, doc/DETAILS)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

MAX_LINES: Final = 20_000
"""Status lines of one run of gpg."""


class StatusLog:
    """Collects status lines for python-gnupg, which calls `handle_status` for each; interprets nothing.

    Not slotted: python-gnupg logs the `__dict__` of its results.
    """

    def __init__(self, lines: Iterable[tuple[str, str]] = ()) -> None:
        self.lines = list(lines)
        """Keyword and the rest of the line, in gpg's order. Text from keys in it is percent-escaped by gpg."""
        self.data = b""
        """Standard output."""
        self.stderr = ""
        """Unused: messages for people are not read. python-gnupg wants the name."""
        self.returncode: int | None = None
        self.stopped = ""
        """The limit that ended the run, or the empty string when gpg ended by itself."""

    def handle_status(self, key: str, value: str) -> None:
        """Take one line; past the limit the rest is dropped, since no judgement reads that far."""
        if len(self.lines) < MAX_LINES:
            self.lines.append((key, value))

    def values(self, *keywords: str) -> Iterator[list[str]]:
        """The words after each line with one of these keywords."""
        return (value.split() for key, value in self.lines if key in keywords)

    def has(self, *keywords: str) -> bool:
        """Whether one of these keywords was seen."""
        return any(key in keywords for key, _ in self.lines)
