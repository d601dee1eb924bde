"""Giving up what runs: what has run for a while is asked about first, since its work would be lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from lockwarden.tui.render.advice import with_keys
from lockwarden.tui.screens.choice import Alternative, ChoiceScreen
from lockwarden.tui.screens.speaking import SpeakingScreen

ASKED_AFTER: Final = timedelta(seconds=5)
_CANCEL: Final = "y"
_TEXT: Final = "What is known stays, and asking again begins with what is kept. Nothing else is lost."


def cancel_audit(screen: SpeakingScreen) -> None:
    """Give the running audit up, once a person has said so where it has run for a while."""
    app = screen.lockwarden
    run = app.audits.begun_at

    def cancel() -> None:
        app.audits.cancel()
        screen.say(with_keys("cancelled; what is known stays, ⟨ask again⟩ asks again"))

    def runs_on() -> bool:
        # Another audit may have begun, or this one ended, while the question stood.
        return app.session.progress.running and app.audits.begun_at == run

    once_cancelling_is_confirmed(screen, "Cancel the running audit?", run, runs_on, cancel)


def once_cancelling_is_confirmed(
    screen: SpeakingScreen,
    title: str,
    begun_at: datetime | None,
    runs_on: Callable[[], bool],
    cancel: Callable[[], None],
) -> None:
    """Cancel at once what has just begun, and else when a person has said so and it still runs."""

    def answered(key: str | None) -> None:
        if key == _CANCEL and runs_on():
            cancel()

    if begun_at is None or screen.lockwarden.setup.now() - begun_at < ASKED_AFTER:
        cancel()
        return
    screen.app.push_screen(
        ChoiceScreen(title, _TEXT, (Alternative(_CANCEL, "Cancel it"),), stay="Let it run"), answered
    )
