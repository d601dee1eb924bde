"""Whether to commit, in words: every report and every screen says it with these."""

from __future__ import annotations

from enum import StrEnum


class Answer(StrEnum):
    """What a review, or a file without one, comes to; the worst first."""

    UNREADABLE = "Cannot be read"
    UNWRITTEN = "Could not be written"
    """The one thing that can be wrong with a file that could be read and reviewed."""
    FINDINGS = "Do not commit yet"
    INCOMPLETE = "Not everything was checked"
    CHECKING = "Still checking"
    READING = "Reading"
    EMPTY = "Locks no provider"
    GOOD = "Nothing to object to"

    @property
    def objects(self) -> bool:
        """Whether a person has to see to it."""
        return self in {Answer.UNREADABLE, Answer.UNWRITTEN, Answer.FINDINGS}
