"""The exit code of several lock files is the worst of them, in the order in which people need to know."""

from __future__ import annotations

import pytest

from lockwarden.core.review.exit_codes import ExitCode, in_words, worst

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
