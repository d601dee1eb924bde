"""What only a thorough run tries: `make test-thorough`, or `HYPOTHESIS_PROFILE=thorough` with pytest."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, TypeVar

import pytest
from hypothesis import settings

_Case = TypeVar("_Case")
_Test = TypeVar("_Test", bound=Callable[..., Any])

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def in_common(cases: Iterable[Sequence[Any]]) -> list[Any]:
    """Rows of a cross product for `parametrize`; the common run takes those that show a new pair of values.

    So each value, and each two values of different columns that occur together, is in the common run at least once.
    Values are told apart by `repr`.
    """
    return [
        case if new else pytest.param(*case, marks=pytest.mark.thorough) for case, new in _with_new_pairs(cases, tuple)
    ]


def commonly(cases: Iterable[_Case], columns: Callable[[_Case], Sequence[Any]]) -> list[Any]:
    """The same for cases that are one value each, of which `columns` says what they are made of."""
    return [
        case if new else pytest.param(case, marks=pytest.mark.thorough) for case, new in _with_new_pairs(cases, columns)
    ]


def cases_of_this_run(cases: Iterable[_Case], columns: Callable[[_Case], Sequence[Any]]) -> list[_Case]:
    """The cases that `commonly` lets run, themselves, for set-ups that all of them share."""
    return [case for case, new in _with_new_pairs(cases, columns) if new or THOROUGH]


def _with_new_pairs(cases: Iterable[_Case], columns: Callable[[_Case], Sequence[Any]]) -> Iterator[tuple[_Case, bool]]:
    seen: set[tuple[int, str, int, str]] = set()
    for case in cases:
        values = [repr(value) for value in columns(case)]
        pairs = {(i, values[i], k, values[k]) for i, k in combinations(range(len(values)), 2)}
        yield case, not pairs <= seen
        seen |= pairs


def with_fewer_examples(test: _Test) -> _Test:
    """Try a property whose examples are dear a third as often as the others; a thorough run makes no difference."""
    return settings(max_examples=3_000 if THOROUGH else 10)(test)
