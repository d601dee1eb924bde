"""Which exit code a script gets: the worst of what there is, and for each severity one."""

from __future__ import annotations

from itertools import product

import pytest
from builders.tables import table

from lockwarden.core.review.exit_codes import ExitCode, code_for, code_of_finding, in_words, worst
from lockwarden.core.values.severity import Severity

WORST_FIRST = (ExitCode.UNUSABLE_INPUT, ExitCode.FINDINGS, ExitCode.INCOMPLETE)


@table("there", product((False, True), repeat=3))
def test_the_worst_of_what_there_is_decides(there: tuple[bool, bool, bool]) -> None:
    found = [code for code, is_there in zip(WORST_FIRST, there, strict=True) if is_there]
    unusable, objected, incomplete = there
    expected = found[0] if found else ExitCode.NOTHING_TO_OBJECT
    assert code_for(unusable=unusable, objected=objected, incomplete=incomplete) is expected
    assert worst(found) is expected


@pytest.mark.parametrize(
    ("severity", "code"), [(Severity.ERROR, 1), (Severity.WARNING, 3), (Severity.NOTE, 0)], ids=str
)
def test_an_error_objects_a_warning_leaves_something_open_and_a_note_does_neither(
    severity: Severity, code: int
) -> None:
    assert code_of_finding(severity) == code


def test_every_code_has_words_of_its_own() -> None:
    assert len({in_words(code) for code in ExitCode}) == len(ExitCode) == 4
