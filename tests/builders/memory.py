"""How much memory something needs, told by Python itself and so the same on every machine."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

MIB: Final = 1024 * 1024


@contextmanager
def at_most(allowed: int) -> Iterator[None]:
    """Fails when Python objects of more than `allowed` bytes were alive at one time beyond those before."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < allowed, f"{peak / MIB:.1f} MiB at one time"
