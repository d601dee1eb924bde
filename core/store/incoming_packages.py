"""A package on its way into the store: written and hashed while it comes, in as many attempts as it takes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Generic, Self, TypeVar

from lockwarden.core.store.package_files import READ_SIZE, ArrivingFile
from lockwarden.core.system.blocking import in_thread
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.problem_codes import ProblemCode

_T = TypeVar("_T")


class Arrival(Generic[_T]):
    """One package on its way into a store. What came is kept while attempts to fetch it break off and go on."""

    def __init__(
        self, *, limit: int, open_file: Callable[[], ArrivingFile], keep: Callable[[ArrivingFile, int], Awaitable[_T]]
    ) -> None:
        """`limit` is the most bytes that a package may have; `open_file` raises OSError."""
        self._limit = limit
        self._open_file = open_file
        self._keep = keep
        self._file: ArrivingFile | None = None
        self.size = 0
        """Bytes that are there so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.restart()

    def restart(self) -> None:
        """Forget what came so far."""
        file, self._file = self._file, None
        self.size = 0
        if file is not None:
            file.close()

    async def add(
        self,
        chunks: AsyncIterator[bytes],
        *,
        declared_size: int | None,
        on_bytes: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Take in what `chunks` gives, behind what is there; `declared_size` is that of the whole package.

        Raises BadAnswerError when it is not as long as declared or longer than the limit, NoAnswerError when it cannot
        be written, and whatever `chunks` raises; what came until then is there.
        """
        if declared_size is not None and declared_size > self._limit:
            raise too_large(self._limit, Stage.PACKAGE)
        if self._file is None:
            # At once: a cancellation while a thread did it would leave the file behind.
            self._file = self._opened()
        waiting = bytearray()
        try:
            async for chunk in chunks:
                size = self.size + len(waiting) + len(chunk)
                if size > self._limit:
                    raise too_large(self._limit, Stage.PACKAGE)
                if declared_size is not None and size > declared_size:
                    raise _wrong_size(declared_size, f"more than {declared_size} bytes", ProblemCode.LONG_BODY)
                waiting += chunk
                if len(waiting) >= READ_SIZE:
                    await self._write(self._file, waiting)
                    waiting = bytearray()
                on_bytes(size)
        except SourceError:
            await self._write(self._file, waiting)
            raise
        await self._write(self._file, waiting)
        if declared_size is not None and self.size < declared_size:
            raise _wrong_size(declared_size, f"only {self.size} bytes", ProblemCode.SHORT_BODY)

    async def _write(self, file: ArrivingFile, data: bytearray) -> None:
        await on_disk(file.add, data)
        self.size += len(data)

    async def finish(self) -> _T:
        """Keep what came as a whole package and look into it. Raises NoAnswerError when it cannot be stored."""
        file = self._file
        if file is None:
            raise RuntimeError("a package is finished that never came")
        return await self._keep(file, self.size)

    def _opened(self) -> ArrivingFile:
        try:
            return self._open_file()
        except OSError as error:
            raise not_stored(error) from error


def too_large(limit: int, stage: Stage) -> SourceError:
    """The error for a package of more than `limit` bytes."""
    return BadAnswerError(
        f"the package is larger than the limit of {limit} bytes", stage=stage, code=ProblemCode.TOO_LARGE
    )


async def on_disk(function: Callable[..., _T], *arguments: object) -> _T:
    """Run a function that works on a package's file in a thread. Raises NoAnswerError when the disk does not do."""
    try:
        return await in_thread(function, *arguments)
    except OSError as error:
        raise not_stored(error) from error


def not_stored(error: OSError) -> SourceError:
    """The error for a package that the disk did not take."""
    return NoAnswerError(
        f"the package cannot be stored: {error.strerror}",
        stage=Stage.PACKAGE,
        code=ProblemCode.STORE_FAILED,
        hint="make room on its disk (XDG_CACHE_HOME names the folder), or leave it out with --no-cache",
    )


def _wrong_size(declared: int, arrived: str, code: ProblemCode) -> SourceError:
    return BadAnswerError(
        f"the server announced a package of {declared} bytes, but {arrived} arrived",
        stage=Stage.PACKAGE,
        code=code,
        hint="a proxy may have cut or changed it; try again",
    )
