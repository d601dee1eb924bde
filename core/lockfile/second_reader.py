"""python-hcl2's parser, made when it is first needed: by python-hcl2, or by whoever keeps its tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

_makers: list[Callable[[], Any]] = []


def make_parser_with(make: Callable[[], Any]) -> None:
    """From now on, `make` gives python-hcl2's parser. It is one for the whole process, so this is said once."""
    _makers[:] = [make]


def their_tree(text: str) -> Any:
    """python-hcl2's tree of a text. Raises LarkError, and RecursionError for what is nested too deeply."""
    return _parser().parse(text + "\n")


@lru_cache(maxsize=1)
def _parser() -> Any:
    from hcl2.parser import parser

    return _makers[0]() if _makers else parser()
