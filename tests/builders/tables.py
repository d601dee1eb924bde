"""Tables of many small rows as one test: the same decorator as `parametrize`, without an item of pytest's for each row.

For rows that cost less than an item, which every worker collects, and that share what the test is given.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

from builders.thorough import THOROUGH

_OWN_EACH_TIME = frozenset({"tmp_path", "monkeypatch", "capsys", "capfd", "caplog", "request", "recwarn"})
"""Fixtures of which each row would expect one of its own, as of all that are not of a wider scope."""
_LONGEST_NAME = 120

Test = Callable[..., None]


def table(
    names: str | Sequence[str],
    rows: Iterable[Any] | Callable[[], Iterable[Any]],
    *,
    ids: Callable[[Any], object] | Iterable[object] | None = None,
) -> Callable[[Test], Test]:
    """Run the test for each row, also after one failed; the failures are raised together, each with its row.

    Rows that are dear to make are given as a function, which is called once the test runs. Raises TypeError where a
    row would need a fixture of its own. A row may not skip.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    named = ids if ids is None or callable(ids) else list(ids)
    made = _checked(rows, len(columns)) if isinstance(rows, Iterable) else rows  # an enum can be called, too

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in columns]
        if len(left) + len(columns) != len(signature.parameters):
            raise TypeError(f"{test.__name__} has no parameters for all of {columns}")
        if shared := _OWN_EACH_TIME & {each.name for each in left}:
            raise TypeError(f"{test.__name__} would share {sorted(shared)} between its rows")

        @functools.wraps(test)
        def of_all_rows(*args: Any, **fixtures: Any) -> None:
            given = made if isinstance(made, list) else _checked(made(), len(columns))
            assert given, "a table without rows"
            failures: list[BaseException] = []
            for at, values in given:
                try:
                    test(*args, **fixtures, **dict(zip(columns, values, strict=True)))
                except pytest.skip.Exception as skipped:
                    raise TypeError(f"the row {_label(values, named, at)} skips") from skipped
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as error:
                    error.add_note(f"in the row {_label(values, named, at)}")
                    failures.append(error)
            if len(failures) == 1:
                raise failures[0]
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(given)} rows", failures)

        of_all_rows.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined] # what pytest reads
        return of_all_rows

    return decorate


def _checked(rows: Iterable[Any], columns: int) -> list[tuple[int, tuple[Any, ...]]]:
    """The rows of this run with their numbers."""
    return [(at, _values(row, columns)) for at, row in enumerate(rows) if THOROUGH or not _is_thorough(row)]


def _is_thorough(row: Any) -> bool:
    return any(mark.name == "thorough" for mark in getattr(row, "marks", ()))


def _values(row: Any, columns: int) -> tuple[Any, ...]:
    if marks := [mark.name for mark in getattr(row, "marks", ()) if mark.name != "thorough"]:
        raise TypeError(f"a row of a table cannot be marked {marks}")
    alone = columns == 1 and not hasattr(row, "marks")
    values = (row,) if alone else tuple(getattr(row, "values", row))
    if len(values) != columns:
        raise TypeError(f"{columns} columns, but {len(values)} values: {values!r:.200}")
    return values


def _label(values: tuple[Any, ...], ids: Callable[[Any], object] | Sequence[object] | None, at: int) -> str:
    if callable(ids):
        names = [ids(value) for value in values]
    else:
        names = [repr(value) for value in values] if ids is None else [ids[at]]
    name = ", ".join(str(each) for each in names)
    return f"{at}: {name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + '...'}"
