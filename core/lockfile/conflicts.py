"""Finds the markers that git leaves in a file when two sides changed the same lines."""

from __future__ import annotations

import re
from typing import Final

from lockwarden.core.lockfile.positions import Lines
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.severity import Severity

_MARKER: Final = re.compile(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \t\r\n]|\Z)", re.MULTILINE)
_SHOWN: Final = 12


def merge_conflict(text: str, lines: Lines) -> Diagnostic | None:
    """The problem of a file in conflict, which names the lines of all markers, or None.

    A row of equals signs alone may stand in a comment; what tells is a marker that opens or closes a conflict. Ask only
    when the text cannot be read: within a block comment even those are harmless.
    """
    markers = list(_MARKER.finditer(text))
    if not any(marker[0][0] in "<>" for marker in markers):
        return None
    numbers = [lines.line_of(marker.start()) for marker in markers]
    shown = ", ".join(map(str, numbers[:_SHOWN])) + (" and more" if len(numbers) > _SHOWN else "")
    return Diagnostic(
        severity=Severity.ERROR,
        summary=LockFileSummary.UNRESOLVED_MERGE_CONFLICT,
        message=f"the file has an unresolved merge conflict, with markers at line{'s'[: len(numbers) != 1]} {shown}",
        line=numbers[0],
        hint="choose one version per provider, keep the hashes that belong to it and remove the markers",
    )
