"""Reads `provider_installation` blocks."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.decoding import DecodeProblem, text_of
from lockwarden.core.cli_config.reading import ConfigurationDocument
from lockwarden.core.cli_config.settings import Method, ProviderInstallation, Setting
from lockwarden.core.hcl.syntax import HclBody, HclItem
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InvalidAddressError

NAME: Final = "provider_installation"
_BLOCK: Final = "Invalid provider_installation block"
_METHOD: Final = "Invalid provider_installation method block"
_JSON: Final = 'in JSON, write {"provider_installation": [{"direct": [{…}]}]} with one list per block, or write HCL'


def read_installations(
    document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics
) -> tuple[ProviderInstallation, ...]:
    """Every `provider_installation` block of a file, each with the methods of it that can be used."""
    blocks = (item for item in document.items if item.name == NAME)
    read = (_read_block(item, document, diagnostics) for item in blocks)
    return tuple(block for block in read if block is not None)


def _read_block(
    item: HclItem, document: ConfigurationDocument, diagnostics: ConfigurationDiagnostics
) -> ProviderInstallation | None:
    if item.assigned or not isinstance(item.value, HclBody):
        diagnostics.error(item.line, _BLOCK, f"“{NAME}” is a block and takes no equals sign")
        return None
    if item.labels and document.json:
        diagnostics.warning(
            item.line, _BLOCK, "the clients do not see the methods in this form, and install nothing at all", hint=_JSON
        )
    elif item.labels:
        diagnostics.error(item.line, _BLOCK, f"a {NAME} block has no labels")
    reader = _Reader(document.json, diagnostics)
    for method in item.value.items:
        reader.read(method)
    return ProviderInstallation(
        methods=tuple(reader.methods),
        origin=diagnostics.at(item.line),
        dev_overrides=MappingProxyType(reader.dev_overrides),
    )


class _Reader:
    """Reads the methods of one block."""

    def __init__(self, json: bool, diagnostics: ConfigurationDiagnostics) -> None:
        self.methods: list[Method] = []
        self.dev_overrides: dict[ProviderAddress, Setting[str]] = {}
        self._json = json
        self._diagnostics = diagnostics
        self._seen = 0
        """Methods so far, those included whose patterns or URL are wrong."""

    def read(self, item: HclItem) -> None:
        """Read one method, and note what is wrong with it."""
        if item.assigned or not isinstance(item.value, HclBody):
            hint = _JSON if self._json else ""
            self._complain(item.line, _METHOD, f"“{item.name}” must be a block without an equals sign", hint=hint)
            return
        if item.labels and not self._json:
            self._complain(item.line, _METHOD, f"a {item.name} block has no labels")
        if item.name == "dev_overrides":
            self._read_overrides(item, item.value.items)
            return
        from lockwarden.core.cli_config.methods import MethodProblem, PatternProblem, read_method

        try:
            self.methods.append(read_method(item, item.value.items, self._diagnostics))
        except MethodProblem as problem:
            self._complain(problem.line or item.line, problem.summary, problem.message, hint=problem.hint)
            self._seen += isinstance(problem, PatternProblem)
        except DecodeProblem as problem:
            self._complain(problem.line, _METHOD, f"in this {item.name} block, {problem.message}")
        else:
            self._seen += 1

    def _read_overrides(self, item: HclItem, entries: Sequence[HclItem]) -> None:
        if self._seen:
            self._complain(item.line, _METHOD, "dev_overrides must come before all other methods")
            return
        try:
            folders = [(entry, text_of(entry.value, entry.name)) for entry in entries]
        except DecodeProblem as problem:
            self._complain(problem.line, _METHOD, f"in this dev_overrides block, {problem.message}")
            return
        for entry, folder in folders:
            try:
                addresses = [
                    ProviderAddress.parse(entry.name, default_registry=each.default_registry)
                    for each in self._diagnostics.clients
                ]
            except InvalidAddressError as error:
                self._complain(
                    entry.line, "Invalid provider installation dev overrides", error.message, hint=error.hint
                )
            else:
                setting = Setting(folder, self._diagnostics.at(entry.line))
                self.dev_overrides.update(dict.fromkeys(addresses, setting))

    def _complain(self, line: int, summary: str, message: str, *, hint: str = "") -> None:
        self._diagnostics.error(line, summary, message, hint=hint)
