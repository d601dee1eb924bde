"""SSH's wire format (RFC 4251, section 5), read strictly: one value has one spelling, and nothing may follow it."""

from __future__ import annotations

from lockwarden.core.document_signatures.faults import MalformedError

_NUMBER = 4
"""Bytes of a uint32."""
_HIGH_BIT = 0x80


class WireReader:
    """Reads values one after another. Every method raises MalformedError where the bytes end or say it otherwise."""

    def __init__(self, data: bytes, what: str) -> None:
        """`what` is read, as sentences call it."""
        self._data, self._at, self._what = data, 0, what

    def raw(self, length: int) -> bytes:
        """The next bytes."""
        end = self._at + length
        if end > len(self._data):
            raise MalformedError(f"{self._what} ends in the middle of a value")
        found, self._at = self._data[self._at : end], end
        return found

    def number(self) -> int:
        """A uint32."""
        return int.from_bytes(self.raw(_NUMBER))

    def string(self) -> bytes:
        """A uint32 and as many bytes."""
        return self.raw(self.number())

    def name(self) -> str:
        """A string of visible ASCII characters, as names of algorithms are."""
        found = self.string()
        if not found or not found.isascii() or not found.decode("ascii").isprintable() or b" " in found:
            raise MalformedError(f"{self._what} has no name where one belongs")
        return found.decode("ascii")

    def positive(self) -> int:
        """A number above zero of any length, in its shortest form."""
        found = self.string()
        if not found or found[0] & _HIGH_BIT or not any(found):
            raise MalformedError(f"{self._what} has no positive number where one belongs")
        if len(found) > 1 and not found[0] and not found[1] & _HIGH_BIT:
            raise MalformedError(f"{self._what} has a number with needless zeros in front")
        return int.from_bytes(found)

    def end(self) -> None:
        """Nothing may be left."""
        if self._at != len(self._data):
            raise MalformedError(f"{self._what} goes on after its end")


def string(value: bytes) -> bytes:
    """A string as it is written."""
    return len(value).to_bytes(_NUMBER) + value
