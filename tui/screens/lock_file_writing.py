"""From the decisions to a written lock file: the difference is looked at, and again if it has changed meanwhile."""

from __future__ import annotations

from textual.screen import Screen

from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.reports.differences import difference
from lockwarden.core.review.review import Review
from lockwarden.core.review.write_warnings import warnings_of_going_back, write_warnings
from lockwarden.core.review.writing import to_think_of
from lockwarden.core.values.errors import LockwardenError
from lockwarden.tui.screens.confirm import Confirmation, ConfirmScreen
from lockwarden.tui.screens.diff import DiffScreen, StepBackScreen
from lockwarden.tui.screens.file_diff import CHANGED_MEANWHILE
from lockwarden.tui.screens.review_app import app_of
from lockwarden.tui.screens.stripping import once_stripping_is_confirmed


def open_diff(screen: Screen[None], *, writing: bool, notes: tuple[str, ...] = ()) -> None:
    """Show what the decisions change. When a person agrees, write it, if it is still what they looked at.

    Otherwise the difference is shown again, with a note that it has changed. `notes` stand above the difference.
    """
    app = app_of(screen)
    second_reader = app.setup.second_reader
    review = app.session.review
    if review is None:
        return
    try:
        after = review.next_lock_file(second_reader)
    except LockwardenError as error:
        question = Confirmation(title="This cannot be written", rows=((error.message, error.hint),), safe="Back")
        screen.app.push_screen(ConfirmScreen(question))
        return

    def answered(agreed: bool | None) -> None:
        if agreed:
            once_stripping_is_confirmed(screen, write_warnings(review), write)

    def write() -> None:
        if _is_still(app.session.review, review, after, second_reader):
            app.writing.write(review.lock_file, after)
        else:
            open_diff(screen, writing=True, notes=(CHANGED_MEANWHILE,))

    shown = DiffScreen(review, after, title=app.lock_file_title, writing=writing, notes=notes)
    screen.app.push_screen(shown, answered)


def open_step_back(screen: Screen[None]) -> None:
    """Show what taking the last write back changes and causes, and do it when a person agrees, without asking twice."""
    app = app_of(screen)
    review, last = app.session.review, app.session.retractable
    if review is None or last is None:
        return

    warnings = warnings_of_going_back(review, last.entries)

    def answered(agreed: bool | None) -> None:
        if agreed:
            app.writing.take_back(review.lock_file, last)

    notes = ("This takes the last write back", "What was decided stays decided, and is unwritten again")
    shown = StepBackScreen(
        difference(last.after, last.before), title=app.lock_file_title, notes=notes, warnings=warnings
    )
    screen.app.push_screen(shown, answered)


def _is_still(now: Review | None, looked_at: Review, after: bytes, second_reader: SecondReader) -> bool:
    """Whether the difference and what stands around it would be told the same now."""
    if now is None or now.lock_file is not looked_at.lock_file:
        return False
    told_alike = (to_think_of(now), write_warnings(now)) == (to_think_of(looked_at), write_warnings(looked_at))
    return told_alike and now.next_lock_file(second_reader) == after
