"""Whether to commit, in words: every report and every screen says it with these."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from lockwarden.core.review.exit_codes import ExitCode


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


_ANSWERS: Final = {
    ExitCode.NOTHING_TO_OBJECT: Answer.GOOD,
    ExitCode.FINDINGS: Answer.FINDINGS,
    ExitCode.INCOMPLETE: Answer.INCOMPLETE,
    ExitCode.UNUSABLE_INPUT: Answer.UNREADABLE,
}


def answer_for(code: ExitCode) -> Answer:
    """What the exit code of what is no lock file means, such as of modules, in the words of every report."""
    return _ANSWERS[code]
