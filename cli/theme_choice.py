"""Which theme a person has chosen, and where; what they choose on the screen is kept for the next time."""

from __future__ import annotations

import contextlib
from typing import Final

import click

from lockwarden.cli.option_declarations import THEME_SAID
from lockwarden.cli.surroundings import environment, state_folder
from lockwarden.core.engine.user_settings import AUTO, UserSettings

VARIABLE: Final = "LOCKWARDEN_THEME"
SETTING: Final = "theme"
_KEPT: Final = "theme"
_LONGEST: Final = 64
"""Bytes of a theme's name."""


def theme_said(settings: UserSettings) -> tuple[str, str]:
    """Where a theme was chosen, and which; both empty where the terminal decides.

    The command line comes before the variable, that before the settings, and these before what was chosen last.
    """
    context = click.get_current_context(silent=True)
    line = None if context is None else context.meta.get(THEME_SAID)
    said = (("--theme", line or ""), (VARIABLE, environment().get(VARIABLE, "")), (SETTING, settings.theme))
    by, name = next((each for each in said if each[1]), ("", ""))
    if by:
        return by, "" if name == AUTO else name
    return "", _kept()


def keep_theme(name: str, settings: UserSettings) -> str:
    """Keep a theme for the next time; returns what to tell of it."""
    by, _ = theme_said(settings)
    if by:
        return f"until you leave; the next time {settings.path if by == SETTING else by} decides again"
    try:
        folder = state_folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / _KEPT).write_text(f"{name}\n", encoding="utf-8")
    except OSError as error:
        return f"until you leave; it cannot be kept: {error.strerror}"
    return "also the next time"


def _kept() -> str:
    with contextlib.suppress(OSError), (state_folder() / _KEPT).open("rb") as file:
        return file.read(_LONGEST).decode("utf-8", "replace").strip()
    return ""
