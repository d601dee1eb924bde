"""The modules of a run as text, for `check`: what speaks against them, and with every call on request."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.reports.located_module_findings import (
    LocatedModuleFinding,
    findings_of_listing,
    findings_of_lock,
    listing_headline,
    lock_line,
    loudest_modules_first,
)
from lockwarden.core.reports.module_report import module_lines
from lockwarden.core.review.module_review import ModuleReview


def module_headlines(review: ModuleReview) -> Iterator[str]:
    """The answer for each configuration, a line each."""
    for each in review.listings:
        yield f"modules of {each.path}: {listing_headline(each)}"
    if not review.listings:
        yield "modules: there is no configuration"


def module_sections(review: ModuleReview, *, every_call: bool) -> Iterator[str]:
    """What is to tell of each configuration and module lock, below their names."""
    for lock in review.locks:
        told = loudest_modules_first(findings_of_lock(lock))
        if told:
            yield from ("", f"Entries of {lock.path} that no call has which was looked at")
            yield from (line for each in told for line in module_finding_lines(each))
    for listing in review.listings:
        told = findings_of_listing(listing)
        if told:
            yield from ("", f"Modules of {listing.path}")
            yield from (line for each in told for line in module_finding_lines(each))
    if every_call:
        yield from ("", "Every module call")
        yield from (f"  {line}" for line in module_lines(review.listings))


def module_finding_lines(told: LocatedModuleFinding) -> Iterator[str]:
    """One finding, with its place, and below it what it is about and what to do."""
    finding = told.finding
    place = told.path if finding.line is None else f"{told.path}:{finding.line}"
    about = f"  {told.name}" if told.name else ""
    yield f"  {place}{about}  {finding.severity}: {finding.name}: {finding.message}"
    yield from (f"    {line}" for line in finding.lines)


def module_lock_lines(review: ModuleReview) -> Iterator[str]:
    """The module locks that counted."""
    for each in review.locks:
        yield f"Module lock: {lock_line(each)}"
