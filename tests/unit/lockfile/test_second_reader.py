"""The second reader is handed in: each makes its own parser once, and only for a file that is in another form."""

from __future__ import annotations

from typing import Any

import hcl2.parser
import pytest

from lockwarden.core.lockfile.read import parse
from lockwarden.core.lockfile.second_reader import SecondReader

TEXT = 'a = 1\nprovider "x" {\n  b = ["c"]\n}\n'
PLAIN = b"""# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.

provider "registry.opentofu.org/acme/one" {
  version = "1.0.0"
  hashes = [
    "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  ]
}
"""
BY_HAND = PLAIN.replace(b"  version", b"  # by hand\n  version")


def test_by_itself_it_is_python_hcl2s() -> None:
    assert SecondReader().tree(TEXT) == hcl2.parser.parser().parse(TEXT + "\n")


def test_another_maker_is_asked_once_and_only_where_it_is_needed() -> None:
    made: list[Any] = []

    def make() -> Any:
        made.append(hcl2.parser.parser())
        return made[-1]

    reader = SecondReader(make)
    parse(PLAIN, path="x", second_reader=reader)
    assert made == []
    for _ in range(2):
        parse(BY_HAND, path="x", second_reader=reader)
    assert len(made) == 1


def test_what_one_run_hands_in_is_not_asked_by_another() -> None:
    def never() -> Any:
        raise AssertionError("it belongs to another run")

    parse(BY_HAND, path="x", second_reader=SecondReader())
    with pytest.raises(AssertionError, match="another run"):
        parse(BY_HAND, path="x", second_reader=SecondReader(never))
