"""Collects what is wrong with one file and what in it has no effect."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lockwarden.core.cli_config.ignored_settings import NO_CLIENT, IgnoredKind, IgnoredSetting
from lockwarden.core.hcl.syntax import HclBody, HclItem
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.origins import Origin
from lockwarden.core.values.severity import Severity

_OF_TERRAFORM: Final = frozenset({"disable_checkpoint", "disable_checkpoint_signature"})
_TERRAFORM_ALONE: Final = "Terraform alone knows it, for its questions about newer releases of itself"


class ConfigurationDiagnostics:
    """Two lists that grow while a file is read."""

    def __init__(self, path: str, clients: tuple[Client, ...] = (Client.OPENTOFU,)) -> None:
        """`clients` are those that read the file; what names no host means another registry to each of them."""
        self.path = path
        self.clients = clients
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

    def note(self, line: int, summary: str, message: str, *, hint: str = "") -> None:
        """Note something that is as it should be for one client and not for another."""
        self._note(Severity.NOTE, line, summary, message, hint)

    def ignore(self, items: Iterable[HclItem], inside: str = "") -> None:
        """Note settings that have no effect; `inside` names the blocks around them."""
        for item in items:
            kind = IgnoredKind.SETTING if isinstance(item.value, HclBody) or not inside else IgnoredKind.ARGUMENT
            name = ".".join(filter(None, (inside, *item.keys)))
            reason = _TERRAFORM_ALONE if not inside and item.keys[0].casefold() in _OF_TERRAFORM else NO_CLIENT
            self.ignored.append(IgnoredSetting(kind=kind, name=name, origin=self.at(item.line), reason=reason))

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
