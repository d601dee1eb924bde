"""A table is run to its last row whatever fails, says which rows failed, and takes no test whose rows would share."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.tables import table


def of_rows(*rows: object, ids: list[str] | None = None) -> list[object]:
    """The values that a test over a table meets; it fails at odd numbers, in one way or the other."""
    met: list[object] = []

    @table("value", rows, ids=ids)
    def test(value: int) -> None:
        met.append(value)
        if value == 3:
            with pytest.raises(ValueError, match="never"):
                pass
        assert value % 2 == 0

    test()
    return met


def test_every_row_is_run() -> None:
    assert of_rows(2, 4, 6) == [2, 4, 6]


def test_the_row_that_fails_is_named() -> None:
    with pytest.raises(AssertionError) as caught:
        of_rows(2, 5, 4, ids=["two", "five", "four"])
    assert caught.value.__notes__ == ["in the row 1: five"]


def test_rows_behind_one_that_fails_are_run_and_named_as_well() -> None:
    with pytest.raises(BaseExceptionGroup, match="3 of 4 rows") as caught:
        of_rows(1, 3, 4, 7)
    notes = [error.__notes__ for error in caught.value.exceptions]
    assert notes == [["in the row 0: 1"], ["in the row 1: 3"], ["in the row 3: 7"]]


def test_a_row_that_skips_or_a_table_without_rows_is_no_success() -> None:
    @table("reason", ["not today"])
    def test(reason: str) -> None:
        pytest.skip(reason)

    with pytest.raises(TypeError, match="skips"):
        test()
    with pytest.raises(AssertionError, match="without rows"):
        of_rows()


def test_several_columns_stand_in_tables_of_tables_beside_what_all_rows_share() -> None:
    met = []

    @table("first", ["a", "b"])
    @table(("second", "third"), [(1, 2), pytest.param(3, 4)])
    def test(shared: str, first: str, second: int, third: int) -> None:
        met.append((shared, first, second, third))

    test(shared="both")
    assert met == [("both", "a", 1, 2), ("both", "a", 3, 4), ("both", "b", 1, 2), ("both", "b", 3, 4)]


def test_rows_that_do_not_fit_the_test_are_refused() -> None:
    def test(tmp_path: Path, value: int) -> None:
        raise AssertionError

    with pytest.raises(TypeError, match="share"):
        table("value", [1])(test)
    with pytest.raises(TypeError, match="no parameters for all"):
        table("other", [1])(test)
    with pytest.raises(TypeError, match="2 columns, but 1 values"):
        table("value, other", [(1,)])
    with pytest.raises(TypeError, match="marked"):
        table("value", [pytest.param(1, marks=pytest.mark.skip)])
