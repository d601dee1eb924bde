"""What a worker process keeps open between two tasks, such as connections: each in an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Final, Generic, TypeVar

_IDLE: Final = 900.0
"""Seconds after which nobody comes back for what is open: whoever asked was killed, or has lost the scheduler."""
_Open = TypeVar("_Open")
_Result = TypeVar("_Result")


class _Held(Generic[_Open]):
    """Something open, in a loop whose thread ends with the process."""

    def __init__(self, opening: AbstractAsyncContextManager[_Open]) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="lockwarden-held", daemon=True)
        self._thread.start()
        self._stack = AsyncExitStack()
        self._working = 0
        self._ended = time.monotonic()
        self._open = self._wait(self._stack.enter_async_context(opening))

    def _wait(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def idle(self, seconds: float) -> bool:
        """Whether nobody works with it, and nobody has for so long."""
        return not self._working and time.monotonic() - self._ended >= seconds

    def begin(self) -> None:
        self._working += 1

    def run(self, work: Callable[[_Open], Coroutine[Any, Any, _Result]]) -> _Result:
        return self._wait(work(self._open))

    def end(self) -> None:
        self._working -= 1
        self._ended = time.monotonic()

    def soon(self, call: Callable[[_Open], object]) -> None:
        self._loop.call_soon_threadsafe(call, self._open)

    def close(self) -> None:
        self._wait(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class HeldOpen(Generic[_Open]):
    """What is open in this process, by the settings that it was opened with. Everything here blocks; any thread may."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._held: dict[bytes, _Held[_Open]] = {}

    def run(
        self,
        settings: bytes,
        opening: Callable[[], AbstractAsyncContextManager[_Open]],
        work: Callable[[_Open], Coroutine[Any, Any, _Result]],
    ) -> _Result:
        """Do some work with what these settings mean, which is opened by the first who need it."""
        with self._one_at_a_time:
            held = self._held.get(settings)
            if held is None:
                self._close_idle(_IDLE)
                held = self._held[settings] = _Held(opening())
            held.begin()
        try:
            return held.run(work)
        finally:
            with self._one_at_a_time:
                held.end()

    def close_idle(self, seconds: float) -> None:
        """Close what nobody has worked with for so long."""
        with self._one_at_a_time:
            self._close_idle(seconds)

    def _close_idle(self, seconds: float) -> None:
        for settings in [key for key, held in self._held.items() if held.idle(seconds)]:
            self._held.pop(settings).close()

    def everywhere(self, call: Callable[[_Open], object]) -> None:
        """Have something done with all that is open; nobody waits for it."""
        for held in tuple(self._held.values()):
            held.soon(call)

    def close(self, settings: bytes) -> None:
        """Close what was opened with these settings, if anything was."""
        with self._one_at_a_time:
            held = self._held.pop(settings, None)
        if held is not None:
            held.close()
