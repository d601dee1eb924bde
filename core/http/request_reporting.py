"""Tells of each request while it is under way, so that a server that keeps silent is seen to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from lockwarden.core.evidence.events import BytesArrived, Report, RequestEnded, RequestSent, ignore
from lockwarden.core.values.errors import Stage


class RequestReporting:
    """Numbers the requests of one client, and reports them."""

    def __init__(self, report: Report = ignore) -> None:
        self._report = report
        self._numbers = count(1)

    @contextmanager
    def request(self, host: str, stage: Stage) -> Iterator[int]:
        """A request is sent now, and under way until the block ends, however that is; gives its number."""
        number = next(self._numbers)
        self._report(RequestSent(number=number, host=host, stage=stage))
        try:
            yield number
        finally:
            self._report(RequestEnded(number=number))

    def arrived(self, number: int, received: int, total: int | None) -> None:
        """So many bytes of the answer to a request are here, of so many where the server says."""
        self._report(BytesArrived(number=number, received=received, total=total))


UNREPORTED = RequestReporting()
"""Tells nobody."""
