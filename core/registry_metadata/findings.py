"""What an audit of a registry's metadata finds, as a value."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


class MetadataFinding(Struct, frozen=True, kw_only=True):
    """One thing to tell of a metadata file."""

    code: ProblemCode
    severity: Severity
    message: str
    """One sentence without a full stop; hostile text."""
    hint: str = ""
    version: int | None = None
    """The place of the version that it is about; None where it is about the file."""
    target: int | None = None
    """The place of the target in it."""
