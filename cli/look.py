"""How the screen looks on this process's terminal."""

from __future__ import annotations

from lockwarden.cli.output import signs_of_stderr
from lockwarden.tui.state.ports import Look


def look_here() -> Look:
    """What fits the terminal; Textual draws on stderr."""
    return Look(signs=signs_of_stderr())
