"""What makes a shell complete the command line: the scripts are those of click."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import ShellComplete, get_completion_class

SHELLS: Final = ("bash", "zsh", "fish")
PROGRAM: Final = "lockwarden"


def script(shell: str, command: click.Command) -> str:
    """The script for one of the shells, which asks the installed command at every completion."""
    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101 - click knows all of them
    asking = kind(command, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE")
    # Not of the class for bash, which would run the bash that it finds first to ask for its version.
    return ShellComplete.source(asking)
