"""When Python looks for garbage. Its searches through everything that was ever made take time, and make keys wait."""

from __future__ import annotations

import gc
from typing import Final

_YOUNG: Final = 100_000
_MIDDLE: Final = 10
_OLD: Final = 1_000
"""So many searches of the middle ones to one of the old; one of the old takes a tenth of a second on a large review."""


def collect_rarely() -> None:
    """Leave what there is now out of all searches, and search rarely, for the rest of the process.

    Values here never refer to themselves, so that almost nothing waits for a search: memory is freed without.
    """
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
