"""What `lockwarden config` found, as lines for people; no secret is in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from msgspec import Struct

from lockwarden.core.cli_config.describe import DescribedLine, ServedBy
from lockwarden.core.cli_config.settings import Setting
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.addresses import ProviderAddress

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
