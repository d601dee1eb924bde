"""Giving a running audit up: one that has run for a while is asked about first, since its work would be lost."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from lockwarden.tui.screens.choice import Answer, ChoiceScreen
from lockwarden.tui.screens.speaking import SpeakingScreen

ASKED_AFTER: Final = timedelta(seconds=5)
_CANCEL: Final = "y"


def cancel_audit(screen: SpeakingScreen) -> None:
    """Give the running audit up, once a person has said so where it has run for a while."""
    app = screen.lockwarden
    run = app.audits.begun_at

    def cancel() -> None:
        app.audits.cancel()
        screen.say("cancelled; what is known stays, r asks again")

    def answered(key: str | None) -> None:
        # Another audit may have begun, or this one ended, while the question stood.
        if key == _CANCEL and app.session.progress.running and app.audits.begun_at == run:
            cancel()

    if run is None or app.setup.now() - run < ASKED_AFTER:
        cancel()
        return
    text = "What is known stays, and asking again begins with what is kept. Nothing else is lost."
    screen.app.push_screen(
        ChoiceScreen("Cancel the running audit?", text, (Answer(_CANCEL, "Cancel it"),), stay="Let it run"), answered
    )
