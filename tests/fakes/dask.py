"""A stand-in for Dask's client: it hands tasks to a function of the test, and its workers come and go as that says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Work = Callable[[bytes, bytes], bytes]


class KilledWorker(Exception):  # noqa: N818
    """Called as Dask calls what it raises for a task that its workers die of."""


class NeverError(Exception):
    """Raised by a test's work: no answer ever comes."""


@dataclass
class Future:
    """What a task came to."""

    answer: asyncio.Future[bytes]
    released: bool = False

    async def result(self) -> bytes:
        return await self.answer

    def release(self) -> None:
        self.released = True


@dataclass(kw_only=True)
class Client:
    """One scheduler's client."""

    work: Work
    workers: set[str]
    gone: bool = False
    """Whether the scheduler does not answer."""
    submitted: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """The key of each task, and the workers that might do it."""
    cancelled: list[Future] = field(default_factory=list)
    futures: list[Future] = field(default_factory=list)
    versions: Mapping[str, Any] = field(default_factory=dict)
    installed: Mapping[str, tuple[str, str]] | Exception = field(default_factory=dict)

    @property
    def scheduler(self) -> Client:
        return self

    async def identity(self) -> Mapping[str, Any]:
        if self.gone:
            raise OSError("closed")
        return {"workers": dict.fromkeys(self.workers)}

    async def get_versions(self) -> Mapping[str, Any]:
        return self.versions

    async def run(self, function: Callable[..., object]) -> Mapping[str, tuple[str, str]]:
        if isinstance(self.installed, Exception):
            raise self.installed
        return self.installed

    def submit(
        self,
        function: Work,
        settings: bytes,
        data: bytes,
        *,
        key: str,
        workers: Iterable[str] | None,
        allow_other_workers: bool,
        pure: bool,
    ) -> Future:
        assert not allow_other_workers
        assert not pure
        self.submitted.append((key, tuple(workers or ())))
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        try:
            answer.set_result(self.work(settings, data))
        except NeverError:
            pass
        except Exception as error:
            answer.set_exception(error)
        made = Future(answer)
        self.futures.append(made)
        return made

    async def cancel(self, futures: Iterable[Future]) -> None:
        self.cancelled += futures
