"""Numbers for people."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.values.amounts import counted, in_bytes


@table(
    ("number", "one", "many", "told"),
    [
        (1, "hash", "hashes", "1 hash"),
        (2, "hash", "hashes", "2 hashes"),
        (0, "key", "", "0 keys"),
        (1234, "key", "", "1,234 keys"),
    ],
)
def test_numbers_agree_with_their_nouns(number: int, one: str, many: str, told: str) -> None:
    assert counted(number, one, many) == told


@table(
    ("size", "told"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (31_204_118, "31.2 MB"),
        (5_000_000_000, "5.0 GB"),
        (10**13, "10000.0 GB"),
    ],
)
def test_sizes_are_told_in_decimal_units(size: int, told: str) -> None:
    assert in_bytes(size) == told
