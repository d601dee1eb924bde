"""One thing that is wrong with a file or a setting, and where."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.values.origins import BY_DEFAULT, Origin
from lockwarden.core.values.severity import Severity


class Diagnostic(Struct, frozen=True, kw_only=True):
    """One thing that is wrong with what was read. No message holds a secret."""

    message: str
    """One sentence with the values that matter."""
    severity: Severity = Severity.ERROR
    summary: str = ""
    """A few words, the clients' own where they have some."""
    line: int = 0
    """Counted from 1, as the clients name it; 0 for the file as a whole, and where `origin` says it."""
    origin: Origin = BY_DEFAULT
    """The file and line, or the variable, where several could be meant; the default where the file is known."""
    hint: str = ""
    """What to do about it."""
    unreadable: bool = False
    """Nothing of the file could be used. The clients go on without a CLI configuration like that; an audit must not,
    because it would ask other sources than the operator wants."""

    def __str__(self) -> str:
        if self.origin is not BY_DEFAULT:
            return f"{self.origin}: {self.message}"
        return f"line {self.line}: {self.message}" if self.line else self.message
