"""`lockwarden config`: what the CLI configuration says, from where, and who serves a provider. It asks no server."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from lockwarden.cli.config_json import as_json
from lockwarden.cli.config_lines import AskedRegistry, ConfigReport, ServedProvider, text_lines
from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.output import complain_of, out, show
from lockwarden.cli.own_settings import settings_here
from lockwarden.cli.process_runtime import own_runtime, tell
from lockwarden.cli.surroundings import environment
from lockwarden.core.cli_config.describe import ConfigFacts, describe, who_serves
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.settings import OciMirror
from lockwarden.core.cli_config.stores import find_helper
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.audit_runner import AuditRunner, audit_runner
from lockwarden.core.engine.lock_files import Loaded, load
from lockwarden.core.engine.operator_configuration import Configured
from lockwarden.core.engine.options import AuditOptions, insecure_hosts, token_hosts
from lockwarden.core.evidence.events import ignore
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode, code_for
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import NotThereError, SourceError
from lockwarden.core.values.severity import Severity


def config(
    addresses: tuple[str, ...], *, form: str, ask: bool, insecure_http: tuple[str, ...], token_host: tuple[str, ...]
) -> int:
    """Print it and return the exit code: 1 for errors in it and for providers that nothing serves, 2 when a file of it
    cannot be read, 3 when a registry was to be asked and did not answer. Raises InputError.
    """
    settings_here()
    options = _options(insecure_http, token_host)
    asked = tuple(ProviderAddress.parse(text) for text in addresses)
    configured = Configured.of(Surroundings.of_process(environment()))
    loaded = () if asked else tuple(_here())
    complain_of(loaded)
    tell(each for each in configured.config.diagnostics if each.unreadable)
    locked = (entry.address for each in loaded if each.lock_file is not None for entry in each.lock_file.providers)
    providers = tuple(_served(configured, asked or locked))
    registries = run_to_end(_registries(configured, options)) if ask else ()
    report = ConfigReport(
        lines=describe(_facts(configured)),
        providers=providers,
        registries=registries,
        exit_code=_code(configured, loaded, providers, registries),
    )
    if form == "json":
        out(as_json(report))
    else:
        show(shown(text_lines(report)))
    return int(report.exit_code)


def _options(insecure_http: tuple[str, ...], token_host: tuple[str, ...]) -> AuditOptions:
    return AuditOptions(
        sources=(),
        platforms=PlatformChoice(wanted=frozenset()),
        keep_cache=False,
        insecure_hosts=insecure_hosts(insecure_http),
        token_hosts=token_hosts(token_host),
    )


def _here() -> Iterator[Loaded]:
    """The lock file of the current folder, when it has one."""
    if os.path.lexists(LOCK_FILE_NAME):
        yield load(".", SecondReader())


def _facts(configured: Configured) -> ConfigFacts:
    return ConfigFacts(
        config=configured.config,
        installation=configured.installation,
        variables=configured.tokens.variables,
        helper=find_helper(configured.config, configured.surroundings),
        containers=configured.oci_credentials.files(),
    )


def _served(configured: Configured, addresses: Iterable[ProviderAddress]) -> Iterator[ServedProvider]:
    installation = configured.installation
    for address in addresses:
        override = installation.dev_overrides.get(address)
        yield ServedProvider(address=address, methods=who_serves(installation, address), override=override)


async def _registries(configured: Configured, options: AuditOptions) -> tuple[AskedRegistry, ...]:
    """Ask the registry of every OCI mirror for its repositories."""
    mirrors = [method for method in configured.installation.methods if isinstance(method, OciMirror)]
    async with audit_runner(options, own_runtime(environment(), configured), ignore) as runner:
        return tuple([await _registry(runner, mirror) for mirror in mirrors])


async def _registry(runner: AuditRunner, mirror: OciMirror) -> AskedRegistry:
    template = mirror.template.text
    try:
        found = await runner.repositories(mirror.template)
    except NotThereError as error:
        return AskedRegistry(template=template, offered=False, answered=True, detail=error.message, hint=error.hint)
    except SourceError as error:
        return AskedRegistry(template=template, offered=False, answered=False, detail=error.message, hint=error.hint)
    names = tuple(f"{each.domain}/{each.path}" for each in found)
    fitting = "1 repository that fits" if len(names) == 1 else f"{len(names)} repositories that fit"
    detail = f"the registry has {fitting}"
    return AskedRegistry(template=template, offered=True, answered=True, detail=detail, repositories=names)


def _code(
    configured: Configured,
    loaded: Iterable[Loaded],
    providers: Iterable[ServedProvider],
    registries: Iterable[AskedRegistry],
) -> ExitCode:
    diagnostics = configured.config.diagnostics
    return code_for(
        unusable=any(each.unreadable for each in diagnostics) or any(each.lock_file is None for each in loaded),
        objected=any(each.severity is Severity.ERROR for each in diagnostics)
        or not all(each.served for each in providers),
        incomplete=not all(each.answered for each in registries),
    )
