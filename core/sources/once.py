"""One answer for many who ask at the same time, and for those who ask later."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from lockwarden.core.values.errors import SourceError

_K = TypeVar("_K")
_V = TypeVar("_V")


class Once(Generic[_K, _V]):
    """Makes a value once for each key. Whoever asks meanwhile waits for that one attempt and shares how it ends.

    A SourceError is shared by those who waited and then forgotten, so that a later question asks anew. When the one
    that makes the value is cancelled, another that waited makes it instead.
    """

    def __init__(self) -> None:
        self._values: dict[_K, asyncio.Future[_V]] = {}

    async def get(self, key: _K, make: Callable[[], Awaitable[_V]]) -> _V:
        """The value for `key`; `make` is awaited unless it was, or is being, made. Raises what `make` raises."""
        while (attempt := self._values.get(key)) is not None:
            await asyncio.wait([attempt])
            if not attempt.cancelled():
                return attempt.result()
        return await self._make(key, make)

    async def _make(self, key: _K, make: Callable[[], Awaitable[_V]]) -> _V:
        attempt: asyncio.Future[_V] = asyncio.get_running_loop().create_future()
        self._values[key] = attempt
        try:
            value = await make()
        except SourceError as error:
            del self._values[key]
            attempt.set_exception(error)
            attempt.exception()  # nobody may be waiting for it
            raise
        except BaseException:  # a cancellation, or a bug: whoever asks next begins anew
            del self._values[key]
            attempt.cancel()
            raise
        attempt.set_result(value)
        return value
