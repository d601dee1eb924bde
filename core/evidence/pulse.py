"""Whether a run lives: how long it takes, what arrives, and what is waited for. The clock is whoever's asks.

The same words stand on the screen and on stderr.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from operator import itemgetter
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.evidence.events import (
    AuditEvent,
    AuditPlanned,
    BytesArrived,
    ProviderAudited,
    RequestEnded,
    RequestSent,
    RetryScheduled,
)
from lockwarden.core.values.amounts import in_bytes
from lockwarden.core.values.errors import Stage

PATIENCE: Final = 1.0
"""Seconds without an answer, or without a byte, after which it is told who keeps silent."""
_OVER: Final = 5.0
"""Seconds over which a rate is measured."""
_BETWEEN: Final = 30.0
"""Seconds until a log gets its first line, and from one to the next."""


class Silent(Struct, frozen=True, kw_only=True):
    """Somebody who has been asked and has not answered, or whose answer has stopped."""

    host: str
    stage: Stage
    seconds: float


class ScheduledRetry(Struct, frozen=True, kw_only=True):
    """A request that will be sent again."""

    host: str
    seconds: float
    """Until then."""
    attempt: int
    reason: str


class Pulse(Struct, frozen=True, kw_only=True):
    """One moment of a run."""

    elapsed: float
    done: int = 0
    total: int = 0
    """Releases."""
    received: int = 0
    """Bytes of packages."""
    size: int | None = None
    """Bytes of all packages that have been begun; None where some server does not say."""
    rate: float = 0.0
    """Bytes a second, lately."""
    silent: tuple[Silent, ...] = ()
    """One for each host, the longest first."""
    retries: tuple[ScheduledRetry, ...] = ()
    """The next first, and only until it is due."""

    @property
    def left(self) -> float | None:
        """Seconds until the packages that have been begun are here, at this rate; None where nobody can tell."""
        if self.size is None or self.rate <= 0 or self.size <= self.received:
            return None
        return (self.size - self.received) / self.rate


class _Request(Struct):
    host: str
    stage: Stage
    heard: float
    received: int = 0
    total: int | None = None
    is_package: bool = False


class Watch(Struct):
    """Hears events with the time of each, and tells the moment of the run for any later time."""

    begun: float
    """By the same clock as everything else; it may begin anywhere."""
    _done: int = 0
    _planned: int = 0
    _requests: dict[int, _Request] = msgspec.field(default_factory=dict)
    _arrived: int = 0
    """Bytes of packages whose requests have ended."""
    _samples: deque[tuple[float, int]] = msgspec.field(default_factory=deque)
    _again: dict[str, tuple[float, RetryScheduled]] = msgspec.field(default_factory=dict)

    def hear(self, event: AuditEvent, now: float) -> None:
        """Take one event in."""
        match event:
            case AuditPlanned():
                self._planned += len(event.releases)
            case ProviderAudited():
                self._done += 1
            case RequestSent():
                self._requests[event.number] = _Request(event.host, event.stage, now)
            case BytesArrived() if (request := self._requests.get(event.number)) is not None:
                self._sample(event.received - request.received, now)
                request.received, request.total = event.received, event.total
                request.heard, request.is_package = now, True
            case RequestEnded() if (request := self._requests.pop(event.number, None)) is not None:
                self._arrived += request.received
            case RetryScheduled():
                self._again[event.url] = (now + event.delay, event)
            case _:
                pass

    def _sample(self, size: int, now: float) -> None:
        self._samples.append((now, size))
        while self._samples and self._samples[0][0] < now - _OVER:
            self._samples.popleft()

    def moment(self, now: float) -> Pulse:
        """What is to be told now."""
        packages = [each for each in self._requests.values() if each.is_package]
        unknown = any(each.total is None for each in packages)
        received = self._arrived + sum(each.received for each in packages)
        begun = self._arrived + sum(each.total or 0 for each in packages)
        over = min(_OVER, now - self.begun)
        lately = sum(size for at, size in self._samples if at > now - _OVER)
        due = sorted(((at, each) for at, each in self._again.values() if at > now), key=itemgetter(0))
        return Pulse(
            elapsed=max(0.0, now - self.begun),
            done=self._done,
            total=self._planned,
            received=received,
            size=None if unknown else begun,
            rate=lately / over if over > 0 else 0.0,
            silent=tuple(self._silent(now)),
            retries=tuple(
                ScheduledRetry(host=each.host or "a server", seconds=at - now, attempt=each.attempt, reason=each.reason)
                for at, each in due
            ),
        )

    def _silent(self, now: float) -> Iterator[Silent]:
        told: set[str] = set()
        for each in sorted(self._requests.values(), key=lambda request: request.heard):
            seconds = now - each.heard
            if seconds >= PATIENCE and each.host not in told:
                told.add(each.host)
                yield Silent(host=each.host, stage=each.stage, seconds=seconds)


def pulse_in_words(pulse: Pulse) -> Iterator[str]:
    """What a person is told, the most urgent first; nothing while a run has lasted less than a second."""
    if pulse.elapsed < PATIENCE:
        return
    yield duration(pulse.elapsed)
    yield from map(silent_words, pulse.silent)
    yield from map(retry_words, pulse.retries)
    if pulse.received:
        yield arriving_words(pulse)


def silent_words(silent: Silent) -> str:
    """Who keeps silent, and for how long."""
    return f"{duration(silent.seconds)} without an answer from {silent.host} ({silent.stage})"


def retry_words(retry: ScheduledRetry) -> str:
    """Who is asked again, when, and why."""
    why = retry.reason.removeprefix(f"{retry.host} ")
    return f"{retry.host} is asked again in {duration(retry.seconds)} (attempt {retry.attempt}): {why}"


def arriving_words(pulse: Pulse) -> str:
    """How much has arrived of how much, how fast, and how long that takes."""
    if pulse.size is None or pulse.size <= pulse.received:
        told = in_bytes(pulse.received)
    else:
        told = f"{in_bytes(pulse.received)} of {in_bytes(pulse.size)}"
    if pulse.rate >= 1:
        told += f", {in_bytes(int(pulse.rate))}/s"
    return told if pulse.left is None else f"{told}, {duration(pulse.left)} left"


def duration(seconds: float) -> str:
    """A time for people, in whole seconds: `4 s`, `1:05`, `2:00:00`."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def is_due(begun: float, told: float | None, now: float) -> bool:
    """Whether a log gets a line now, when it got the last one at `told`: few enough that it can still be read."""
    return now - (begun if told is None else told) >= _BETWEEN
