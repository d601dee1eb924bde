"""How a check of one input says that something is wrong."""

from __future__ import annotations


class BrokenPromiseError(AssertionError):
    """The input was neither read whole nor refused with an error of ours."""


def promise(kept: object, what: str) -> None:
    """Raise BrokenPromiseError unless `kept` is true; `what` is the promise."""
    if not kept:
        raise BrokenPromiseError(what)
