"""Cuts long names so that no two of them look alike: where they differ stays. Pure."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final

from lockwarden.tui.render.text import cells, reveal, shorten, shorten_middle

_CUT: Final = "…"


def distinct_names(names: Sequence[str], width: int) -> list[str]:
    """The names, each in so many cells at most, and different where they are different, if that is possible at all."""
    whole = {each: reveal(each) for each in dict.fromkeys(names)}
    cut = _cut(tuple(dict.fromkeys(whole.values())), width)
    taken: set[str] = set()
    told: dict[str, str] = {}
    for each in whole.values():
        if each not in told:
            told[each] = _unlike(cut[each], taken, width)
            taken.add(told[each])
    return [told[whole[each]] for each in names]


def _cut(names: Sequence[str], width: int) -> dict[str, str]:
    """Each name cut in its middle; those that look alike then without what they begin with, as often as it takes."""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for each in names:
        alike[shorten_middle(each, width)].append(each)
    found: dict[str, str] = {}
    for text, those in alike.items():
        if len(those) == 1:
            found[those[0]] = text
            continue
        shared = os.path.commonprefix(those)  # noqa: RUF071 - of letters, not of folders
        start = _start(shared, width)
        if start <= len(_CUT):
            found.update(dict.fromkeys(those, text))
            continue
        rests = {each: f"{_CUT}{each[start:]}" for each in those}
        ends = {each: shorten(rest, width) for each, rest in rests.items()}
        if _tell_more(ends.values(), [shorten_middle(rest, width) for rest in rests.values()]):
            found.update(ends)
            continue
        cut = _cut(tuple(rests.values()), width)
        found.update({each: cut[rest] for each, rest in rests.items()})
    return found


def _tell_more(ends: Collection[str], middles: Collection[str]) -> bool:
    """Whether names that are cut at their end all differ, and those that are cut in their middle do not."""
    return len(set(middles)) < len(middles) and len(set(ends)) == len(ends)


def _start(shared: str, width: int) -> int:
    """Where to begin behind what names share: at a folder's name where the difference is near enough to it."""
    folder = shared.rfind("/", 0, len(shared)) + 1
    return folder if len(shared) - folder < width // 4 else len(shared)


def _unlike(text: str, taken: set[str], width: int) -> str:
    """The text, or with a number at its end where another one is the same."""
    number, told = 1, text
    while told in taken:
        number += 1
        mark = f"~{number}"
        kept = text
        while kept and cells(kept) + len(mark) > width:
            kept = kept[:-1]
        told = f"{kept}{mark}"
    return told
