"""What the process says to a script: every exit code, which of several counts, and what each means."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, assert_never

from lockwarden.core.values.errors import ArchiveError, NoAnswerError, SourceError
from lockwarden.core.values.severity import Severity


class ExitCode(IntEnum):
    """What the process says to a script."""

    NOTHING_TO_OBJECT = 0
    FINDINGS = 1
    UNUSABLE_INPUT = 2
    INCOMPLETE = 3


WORST_FIRST: Final = (ExitCode.UNUSABLE_INPUT, ExitCode.FINDINGS, ExitCode.INCOMPLETE, ExitCode.NOTHING_TO_OBJECT)

BY_SIGNAL: Final = 128
"""Added to a signal's number it is the exit code of a process that the signal ended."""


def worst(codes: Iterable[ExitCode]) -> ExitCode:
    """The exit code that covers several: unusable input, then findings, then what is incomplete."""
    return min(codes, key=WORST_FIRST.index, default=ExitCode.NOTHING_TO_OBJECT)


def code_for(*, unusable: bool = False, objected: bool = False, incomplete: bool = False) -> ExitCode:
    """The exit code of what was found: the worst of what there is."""
    if unusable:
        return ExitCode.UNUSABLE_INPUT
    if objected:
        return ExitCode.FINDINGS
    return ExitCode.INCOMPLETE if incomplete else ExitCode.NOTHING_TO_OBJECT


def code_of_finding(severity: Severity) -> ExitCode:
    """Of one thing that is told: an error objects, a warning leaves something open, a note does neither."""
    return code_for(objected=severity is Severity.ERROR, incomplete=severity is Severity.WARNING)


def code_after_locking(code: ExitCode, *, lacking: bool) -> ExitCode:
    """Of `lock`: that of the files as they are afterwards. `lacking` says that a platform could not be locked.

    Then there is something to object to where there would be nothing else. What is incomplete stays so: it may be why.
    """
    return code_for(objected=lacking) if code is ExitCode.NOTHING_TO_OBJECT else code


def code_of_failure(error: SourceError | ArchiveError) -> ExitCode:
    """Of one thing that could not be had: without an answer nothing is known; any other failure is an answer."""
    return code_for(incomplete=True) if isinstance(error, NoAnswerError) else code_for(objected=True)


def in_words(code: ExitCode) -> str:
    """What an exit code means, for people."""
    match code:
        case ExitCode.NOTHING_TO_OBJECT:
            return "nothing to object to"
        case ExitCode.FINDINGS:
            return "findings: something speaks against committing the lock file"
        case ExitCode.UNUSABLE_INPUT:
            return "wrong usage, or input that cannot be read"
        case ExitCode.INCOMPLETE:
            return "something was not asked or did not answer, and nothing worse was found"
        case _:
            assert_never(code)
