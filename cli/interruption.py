"""Signals that ask the program to leave: it unwinds as after an error and leaves nothing behind.

While coroutines run, a signal cancels them and waits until they have cleaned up; anywhere else it raises SystemExit.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, TypeVar

from lockwarden.core.review.exit_codes import BY_SIGNAL

_Result = TypeVar("_Result")
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


_OTHER_PROGRAM = threading.Event()
"""Set while another program has the keyboard."""


@contextmanager
def another_program_has_the_keyboard() -> Iterator[None]:
    """What is pressed to interrupt that program does not end this one, which the terminal tells, too, meanwhile."""
    _OTHER_PROGRAM.set()
    try:
        yield
    finally:
        _OTHER_PROGRAM.clear()


def leave_on_signals() -> None:
    """Make every signal of SIGNALS raise SystemExit from now on, in the whole process.

    One that is ignored stays so: whoever started the program wants it to go on in the background.
    """
    for number in _heeded():
        signal.signal(number, _leave)


def _heeded() -> tuple[signal.Signals, ...]:
    return tuple(number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(BY_SIGNAL + number)


def run_to_end(main: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine to its end. Raises SystemExit when a signal came, after the coroutine has cleaned up."""
    import asyncio

    received: list[int] = []

    async def guarded() -> _Result:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()

        def leave(number: int) -> None:
            if number == signal.SIGINT and _OTHER_PROGRAM.is_set():
                return
            # Only the first one counts: another must not interrupt the cleaning up.
            if not received and task is not None:
                task.cancel()
            received.append(number)

        for number in _heeded():
            loop.add_signal_handler(number, leave, number)
        return await main

    with _handlers_kept():
        try:
            result = asyncio.run(guarded())
        except asyncio.CancelledError:
            if not received:
                raise
    if received:
        raise SystemExit(BY_SIGNAL + received[0])
    return result


@contextmanager
def _handlers_kept() -> Iterator[None]:
    """Restore the signal handlers, which a loop resets to the system's when it is closed."""
    before = {number: signal.getsignal(number) for number in _heeded()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
