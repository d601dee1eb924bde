"""What `lockwarden config` found as JSON, `lockwarden.config/1`; no secret is in it."""

from __future__ import annotations

from typing import Literal, Self

from msgspec import Struct

from lockwarden.cli.config_lines import AskedRegistry, ConfigReport, ServedProvider
from lockwarden.core.cli_config.describe import DescribedLine, Section, ServedBy
from lockwarden.core.cli_config.settings import Setting
from lockwarden.core.reports.json_text import json_text
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.origins import Origin, OriginKind


class OriginJson(Struct, frozen=True, kw_only=True):
    """Where a setting stands."""

    kind: OriginKind
    name: str
    """The path of the file, or the name of the variable; empty for a default."""
    line: int | None
    """From 1; null for the whole file and for what is no file."""

    @classmethod
    def of(cls, origin: Origin) -> Self:
        """The place of one setting."""
        return cls(kind=origin.kind, name=origin.name, line=origin.line or None)


class SettingJson(Struct, frozen=True, kw_only=True):
    """One fact about the configuration, for people to read."""

    section: Section
    name: str
    """What it is about: the place of an installation method from 1, a setting, a host, a severity."""
    value: str
    """A text whose words may change."""
    origin: OriginJson | None
    """Null where the value itself is the place."""
    hint: str
    """What to do about a problem; may be empty."""

    @classmethod
    def of(cls, line: DescribedLine) -> Self:
        """One line of a section."""
        return cls(
            section=line.section,
            name=line.name,
            value=line.value,
            origin=None if line.origin is None else OriginJson.of(line.origin),
            hint=line.hint,
        )


class OverrideJson(Struct, frozen=True, kw_only=True):
    """An entry of `dev_overrides`."""

    folder: str
    origin: OriginJson

    @classmethod
    def of(cls, override: Setting[str] | None) -> Self | None:
        """None where the provider has no such entry."""
        return None if override is None else cls(folder=override.value, origin=OriginJson.of(override.origin))


class MethodJson(Struct, frozen=True, kw_only=True):
    """An installation method, and whether it is asked for the provider."""

    method: str
    """What it is and where it stands, in words."""
    origin: OriginJson
    serves: bool

    @classmethod
    def of(cls, served: ServedBy) -> Self:
        """One method and one provider."""
        return cls(method=served.words, origin=OriginJson.of(served.method.origin), serves=served.serves)


class ServedProviderJson(Struct, frozen=True, kw_only=True):
    """Who serves one provider. Without a method that serves it and without an override, no client can install it."""

    address: str
    dev_override: OverrideJson | None
    """The build that replaces it, which comes before all methods and whatever the lock file says."""
    methods: list[MethodJson]
    """Every installation method, in the clients' order."""

    @classmethod
    def of(cls, provider: ServedProvider) -> Self:
        """One provider with all methods."""
        return cls(
            address=str(provider.address),
            dev_override=OverrideJson.of(provider.override),
            methods=[MethodJson.of(each) for each in provider.methods],
        )


class RegistryJson(Struct, frozen=True, kw_only=True):
    """What the registry of an OCI mirror answered to the question for its repositories."""

    template: str
    """The repository template of the mirror, as it is written."""
    answered: bool
    """Whether it is known if the registry offers a list; false when it could not be asked."""
    offers_a_list: bool
    """Whether it gave one; many public registries do not."""
    detail: str
    """A sentence about it."""
    hint: str
    """What to do when it did not answer; may be empty."""
    repositories: list[str]
    """Those whose names the template could lead to, as REGISTRY/PATH. One may be missing."""

    @classmethod
    def of(cls, registry: AskedRegistry) -> Self:
        """The answer of one registry."""
        return cls(
            template=registry.template,
            answered=registry.answered,
            offers_a_list=registry.offered,
            detail=registry.detail,
            hint=registry.hint,
            repositories=list(registry.repositories),
        )


class ConfigJson(Struct, frozen=True, kw_only=True):
    """What `lockwarden config --format json` writes. Members may be added; none is removed or changes its meaning
    within version 1. No secret is in it."""

    schema: Literal["lockwarden.config/1"] = "lockwarden.config/1"
    exit_code: ExitCode
    """0 nothing to object to, 1 errors in the configuration or a provider that nothing serves, 2 a file cannot be read,
    3 a registry was to be asked and did not answer."""
    settings: list[SettingJson]
    """Everything that was found, section by section."""
    providers: list[ServedProviderJson]
    """The providers that were named, or those of the current folder's lock file."""
    registries: list[RegistryJson]
    """The registries of OCI mirrors; empty without --ask."""


def as_json(report: ConfigReport) -> str:
    """The whole report as one JSON object, indented and plain ASCII, with a line feed at the end."""
    document = ConfigJson(
        exit_code=report.exit_code,
        settings=[SettingJson.of(line) for line in report.lines],
        providers=[ServedProviderJson.of(provider) for provider in report.providers],
        registries=[RegistryJson.of(each) for each in report.registries],
    )
    return json_text(document)
