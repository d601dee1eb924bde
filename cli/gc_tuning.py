"""When Python looks for garbage. Its searches through everything that was ever made take time, and make keys wait."""

from __future__ import annotations

import gc
from typing import Final

_SELDOM: Final = 100_000
"""Objects from one search to the next: a command has ended before many of them."""
_SHORT: Final = 2_000
"""The same on a screen: a search of that many takes a few thousandths of a second, one of 100,000 a tenth."""
_MIDDLE: Final = 10
_OLD: Final = 1_000
"""So many searches of the middle ones to one of the old; one of the old takes a tenth of a second on a large review."""


def collect_rarely(*, on_screen: bool = False) -> None:
    """Leave what there is now out of all searches, and search rarely, for the rest of the process.

    Values here never refer to themselves, so that almost nothing waits for a search: memory is freed without. On a
    screen no search may take so long that a person sees it.
    """
    gc.freeze()
    gc.set_threshold(_SHORT if on_screen else _SELDOM, _MIDDLE, _OLD)
