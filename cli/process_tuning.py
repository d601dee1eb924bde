"""What makes this process quick and is nobody else's to decide: when it looks for garbage, what it never looks for.

A search for garbage goes through everything that was ever made and makes keys wait.
"""

from __future__ import annotations

import gc
import sys
from importlib.util import find_spec
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


def collect_no_more() -> None:
    """Search for garbage never again, since this process ends: it would go through all there is before that goes.

    Python does so several times at its end, which is a tenth of the time of a short command.
    """
    gc.freeze()
    gc.disable()


def do_without_absent_modules() -> None:
    """Let Python not look for modules that are not there or not needed, for the rest of the process.

    httpcore looks for sniffio with every lock that it makes, each time in all folders for modules; httpx does without
    its own command line, which would load more than all the rest of it.
    """
    absent = ["httpx._main"]
    if find_spec("sniffio") is None:
        absent.append("sniffio")
    for name in absent:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # this is how Python says "absent"
