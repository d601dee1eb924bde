"""What only a thorough run tries: `make test-thorough`, or `HYPOTHESIS_PROFILE=thorough` with pytest."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import pytest

THOROUGH = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"


def in_common(cases: Iterable[Sequence[Any]]) -> list[Any]:
    """Rows of a cross product for `parametrize`; the common run takes those that show a new pair of values.

    So each value, and each two values of different columns that occur together, is in the common run at least once.
    Values are told apart by `repr`.
    """
    seen: set[tuple[int, str, int, str]] = set()
    rows: list[Any] = []
    for case in cases:
        values = [repr(value) for value in case]
        pairs = {(i, values[i], k, values[k]) for i, k in combinations(range(len(values)), 2)}
        rows.append(case if not pairs <= seen else pytest.param(*case, marks=pytest.mark.thorough))
        seen |= pairs
    return rows
