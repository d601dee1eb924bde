"""The operator's editor and browser, as the review asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lockwarden.cli.interruption import another_program_has_the_keyboard
from lockwarden.cli.output import complain
from lockwarden.cli.surroundings import environment
from lockwarden.core.git.reach import NO_REACH, Reach
from lockwarden.core.system.outside_programs import browser_command, editor_command, run_beside, run_in_foreground
from lockwarden.core.values.errors import ToolError


class ProgramsOfThisMachine:
    """Programs that the environment names; none that lies in the `reach` of the change under review."""

    def __init__(self, reach: Reach = NO_REACH, *, editor: str = "") -> None:
        """`editor` is a command of the operator's settings, which counts before the environment."""
        self._reach, self._editor = reach, editor

    def editor(self, path: Path, line: int) -> Sequence[str]:
        """The command that opens a file at a line. Raises ToolError."""
        return self._allowed(editor_command(environment(), path, line, setting=self._editor))

    def run(self, command: Sequence[str]) -> int:
        """Let a program have the terminal until it ends. Raises ToolError."""
        complain("the review goes on when the editor is closed", prefix="lockwarden: ")
        with another_program_has_the_keyboard():
            return run_in_foreground(command, environment())

    def browse(self, address: str) -> None:
        """Open an address of the web. Raises ToolError."""
        run_beside(self._allowed(browser_command(environment(), address)), environment())

    def _allowed(self, command: Sequence[str]) -> Sequence[str]:
        entered = self._reach.entered(command[0], Path.cwd())
        if entered is not None:
            raise ToolError(
                f"{command[0]} lies in the working tree that is reviewed, and the change could have written it",
                hint="name a program outside of it",
            )
        return command
