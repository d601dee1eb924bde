"""Threads are told to stop by a cancellation, waited for, and what they raise then bothers nobody."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
from typing import Any

import pytest

from lockwarden.core.system.blocking import in_thread, stoppable


class _StoppedError(Exception):
    """What the work raises once it is told to stop."""


def test_the_result_and_the_error_of_the_function_come_back() -> None:
    def fail() -> None:
        raise KeyError("why")

    assert asyncio.run(in_thread(lambda text: f"{text}!", "done")) == "done!"
    with pytest.raises(KeyError, match="why"):
        asyncio.run(in_thread(fail))


@pytest.mark.parametrize("times", [1, 2, 5])
def test_a_cancellation_waits_until_the_work_has_let_go_however_often_it_is_repeated(times: int) -> None:
    begun, may_end, let_go = threading.Event(), threading.Event(), threading.Event()
    complaints: list[dict[str, Any]] = []

    def work(stopped: threading.Event) -> None:
        begun.set()
        stopped.wait()
        may_end.wait()
        let_go.set()
        raise _StoppedError

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        stopped = threading.Event()
        task = asyncio.ensure_future(in_thread(work, stopped, stop=stopped.set))
        await asyncio.to_thread(begun.wait)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0.01)
            assert not task.done()
        may_end.set()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert let_go.is_set()
        assert task.cancelled()
        del task
        gc.collect(1)  # what was made here is young

    asyncio.run(run())
    assert complaints == []


def test_what_asks_whether_to_stop_is_told_so() -> None:
    begun, told = threading.Event(), threading.Event()

    def work(stopped: Any) -> None:
        begun.set()
        while not stopped():
            pass
        told.set()

    async def run() -> None:
        task = asyncio.ensure_future(stoppable(work))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert told.is_set()
