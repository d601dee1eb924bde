"""Hashes and the reasons of their verdicts as lines of plain text, together where the reasons are the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import NOT_A_PACKAGE, HashRow
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.review.verdicts import Verdict

GLYPHS: Final = {
    Verdict.DISOWNED: "✗",
    Verdict.UNEXPLAINED: "✗",
    Verdict.UNCHECKED: "?",
    Verdict.CONFIRMED: "✓",
    Verdict.NEW: "+",
    Verdict.OFFERED: "·",
}
MARKS: Final = {Tone.FOR: "✓", Tone.AGAINST: "✗", Tone.OPEN: "?", Tone.NOTE: "·", Tone.ADVICE: "→"}
_SHOWN_OF_A_GROUP: Final = 3


def by_reasons(
    provider: ProviderReview, wanted: Callable[[HashRow], bool]
) -> Iterable[tuple[tuple[Reason, ...], list[HashRow]]]:
    """The wanted rows, together where the very same reasons led there."""
    groups: defaultdict[tuple[Reason, ...], list[HashRow]] = defaultdict(list)
    for row in provider.rows:
        if wanted(row):
            groups[row.reasons].append(row)
    return groups.items()


def row_line(row: HashRow) -> str:
    """One hash with its verdict and its place."""
    return f"{GLYPHS[row.verdict]} {row.verdict} {row.hash} ({place_of(row)})"


def place_of(row: HashRow) -> str:
    """Where the hash stands, and which platform it is of."""
    where = [f"line {row.line}"] if row.line is not None else []
    platform = row.label if row.label == NOT_A_PACKAGE else f"platform {row.label or 'unknown'}"
    return ", ".join([*where, platform])


def reason_lines(reasons: Iterable[Reason]) -> Iterator[str]:
    """The reasons in their order, each with its evidence below it."""
    for reason in reasons:
        yield f"{MARKS[reason.tone]} {reason.text}"
        yield from (f"    {evidence}" for evidence in reason.evidence)


def unchecked_lines(rows: list[HashRow]) -> Iterator[str]:
    """Hashes that are unchecked for the same reasons; many of them as a number."""
    if len(rows) <= _SHOWN_OF_A_GROUP:
        yield from map(row_line, rows)
        return
    lines = sorted(row.line for row in rows if row.line is not None)
    yield f"{GLYPHS[Verdict.UNCHECKED]} {Verdict.UNCHECKED}: {len(rows)} hashes (lines {ranges(lines)})"


def ranges(numbers: Iterable[int]) -> str:
    """Numbers with runs joined, as in `3, 7-9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
