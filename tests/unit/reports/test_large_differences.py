"""The difference of large files is exact, and where little is alike that of difflib."""

from __future__ import annotations

import difflib
import random
import re
from collections.abc import Iterable

import pytest

from lockwarden.core.reports.differences import DiffLine, Sign, difference
from lockwarden.core.reports.large_differences import unified

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def applied(old: list[str], told: Iterable[tuple[str, str]]) -> list[str]:
    """What a patch makes of the lines; every line that it names is looked at."""
    made: list[str] = []
    place = 0
    for sign, text in told:
        if sign == "@":
            found = HUNK.fullmatch(text)
            assert found is not None
            begin = int(found[1]) - (found[2] != "0")
            made += old[place:begin]
            place = begin
            assert len(made) == int(found[3]) - (found[4] != "0")
            continue
        if sign in " -":
            assert old[place] == text
            place += 1
        if sign in " +":
            made.append(text)
    return made + old[place:]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("abcdef", "abcdef"),
        ("abcdefghijklm", "abcxefghijklm"),
        ("abcdefghijklmnopq", "bcdefghijklmnopqr"),
        ("aabbaabb", "abbaab"),
        ("abc", ""),
        ("", "abc"),
        ("a", "b"),
    ],
)
def test_what_difflib_says_of_few_changes_is_said_as_well(old: str, new: str) -> None:
    own = ["".join(each) if each[0] != "@" else each[1] for each in unified(old, new, 3)]
    assert own == list(difflib.unified_diff(old, new, n=3, lineterm=""))[2:]


@pytest.mark.parametrize("seed", range(40))
def test_the_difference_makes_the_one_of_the_other(seed: int) -> None:
    rng = random.Random(seed)
    old = [str(rng.randrange(60)) for _ in range(rng.randrange(50))]
    new = [each for each in old if rng.random() > 0.2]
    for _ in range(rng.randrange(12)):
        new.insert(rng.randrange(len(new) + 1), str(rng.randrange(60)))
    if seed % 3 == 0:
        new = new[len(new) // 2 :] + new[: len(new) // 2]
    assert applied(old, unified(old, new, seed % 4)) == new


def test_a_file_of_thousands_of_lines_is_compared_so() -> None:
    before = [f"line {number}" for number in range(2_500)]
    after = [f"{each}!" if number % 7 == 0 else each for number, each in enumerate(before)]
    told = difference("".join(f"{each}\n" for each in before).encode(), "".join(f"{each}\n" for each in after).encode())
    assert told[0] == DiffLine(Sign.PLACE, "@@ -1,2500 +1,2500 @@")
    assert applied(before, ((each.sign, each.text) for each in told)) == after
    assert sum(each.sign is Sign.ADDED for each in told) == 358
