"""One answer for many who ask."""

from __future__ import annotations

import asyncio

import pytest

from lockwarden.core.sources.once import Once
from lockwarden.core.values.errors import NoAnswerError, Stage


class Maker:
    """Counts how often it is asked, and lets a test decide when and how it ends."""

    def __init__(self) -> None:
        self.calls = 0
        self.may_end = asyncio.Event()
        self.error: Exception | None = None

    async def __call__(self) -> int:
        self.calls += 1
        call = self.calls
        await self.may_end.wait()
        if self.error is not None:
            raise self.error
        return call


async def settle() -> None:
    """Let every task that can run do so."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_many_who_ask_at_once_share_one_answer() -> None:
    async def scenario() -> tuple[list[int], int]:
        once, maker = Once[str, int](), Maker()
        tasks = [asyncio.ensure_future(once.get("a", maker)) for _ in range(5)]
        await settle()
        maker.may_end.set()
        answers = [await task for task in tasks]
        return [*answers, await once.get("a", maker)], maker.calls

    assert asyncio.run(scenario()) == ([1] * 6, 1)


def test_each_key_has_its_own_answer() -> None:
    async def scenario() -> tuple[int, int]:
        once, maker = Once[str, int](), Maker()
        maker.may_end.set()
        return await once.get("a", maker), await once.get("b", maker)

    assert asyncio.run(scenario()) == (1, 2)


def test_a_failure_is_shared_by_those_who_waited_and_then_forgotten() -> None:
    async def scenario() -> tuple[list[str], int, int]:
        once, maker = Once[str, int](), Maker()
        maker.error = NoAnswerError("down", stage=Stage.DISCOVERY)
        tasks = [asyncio.ensure_future(once.get("a", maker)) for _ in range(3)]
        await settle()
        maker.may_end.set()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        failed_calls = maker.calls
        maker.error = None
        return [str(end) for end in ends], failed_calls, await once.get("a", maker)

    assert asyncio.run(scenario()) == (["down"] * 3, 1, 2)


def test_another_takes_over_when_the_one_that_asks_is_cancelled() -> None:
    async def scenario() -> tuple[int, int]:
        once, maker = Once[str, int](), Maker()
        first = asyncio.ensure_future(once.get("a", maker))
        second = asyncio.ensure_future(once.get("a", maker))
        await settle()
        first.cancel()
        await settle()
        maker.may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await first
        return await second, maker.calls

    assert asyncio.run(scenario()) == (2, 2)


def test_one_who_waits_can_be_cancelled_alone() -> None:
    async def scenario() -> tuple[int, int]:
        once, maker = Once[str, int](), Maker()
        first = asyncio.ensure_future(once.get("a", maker))
        second = asyncio.ensure_future(once.get("a", maker))
        await settle()
        second.cancel()
        await settle()
        maker.may_end.set()
        assert second.cancelled()
        return await first, maker.calls

    assert asyncio.run(scenario()) == (1, 1)
