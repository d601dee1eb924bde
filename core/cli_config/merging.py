"""Puts the settings of all files and of the environment together; which one wins is not the same for all of them.

| setting | which wins |
| --- | --- |
| `plugin_cache_dir` | the variable, the main file, the first file of the folder that sets it |
| `plugin_cache_may_break_dependency_lock_file` | true, wherever it is set |
| `host`, `credentials`, `credentials_helper` | for each label the last file, the main file being the first |
| `registry_protocols` | each variable, then the main file; files of the folder have no effect |
| `provider_installation`, `oci_default_credentials` | the first one; a second one is an error |
| `oci_credentials` | all; of two with one label the first one, and that is an error |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from lockwarden.core.cli_config import installation, oci_blocks
from lockwarden.core.cli_config.ignored_settings import IgnoredKind, IgnoredSetting
from lockwarden.core.cli_config.settings import (
    CliConfig,
    FileSettings,
    HostServices,
    OciCredentials,
    RegistryProtocols,
    ServiceCredentials,
    Setting,
)
from lockwarden.core.cli_config.tokens import PREFIX, host_of_variable
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.origins import Origin
from lockwarden.core.values.severity import Severity

CACHE_VARIABLE: Final = "TF_PLUGIN_CACHE_DIR"
MAY_BREAK_VARIABLE: Final = "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE"
RETRY_VARIABLE: Final = "TF_REGISTRY_DISCOVERY_RETRY"
TIMEOUT_VARIABLE: Final = "TF_REGISTRY_CLIENT_TIMEOUT"
_POSITIVE: Final = LatePattern(r"\+?0*([1-9][0-9]{0,6})")
T = TypeVar("T")


_B = TypeVar("_B", HostServices, ServiceCredentials)


class _HasOrigin(Protocol):
    @property
    def origin(self) -> Origin: ...


def merge(
    main: FileSettings | None,
    folder: Sequence[FileSettings],
    *,
    environ: Mapping[str, str],
    diagnostics: Iterable[Diagnostic] = (),
    ignored: Iterable[IgnoredSetting] = (),
) -> CliConfig:
    """The whole configuration; `diagnostics` and `ignored` are those of the single files, to which more are added."""
    files = (*(() if main is None else (main,)), *folder)
    found = [*diagnostics]
    hosts = _last_of_each(_flat(files, lambda file: file.hosts), lambda block: block.label)
    credentials = _last_of_each(_flat(files, lambda file: file.credentials), lambda block: block.label)
    helpers = _last_of_each(_flat(files, lambda file: file.credentials_helpers), lambda block: block.name)
    installations = _flat(files, lambda file: file.provider_installations)
    defaults = _flat(files, lambda file: file.oci_defaults)
    oci = _flat(files, lambda file: file.oci_credentials)
    found += _ambiguous(hosts)
    found += _ambiguous(credentials)
    found += _too_many(helpers, "credentials_helper", "the clients use any of them")
    found += _too_many(installations, installation.NAME, "the first one is used")
    found += _too_many(defaults, oci_blocks.DEFAULTS, "the first one is used")
    found += _repeated(oci)
    return CliConfig(
        files=tuple(file.path for file in files),
        plugin_cache_dir=_cache(files, environ),
        plugin_cache_may_break_dependency_lock_file=_may_break(files, environ),
        hosts=hosts,
        credentials=credentials,
        credentials_helper=helpers[0] if helpers else None,
        registry_protocols=_protocols(main, environ),
        provider_installation=installations[0] if installations else None,
        oci_defaults=defaults[0] if defaults else None,
        oci_credentials=_first_of_each(oci),
        diagnostics=tuple(found),
        ignored=(*ignored, *_ignored_protocols(folder), *_ignored_variables(environ)),
    )


def _flat(files: Iterable[FileSettings], part: Callable[[FileSettings], Iterable[T]]) -> tuple[T, ...]:
    return tuple(each for file in files for each in part(file))


def _last_of_each(values: Iterable[T], label: Callable[[T], str]) -> tuple[T, ...]:
    """One value for each label: the last one, where the last one stands."""
    found: dict[str, T] = {}
    for value in values:
        found.pop(label(value), None)
        found[label(value)] = value
    return tuple(found.values())


def _first_of_each(blocks: Iterable[OciCredentials]) -> tuple[OciCredentials, ...]:
    found: dict[str, OciCredentials] = {}
    for block in blocks:
        found.setdefault(block.label, block)
    return tuple(found.values())


def _cache(files: Iterable[FileSettings], environ: Mapping[str, str]) -> Setting[str] | None:
    if variable := environ.get(CACHE_VARIABLE):
        return Setting(variable, Origin.of_variable(CACHE_VARIABLE))
    return next((file.plugin_cache_dir for file in files if file.plugin_cache_dir is not None), None)


def _may_break(files: Iterable[FileSettings], environ: Mapping[str, str]) -> Setting[bool] | None:
    if environ.get(MAY_BREAK_VARIABLE, "") not in ("", "0"):
        return Setting(value=True, origin=Origin.of_variable(MAY_BREAK_VARIABLE))
    settings = [file.plugin_cache_may_break_dependency_lock_file for file in files]
    given = [setting for setting in settings if setting is not None]
    return next((setting for setting in given if setting.value), given[0] if given else None)


def _protocols(main: FileSettings | None, environ: Mapping[str, str]) -> RegistryProtocols:
    given = (main and main.registry_protocols) or RegistryProtocols()
    return RegistryProtocols(
        retry_count=_from_variable(environ, RETRY_VARIABLE) or given.retry_count,
        request_timeout_seconds=_from_variable(environ, TIMEOUT_VARIABLE) or given.request_timeout_seconds,
    )


def _from_variable(environ: Mapping[str, str], name: str) -> Setting[int] | None:
    match = _POSITIVE.fullmatch(environ.get(name, ""))
    return Setting(int(match[1]), Origin.of_variable(name)) if match else None


def _ignored_protocols(folder: Iterable[FileSettings]) -> Iterable[IgnoredSetting]:
    for file in folder:
        protocols = file.registry_protocols or RegistryProtocols()
        for name in ("retry_count", "request_timeout_seconds"):
            setting: Setting[int] | None = getattr(protocols, name)
            if setting is not None:
                yield IgnoredSetting(
                    kind=IgnoredKind.ARGUMENT,
                    name=f"registry_protocols.{name}",
                    origin=setting.origin,
                    reason="it has an effect in the main file only",
                )


def _ignored_variables(environ: Mapping[str, str]) -> Iterable[IgnoredSetting]:
    for name in environ:
        if name.startswith(PREFIX) and host_of_variable(name) is None:
            yield IgnoredSetting(
                kind=IgnoredKind.VARIABLE,
                name=name,
                origin=Origin.of_variable(name),
                reason="its name stands for no host",
            )


def _ambiguous(blocks: Sequence[_B]) -> Iterable[Diagnostic]:
    """Hosts that are spelt in two ways."""
    spellings: dict[Hostname, _B] = {}
    for block in blocks:
        other = block if block.hostname is None else spellings.setdefault(block.hostname, block)
        if other is not block:
            yield Diagnostic(
                severity=Severity.WARNING,
                summary="Two spellings of one host",
                message=f"“{block.label}” is the host of “{other.label}” at {other.origin}, and the clients use any",
                origin=block.origin,
                hint="remove one of the two",
            )


def _too_many(blocks: Sequence[_HasOrigin], name: str, consequence: str) -> Iterable[Diagnostic]:
    for block in blocks[1:]:
        yield _error(
            f"No more than one {name} block may be specified",
            f"{blocks[0].origin} has a block of this kind already; {consequence}",
            block.origin,
        )


def _repeated(blocks: Sequence[OciCredentials]) -> Iterable[Diagnostic]:
    first: dict[str, OciCredentials] = {}
    for block in blocks:
        other = first.setdefault(block.label, block)
        if other is not block:
            yield _error(
                "Duplicate oci_credentials block",
                f"there is an oci_credentials block for “{block.label}” at {other.origin} already, which is used",
                block.origin,
            )


def _error(summary: str, message: str, origin: Origin) -> Diagnostic:
    return Diagnostic(severity=Severity.ERROR, summary=summary, message=message, origin=origin)
