"""How the screen looks on this process's terminal, by what a person said or remembered, or what their terminal told."""

from __future__ import annotations

from collections.abc import Mapping

from lockwarden.cli.output import signs_of_stderr
from lockwarden.cli.terminal_background import BackgroundQuestion
from lockwarden.cli.theme_choice import SETTING, theme_said
from lockwarden.core.engine.user_settings import AUTO, UserSettings, nearest
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.printable import reveal
from lockwarden.tui.keymap import KeymapError, checked_keymap
from lockwarden.tui.state.ports import Appearance
from lockwarden.tui.theme import THEME_NAMES


def look_here(settings: UserSettings, question: BackgroundQuestion) -> Appearance:
    """What fits the terminal. Raises InputError for a theme, or a key of the settings, that there is not."""
    by, name = theme_said(settings)
    return Appearance(
        theme=_checked(name, by, settings),
        light=question.is_light() or False,
        signs=signs_of_stderr(),
        keymap=_keymap(settings),
        columns=settings.columns,
        typed_ahead=question.typed,
    )


def check_look(settings: UserSettings) -> None:
    """Raises SettingsError for a theme or a key of the settings that there is not."""
    _checked(settings.theme, SETTING, settings)
    _keymap(settings)


def _checked(name: str, by: str, settings: UserSettings) -> str:
    if not name or name in THEME_NAMES:
        return name
    if not by:
        return ""  # it was chosen once, and is there no more
    message, hint = f"there is no theme “{reveal(name)}”", nearest(name, (AUTO, *THEME_NAMES))
    if by == SETTING:
        raise settings.fault(SETTING, message, hint=hint)
    raise InputError(f"{by}: {message}", hint=hint)


def _keymap(settings: UserSettings) -> Mapping[str, str]:
    try:
        return checked_keymap(settings.keys)
    except KeymapError as fault:
        hint = nearest(fault.word, fault.known) if fault.known else ""
        raise settings.fault(f"keys.{fault.entry}", fault.message, hint=hint) from fault
