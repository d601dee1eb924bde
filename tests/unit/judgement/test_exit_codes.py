"""Which exit code a script gets: the worst of what there is, and for each severity one."""

from __future__ import annotations

from itertools import product

import pytest
from builders.audits import MIRROR, ORIGIN, answer, audit
from builders.run_results import SIGNATURE
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.review.exit_codes import (
    ExitCode,
    code_after_locking,
    code_for,
    code_of_failure,
    code_of_finding,
    in_words,
    worst,
)
from lockwarden.core.review.key_use import code_of_signatures
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, NoAnswerError, Stage
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import Conclusion, ConclusionKind

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


def test_locking_never_ends_well_while_a_platform_is_lacking_and_keeps_what_is_worse() -> None:
    assert [code_after_locking(each, lacking=True) for each in ExitCode] == [1, 1, 2, 3]
    assert [code_after_locking(each, lacking=False) for each in ExitCode] == [0, 1, 2, 3]


def test_only_a_failure_without_an_answer_leaves_it_open() -> None:
    assert code_of_failure(NoAnswerError("silent", stage=Stage.PACKAGE)) == 3
    assert code_of_failure(BadAnswerError("odd", stage=Stage.PACKAGE)) == 1
    assert code_of_failure(ArchiveError("no zip", code=ArchiveFault.NOT_A_FILE)) == 1


def test_a_signature_that_a_client_would_refuse_comes_before_a_source_that_is_silent() -> None:
    refused = replace(SIGNATURE, conclusion=Conclusion(kind=ConclusionKind.REFUSED))
    accepted = replace(SIGNATURE, conclusion=Conclusion(kind=ConclusionKind.ACCEPTED))
    silent = answer(MIRROR, outcome=Outcome.NO_ANSWER)
    good, bad = (replace(answer(ORIGIN), signatures=(each,)) for each in (accepted, refused))

    assert code_of_signatures([audit(good)]) == 0
    assert code_of_signatures([audit(good), audit(good, silent)]) == 3
    assert code_of_signatures([audit(bad, silent)]) == 1
    assert code_of_signatures([audit(good), audit()]) == 3
    assert code_of_signatures([]) == 0
