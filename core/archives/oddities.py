"""What is odd about an archive, as values: each kind once, with the first name it was seen at and how often.

An oddity that is `fatal` means that no `h1` is claimed, because the clients could not compute one either or because two
readers of the same bytes could see different contents.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

_SHOWN_NAME: Final = 120


class OddityCode(StrEnum):
    """Every kind of oddity; the value is the stable word for reports."""

    ABSOLUTE_NAME = "absolute-name"
    BACKSLASH_NAME = "backslash-name"
    CASE_COLLISION = "case-collision"
    CHECKSUM = "checksum"
    CLIMBING_NAME = "climbing-name"
    CONFLICTING_NAMES = "conflicting-names"
    DUPLICATE_NAME = "duplicate-name"
    EMPTY_ARCHIVE = "empty-archive"
    ENCRYPTED = "encrypted"
    FOLDER_WITH_CONTENT = "folder-with-content"
    JUNK_PREFIX = "junk-prefix"
    LINE_FEED_IN_NAME = "line-feed-in-name"
    LINK = "link"
    LOCAL_HEADER = "local-header"
    MISSING_CHECKSUM = "missing-checksum"
    NO_EXECUTABLE = "no-executable"
    NUL_IN_NAME = "nul-in-name"
    OVERLAP = "overlap"
    RATIO = "ratio"
    SEVERAL_END_RECORDS = "several-end-records"
    SEVERAL_EXECUTABLES = "several-executables"
    SPECIAL_FILE = "special-file"
    SPECIAL_MODE = "special-mode"
    TOO_LARGE = "too-large"
    TOO_LONG_NAME = "too-long-name"
    TOO_MANY_MEMBERS = "too-many-members"
    TRAILING_BYTES = "trailing-bytes"
    UNLISTED_BYTES = "unlisted-bytes"
    UNKNOWN_METHOD = "unknown-method"
    UNNAMED_FILE = "unnamed-file"
    UNREADABLE_MODE = "unreadable-mode"
    UNUSED_DATA = "unused-data"
    WRONG_DATA = "wrong-data"
    WRONG_SIZE = "wrong-size"


class Oddity(Struct, frozen=True, kw_only=True):
    """One kind of oddity of one archive."""

    code: OddityCode
    message: str
    """One sentence; it quotes names as they are stored, so it is hostile text."""
    fatal: bool = False
    """Whether no `h1` is claimed because of it."""


def shown(name: bytes) -> str:
    """A member's raw name as text for messages: bytes that are not UTF-8 as `\\xNN`, cut where it is very long."""
    text = name.decode("utf-8", "backslashreplace")
    return text if len(text) <= _SHOWN_NAME else f"{text[:_SHOWN_NAME]}…"


class OddityLog:
    """Collects oddities while an archive is read; however many members share one, it is kept once."""

    def __init__(self) -> None:
        self._first: dict[OddityCode, tuple[str, bool]] = {}
        self._more: dict[OddityCode, int] = {}

    def note(self, code: OddityCode, message: str, *, fatal: bool = False) -> None:
        """Record one sighting. A kind that was fatal once stays fatal."""
        if code not in self._first:
            self._first[code] = (message, fatal)
            return
        self._more[code] = self._more.get(code, 0) + 1
        if fatal and not self._first[code][1]:
            self._first[code] = (message, True)

    @property
    def fatal(self) -> bool:
        """Whether some oddity so far forbids to claim an `h1`."""
        return any(fatal for _, fatal in self._first.values())

    def oddities(self) -> tuple[Oddity, ...]:
        """Everything seen, the fatal ones first, else in the order of the first sighting."""
        found = [
            Oddity(code=code, message=f"{message}{self._suffix(code)}", fatal=fatal)
            for code, (message, fatal) in self._first.items()
        ]
        return tuple(sorted(found, key=lambda oddity: not oddity.fatal))

    def _suffix(self, code: OddityCode) -> str:
        more = self._more.get(code, 0)
        return f" (and {more} more like it)" if more else ""
