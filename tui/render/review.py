"""The few words around the panes of the review: what stands above them, and what it is compared with. Pure."""

from __future__ import annotations

import re

from textual.content import Content

from lockwarden.tui.render import styles
from lockwarden.tui.render.advice import on_screen, with_keys
from lockwarden.tui.render.reasons import above_all
from lockwarden.tui.render.text import lines, plain
from lockwarden.tui.state.progress import Phase
from lockwarden.tui.state.session import Session

_COMMIT = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_DIGITS = 12
"""Of a commit ID that nobody typed, as many are shown."""


def subtitle(marked: int, shown: int, total: int) -> str:
    """Below the hashes: how many are marked, else how many of them are shown, where not all are."""
    if marked:
        return f"{marked} marked"
    return f"{shown} of {total} shown" if shown != total else ""


STALE = (
    "The lock file on disk is no longer what was read: ⟨ask again⟩ reads it again, and decisions stay where they fit"
)


def banner(now: Session) -> Content:
    """What stands above everything else for as long as it is true."""
    stale = (plain(f"! {with_keys(STALE)}", "$text-warning"),) if now.stale else ()
    told = _banner(now)
    return lines(*stale, *((told,) if told else ()))


def _banner(now: Session) -> Content:
    if now.failure is not None:
        return lines(plain(f"✗ The audit failed: {on_screen(now.failure.message)}", "$text-error"), plain(_again(now)))
    if now.progress.phase is Phase.CANCELLED:
        return plain(with_keys("! The audit was cancelled; what is known stays. ⟨ask again⟩ asks again"))
    if now.review is None:
        return Content("")
    told = above_all(now.review)
    if not told:
        return Content("")
    more = f" (and {len(told) - 1} more, i tells all)" if len(told) > 1 else ""
    first = plain(f"{told[0].look.glyph} {on_screen(told[0].text)}{more}", told[0].look.style)
    return (
        lines(first, plain(f"  {on_screen(told[0].hint)}", "$text-muted"))
        if told[0].look.hue is styles.Hue.BAD
        else first
    )


def against(now: Session) -> str:
    """What the lock file is compared with: the revision, or both sides of a merge. A whole commit ID is cut."""
    sides = () if now.review is None else now.review.standards.sides
    names = [each.name for each in sides] or [now.base]
    return " and ".join(each[:_DIGITS] if _COMMIT.fullmatch(each) else each for each in names)


def _again(now: Session) -> str:
    hint = "" if now.failure is None else now.failure.hint
    again = with_keys("⟨ask again⟩ asks again")
    return f"  {on_screen(hint)}; {again}" if hint else f"  {again}"
