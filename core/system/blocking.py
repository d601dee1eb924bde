"""Runs blocking functions in threads so that a cancellation waits until they have let go of their files."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


async def in_thread(function: Callable[..., _T], *arguments: object, stop: Callable[[], object] | None = None) -> _T:
    """Run a blocking function in a thread. When cancelled, call `stop` and wait until it has let go of its files.

    Cancelling again, as a closing event loop does, does not cut the wait short.
    """
    work = asyncio.get_running_loop().run_in_executor(None, function, *arguments)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if stop is not None:
            stop()
        while not work.done():
            with contextlib.suppress(asyncio.CancelledError):  # the first one is raised below
                await asyncio.wait([work])
        if not work.cancelled():
            work.exception()  # seen, so that nobody is warned about it
        raise


async def stoppable(function: Callable[[Callable[[], bool]], _T]) -> _T:
    """Run a blocking function that asks again and again whether to stop; it is told so once this task is cancelled."""
    stop = threading.Event()
    return await in_thread(function, stop.is_set, stop=stop.set)
