"""Asks the terminal what its background is, while the program does something else: nobody waits for the answer.

An answer that comes too late is taken out of what is typed (`tui/terminal.py`).
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
from types import TracebackType
from typing import Any, Final, Self

from lockwarden.cli.surroundings import environment
from lockwarden.core.values.terminals import light_background

_QUESTION: Final = b"\x1b]11;?\x1b\\"
"""“What is the background?” (OSC 11, as of xterm)."""
_ANSWER: Final = re.compile(rb"\x1b\]11;([^\x07\x1b]*)(?:\x07|\x1b\\)")
_SILENT: Final = frozenset({"", "dumb", "unknown", "linux"})
"""Terminals that would not answer, or show the question."""
_PIECE: Final = 4096
_PATIENCE: Final = 0.2
"""Seconds that are waited for the answer where the program ends early: a shell would take it for something typed."""


class BackgroundQuestion:
    """The question, from when it is asked to when the answer is taken; then the terminal is as it was."""

    def __init__(self, *, wanted: bool) -> None:
        self._attributes: list[Any] | None = None
        self._wanted = wanted and environment().get("TERM", "") not in _SILENT
        self.typed = b""
        """What a person typed meanwhile."""

    def __enter__(self) -> Self:
        if self._wanted and sys.stdin is not None and sys.__stderr__ is not None:
            with contextlib.suppress(OSError, ValueError):
                self._ask(sys.__stderr__.fileno())
        return self

    def _ask(self, terminal: int) -> None:
        import termios

        if not os.isatty(terminal):
            return
        number = sys.stdin.fileno()
        with contextlib.suppress(termios.error):
            attributes = termios.tcgetattr(number)
            quiet = [*attributes[:3], attributes[3] & ~(termios.ECHO | termios.ICANON), *attributes[4:]]
            termios.tcsetattr(number, termios.TCSANOW, quiet)
            self._attributes = attributes
            os.write(terminal, _QUESTION)

    def is_light(self) -> bool | None:
        """Whether the background is light, as far as the terminal has answered; None where nobody knows."""
        return light_background(self._taken(0).decode("ascii", "replace"), environment())

    def _taken(self, seconds: float) -> bytes:
        """What came until now, and in so many seconds; puts the terminal back."""
        if self._attributes is None:
            return b""
        import termios

        number, got = sys.stdin.fileno(), b""
        with contextlib.suppress(OSError, ValueError):
            while not _ANSWER.search(got) and select.select([number], [], [], seconds)[0]:
                piece = os.read(number, _PIECE)
                if not piece:
                    break
                got += piece
        with contextlib.suppress(termios.error):
            termios.tcsetattr(number, termios.TCSANOW, self._attributes)
        self._attributes = None
        found = _ANSWER.search(got)
        self.typed = _ANSWER.sub(b"", got)
        return found[1] if found else b""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._taken(_PATIENCE)
