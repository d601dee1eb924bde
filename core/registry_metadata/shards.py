"""Parts of a backfill for several machines: which package is whose follows from its key alone."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.values.errors import InputError


class Shard(Struct, frozen=True):
    """One of several equal parts of a backfill, the same on every machine."""

    number: int = 1
    of: int = 1

    def has(self, key: str) -> bool:
        """Whether a package belongs to it."""
        return int(key[:15], 16) % self.of == self.number - 1


def read_shard(text: str) -> Shard:
    """`2/16` as a shard. Raises InputError."""
    number, slash, of = text.partition("/")
    if slash and number.isascii() and of.isascii() and number.isdigit() and of.isdigit() and len(of) < 6:
        shard = Shard(int(number), int(of))
        if 1 <= shard.number <= shard.of:
            return shard
    raise InputError(f"--shard: “{text}” is not NUMBER/OF", hint="such as 1/4, 2/4, 3/4 and 4/4 on four machines")
