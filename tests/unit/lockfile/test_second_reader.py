"""One parser a process reads the second time, and whoever keeps its tables may make it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import hcl2.parser
import pytest

from lockwarden.core.lockfile import second_reader
from lockwarden.core.lockfile.second_reader import make_parser_with, their_tree

TEXT = 'a = 1\nprovider "x" {\n  b = ["c"]\n}\n'


@pytest.fixture(autouse=True)
def own_parser() -> Iterator[None]:
    """The process's parser, made anew for each test."""
    second_reader._parser.cache_clear()
    yield
    second_reader._makers.clear()
    second_reader._parser.cache_clear()


def test_by_itself_it_is_python_hcl2s() -> None:
    assert their_tree(TEXT) == hcl2.parser.parser().parse(TEXT + "\n")


def test_another_maker_is_asked_once() -> None:
    made: list[Any] = []

    def make() -> Any:
        made.append(hcl2.parser.parser())
        return made[-1]

    make_parser_with(make)
    assert their_tree(TEXT) == their_tree(TEXT)
    assert len(made) == 1
