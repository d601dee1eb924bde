"""The lowest rate at which a package may come: whoever sends less holds a connection for ever, a byte at a time."""

from __future__ import annotations


class Pace:
    """Counts what comes in one stretch of time after the other; each has to bring at least so many bytes."""

    def __init__(self, *, least: int, seconds: float, now: float) -> None:
        """At least `least` bytes in each `seconds`, from `now` on; times are those of any one clock."""
        self._least = least
        self._seconds = seconds
        self._end = now + seconds
        self._got = 0

    @property
    def deadline(self) -> float:
        """When it is too late, should nothing more come."""
        return self._end if self._got < self._least else self._end + self._seconds

    def count(self, size: int, now: float) -> bool:
        """Count bytes that have come by `now`; False when the stretch before brought too few."""
        if now >= self._end:
            if self._got < self._least:
                return False
            self._end = now + self._seconds
            self._got = 0
        self._got += size
        return True
