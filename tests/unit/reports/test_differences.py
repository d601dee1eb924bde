"""The exact difference between two states of a lock file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lockwarden.core.reports.differences import DiffLine, Sign, difference

BEFORE = b"".join(b"line %d\n" % number for number in range(1, 21))
AFTER = BEFORE.replace(b"line 7\n", b"").replace(b"line 15\n", b"line 15\nnew\n")


def test_equal_files_have_no_difference() -> None:
    assert difference(BEFORE, BEFORE) == ()


def test_the_difference_is_the_one_that_diff_prints(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(BEFORE)
    (tmp_path / "b").write_bytes(AFTER)
    printed = subprocess.run(["diff", "-u", "a", "b"], cwd=tmp_path, capture_output=True, text=True, check=False).stdout

    ours = [line.text if line.sign is Sign.PLACE else f"{line.sign}{line.text}" for line in difference(BEFORE, AFTER)]
    assert ours == printed.splitlines()[2:]


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"a\r\n", b"a\n", [DiffLine(Sign.REMOVED, "a␍␊"), DiffLine(Sign.ADDED, "a")]),
        (b"a", b"a\n", [DiffLine(Sign.REMOVED, "a (no line end)"), DiffLine(Sign.ADDED, "a")]),
        (b"a\r", b"b\n", [DiffLine(Sign.REMOVED, "a␍"), DiffLine(Sign.ADDED, "b")]),
        (b"\xff\n", b"x\n", [DiffLine(Sign.REMOVED, "\udcff"), DiffLine(Sign.ADDED, "x")]),
    ],
)
def test_line_ends_and_odd_bytes_are_part_of_the_difference(before: bytes, after: bytes, lines: list[DiffLine]) -> None:
    assert list(difference(before, after))[1:] == lines


def test_a_line_that_looks_like_a_header_is_content() -> None:
    assert DiffLine(Sign.ADDED, "++ b/x") in difference(b"", b"++ b/x\n")
