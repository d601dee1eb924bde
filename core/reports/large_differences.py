"""The difference of files with thousands of lines and changes, in a time that grows with their lines alone. Pure.

Lines that stand once in both states, in the same order, are taken for the same; difflib compares only what lies between
two of them. So it is still exact: what is added and removed makes the one state of the other.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import Match, SequenceMatcher


def unified(old: Sequence[str], new: Sequence[str], around: int) -> Iterator[tuple[str, str]]:
    """The lines of a unified difference, each with its sign; `@` for where in both states the next ones are."""
    for group in _Anchored(old, new).get_grouped_opcodes(around):
        (_, first, _, other, _), (_, _, last, _, other_last) = group[0], group[-1]
        yield "@", f"@@ -{_range(first, last)} +{_range(other, other_last)} @@"
        for tag, begin, end, new_begin, new_end in group:
            if tag == "equal":
                yield from ((" ", line) for line in old[begin:end])
                continue
            yield from (("-", line) for line in old[begin:end])
            yield from (("+", line) for line in new[new_begin:new_end])


def _range(begin: int, end: int) -> str:
    """Lines as a unified difference counts them: from one, and an empty range by the line before it."""
    if end - begin == 1:
        return str(begin + 1)
    return f"{begin + (end > begin)},{end - begin}"


class _Anchored(SequenceMatcher[str]):
    """Groups changes as difflib does, from matches that are found piece by piece."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        super().__init__(None, old, new)
        self._old, self._new = old, new

    a: Sequence[str]
    b: Sequence[str]

    def get_matching_blocks(self) -> list[Match]:
        """What is the same in both, in order, and an empty match at the end of both."""
        found: list[Match] = []
        for a, b, size in (*_pieces(self._old, self._new), (len(self._old), len(self._new), 0)):
            before = found[-1] if found else None
            if before is not None and size and (before.a + before.size, before.b + before.size) == (a, b):
                found[-1] = Match(before.a, before.b, before.size + size)
            else:
                found.append(Match(a, b, size))
        return found


def _pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Matches between the anchors, and the anchors."""
    begin = new_begin = 0
    for place, new_place in (*_anchors(old, new), (len(old), len(new))):
        if place > begin and new_place > new_begin:
            between = SequenceMatcher(None, old[begin:place], new[new_begin:new_place])
            yield from (
                (begin + each.a, new_begin + each.b, each.size) for each in between.get_matching_blocks() if each.size
            )
        if place < len(old):
            yield place, new_place, 1
        begin, new_begin = place + 1, new_place + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Places of lines that stand once in each state: the most of them whose order is the same in both."""
    in_old, in_new = Counter(old), Counter(new)
    places = {line: place for place, line in enumerate(new) if in_new[line] == 1 == in_old[line]}
    pairs = [(place, places[line]) for place, line in enumerate(old) if line in places]
    ends: list[int] = []
    """By length, the smallest place in the new state at which a row of pairs in order ends."""
    last: list[int] = []
    """Which pair that is."""
    before: list[int] = []
    """The pair before each, in the longest row that ends with it; -1 for none."""
    for number, (_, new_place) in enumerate(pairs):
        length = bisect_left(ends, new_place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [new_place]
        last[length : length + 1] = [number]
    row: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        row.append(pairs[number])
        number = before[number]
    return row[::-1]
