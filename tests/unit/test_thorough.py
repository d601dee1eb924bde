"""What the common run leaves to thorough ones shows no value, and no two values together, for the first time."""

from __future__ import annotations

from itertools import product

from builders.thorough import in_common


def test_each_two_values_that_occur_together_are_in_the_common_run() -> None:
    cases = list(product("abc", (1, 2, 3), (True, False)))
    rows = in_common(cases)
    common = [row for row in rows if isinstance(row, tuple) and not hasattr(row, "marks")]
    assert [getattr(row, "values", row) for row in rows] == cases
    assert len(common) < len(cases)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        assert {(row[first], row[second]) for row in common} == {(case[first], case[second]) for case in cases}
