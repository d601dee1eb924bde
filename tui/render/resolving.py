"""A lock file in conflict: two lines for each provider, everything for the pane beside them. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from lockwarden.core.reports.resolution_lines import conflict_words, verdict_words
from lockwarden.core.review.resolving import ResolvedProvider
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.values.amounts import counted
from lockwarden.tui.render.advice import on_screen, with_keys
from lockwarden.tui.render.prose import QUIET, advice, evidence, hanging, heading, labelled, sentence
from lockwarden.tui.render.styles import TONES, VERDICTS, Look, glyph
from lockwarden.tui.render.text import lines, plain, shorten, shorten_start, spaced
from lockwarden.tui.state.resolving import ResolvingState, versions_of

_LEFT = 8
"""Cells that a name keeps at least."""


def look_of(provider: ResolvedProvider) -> Look:
    """Whether it can be written, and whether something is open or speaks against what a side has."""
    if provider.entry is None:
        return TONES[Tone.AGAINST]
    if any(each.row.verdict.is_finding and not each.other_version for each in provider.left_out):
        return TONES[Tone.AGAINST]
    return TONES[Tone.OPEN] if provider.open else TONES[Tone.FOR]


def provider_rows(provider: ResolvedProvider, width: int) -> Content:
    """A provider of the list: what is taken, and below what that holds."""
    look = look_of(provider)
    version = Content.styled(shorten(str(provider.version), max(_LEFT, width // 2)), look.style)
    short = f"{provider.address.namespace}/{provider.address.type}"
    name = plain(shorten_start(short, max(_LEFT, width - version.cell_length - 4)), "bold")
    if provider.entry is None:
        told = "nothing of it is confirmed"
    else:
        told = counted(len(provider.entry.hash_set), "confirmed hash", "confirmed hashes")
    left = sum(not each.other_version for each in provider.left_out)
    more = f", {left} left out" if left else ""
    below = Content.styled(shorten(f"{told}{more}", max(_LEFT, width - 2)), QUIET)
    return spaced(glyph(look) + Content(" ") + name, version) + Content("\n  ") + below


def summary_rows(state: ResolvingState, width: int) -> Content:
    """How several sides came into the file, which they are, and whether it can be written."""
    conflict, made = state.conflict, state.made
    if conflict is None:
        return Content("")
    rows = [*hanging(Content(""), plain(f"{state.path}: {conflict_words(conflict)}", "bold"), width)]
    sides = ", ".join(f"{each.name} ({each.label})" if each.label else each.name for each in conflict.sides)
    rows += hanging(Content(""), plain(shorten(sides, max(_LEFT, 2 * width)), QUIET), width)
    if made is not None and made.resolution.unresolved:
        names = ", ".join(f"{each.address.namespace}/{each.address.type}" for each in made.resolution.unresolved)
        rows += sentence(TONES[Tone.AGAINST], f"cannot be written: nothing is confirmed of {names}", width)
    elif made is not None:
        writes = with_keys("⟨write resolved⟩ writes it after a look")
        alike = len(made.resolution.alike)
        told = f"{counted(len(state.providers), 'provider')} in conflict, {alike} alike; {writes}"
        rows += sentence(TONES[Tone.FOR], told, width)
    return lines(*rows)


def provider_detail(provider: ResolvedProvider, width: int) -> Iterator[Content]:
    """Everything about a provider: each side, what is taken, what is left out of it and why."""
    yield from labelled("Provider", str(provider.address), width)
    for each in provider.candidates:
        entry = each.entry
        constraints = f" ({entry.constraints})" if entry.constraints else ""
        yield from labelled(each.side, f"{entry.version}{constraints}, line {entry.line}", width)
        told = verdict_words(row for row in each.review.rows if row.locked) or "no hash at all"
        yield from labelled("", plain(told, QUIET), width)
    taken = TONES[Tone.AGAINST if provider.entry is None else Tone.FOR]
    yield from labelled("Taken", plain(f"{provider.version}, {provider.why}", taken.style), width)
    if len(versions_of(provider)) > 1:
        yield from labelled("", plain(with_keys("⟨take⟩ takes another version"), QUIET), width)
    for note in provider.notes:
        yield from sentence(TONES[Tone.NOTE], note, width)
    alarming = [each for each in provider.left_out if not each.other_version]
    if alarming:
        yield from heading("Left out", width)
    for left in alarming:
        yield from sentence(VERDICTS[left.row.verdict], f"{left.row.verdict} {left.row.hash}", width)
        yield from hanging(Content("  "), plain(f"of {' and '.join(left.sides)}", QUIET), width)
        for reason in left.row.reasons:
            yield from _reason(reason, width)
    others = len(provider.left_out) - len(alarming)
    if others:
        yield from sentence(TONES[Tone.NOTE], f"{counted(others, 'hash', 'hashes')} of another version left out", width)
    if provider.kept:
        yield from heading("Written", width)
    for row in provider.kept:
        yield from sentence(VERDICTS[row.verdict], f"{row.hash}  {row.label}", width)


def _reason(reason: Reason, width: int) -> Iterator[Content]:
    if reason.tone is Tone.ADVICE:
        yield from advice(reason.text, width, prefix="  → ")
        return
    indent = Content("  ")
    yield from hanging(indent + glyph(TONES[reason.tone]) + Content(" "), plain(on_screen(reason.text)), width)
    for line in evidence(reason.evidence, max(1, width - 2), whole=False):
        yield indent + line
