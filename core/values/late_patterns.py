"""Regular expressions that are compiled when they are first used: most commands use few of the many that there are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import AnyStr, Generic


class LatePattern(Generic[AnyStr]):
    """A pattern with the questions that are asked of one; what is no pattern shows at the first question."""

    _text: AnyStr

    def __init__(self, pattern: AnyStr, flags: int = 0) -> None:
        self._text = pattern
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[AnyStr]:
        return re.compile(self._text, self._flags)

    def match(self, text: AnyStr, position: int = 0) -> re.Match[AnyStr] | None:
        """As `re.Pattern` does it."""
        return self._compiled.match(text, position)

    def fullmatch(self, text: AnyStr) -> re.Match[AnyStr] | None:
        """As `re.Pattern` does it."""
        return self._compiled.fullmatch(text)

    def search(self, text: AnyStr) -> re.Match[AnyStr] | None:
        """As `re.Pattern` does it."""
        return self._compiled.search(text)

    def finditer(self, text: AnyStr) -> Iterator[re.Match[AnyStr]]:
        """As `re.Pattern` does it."""
        return self._compiled.finditer(text)

    def sub(self, replacement: AnyStr | Callable[[re.Match[AnyStr]], AnyStr], text: AnyStr) -> AnyStr:
        """As `re.Pattern` does it."""
        return self._compiled.sub(replacement, text)
