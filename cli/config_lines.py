"""What `lockwarden config` found, as lines for people and as JSON; no secret is in either."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from msgspec import Struct

from lockwarden.core.cli_config.describe import DescribedLine, ServedBy
from lockwarden.core.cli_config.settings import Setting
from lockwarden.core.reports.json_values import json_text
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.origins import Origin

SCHEMA: Final = "lockwarden.config/1"
_REPOSITORIES_SHOWN: Final = 50


class ServedProvider(Struct, frozen=True, kw_only=True):
    """One provider: every method, and whether it is asked."""

    address: ProviderAddress
    methods: tuple[ServedBy, ...]
    override: Setting[str] | None
    """The folder that `dev_overrides` names for it, which comes before all methods."""

    @property
    def served(self) -> bool:
        """Whether the clients can get it at all."""
        return self.override is not None or any(each.serves for each in self.methods)


class AskedRegistry(Struct, frozen=True, kw_only=True):
    """What the registry of an OCI mirror answered to the question for its repositories."""

    template: str
    offered: bool
    """Whether it gave a list."""
    answered: bool
    """Whether it is known if it offers a list."""
    detail: str
    hint: str = ""
    """What to do when it did not answer; may be empty."""
    repositories: tuple[str, ...] = ()
    """Those that the template could lead to."""


class ConfigReport(Struct, frozen=True, kw_only=True):
    """Everything that the command tells."""

    lines: tuple[DescribedLine, ...]
    providers: tuple[ServedProvider, ...]
    registries: tuple[AskedRegistry, ...]
    exit_code: ExitCode


def text_lines(report: ConfigReport) -> Iterator[str]:
    """Section by section, with the place of every setting behind it."""
    for number, (section, described) in enumerate(groupby(report.lines, key=lambda line: line.section)):
        yield from ("",) if number else ()
        yield _title(section.value)
        for line in described:
            place = f"  [{line.origin}]" if line.origin is not None else ""
            yield f"  {line.name}: {line.value}{place}"
            yield from (f"    → {line.hint}",) if line.hint else ()
    if report.providers:
        yield from ("", "Who serves")
    for provider in report.providers:
        yield f"  {provider.address}"
        yield from (f"    {line}" for line in _provider(provider))
    if report.registries:
        yield from ("", "Repositories that fit")
    for registry in report.registries:
        yield from _registry(registry)


def _title(section: str) -> str:
    return section[:1].upper() + section[1:]


def _provider(provider: ServedProvider) -> Iterator[str]:
    if provider.override is not None:
        yield f"! dev_overrides: {provider.override.value}, whatever the lock file says  [{provider.override.origin}]"
    for method in provider.methods:
        yield f"✓ {method.words}" if method.serves else f"· not asked: {method.words}"
    if not provider.served:
        yield "✗ no method serves it, so no client can install it here"


def _registry(registry: AskedRegistry) -> Iterator[str]:
    glyph = "✓" if registry.offered else "·" if registry.answered else "?"
    yield f"  {glyph} oci://{registry.template}: {registry.detail}"
    yield from (f"    → {registry.hint}",) if registry.hint else ()
    yield from (f"      {name}" for name in registry.repositories[:_REPOSITORIES_SHOWN])
    if len(registry.repositories) > _REPOSITORIES_SHOWN:
        yield f"      and {len(registry.repositories) - _REPOSITORIES_SHOWN} more, which --format json has"


def as_json(report: ConfigReport) -> str:
    """The same as one JSON object, indented and plain ASCII, with a line feed at the end."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "exit_code": int(report.exit_code),
        "settings": [
            {
                "section": line.section.value,
                "name": line.name,
                "value": line.value,
                "origin": None if line.origin is None else _origin(line.origin),
                "hint": line.hint,
            }
            for line in report.lines
        ],
        "providers": [
            {
                "address": str(provider.address),
                "dev_override": None
                if provider.override is None
                else {"folder": provider.override.value, "origin": _origin(provider.override.origin)},
                "methods": [
                    {"method": each.words, "origin": _origin(each.method.origin), "serves": each.serves}
                    for each in provider.methods
                ],
            }
            for provider in report.providers
        ],
        "registries": [
            {
                "template": each.template,
                "answered": each.answered,
                "offers_a_list": each.offered,
                "detail": each.detail,
                "hint": each.hint,
                "repositories": list(each.repositories),
            }
            for each in report.registries
        ],
    }
    return json_text(document)


def _origin(origin: Origin) -> dict[str, Any]:
    """A place; `line` is null where there is none."""
    return {"kind": origin.kind.value, "name": origin.name, "line": origin.line or None}
