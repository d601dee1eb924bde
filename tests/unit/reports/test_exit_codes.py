"""The exit code of several lock files is the worst of them, in the order in which people need to know."""

from __future__ import annotations

import pytest

from lockwarden.core.review.exit_codes import (
    ExitCode,
    code_after_locking,
    code_for,
    code_of_failure,
    code_of_finding,
    in_words,
    worst,
)
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, NoAnswerError, Stage
from lockwarden.core.values.severity import Severity

FINE, FINDINGS, UNUSABLE, INCOMPLETE = ExitCode(0), ExitCode(1), ExitCode(2), ExitCode(3)


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([], 0),
        ([FINE, FINE], 0),
        ([FINE, INCOMPLETE], 3),
        ([INCOMPLETE, FINDINGS], 1),
        ([FINDINGS, UNUSABLE, INCOMPLETE], 2),
    ],
)
def test_the_worst_is_unusable_then_findings_then_incomplete(codes: list[ExitCode], expected: int) -> None:
    assert worst(codes) == expected


def test_every_code_has_words_of_its_own() -> None:
    assert len({in_words(code) for code in ExitCode}) == 4


@pytest.mark.parametrize(
    ("unusable", "objected", "incomplete", "code"),
    [
        (False, False, False, 0),
        (False, False, True, 3),
        (False, True, True, 1),
        (True, True, True, 2),
    ],
)
def test_one_thing_has_the_code_of_the_worst_that_holds_of_it(
    unusable: bool, objected: bool, incomplete: bool, code: int
) -> None:
    assert code_for(unusable=unusable, objected=objected, incomplete=incomplete) == code


def test_an_error_objects_a_warning_leaves_open_and_a_note_does_neither() -> None:
    assert [code_of_finding(each) for each in (Severity.ERROR, Severity.WARNING, Severity.NOTE)] == [1, 3, 0]


def test_locking_never_ends_well_while_a_platform_is_lacking_and_keeps_what_is_worse() -> None:
    assert [code_after_locking(each, lacking=True) for each in ExitCode] == [1, 1, 2, 3]
    assert [code_after_locking(each, lacking=False) for each in ExitCode] == [0, 1, 2, 3]


def test_only_a_failure_without_an_answer_leaves_it_open() -> None:
    assert code_of_failure(NoAnswerError("silent", stage=Stage.PACKAGE)) == 3
    assert code_of_failure(BadAnswerError("odd", stage=Stage.PACKAGE)) == 1
    assert code_of_failure(ArchiveError("no zip", code=ArchiveFault.NOT_A_FILE)) == 1
