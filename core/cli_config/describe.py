"""What a CLI configuration says, as lines for people: every value with its place, and no secret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import assert_never
from urllib.parse import urlsplit

from msgspec import Struct

from lockwarden.core.cli_config.describe_methods import method_words, selection_words
from lockwarden.core.cli_config.oci_credentials import ContainerFiles
from lockwarden.core.cli_config.service_helpers import HelperProgram
from lockwarden.core.cli_config.serving import Holds, folder_holds, serves
from lockwarden.core.cli_config.settings import (
    BasicCredential,
    CliConfig,
    ConfiguredCredential,
    HelperCredential,
    Method,
    ProviderInstallation,
    Setting,
    TokenCredential,
    UselessCredential,
)
from lockwarden.core.cli_config.tokens import HostToken
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import CLIENT_NAMES, Client
from lockwarden.core.values.origins import BY_DEFAULT, Origin
from lockwarden.core.values.secret import SHOWN, Secret

_RETRIES: Setting[int] = Setting(1, BY_DEFAULT)
_SECONDS: Setting[int] = Setting(10, BY_DEFAULT)
_SENT = ", sent to the host, and to where its service discovery leads and what it names"
_EMPTY = "an empty token, which is sent and helps nobody"


class Section(StrEnum):
    """What a line is about, in the order of the lines."""

    FILES = "files"
    INSTALLATION = "provider installation"
    CACHE = "plugin cache"
    REGISTRIES = "registries"
    HOSTS = "hosts"
    TOKENS = "tokens"
    OCI = "OCI credentials"
    IGNORED = "no effect"
    PROBLEMS = "problems"


class DescribedLine(Struct, frozen=True, kw_only=True):
    """One fact about the configuration."""

    section: Section
    name: str
    value: str
    origin: Origin | None = None
    """None where the value itself is the place."""
    hint: str = ""


class ServedBy(Struct, frozen=True, kw_only=True):
    """Whether one method is asked for a provider."""

    method: Method
    serves: bool
    words: str
    """What the method is and where it stands."""


class ConfigFacts(Struct, frozen=True, kw_only=True):
    """A configuration with what was found out about its surroundings."""

    config: CliConfig
    installation: ProviderInstallation
    variables: Mapping[str, HostToken]
    """The hosts that `TF_TOKEN_…` variables have tokens for."""
    helper: HelperProgram | None
    """The program of the credentials helper, when one is configured and was found."""
    containers: ContainerFiles


def describe(facts: ConfigFacts) -> tuple[DescribedLine, ...]:
    """Everything, in the order of the sections."""
    config = facts.config
    return (
        *_files(config),
        *_installation(facts.installation),
        *_cache(config),
        *_registries(config),
        *_hosts(config),
        *_tokens(facts),
        *_oci(facts),
        *_ignored(config),
        *_problems(config),
    )


def who_serves(
    installation: ProviderInstallation, address: ProviderAddress, *, holds: Holds = folder_holds
) -> tuple[ServedBy, ...]:
    """Every method in the clients' order, and whether it is asked for a provider. It may block."""
    return tuple(
        ServedBy(
            method=method,
            serves=serves(method, address, holds=holds),
            words=f"{method_words(method)} ({method.origin})",
        )
        for method in installation.methods
    )


def _files(config: CliConfig) -> Iterator[DescribedLine]:
    for path in config.files:
        yield DescribedLine(section=Section.FILES, name="read", value=path)
    if not config.files:
        yield DescribedLine(section=Section.FILES, name="read", value="no configuration file")


def _installation(installation: ProviderInstallation) -> Iterator[DescribedLine]:
    for address, folder in installation.dev_overrides.items():
        name, value = "dev_overrides", f"{address} from {folder.value}, whatever the lock file says"
        yield DescribedLine(section=Section.INSTALLATION, name=name, value=value, origin=folder.origin)
    for number, method in enumerate(installation.methods, start=1):
        value = f"{method_words(method)}, {selection_words(method)}"
        yield DescribedLine(section=Section.INSTALLATION, name=str(number), value=value, origin=method.origin)
    if not installation.methods:
        value = "no method at all, so that no provider can be installed"
        yield DescribedLine(section=Section.INSTALLATION, name="none", value=value, origin=installation.origin)


def _cache(config: CliConfig) -> Iterator[DescribedLine]:
    cache, may_break = config.plugin_cache_dir, config.plugin_cache_may_break_dependency_lock_file
    if cache is not None:
        yield DescribedLine(section=Section.CACHE, name="plugin_cache_dir", value=cache.value, origin=cache.origin)
    if may_break is not None:
        name = "plugin_cache_may_break_dependency_lock_file"
        value = str(may_break.value).lower()
        yield DescribedLine(section=Section.CACHE, name=name, value=value, origin=may_break.origin)


def _registries(config: CliConfig) -> Iterator[DescribedLine]:
    protocols = config.registry_protocols
    settings = {
        "retry_count": protocols.retry_count or _RETRIES,
        "request_timeout_seconds": protocols.request_timeout_seconds or _SECONDS,
    }
    for name, setting in settings.items():
        yield DescribedLine(section=Section.REGISTRIES, name=name, value=str(setting.value), origin=setting.origin)


