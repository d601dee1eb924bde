"""Collects what is wrong with one file and what in it has no effect."""

from __future__ import annotations

from collections.abc import Iterable

from lockwarden.core.cli_config.ignored_settings import IgnoredKind, IgnoredSetting
from lockwarden.core.hcl.syntax import Body, Item
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.origins import Origin
from lockwarden.core.values.severity import Severity


class ConfigurationDiagnostics:
    """Two lists that grow while a file is read."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.diagnostics: list[Diagnostic] = []
        self.ignored: list[IgnoredSetting] = []

    def at(self, line: int) -> Origin:
        """The origin of a line of the file."""
        return Origin.of_file(self.path, line)

    def error(self, line: int, summary: str, message: str, *, hint: str = "", unreadable: bool = False) -> None:
        """Note something that the clients complain about."""
        self._note(Severity.ERROR, line, summary, message, hint, unreadable=unreadable)

    def warning(self, line: int, summary: str, message: str, *, hint: str = "") -> None:
        """Note something that the clients take in silence and that hardly means what it says."""
        self._note(Severity.WARNING, line, summary, message, hint)

    def ignore(self, items: Iterable[Item], inside: str = "") -> None:
        """Note settings that have no effect; `inside` names the blocks around them."""
        for item in items:
            kind = IgnoredKind.SETTING if isinstance(item.value, Body) or not inside else IgnoredKind.ARGUMENT
            name = ".".join(filter(None, (inside, *item.keys)))
            self.ignored.append(IgnoredSetting(kind=kind, name=name, origin=self.at(item.line)))

    def _note(
        self, severity: Severity, line: int, summary: str, message: str, hint: str, *, unreadable: bool = False
    ) -> None:
        self.diagnostics.append(
            Diagnostic(
                severity=severity,
                summary=summary,
                message=message,
                origin=self.at(line),
                hint=hint,
                unreadable=unreadable,
            )
        )
