"""What is not traced is nothing that has to be covered: a report on files that are left out would find no fault."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
COVERAGE: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["coverage"]
FILES: Final = [path.relative_to(ROOT).as_posix() for path in (ROOT / "core").rglob("*.py")]


def named(patterns: list[str]) -> set[str]:
    return {file for file in FILES if any(fnmatchcase(file, pattern) for pattern in patterns)}


def test_nothing_that_has_to_be_covered_is_left_out_and_every_line_of_both_lists_names_something() -> None:
    covered, left_out = COVERAGE["report"]["include"], COVERAGE["run"]["omit"]
    assert named(covered) & named(left_out) == set()
    assert [pattern for pattern in (*covered, *left_out) if not named([pattern])] == []
