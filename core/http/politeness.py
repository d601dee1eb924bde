"""How a run over a whole registry treats the hosts that give packages out: no more than so many requests at once, so
many starts a second, and a pause for the whole host whenever it asks for one or fails again and again.

A host behind a redirect counts on its own. What a host does holds up nobody who asks another one.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from lockwarden.core.http.retries import limits_requests, pause_asked
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.urls import host_of

if TYPE_CHECKING:
    import httpx

_SERVER_FAULT: Final = 500
_FORBIDDEN: Final = 403


class HostLimits(Struct, frozen=True, kw_only=True):
    """What one host may be asked, by all who ask for the same run together."""

    running: int = 8
    """Requests at the same time."""
    starts: float = 5.0
    """Requests that begin in a second."""
    failures: int = 5
    """After so many refusals or faults in a row the host is left alone for a while."""
    pause: float = 60.0
    """Seconds of the first such pause; each further one is twice as long."""
    patience: float = 900.0
    """Seconds; a host that wants a longer pause is not asked any more."""

    def share(self, parts: int) -> HostLimits:
        """What each of some that ask at the same time may do; `parts` is at most `running`."""
        return HostLimits(
            running=max(1, self.running // parts),
            starts=self.starts / parts,
            failures=self.failures,
            pause=self.pause,
            patience=self.patience,
        )


@dataclass(kw_only=True)
class _Host:
    slots: asyncio.Semaphore
    next_start: float = -math.inf
    """When the next request may begin, by the loop's clock."""
    open_from: float = -math.inf
    """When the pause is over."""
    failures: int = 0
    pauses: int = 0


@dataclass
class PoliteSlots:
    """The slots of all hosts, for one event loop."""

    limits: HostLimits
    now: Callable[[], float]
    """Seconds since 1970."""
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    paused: Callable[[str, float], None] = lambda _host, _seconds: None
    """Is told of each pause that a host asked for, or that its failures led to."""
    allowed: frozenset[str] = frozenset()
    """Hosts in comparison form; empty where every host may be asked."""
    _hosts: dict[str, _Host] = field(default_factory=dict)

    @asynccontextmanager
    async def of(self, url: httpx.URL) -> AsyncIterator[None]:
        """Wait until a request may go to the URL's host.

        Raises NoAnswerError for a host that wants to be left alone for longer than the limits allow.
        """
        name = host_of(url)
        if self.allowed and name not in self.allowed:
            raise NoAnswerError(
                f"{name} is not among the hosts that may be asked",
                stage=Stage.PACKAGE,
                code=ProblemCode.REDIRECT_REFUSED,
                hint="name it with --host",
            )
        host = self._host(name)
        async with host.slots:
            await self._turn(name, host)
            yield

    async def _turn(self, name: str, host: _Host) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            while (wait := host.open_from - clock()) > 0:
                if wait > self.limits.patience:
                    raise NoAnswerError(
                        f"{name} asks to be left alone for {wait:.0f} seconds more",
                        stage=Stage.PACKAGE,
                        code=ProblemCode.HOST_PAUSED,
                        hint="go on with the run later",
                    )
                await self.sleep(wait)
            begin = max(clock(), host.next_start)
            host.next_start = begin + 1 / self.limits.starts
            if (wait := begin - clock()) > 0:
                await self.sleep(wait)
            if host.open_from <= clock():
                return

    def answered(self, url: httpx.URL, response: httpx.Response) -> None:
        """Count what a host answered, and pause it where it asks for that or has refused or failed too often."""
        name, status = host_of(url), response.status_code
        host = self._host(name)
        asked = pause_asked(response.headers, self.now()) if status >= _FORBIDDEN else None
        limited = limits_requests(status, response.headers)
        if not (limited or status == _FORBIDDEN or status >= _SERVER_FAULT):
            host.failures = host.pauses = 0
            return
        if limited and asked is None:
            asked = self.limits.pause
        host.failures += 1
        if host.failures >= self.limits.failures:
            host.failures = 0
            own = self.limits.pause * 2.0 ** min(host.pauses, 10)
            host.pauses += 1
            asked = max(own, asked or 0.0)
        if asked:
            self.hold(name, asked)
            self.paused(name, asked)

    def is_open(self, name: str) -> bool:
        """Whether a host, in comparison form, may be asked now."""
        return self._host(name).open_from <= asyncio.get_running_loop().time()

    def hold(self, name: str, seconds: float) -> None:
        """Ask a host, in comparison form, nothing for so many seconds from now."""
        host = self._host(name)
        host.open_from = max(host.open_from, asyncio.get_running_loop().time() + seconds)

    def _host(self, name: str) -> _Host:
        return self._hosts.setdefault(name, _Host(slots=asyncio.Semaphore(self.limits.running)))
