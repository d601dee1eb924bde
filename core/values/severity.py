"""How much a problem weighs, whether of a lock file or of what a source said."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """An error objects; a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    """Nothing is wrong, but people may want to know."""
