"""Asks the process that forks for a command: `python -IS warm_client.py SOCKET WORDS…` stands for that command."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from typing import Final

NUMBER: Final = 8
"""Bytes of each number that is sent."""


def connected(path: str) -> socket.socket:
    """A connection. Raises OSError where nobody listens."""
    line = socket.socket(socket.AF_UNIX)
    try:
        line.connect(path)
    except OSError:
        line.close()
        raise
    return line


def ask(
    line: socket.socket,
    words: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    streams: Sequence[int],
    before: str = "",
) -> int:
    """Have the command run with these streams; its process ID. The next that comes is how it ended.

    Python that comes `before` is run in its process first.
    """
    told = json.dumps([words, folder, dict(environment), before]).encode()
    socket.send_fds(line, [len(told).to_bytes(NUMBER, "big")], list(streams))
    line.sendall(told)
    return int.from_bytes(line.recv(NUMBER), "big")


if __name__ == "__main__":
    with connected(sys.argv[1]) as _line:
        ask(_line, ["lockwarden", *sys.argv[2:]], os.getcwd(), os.environ, (0, 1, 2))  # noqa: PTH109
        _ended = int.from_bytes(_line.recv(NUMBER), "big")
    sys.exit(os.waitstatus_to_exitcode(_ended))
