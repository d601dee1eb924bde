"""The app of a review on this process's terminal, from its first question to what is told after its end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.output import complain
from lockwarden.cli.own_settings import NO_SETTINGS
from lockwarden.cli.process_tuning import collect_rarely
from lockwarden.cli.terminal_background import BackgroundQuestion
from lockwarden.cli.theme_choice import theme_said
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.user_settings import UserSettings
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.exit_codes import ExitCode

if TYPE_CHECKING:
    from lockwarden.cli.review_setup import RuntimeFor
    from lockwarden.core.registry_metadata.journal_lines import JournalLine
    from lockwarden.tui.app import LockwardenApp
    from lockwarden.tui.state.ports import ReviewSetup

Adapted = Callable[["ReviewSetup"], "ReviewSetup"]
"""Changes what the app is given."""


def run_app(
    paths: Sequence[Path],
    options: AuditOptions,
    runtime: Runtime,
    *,
    title: str = "",
    known: LockFile | None = None,
    runtime_for: RuntimeFor | None = None,
    journal: Sequence[JournalLine] = (),
    settings: UserSettings = NO_SETTINGS,
    adapted: Adapted | None = None,
) -> int:
    """Run the app on lock files until it is left; one that is `known` was read just now.

    `runtime_for` makes the runtime for a base that is chosen on the screen; without it, one runtime is for all.
    `adapted` has the last word about what the app is given.

    However it ends before a person has left it, that is no answer, and the decisions that were not written are named.
    """
    with BackgroundQuestion(wanted=not any(theme_said(settings))) as question:
        app = app_for(
            paths,
            options,
            runtime,
            title=title,
            known=known,
            runtime_for=runtime_for,
            journal=journal,
            settings=settings,
            question=question,
            adapted=adapted,
        )
    collect_rarely(on_screen=True)
    answer: int | None = None
    try:
        answer = run_to_end(app.run_async())
    finally:
        if answer is None:
            _tell_unfinished(app)
    return int(ExitCode.UNUSABLE_INPUT) if answer is None else answer


def _tell_unfinished(app: LockwardenApp) -> None:
    from lockwarden.tui.render.unfinished import lost_decisions

    with contextlib.suppress(OSError):  # the terminal may be what is gone
        if app.fault:
            complain(f"the review ended early: {app.fault}", hint="if this is a bug, please report it")
        if lost := tuple(lost_decisions(app.files)):
            complain("what was decided is not in the lock file:")
            for each in lost:
                complain(each, prefix="  ")


def app_for(
    paths: Sequence[Path] | Path,
    options: AuditOptions,
    runtime: Runtime,
    *,
    title: str = "",
    known: LockFile | None = None,
    runtime_for: RuntimeFor | None = None,
    journal: Sequence[JournalLine] = (),
    settings: UserSettings = NO_SETTINGS,
    question: BackgroundQuestion | None = None,
    adapted: Adapted | None = None,
) -> LockwardenApp:
    """The app on lock files; `title` is what the screen calls the one file, its path if empty.

    `question` is put to the terminal meanwhile. Raises InputError for a theme or a key that there is not.
    """
    from lockwarden.cli.look import look_here
    from lockwarden.cli.review_setup import ReviewRun
    from lockwarden.core.engine.client_lock_files import read_for_client
    from lockwarden.tui.app import LockwardenApp

    just_read = {} if known is None else {known.path: known}

    def read_once(path: Path) -> LockFile:
        """Read a lock file, unless it was read just now; what it is when it is asked for again is read anew."""
        known = just_read.pop(str(path), None)
        return known or read_for_client(path, runtime.second_reader, client=options.client)

    run = ReviewRun(
        paths=(paths,) if isinstance(paths, Path) else tuple(paths),
        options=options,
        runtime=runtime,
        load=read_once,
        look=look_here(settings, question or BackgroundQuestion(wanted=False)),
        settings=settings,
        title=title,
        runtime_for=runtime_for,
        journal=journal,
    )
    setup = run.setup()
    return LockwardenApp(setup if adapted is None else adapted(setup))
