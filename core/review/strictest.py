"""One provider judged by several policies that all count: of what each makes of it alone, the strictest stands."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from lockwarden.core.review.rows import HashRow, in_order
from lockwarden.core.review.verdicts import Verdict

if TYPE_CHECKING:
    from lockwarden.core.review.provider_review import ProviderReview

_STRICTEST_FIRST: Final = (
    Verdict.DISOWNED,
    Verdict.UNEXPLAINED,
    Verdict.UNCHECKED,
    Verdict.CONFIRMED,
    Verdict.OFFERED,
    Verdict.NEW,
)


def strictest(judged: tuple[ProviderReview, ...]) -> ProviderReview:
    """The reviews of one entry by the same audit as one, which objects and is incomplete where any of them is."""
    return reduce(_stricter, judged)


def _stricter(one: ProviderReview, other: ProviderReview) -> ProviderReview:
    found = {row.hash: row for row in other.rows}
    rows = tuple(min(row, found[row.hash], key=_leniency) for row in one.rows)
    if rows != one.rows:
        rows = in_order(rows)
    changes = dict.fromkeys((*one.changes, *other.changes))
    return replace(
        one,
        rows=rows,
        problems=tuple(dict.fromkeys((*one.problems, *other.problems))),
        counts=MappingProxyType(dict(Counter(row.verdict for row in rows))),
        changes=tuple(sorted(changes, key=lambda change: change.order)),
        alarmed=one.alarmed or other.alarmed,
    )


def _leniency(row: HashRow) -> tuple[bool, bool, int]:
    """A finding that a record accepts is nothing that stays open, so that what is unchecked comes before it."""
    return not row.objects, row.verdict is not Verdict.UNCHECKED, _STRICTEST_FIRST.index(row.verdict)
