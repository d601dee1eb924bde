"""When a request is asked again: which answers may pass, how long to wait, how often. The numbers are the clients'."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final

from msgspec import Struct

from lockwarden.core.values.errors import SourceError

LONGEST_WAIT: Final = 30.0
"""Seconds; also for a server that asks for more."""
TOO_MANY: Final = 429
_NOT_IMPLEMENTED: Final = 501
"""The one fault of a server that does not pass; the clients do not try again, either."""
_FORBIDDEN: Final = 403


class Retry(Struct, frozen=True, kw_only=True):
    """An attempt that failed in a way that may pass."""

    error: SourceError
    """What to raise when nothing is left to try."""
    after: float | None = None
    """Seconds that the server asked to wait."""


class RetryBudget:
    """How often one request may still be asked again; the waits double from one second on."""

    def __init__(self, retries: int) -> None:
        self._left = retries
        self.attempts = 1
        """Attempts that were or are being made."""

    def next_delay(self, after: float | None) -> float | None:
        """Seconds to wait before the next attempt, which this takes from the budget; None when nothing is left."""
        if self._left <= 0:
            return None
        self._left -= 1
        self.attempts += 1
        doubled: float = 2.0 ** min(self.attempts - 2, 10)
        return min(doubled if after is None else after, LONGEST_WAIT)

    def exhausted(self, error: SourceError) -> SourceError:
        """The last error, which also says how many attempts there were."""
        if self.attempts == 1:
            return error
        final = type(error)(
            f"{error.message} ({self.attempts} attempts)", stage=error.stage, hint=error.hint, code=error.code
        )
        final.__cause__ = error.__cause__
        return final


def may_pass(status: int) -> bool:
    """Whether an answer with this status is asked for again: 429 and every 5xx but 501."""
    return status == TOO_MANY or (500 <= status < 600 and status != _NOT_IMPLEMENTED)


def limits_requests(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer says that the host was asked too often: 429, or a 403 that says when to ask again.

    GitHub, “Rate limits for the REST API”: 403 with `retry-after`, or with `x-ratelimit-remaining: 0`.
    """
    told = "retry-after" in headers or headers.get("x-ratelimit-remaining", "").strip() == "0"
    return status == TOO_MANY or (status == _FORBIDDEN and told)


def pause_asked(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds from `now` (since 1970) until the host wants to be asked again; None where no header says it."""
    asked = seconds_asked(headers.get("retry-after", ""), now)
    reset = headers.get("x-ratelimit-reset", "").strip()
    spent = headers.get("x-ratelimit-remaining", "").strip() == "0"
    if asked is None and spent and reset.isascii() and reset.isdigit():
        return max(float(reset[:12]) - now, 0.0)
    return asked


def seconds_asked(retry_after: str, now: float) -> float | None:
    """What a `Retry-After` header asks for, in seconds from `now` (since 1970); None where it cannot be read.

    Nobody waits longer than LONGEST_WAIT for it.
    """
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(moment - now, 0.0)
