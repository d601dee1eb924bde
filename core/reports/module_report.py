"""The module calls of configurations as text. No secret of an address is in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.modules.comparison import CopyState
from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.reports.bounds import shortened
from lockwarden.core.review.module_findings import findings_of
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.source_redaction import redacted_source

_LONGEST: Final = 200
GLYPHS: Final = {
    Pinning.IMMUTABLE: "✓",
    Pinning.NAMED: "▲",
    Pinning.FLOATING: "▲",
    Pinning.LOCAL: "·",
    Pinning.UNKNOWN: "?",
    Pinning.REFUSED: "✗",
}

SIGNS: Final = {Severity.ERROR: "✗", Severity.WARNING: "?", Severity.NOTE: "·"}
"""A warning leaves something open."""


def module_lines(listings: Sequence[ModuleListing]) -> Iterator[str]:
    """Every call with its place, its source, its class and why, and what speaks against it."""
    for place, listing in enumerate(listings):
        if place:
            yield ""
        yield f"{listing.path}: {_counts(listing)}"
        for each in listing.calls:
            yield from _call_lines(each)
        if listing.not_installed:
            init, count = f"{listing.client.command} init", listing.not_installed
            yield f"  Not installed: {count}. The calls inside of them are not listed; {init} fetches them"


def explained_calls(listings: Sequence[ModuleListing], key: str) -> Iterator[str]:
    """All that is known of the calls with this key, such as `network.subnets`; nothing where there is none."""
    for listing in listings:
        found = [each for each in listing.calls if each.key == key and not each.call.test]
        if found:
            yield f"{listing.path}: {listing.client.command}"
        for each in found:
            yield from _call_lines(each)


def _counts(listing: ModuleListing) -> str:
    counts = Counter(each.classified.pinning for each in listing.calls)
    total = f"{len(listing.calls)} module call{'s'[: len(listing.calls) != 1]}"
    return "; ".join([total, *(f"{counts[each]} {each}" for each in Pinning if counts[each])])


def _call_lines(listed: ListedCall) -> Iterator[str]:
    call, found = listed.call, listed.classified
    kind = f", {found.kind}" if found.kind and found.kind != found.pinning else ""
    yield f"  {GLYPHS[found.pinning]} {call.path}:{call.line}  {call_name(listed)}  {found.pinning}{kind}"
    if call.source:
        version = f"  version {shortened(call.version, _LONGEST)}" if call.version else ""
        yield f"      {redacted_source(call.source)}{version}"
    if found.pinning not in {Pinning.UNKNOWN, Pinning.REFUSED}:  # their reason is a finding
        yield f"      {found.reason}"
    if listed.installed is InstalledState.INSTALLED:
        yield f"      installed{f' {listed.version}' if listed.version else ''} in {listed.folder}"
    if isinstance(listed.resolution, Resolved):
        yield from _resolved_lines(listed.resolution)
    if listed.held_against is not None and listed.held_against.entry is not None:
        entry = listed.held_against.entry
        revision = f" as {entry.revision}" if entry.revision else ""
        files = f", {entry.h1} of {len(entry.files)} file{'s'[: len(entry.files) != 1]}" if entry.files else ""
        yield f"      locked{revision}{files}, by {shortened(entry.by, _LONGEST)} on {entry.at:%Y-%m-%d}"
    if listed.comparison is not None and listed.comparison.state is CopyState.EQUAL:
        yield f"      what is installed is its package, file by file: {listed.comparison.installed}"
    for finding in findings_of(listed):
        glyph = SIGNS[finding.severity]
        yield f"      {glyph} {finding.message}"
        yield f"        → {finding.hint}"


def _resolved_lines(resolved: Resolved) -> Iterator[str]:
    package = f", package {resolved.package}" if resolved.package else ""
    yield f"      today {resolved.revision}{package}: {shortened(resolved.how, _LONGEST)}"
    if resolved.pinned:
        yield f"        pinned: {redacted_source(resolved.pinned)}"


def call_name(listed: ListedCall) -> str:
    """How a call is called: by the names of those that lead there, and a test's by its run."""
    return shortened(f"run.{listed.key}" if listed.call.test else listed.key, _LONGEST)
