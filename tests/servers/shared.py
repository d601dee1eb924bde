"""What takes long to make is made once a session, by the first worker that needs it."""

from __future__ import annotations

import fcntl
from collections.abc import Callable

import pytest


def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[], bytes]) -> bytes:
    """The bytes of this name; the others wait while one worker makes them, and make them themselves when it fails."""
    session = factory.getbasetemp()
    if factory.getbasetemp().name.startswith("popen-"):  # a worker's own folder lies in that of the session
        session = session.parent
    file = session / name
    with (session / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            file.write_bytes(make())
        return file.read_bytes()
