"""The modules of a run as a part of the Markdown page: each configuration's answer, and what there is to say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from lockwarden.core.reports.located_module_findings import (
    LocatedModuleFinding,
    findings_of_listing,
    findings_of_lock,
    listing_headline,
    lock_code,
    loudest_modules_first,
)
from lockwarden.core.reports.markdown_page import MarkdownPage, Rank
from lockwarden.core.reports.markdown_text import code, prose
from lockwarden.core.reports.module_report import SIGNS
from lockwarden.core.review.answers import answer_for
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.module_findings import exit_code_of
from lockwarden.core.review.module_review import ModuleReview
from lockwarden.core.values.severity import Severity

_CLOSING: Final = ("", "</details>")


def module_part(page: MarkdownPage, review: ModuleReview, *, first: bool) -> None:
    """Add the modules to a page. What objects is open, what is noted only is folded away."""
    blank = [] if first else [""]
    for lock in review.locks:
        told = loudest_modules_first(findings_of_lock(lock))
        if told:
            _head(page, blank, f"{answer_for(lock_code(lock))}", "entries that no call has", lock.path, lock_code(lock))
            _items(page, told)
            blank = [""]
    for listing in review.listings:
        answer, _, details = listing_headline(listing).partition(": ")
        _head(page, blank, answer, details, f"modules of {listing.path}", exit_code_of([listing]))
        _items(page, findings_of_listing(listing))
        blank = [""]
    if not review.listings:
        page.section([*blank, "no configuration, and so no module, was looked at"], rank=Rank.OPEN)


def _head(page: MarkdownPage, blank: Sequence[str], answer: str, details: str, what: str, exit_code: ExitCode) -> None:
    rank = Rank.ANSWER if exit_code is not ExitCode.NOTHING_TO_OBJECT else Rank.UNCHANGED
    page.section([*blank, f"**{answer}**: {prose(details)} ({code(what)})"], rank=rank, name="configurations")


def _items(page: MarkdownPage, told: Iterable[LocatedModuleFinding]) -> None:
    loud = [each for each in told if each.finding.severity is not Severity.NOTE]
    notes = [each for each in told if each.finding.severity is Severity.NOTE]
    if loud:
        page.section([""], map(_item, loud), count=len(loud), rank=Rank.LOUD, name="findings of modules")
    if notes:
        head = ("", "<details>", f"<summary>Notes: {len(notes)}</summary>", "")
        page.section(head, map(_item, notes), _CLOSING, count=len(notes), name="notes")


def _item(told: LocatedModuleFinding) -> list[str]:
    finding = told.finding
    place = told.path if finding.line is None else f"{told.path}:{finding.line}"
    where = f" in {code(told.name)}" if told.name else ""
    return [
        f"- {SIGNS[finding.severity]} **{prose(finding.name)}**{where}, {code(place)}: {prose(finding.message)}",
        *(f"  - {prose(line)}" for line in finding.lines),
    ]
