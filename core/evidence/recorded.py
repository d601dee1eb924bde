"""That the answers of an audit were not heard now, but told by an evidence bundle, and who vouches for that."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


class RecordedEvidence(Struct, frozen=True, kw_only=True):
    """One evidence bundle, as it stands when it is used."""

    digest: str
    """SHA-256 of the file, in hexadecimal digits."""
    made: datetime
    """When it was made, by its own word."""
    age: timedelta
    """How long ago that was; below zero where it claims to be from the future."""
    tool: str
    """The version that made it, by its own word."""
    signer: str = ""
    """Who signed it, of those that the operator named; empty where nobody did."""
    fingerprint: str = ""
    """Of the key that signed it, whoever holds it."""
    doubt: str = ""
    """Why nobody vouches for it, the end of a sentence; empty where somebody does."""

    @property
    def vouched(self) -> bool:
        """Whether somebody whom the operator named has signed it."""
        return bool(self.signer) and not self.doubt

    @property
    def when(self) -> str:
        """When it was made, and how long ago, in words."""
        return f"{self.made:%Y-%m-%d %H:%M} UTC, {age_in_words(self.age)}"

    @property
    def maker(self) -> str:
        """Who made it, in words."""
        return self.signer if self.vouched else "whoever made it"


def age_in_words(age: timedelta) -> str:
    """An age in words, rounded down."""
    if age < -timedelta(minutes=5):
        return "which is in the future"
    if age < _HOUR:
        return "less than an hour ago"
    if age < 2 * _DAY:
        hours = age // _HOUR
        return f"{hours} {'hour' if hours == 1 else 'hours'} ago"
    return f"{age // _DAY} days ago"
