"""The list of lock files in words: a line each, one line about all, and what is told of the selected one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct
from textual.content import Content
from textual.style import Style

from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.reports.drift_lines import DRIFT_WORDS, both_head, both_lines
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.drift import Drift, DriftForm
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.hashes import Hash
from lockwarden.tui.render.counts import counts_of
from lockwarden.tui.render.file_status import ANSWER_WIDTH, FileLine, FilesSummary
from lockwarden.tui.render.prose import QUIET, hanging, heading, sentence
from lockwarden.tui.render.review import STALE, render_placeholder
from lockwarden.tui.render.styles import ANSWERS, STYLES, UNWRITTEN, Hue, Look
from lockwarden.tui.render.text import cells, lines, plain, shorten, shorten_middle, spaced
from lockwarden.tui.state.files import DRIFTING, Files
from lockwarden.tui.state.session import status_of

DRIFT: Final = Look("≠", Hue.OPEN)
CHANGED: Final = Look("±", Hue.NEW)
USUAL: Final = Look("·", Hue.QUIET)
LISTS: Final = "lists"
"""Of a count: what choosing it lists alone."""
DOES: Final = "does"
"""Of a count: the action that choosing it does instead."""
FILTERS: Final = "filters"
"""Of a count of one file: what the review of the file is filtered by, which choosing it opens."""
_FEW: Final = 3
"""Paths, or hashes, that one sentence names."""
_MOST: Final = 10
"""Providers that drift, or ways in which one is locked elsewhere, that are told one by one."""
_GAP: Final = 2


class Columns(Struct, frozen=True, kw_only=True):
    """How many cells each part of a line gets; zero leaves it out. The detail below the list tells all of it."""

    path: int
    answer: int
    counts: int
    changed: int
    unwritten: int
    drift: int


def columns_for(width: int, longest: int, summary: FilesSummary, most_counts: int | None = None) -> Columns:
    """The columns for a width, where the longest path takes so many cells; what no file has takes none.

    Once it is known how many cells the counts of one file take at most, the paths get what answers and counts leave.
    """
    sizes = (28, 9, 14, 8) if width >= 100 else (14, 1, 5, 8) if width >= 70 else (0, 1, 4, 1)
    counts, changed, unwritten, drift = sizes
    changed = changed if summary.changed else 0
    unwritten = unwritten if summary.unwritten else 0
    drift = drift if summary.drifting else 0
    answer = ANSWER_WIDTH
    if most_counts is not None:
        answer = max((len(each) for each in summary.numbers if each is not Answer.UNREADABLE), default=answer)
    taken = 2 + sum(each + _GAP for each in (answer, changed, unwritten, drift) if each)
    if most_counts is not None:
        counts = most_counts if longest + taken + most_counts + _GAP <= width else min(counts, most_counts)
    taken += counts + _GAP if counts else 0
    path = max(8, min(longest, width - taken))
    return Columns(path=path, answer=answer, counts=counts, changed=changed, unwritten=unwritten, drift=drift)


def shown_path(path: Path) -> str:
    """A path without the name that nearly every lock file has."""
    return f"{path.parent}/" if path.name == LOCK_FILE_NAME else str(path)


def file_line(line: FileLine, columns: Columns, width: int, name: str = "") -> Content:
    """One file on one line; `name` is its path as the list has it, cut so that no two look alike."""
    look = ANSWERS[line.status]
    style = "bold" if line.status.objects else ""
    path = Content.styled(shorten_middle(name or shown_path(line.path), columns.path), style)
    head = Content.assemble((look.glyph, look.style), " ", _padded(path, columns.path), " " * _GAP)
    answer = Content.styled(line.status, look.style)
    if line.reason:
        reason = shorten(f": {line.reason}", width - head.cell_length - answer.cell_length)
        return head + answer + Content(reason)
    parts = [_padded(answer, columns.answer)]
    if columns.counts:
        parts.append(_padded(_counted(line, columns.counts), columns.counts))
    if columns.changed:
        parts.append(_padded(_changed(line, columns.changed), columns.changed))
    if columns.unwritten:
        parts.append(_padded(_unwritten(line, columns.unwritten), columns.unwritten))
    if columns.drift:
        parts.append(_drifts(line, columns.drift))
    return head + Content(" " * _GAP).join(parts)


def _padded(content: Content, width: int) -> Content:
    return content + Content(" " * (width - content.cell_length)) if content.cell_length < width else content


def _counted(line: FileLine, room: int) -> Content:
    """The counts by glyph, as many as fit, the loudest first."""
    told = Content("")
    for look, number in line.counts:
        longer = spaced(told, Content.styled(f"{look.glyph} {number}", look.style))
        if longer.cell_length > room:
            break
        told = longer
    return told


def _changed(line: FileLine, room: int) -> Content:
    words = f"{CHANGED.glyph} changed" if room > 1 else CHANGED.glyph
    return Content.styled(words, CHANGED.style) if line.changed else Content("")


def _unwritten(line: FileLine, room: int) -> Content:
    if not line.unwritten:
        return Content("")
    words = f"{UNWRITTEN.glyph} {line.unwritten} unwritten"
    return Content.styled(words if len(words) <= room else f"{UNWRITTEN.glyph} {line.unwritten}", UNWRITTEN.style)


def _drifts(line: FileLine, room: int) -> Content:
    words = f"{DRIFT.glyph} drifts" if room > 1 else DRIFT.glyph
    return Content.styled(words, DRIFT.style) if line.drifts else Content("")


def render_summary(summary: FilesSummary, width: int, *, chosen: str = "", changes_only: bool = False) -> Content:
    """The answer for all files, and how many there are of each, on as many lines as that takes.

    Each count can be clicked; the one that is `chosen` is drawn the other way round.
    """
    worst = summary.worst
    parts = [Content.styled(worst, f"bold {STYLES[ANSWERS[worst].hue]}".strip())]
    for status, number in summary.numbers.items():
        told = f"{ANSWERS[status].glyph} {number:,} {_WORDS[status]}"
        parts.append(_clickable(told, ANSWERS[status].style, {LISTS: str(status)}, chosen=chosen == status))
    if summary.changed:
        told = f"{CHANGED.glyph} {summary.changed:,} changed"
        parts.append(_clickable(told, CHANGED.style, {DOES: "changes_only"}, chosen=changes_only))
    if summary.drifting:
        verb = "drifts" if summary.drifting == 1 else "drift"
        told = f"{DRIFT.glyph} {summary.drifting:,} {verb}"
        parts.append(_clickable(told, DRIFT.style, {LISTS: DRIFTING}, chosen=chosen == DRIFTING))
    if summary.unwritten:
        told = f"{UNWRITTEN.glyph} {counted(summary.unwritten, 'decision')} unwritten"
        parts.append(_clickable(told, UNWRITTEN.style, {DOES: "diff"}, chosen=False))
    return lines(*_wrapped(parts, width))


def _clickable(told: str, style: str, meta: dict[str, str], *, chosen: bool) -> Content:
    return Content.styled(told, f"{style} {'reverse' if chosen else ''}".strip()).stylize(Style.from_meta(meta))


_WORDS: Final = {
    Answer.UNREADABLE: "cannot be read",
    Answer.FINDINGS: "with findings",
    Answer.INCOMPLETE: "not all checked",
    Answer.CHECKING: "still checking",
    Answer.READING: "reading",
    Answer.EMPTY: "without a provider",
    Answer.GOOD: "nothing to object to",
}


def _wrapped(parts: Iterable[Content], width: int) -> Iterator[Content]:
    line = Content("")
    for part in parts:
        if line and line.cell_length + _GAP + part.cell_length > width:
            yield line
            line = part
        else:
            line = spaced(line, part)
    yield line


def render_file(files: Files, width: int) -> Content:
    """What is told of the selected file below the list: its whole path, its answer, and where it drifts.

    A click on a count opens the review of what it counts.
    """
    session = files.sessions[files.current]
    path = plain(str(files.current), "bold")
    if session.placeholder is not None:
        return lines(*hanging(Content(""), path, width), render_placeholder(session.placeholder, width))
    if session.review is None:
        return lines(*hanging(Content(""), path, width), Content("It has not been read yet"))
    status = status_of(session, running=files.progress.running)
    answer = Content.styled(status, f"bold {ANSWERS[status].style}".strip())
    told = [
        _clickable(each.text, each.look.style, {FILTERS: each.filter} if each.filter else {}, chosen=False)
        for each in counts_of(session.review)
    ]
    rows = [*hanging(Content(""), path, width), *_wrapped([answer, *told], width)]
    if session.stale:
        rows += sentence(Look("!", Hue.OPEN), STALE, width)
    drifts = files.drifts_of(session)
    both = files.both_of(session)
    if both:
        rows += heading(f"Under both registries: {counted(len(both), 'provider')}", width)
    for each in both[:_MOST]:
        rows += sentence(DRIFT, both_head(each), width)
        rows += [line for told in both_lines(each) for line in hanging(Content("  "), plain(told, QUIET), width)]
    if len(both) > _MOST:
        rows.append(Content(f"… and {counted(len(both) - _MOST, 'provider')} more"))
    if drifts:
        rows += heading(f"Locked differently elsewhere: {counted(len(drifts), 'provider')}", width)
    for drift in drifts[:_MOST]:
        rows += render_drift(drift, session.review.lock_file.path, width)
    if len(drifts) > _MOST:
        rows.append(Content(f"… and {counted(len(drifts) - _MOST, 'provider')} more"))
    return lines(*rows)


def render_drift(drift: Drift, path: str, width: int) -> Iterator[Content]:
    """How other files lock a provider that this one locks, a sentence for each way."""
    here = drift.form_in(path)
    if here is None:
        return
    words = " and ".join(DRIFT_WORDS[kind] for kind in here.kinds)
    unlike = f", unlike most files: {words}" if here.stands_out else ""
    yield from sentence(
        DRIFT if here.stands_out else USUAL, f"{drift.address} is locked here at {here.version}{unlike}", width
    )
    others = [form for form in drift.forms if form is not here]
    for form in others[:_MOST]:
        yield from hanging(Content("  "), plain(_other_way(form, here), QUIET), width)
    if len(others) > _MOST:
        yield Content.styled(f"  and in {counted(len(others) - _MOST, 'other way')}", QUIET)


def _other_way(form: DriftForm, here: DriftForm) -> str:
    where = f"{counted(len(form.paths), 'other file')}: {_named(form.paths)}"
    if form.version != here.version:
        return f"{form.version} in {where}"
    more, fewer = form.hashes - here.hashes, here.hashes - form.hashes
    parts = []
    if more:
        parts.append(f"with {counted(len(more), 'hash', 'hashes')} that this file lacks ({_hashes(more)})")
    if fewer:
        parts.append(f"without {counted(len(fewer), 'hash', 'hashes')} that this file has ({_hashes(fewer)})")
    return f"the same version {' and '.join(parts)} in {where}"


def _named(texts: Iterable[str]) -> str:
    few = list(texts)
    more = f" and {len(few) - _FEW} more" if len(few) > _FEW else ""
    return ", ".join(shown_path(Path(each)) for each in few[:_FEW]) + more


def _hashes(hashes: Iterable[Hash]) -> str:
    texts = sorted(each.text for each in hashes)
    more = f" and {len(texts) - _FEW} more" if len(texts) > _FEW else ""
    return ", ".join(f"{each[:15]}…" if cells(each) > 16 else each for each in texts[:_FEW]) + more
