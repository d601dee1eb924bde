"""Who gives a second opinion on a lock file: python-hcl2, whose parser is made when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any


class SecondReader:
    """python-hcl2, for as many lock files as are read with it.

    `make` makes its parser, once; whoever keeps the parser's tables hands in how. Without it python-hcl2 makes one,
    which takes more than a second where it cannot keep tables beside its own code. Nothing is made, and no file is
    read, for a lock file in the form that the clients write.
    """

    def __init__(self, make: Callable[[], Any] | None = None) -> None:
        self._make = make

    def tree(self, text: str) -> Any:
        """python-hcl2's tree of a text. Raises LarkError, and RecursionError for what is nested too deeply."""
        return self._parser.parse(text + "\n")

    @cached_property
    def _parser(self) -> Any:
        from hcl2.parser import parser

        return (self._make or parser)()
