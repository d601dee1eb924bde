"""What is known of the module calls: two lines for the list, everything for the pane beside it. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from textual.content import Content

from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.modules.module_lock import LockedModule
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.reports.module_report import GLYPHS, call_name
from lockwarden.core.review.module_accepting import why_not_accepted
from lockwarden.core.review.module_findings import findings_of
from lockwarden.core.review.module_pinning import why_not_pinned
from lockwarden.core.review.sentences import Tone
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.source_redaction import redacted_source
from lockwarden.tui.render.advice import on_screen, with_keys
from lockwarden.tui.render.prose import QUIET, advice, hanging, heading, labelled, sentence
from lockwarden.tui.render.styles import TONES, WAITING, Hue, Look, glyph
from lockwarden.tui.render.text import lines, plain, shorten, shorten_start, spaced
from lockwarden.tui.state.modules import ModulesState

_AGAIN: Final = "⟨ask modules⟩ reads it again"
_OTHERS: Final = "the others are listed all the same; ⟨ask modules⟩ reads them again"
_HUES: Final = {
    Pinning.IMMUTABLE: Hue.GOOD,
    Pinning.NAMED: Hue.OPEN,
    Pinning.FLOATING: Hue.OPEN,
    Pinning.LOCAL: Hue.QUIET,
    Pinning.UNKNOWN: Hue.OPEN,
    Pinning.REFUSED: Hue.BAD,
}
CLASSES: Final = MappingProxyType({each: Look(GLYPHS[each], hue) for each, hue in _HUES.items()})
_SEVERITIES: Final = {
    Severity.ERROR: TONES[Tone.AGAINST],
    Severity.WARNING: TONES[Tone.OPEN],
    Severity.NOTE: TONES[Tone.NOTE],
}
_GOOD: Final = TONES[Tone.FOR]
_ASIDE: Final = TONES[Tone.NOTE]
_LEFT: Final = 8
"""Cells that a path or a name keeps at least."""


def entry_rows(entry: ReadingProblem | ListedCall, width: int) -> Content:
    """An entry of the list: what it is, and below where it stands and how it is with it."""
    if isinstance(entry, ReadingProblem):
        place = f"{entry.path}:{entry.line}" if entry.line else entry.path
        told = Content.styled(shorten(on_screen(entry.message), max(_LEFT, width - 2)), QUIET)
        where = plain(shorten_start(place, max(_LEFT, width - 2)))
        return Content.assemble(glyph(TONES[Tone.AGAINST]), " ", where, "\n  ", told)
    found = entry.classified
    look = CLASSES[found.pinning]
    kind = f", {found.kind}" if found.kind and found.kind != found.pinning else ""
    said = Content.styled(f"{found.pinning}{kind}", look.style)
    name = plain(shorten_start(call_name(entry), max(_LEFT, width - said.cell_length - 4)), "bold")
    state, word = state_of(entry)
    status = Content.assemble(glyph(state), " ", (word, state.style)) if word else Content("")
    place = f"{entry.call.path}:{entry.call.line}"
    where = Content.styled(shorten_start(place, max(_LEFT, width - status.cell_length - 4)), QUIET)
    return spaced(glyph(look) + Content(" ") + name, said) + Content("\n  ") + spaced(where, status)


def state_of(listed: ListedCall) -> tuple[Look, str]:
    """How it is with a call, in a word or two: the worst that speaks against it, or what was accepted."""
    found = sorted(findings_of(listed), key=lambda each: list(Severity).index(each.severity))
    if found:
        return _SEVERITIES[found[0].severity], meaning_of(found[0].code).name
    held, today = listed.held_against, listed.resolution
    if held is not None and held.entry is not None:
        same = isinstance(today, Resolved) and held.entry.revision == today.revision
        return _GOOD, "means what was accepted" if same else "accepted"
    if isinstance(today, Resolved):
        return _ASIDE, "asked"
    return _ASIDE, "" if listed.classified.pinning is Pinning.LOCAL else "not asked"


def summary_line(state: ModulesState, width: int) -> Content:
    """How many calls there are of each class, and how far the asking is."""
    listing = state.listing
    if listing is None:
        return Content("")
    counts = Counter(each.classified.pinning for each in listing.calls)
    parts = [Content.styled(counted(len(listing.calls), "module call"), "bold")]
    if state.asking is not None:
        done, total = state.asking
        parts.append(Content.assemble(glyph(WAITING), f" asked {done} of {total}"))
    if state.fetching:
        parts.append(Content.assemble(glyph(WAITING), " fetching packages"))
    if bad := sum(any(one.severity is Severity.ERROR for one in findings_of(each)) for each in listing.calls):
        parts.append(Content.styled(f"✗ {counted(bad, 'finding')}", TONES[Tone.AGAINST].style))
    if listing.problems:
        parts.append(Content.styled(f"✗ {len(listing.problems)} not read", TONES[Tone.AGAINST].style))
    parts += [
        Content.styled(f"{CLASSES[each].glyph} {counts[each]} {each}", CLASSES[each].style)
        for each in Pinning
        if counts[each]
    ]
    return lines(*hanging(Content(""), spaced(*parts), width))


def problem_detail(problem: ReadingProblem, width: int, *, alone: bool) -> Iterator[Content]:
    """What could not be read, and that all else was, unless it stands `alone`."""
    yield from labelled("File", f"{problem.path}:{problem.line}" if problem.line else problem.path, width)
    yield from sentence(TONES[Tone.AGAINST], problem.message, width)
    yield from hanging(Content("→ "), plain(with_keys(_AGAIN if alone else _OTHERS), QUIET), width)


def call_detail(listed: ListedCall, state: ModulesState, width: int) -> Iterator[Content]:
    """Everything that is known of a call."""
    call, found = listed.call, listed.classified
    look = CLASSES[found.pinning]
    yield from labelled("Call", plain(f"{call_name(listed)}  {call.path}:{call.line}"), width)
    if call.source:
        yield from labelled("Source", redacted_source(call.source), width)
    if call.version:
        yield from labelled("Version", call.version, width)
    kind = f", {found.kind}" if found.kind and found.kind != found.pinning else ""
    yield from labelled("Class", Content.styled(f"{look.glyph} {found.pinning}{kind}", look.style), width)
    yield from labelled("", plain(on_screen(found.reason), QUIET), width)
    if listed.installed is not None:
        yield from labelled("Installed", _installed(listed), width)
    if found.pinning not in {Pinning.LOCAL, Pinning.UNKNOWN, Pinning.REFUSED}:
        yield from _accepted(listed, state, width)
        yield from _today(listed, state, width)
    for finding in findings_of(listed):
        yield from sentence(_SEVERITIES[finding.severity], finding.message, width)
        yield from advice(finding.hint, width)
    yield from heading("What can be done", width)
    for key, does, why in (
        ("⟨accept module⟩", "accept it", why_not_accepted(listed)),
        ("⟨pin module⟩", "pin it", why_not_pinned(listed)),
    ):
        told = plain(
            f"{does} as it is today, after a look at the difference" if not why else f"cannot {does}: {on_screen(why)}"
        )
        yield from hanging(
            Content.styled(f"{with_keys(key)}  ", "bold $text-accent" if not why else QUIET), told, width
        )


def _installed(listed: ListedCall) -> str:
    version = f" {listed.version}" if listed.version else ""
    where = f" in {listed.folder}" if listed.folder and listed.installed is not InstalledState.NOT_INSTALLED else ""
    return f"{listed.installed}{version}{where}"


def _accepted(listed: ListedCall, state: ModulesState, width: int) -> Iterator[Content]:
    lock = None if state.found is None else state.found.lock
    base = f" of {lock.at_base}" if lock is not None and lock.at_base else ""
    entry = None if listed.held_against is None else listed.held_against.entry
    if entry is not None:
        yield from labelled("Accepted", entry.revision or "without a revision, which was not known", width)
        for line in _of_entry(entry, base):
            yield from labelled("", plain(line, QUIET), width)
    else:
        none = lock is None or lock.lock is None
        told = f"there is no module lock{base} yet" if none else f"the module lock{base} has no entry for it"
        yield from labelled("Accepted", told, width)


def _of_entry(entry: LockedModule, base: str) -> Iterator[str]:
    if entry.files:
        yield f"{entry.h1} of {counted(len(entry.files), 'file')}"
    yield f"by {entry.by} on {entry.at:%Y-%m-%d}{f', in the module lock{base}' if base else ''}"


def _today(listed: ListedCall, state: ModulesState, width: int) -> Iterator[Content]:
    match listed.resolution:
        case Resolved() as today:
            yield from labelled("Today", today.revision, width)
            if today.package:
                yield from labelled("", plain(f"package {today.package}", QUIET), width)
            yield from labelled("", plain(on_screen(today.how), QUIET), width)
            if today.pinned:
                yield from labelled("Pinned", redacted_source(today.pinned), width)
        case Unresolved():
            yield from labelled("Today", "not known", width)
        case None:
            asked = "being asked" if state.asking is not None else with_keys("not asked yet: ⟨ask modules⟩ asks")
            yield from labelled("Today", asked, width)


def list_title(listing: ModuleListing | None) -> str:
    """What the list is called."""
    return "Modules" if listing is None else f"Modules of {listing.path}"
