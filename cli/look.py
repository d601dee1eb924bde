"""How the screen looks on this process's terminal."""

from __future__ import annotations

import sys

from lockwarden.cli.output import outlet_of
from lockwarden.cli.surroundings import environment
from lockwarden.core.values.terminals import signs_for
from lockwarden.tui.state.ports import Look


def look_here() -> Look:
    """What fits the terminal; Textual draws on stderr."""
    return Look(signs=signs_for(None, environment(), outlet_of(sys.stderr)))
