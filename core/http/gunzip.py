"""Gzip data as HTTP has it: any number of members in a row. It is loaded where a server sends some."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.archives.streams import DamagedStreamError, GzipStream

__all__ = ["DamagedStreamError", "Gunzip"]


class Gunzip:
    """Any number of gzip members in a row, which are one content."""

    def __init__(self) -> None:
        self._member = GzipStream()
        self._begun = False

    @property
    def complete(self) -> bool:
        """Whether what came so far ends where a member does."""
        return self._member.ended or not self._begun

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What comes out of some more bytes. Raises DamagedStreamError."""
        while data:
            self._begun = True
            if self._member.ended:
                self._member = GzipStream()
            yield from self._member.decompress(data)
            data = self._member.behind
