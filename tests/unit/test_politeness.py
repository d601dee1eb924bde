"""How hosts are spared: so many at once, so many starts a second, and pauses that hold for the whole host."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import pytest

from lockwarden.core.http.politeness import HostLimits, PoliteSlots
from lockwarden.core.http.retries import limits_requests, pause_asked
from lockwarden.core.values.errors import NoAnswerError
from lockwarden.core.values.problem_codes import ProblemCode

URL = httpx.URL("https://dl.example.test/a.zip")
OTHER = httpx.URL("https://storage.example.test/a.zip")
NOW = 1_800_000_000.0


class Clock:
    """A loop whose time is moved by those who sleep, and nobody waits for."""

    def __init__(self, **limits: Any) -> None:
        self.time = 1000.0
        self.told: list[tuple[str, float]] = []
        self.slots = PoliteSlots(
            limits=HostLimits(**limits),
            now=lambda: NOW,
            sleep=self.sleep,
            paused=lambda host, seconds: self.told.append((host, seconds)),
        )

    async def sleep(self, seconds: float) -> None:
        self.time += seconds

    async def starts(self, count: int, url: httpx.URL = URL) -> list[float]:
        found = []
        for _ in range(count):
            async with self.slots.of(url):
                found.append(self.time - 1000)
        return found

    def answers(self, status: int, url: httpx.URL = URL, **headers: str) -> None:
        self.slots.answered(url, httpx.Response(status, headers={k.replace("_", "-"): v for k, v in headers.items()}))


def run(clock: Clock, scene: Callable[[], Coroutine[None, None, None]]) -> None:
    async def timed() -> None:
        asyncio.get_running_loop().time = lambda: clock.time  # type: ignore[method-assign]
        await scene()

    asyncio.run(timed())


def test_starts_are_spread_and_each_host_counts_on_its_own() -> None:
    clock = Clock(starts=4.0)

    async def scene() -> None:
        assert await clock.starts(5) == [0, 0.25, 0.5, 0.75, 1.0]
        assert await clock.starts(2, OTHER) == [1.0, 1.25]

    run(clock, scene)


def test_no_more_than_so_many_are_under_way_at_once() -> None:
    clock = Clock(running=2, starts=1000.0)

    async def scene() -> None:
        inside = most = 0

        async def request() -> None:
            nonlocal inside, most
            async with clock.slots.of(URL):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0)
                inside -= 1

        tasks = [asyncio.ensure_future(request()) for _ in range(9)]
        await asyncio.gather(*tasks)
        assert most == 2

    run(clock, scene)


def test_a_host_is_paused_for_as_long_as_it_asks_and_others_are_not() -> None:
    clock = Clock(starts=1000.0)

    async def scene() -> None:
        clock.answers(429, Retry_After="30")
        assert not clock.slots.is_open("dl.example.test")
        assert clock.slots.is_open("storage.example.test")
        assert await clock.starts(1, OTHER) == [0]
        assert await clock.starts(1) == [30]
        clock.answers(403, X_RateLimit_Remaining="0", X_RateLimit_Reset=str(int(NOW) + 7))
        assert await clock.starts(1) == [37]
        clock.answers(429)  # it does not say for how long
        assert await clock.starts(1) == [97]
        clock.answers(503, Retry_After="5")
        assert await clock.starts(1) == [102]
        assert clock.told == [("dl.example.test", seconds) for seconds in (30, 7, 60, 5)]

    run(clock, scene)


def test_a_host_that_fails_again_and_again_is_left_alone_for_longer_and_longer() -> None:
    clock = Clock(starts=1000.0, failures=3, pause=10.0)

    async def scene() -> None:
        for status in (500, 403):
            clock.answers(status)
        assert clock.slots.is_open("dl.example.test")
        clock.answers(502)
        assert await clock.starts(1) == [10]
        for _ in range(3):
            clock.answers(500)
        assert await clock.starts(1) == [30]
        clock.answers(404)  # an answer like any other: it is well again
        for _ in range(3):
            clock.answers(500)
        assert await clock.starts(1) == [40]

    run(clock, scene)


def test_a_host_that_wants_a_long_pause_is_not_asked_any_more() -> None:
    clock = Clock(patience=100.0)

    async def scene() -> None:
        clock.slots.hold("dl.example.test", 101.0)
        with pytest.raises(NoAnswerError, match="asks to be left alone for 101 seconds more") as caught:
            await clock.starts(1)
        assert caught.value.code == ProblemCode.HOST_PAUSED

    run(clock, scene)


def test_only_hosts_that_may_be_asked_are() -> None:
    clock = Clock()
    clock.slots.allowed = frozenset({"dl.example.test"})

    async def scene() -> None:
        assert await clock.starts(1) == [0]
        with pytest.raises(NoAnswerError, match="is not among the hosts"):
            await clock.starts(1, OTHER)

    run(clock, scene)


def test_a_pause_that_comes_while_a_start_is_waited_for_holds() -> None:
    clock = Clock(starts=1.0)

    async def sleep(seconds: float) -> None:
        clock.time += seconds
        if clock.time < 1002:
            clock.slots.hold("dl.example.test", 50.0)

    clock.slots.sleep = sleep

    async def scene() -> None:
        assert await clock.starts(2) == [0, 51]

    run(clock, scene)


def test_shares_of_all_workers_together_are_no_more_than_the_whole() -> None:
    whole = HostLimits(running=8, starts=5.0)
    for parts in range(1, 9):
        share = whole.share(parts)
        assert share.running * parts <= whole.running
        assert share.starts * parts == pytest.approx(whole.starts)


def test_limits_are_told_by_status_and_headers() -> None:
    assert limits_requests(429, {})
    assert limits_requests(403, {"retry-after": "1"})
    assert limits_requests(403, {"x-ratelimit-remaining": "0"})
    assert not limits_requests(403, {})
    assert not limits_requests(500, {"retry-after": "1"})
    assert pause_asked({"retry-after": "7", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, NOW) == 7
    assert pause_asked({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, NOW) == 0
    assert pause_asked({"x-ratelimit-remaining": "5", "x-ratelimit-reset": "9999999999"}, NOW) is None
    assert pause_asked({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon"}, NOW) is None
