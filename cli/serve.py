"""`lockwarden serve [PATH…]`: the review in a browser of this machine, behind an address that counts once."""

from __future__ import annotations

import importlib.util
import shlex
import socket
import sys
from collections.abc import Sequence
from typing import Final

from lockwarden.cli.output import complain
from lockwarden.core.values.errors import InputError, ToolError

HOST: Final = "127.0.0.1"
DEMO: Final = ("demo",)
"""The words that begin the review of the demo; it writes into a world of its own."""


def serve(words: Sequence[str], *, port: int, write: bool) -> int:
    """Serve the review that these words of the command line begin, until it is interrupted; the exit code.

    Raises ToolError where the extra is not installed, InputError for a port that cannot be had.
    """
    if importlib.util.find_spec("textual_serve") is None:
        raise ToolError(
            "what serves the review in a browser is not installed",
            hint="install lockwarden with its extra “serve”: pip install './lockwarden[serve]' for a checkout",
        )
    with listening(port) as listener:
        from lockwarden.cli.serving import Gate, run

        gate = Gate(listener.getsockname()[1])
        complain("the review is at the address below; it counts once, and the next one follows", prefix="lockwarden: ")
        return run(gate, listener, command=review_command(words, write=write))


def review_command(words: Sequence[str], *, write: bool) -> str:
    """The command line that shows the review to a browser, as a shell takes it. Nothing of the current folder runs."""
    own = ["--in-browser", *(() if write else ("--read-only",))]
    begun = (*DEMO, "--in-browser") if words is DEMO else (*own, *words)
    return shlex.join([sys.executable, "-I", "-m", "lockwarden.cli", *begun])


def listening(port: int) -> socket.socket:
    """A socket that listens on this machine alone; 0 for any free port. Raises InputError."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise InputError(
            f"port {port} cannot be had: {error}", hint="name another one with --port, or none for any that is free"
        ) from None
    return listener
