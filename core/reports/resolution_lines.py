"""What stands in a lock file of several sides, and what it is resolved to, as lines of plain text; whoever shows them
reveals them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile, ConflictKind
from lockwarden.core.reports.differences import DiffLine, Sign, difference
from lockwarden.core.reports.headline import headline
from lockwarden.core.reports.reason_lines import GLYPHS, reason_lines, row_line
from lockwarden.core.reports.result import FileResult
from lockwarden.core.review.resolution import ResolvedFile
from lockwarden.core.review.resolving import Candidate, ResolvedProvider
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.amounts import counted

_NAMED: Final = 12


def resolution_lines(made: ResolvedFile) -> Iterator[str]:
    """The whole file: its sides, each provider in conflict, and the exact difference."""
    found = made.resolution
    yield f"{made.path}: {conflict_words(found.conflict)}"
    for side in found.conflict.sides:
        label = f" ({side.label})" if side.label else ""
        yield f"  {side.name}{label}: {counted(len(side.lock_file.providers), 'provider')}"
    differ = (
        f"{counted(len(found.providers), 'provider')} in conflict" if found.providers else "the sides lock the same"
    )
    yield f"  {differ}, {len(found.alike)} alike"
    for provider in found.providers:
        yield ""
        yield from provider_lines(provider)
    yield ""
    if made.after is None:
        names = ", ".join(str(each.address) for each in found.unresolved)
        yield f"Nothing can be written: nothing is confirmed of {names}"
        return
    yield "Difference"
    for line in difference(found.conflict.data, made.after):
        yield f"  {diff_line(line)}"
    if made.review is not None:
        yield ""
        yield f"As resolved: {headline(FileResult(path=made.path, review=made.review))}"


def conflict_words(conflict: ConflictedLockFile) -> str:
    """How several sides came into the file, and where that is seen."""
    if conflict.kind is not ConflictKind.MARKERS:
        return conflict.kind.value
    places = [f"{each.first}-{each.last}" for each in conflict.hunks]
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return f"{conflict.kind.value} at lines {', '.join(places[:_NAMED])}{more}"


def provider_lines(provider: ResolvedProvider) -> Iterator[str]:
    """One provider: what each side locks, what is taken, and what is left out of it and why."""
    yield str(provider.address)
    for each in provider.candidates:
        yield f"  {candidate_line(each)}"
    yield f"  {taken_line(provider)}"
    for text in left_out_lines(provider):
        yield f"    {text}"
    yield from (f"    · {note}" for note in provider.notes)


def candidate_line(candidate: Candidate) -> str:
    """What one side locks, with the verdicts on its hashes."""
    entry = candidate.entry
    constraints = f" ({entry.constraints})" if entry.constraints else ""
    told = verdict_words(row for row in candidate.review.rows if row.locked) or "no hash at all"
    return f"{candidate.side} {entry.version}{constraints}, line {entry.line}: {told}"


def verdict_words(rows: Iterable[HashRow]) -> str:
    """How many hashes have which verdict, the loudest first."""
    counts: Mapping[Verdict, int] = Counter(row.verdict for row in rows)
    return ", ".join(f"{GLYPHS[each]} {counts[each]} {each}" for each in Verdict if counts.get(each))


def taken_line(provider: ResolvedProvider) -> str:
    """What becomes of the provider."""
    if provider.entry is None:
        return f"✗ {provider.version}, {provider.why}: nothing of it is confirmed, so no entry can be made of it"
    count = counted(len(provider.entry.hash_set), "confirmed hash", "confirmed hashes")
    return f"→ {provider.version}, {provider.why}: {count}"


def left_out_lines(provider: ResolvedProvider) -> Iterator[str]:
    """What some side has and the entry has not: what nobody vouches for one by one, the rest as a number."""
    usual = 0
    for each in provider.left_out:
        if each.other_version:
            usual += 1
            continue
        yield f"left out: {row_line(each.row)}, of {' and '.join(each.sides)}"
        yield from (f"  {line}" for line in reason_lines(each.row.reasons))
    if usual:
        yield f"left out: {counted(usual, 'hash', 'hashes')} of another version"


def diff_line(line: DiffLine) -> str:
    """A line of a difference with its sign."""
    return line.text if line.sign is Sign.PLACE else f"{line.sign}{line.text}"
