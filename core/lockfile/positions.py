"""Offsets in a lock file's text and the lines they are on."""

from __future__ import annotations

from bisect import bisect_left

from msgspec import Struct


class Lines(Struct, frozen=True):
    """The places of all line feeds of a text; a lone carriage return ends no line, as in the clients."""

    feeds: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Lines:
        """Find the line feeds of a text."""
        feeds = []
        at = text.find("\n")
        while at >= 0:
            feeds.append(at)
            at = text.find("\n", at + 1)
        return cls(tuple(feeds))

    def line_of(self, offset: int) -> int:
        """The line of a character, counted from 1; a line feed belongs to the line it ends."""
        return bisect_left(self.feeds, offset) + 1

    def start_of(self, offset: int) -> int:
        """Where the line of a character begins."""
        index = bisect_left(self.feeds, offset)
        return self.feeds[index - 1] + 1 if index else 0


def decode(data: bytes) -> str:
    """The bytes as text of which every byte can be had back: what is no UTF-8 becomes lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes of a text that `decode` made or that consists of characters."""
    return text.encode("utf-8", "surrogateescape")
