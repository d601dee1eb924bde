"""Reads `registry_protocols` blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.decoding import DecodeProblem, last_number, unknown
from lockwarden.core.cli_config.document import ConfigurationDocument
from lockwarden.core.cli_config.settings import RegistryProtocols, Setting
from lockwarden.core.hcl.syntax import HclBody, HclItem

NAME: Final = "registry_protocols"
_ARGUMENTS: Final = ("retry_count", "request_timeout_seconds")
_SUMMARY: Final = "Invalid registry_protocols block"


def read_registry_protocols(
    document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics
) -> RegistryProtocols | None:
    """The first usable `registry_protocols` block of a file; a second one is complained about."""
    found: RegistryProtocols | None = None
    line = 0
    for item in document.items:
        if item.name != NAME:
            continue
        if found is not None:
            diagnostics.error(
                item.line, "Duplicate registry_protocols block", f"there is a {NAME} block on line {line} already"
            )
        elif not isinstance(item.value, HclBody):
            diagnostics.error(item.line, _SUMMARY, f"“{NAME}” is a block with braces")
        else:
            found, line = _read(item.value.items, diagnostics), item.line
    return found


def _read(items: Sequence[HclItem], diagnostics: ConfigurationDiagnostics) -> RegistryProtocols:
    try:
        values = {name: last_number(items, name) for name in _ARGUMENTS}
    except DecodeProblem as problem:
        diagnostics.error(problem.line, _SUMMARY, problem.message)
        return RegistryProtocols()
    diagnostics.ignore(unknown(items, _ARGUMENTS), NAME)
    settings = {name: Setting(found[0], diagnostics.at(found[1])) for name, found in values.items() if found}
    return RegistryProtocols(
        retry_count=settings.get("retry_count"), request_timeout_seconds=settings.get("request_timeout_seconds")
    )