def _hosts(config: CliConfig) -> Iterator[DescribedLine]:
    for block in config.hosts:
        alike = block.services == block.to_terraform
        for client in Client:
            if alike and client is not Client.OPENTOFU:
                continue
            who = "" if alike else f", to {CLIENT_NAMES[client]}"
            for value in _services_words(block.services_to(client)):
                yield DescribedLine(
                    section=Section.HOSTS, name=_without_user(block.label), value=value + who, origin=block.origin
                )


def _services_words(services: Mapping[str, str | None]) -> Iterator[str]:
    for service, url in services.items():
        yield f"{service} at {_without_user(url)}" if url else f"no {service}"
    if not services:
        yield "no services at all"


def _tokens(facts: ConfigFacts) -> Iterator[DescribedLine]:
    for host, found in facts.variables.items():
        value = _token_words(found.token, host, facts.config)
        yield DescribedLine(section=Section.TOKENS, name=host, value=value, origin=found.origin)
    for block in facts.config.credentials:
        unused = block.hostname is not None and block.hostname.ascii in facts.variables
        host = "" if block.hostname is None else block.hostname.ascii
        words = _token_words(block.token, host, facts.config)
        value = "not used, because a variable has a token" if unused else words
        yield DescribedLine(section=Section.TOKENS, name=_without_user(block.label), value=value, origin=block.origin)
    helper = facts.config.credentials_helper
    if helper is not None:
        count = len(helper.arguments)
        given = f" with {count} argument{'s'[: count != 1]} (not shown)" if count else ""
        found_at = (
            f"the program {facts.helper.path}{given}" if facts.helper else "no such program, so it is passed over"
        )
        value = f"credentials helper “{helper.name}”: {found_at}{_SENT if facts.helper else ''}"
        yield DescribedLine(section=Section.TOKENS, name="any other host", value=value, origin=helper.origin)


def _token_words(token: Secret | None, host: str, config: CliConfig) -> str:
    if token is None:
        return "no usable token, so that the host is asked without one"
    return f"{_EMPTY if token.empty else f'token {SHOWN}'}{_sent(host, config)}"


def _sent(host: str, config: CliConfig) -> str:
    """Who else gets a token: what the host's own discovery, or the operator in its place, names."""
    block = next((each for each in reversed(config.hosts) if each.hostname and each.hostname.ascii == host), None)
    if block is None:
        return _SENT
    named = {_authority(url) for url in (*block.services.values(), *block.to_terraform.values()) if url}
    others = sorted(named - {"", host})
    return f", sent to the host{''.join(f' and to {each}' for each in others)}, as its host block says"


def _authority(url: str) -> str:
    """Host and port of a URL; empty where it has none that could be asked."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""


def _oci(facts: ConfigFacts) -> Iterator[DescribedLine]:
    defaults = facts.config.oci_defaults
    for block in facts.config.oci_credentials:
        value = _credential_words(block.credential)
        yield DescribedLine(section=Section.OCI, name=block.label, value=value, origin=block.origin)
    if defaults is not None and defaults.docker_credentials_helper:
        value = f"Docker credential helper “{defaults.docker_credentials_helper}”"
        yield DescribedLine(section=Section.OCI, name="any registry", value=value, origin=defaults.origin)
    if defaults is not None and not defaults.discover_ambient_credentials:
        value = "not looked for"
        yield DescribedLine(section=Section.OCI, name="container tools", value=value, origin=defaults.origin)
    for file in facts.containers.files:
        origin = Origin.of_file(file.path)
        for entry in file.auths:
            value = _credential_words(entry.credential)
            yield DescribedLine(section=Section.OCI, name=entry.key, value=value, origin=origin)
        for domain, helper in file.helpers:
            value = f"Docker credential helper “{helper}”"
            yield DescribedLine(section=Section.OCI, name=domain, value=value, origin=origin)
        if file.store:
            value = f"Docker credential helper “{file.store}”"
            yield DescribedLine(section=Section.OCI, name="any registry", value=value, origin=origin)
    if failure := facts.containers.warning or facts.containers.error:
        consequence = (
            "so that none of these files counts" if facts.containers.warning else "so that no registry is asked"
        )
        yield DescribedLine(section=Section.OCI, name="container tools", value=f"{failure}, {consequence}")


def _credential_words(credential: ConfiguredCredential) -> str:
    match credential:
        case BasicCredential():
            return f"user “{credential.username}” with password {SHOWN}"
        case TokenCredential():
            return f"access token {SHOWN}"
        case HelperCredential():
            return f"Docker credential helper “{credential.name}”"
        case UselessCredential():
            return credential.message
        case _:
            assert_never(credential)


def _ignored(config: CliConfig) -> Iterator[DescribedLine]:
    for setting in config.ignored:
        yield DescribedLine(section=Section.IGNORED, name=setting.name, value=setting.reason, origin=setting.origin)


def _problems(config: CliConfig) -> Iterator[DescribedLine]:
    for each in config.diagnostics:
        yield DescribedLine(
            section=Section.PROBLEMS,
            name=each.severity.value,
            value=f"{each.summary}: {each.message}",
            origin=each.origin,
            hint=each.hint,
        )


def _without_user(place: str) -> str:
    """A URL or a host without what may be a secret in it."""
    scheme, mark, rest = place.partition("//") if "//" in place else ("", "", place)
    authority, slash, path = rest.partition("/")
    return scheme + mark + authority.rpartition("@")[2] + slash + path.partition("?")[0]
