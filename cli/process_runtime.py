"""Where a command runs: the process's own surroundings, and the CLI configuration that is found there."""

from __future__ import annotations

import os
import site
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lockwarden.cli.output import complain
from lockwarden.cli.surroundings import cache_folder, clock, environment, proxies, state_folder
from lockwarden.core.cli_config.files import ON_DISK
from lockwarden.core.cli_config.guarding import guarded, refuse_source, refuse_user_site
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.engine.operator_configuration import Configured, ConfiguredOciCredentials
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.seen_releases import SeenReleases
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.git.reach import NO_REACH, Reach
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.store.hcl_tables import Tables
from lockwarden.core.store.package_files import FACTS, PACKAGES, make_private
from lockwarden.core.store.user_key import KEY_FILE
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    from lockwarden.core.cli_config.files_at_base import AtBase

_FOLDERS = frozenset((SourceKind.FILESYSTEM_MIRROR, SourceKind.PLUGIN_CACHE, SourceKind.INSTALLED))


def process_runtime(options: AuditOptions, paths: Iterable[str] = (), *, recursive: bool = False) -> Runtime:
    """What `guarded_runtime` finds; what it notes, and what is wrong with the CLI configuration, is told on stderr."""
    runtime = guarded_runtime(options, paths, recursive=recursive)
    for words in runtime.notes:
        complain(words, prefix="lockwarden: note: ")
    if runtime.configured is not None:
        tell(each for each in runtime.configured.config.diagnostics if each.severity is not Severity.NOTE)
    return _with_cache_checked(runtime, options)


def guarded_runtime(options: AuditOptions, paths: Iterable[str] = (), *, recursive: bool = False) -> Runtime:
    """This process's runtime, with the CLI configuration that is found from its folder. It prints nothing.

    With a base, nothing counts that the change in the working trees of `paths` can write: it is taken from the base,
    passed over, or refused. Raises CliConfigError when a file of the configuration cannot be read: then nobody knows
    which sources are meant. Raises InputError for what is refused.
    """
    reach = Reach.of(tuple(paths) or (".",), recursive=recursive) if options.base else NO_REACH
    directory = str(Path.cwd())
    environ = guarded(environment(), directory, reach)
    if site.ENABLE_USER_SITE:
        refuse_user_site(site.getusersitepackages(), directory, reach)
    for each in options.sources:
        check_source(each, directory, reach)
    files = _at_base(reach, options.base, environ, directory) if reach.roots else None
    configured = Configured.of(Surroundings.of_process(environ), reach, files or ON_DISK)
    configured.config.checked()
    if files is not None:
        configured.oci_credentials.files()  # at once, so that what is refused is refused before anything is asked
    runtime = replace(own_runtime(environ, configured), reach=reach)
    return _without_cache_in_reach(replace(runtime, notes=(*_notes(configured, files),)), directory)


def _at_base(reach: Reach, base: str, environ: Mapping[str, str], directory: str) -> AtBase:
    from lockwarden.core.cli_config.files_at_base import AtBase

    return AtBase(reach=reach, base=base, environ=environ, directory=directory)


def own_runtime(environ: Mapping[str, str], configured: Configured) -> Runtime:
    """This process's own clock, proxies and folders, with an environment and a CLI configuration."""
    return Runtime(
        environ=environ,
        now=clock,
        cache_folder=cache_folder(),
        state_folder=state_folder(),
        proxies=proxies,
        oci_credentials=ConfiguredOciCredentials(configured),
        configured=configured,
    )


def check_source(source: SourceSpec, directory: str | Path, reach: Reach) -> None:
    """Raises InputError for a folder that the change under review can write."""
    if source.kind in _FOLDERS:
        refuse_source(source.location, directory, reach)


def finder_for(options: AuditOptions, runtime: Runtime) -> StandardsFinder:
    """What finds policy, approvals and base of lock files here."""
    return StandardsFinder(
        environ=runtime.environ,
        directory=Path.cwd(),
        now=runtime.now,
        second_reader=runtime.second_reader,
        policy=options.policy,
        client=options.client,
        seen=SeenReleases.of_run(options, runtime),
    )


def tell(diagnostics: Iterable[Diagnostic]) -> None:
    """Tell on stderr what is wrong with a CLI configuration, each with its place."""
    for each in diagnostics:
        complain(each.message, hint=each.hint, prefix=f"{each.origin}: {each.severity}: ")


def _notes(configured: Configured, files: AtBase | None) -> Iterator[str]:
    yield from () if files is None else files.changed
    for path in configured.passed_over:
        yield f"the mirror {path} is not asked: it lies in the working tree, which the change under review can write"


def _without_cache_in_reach(runtime: Runtime, directory: str) -> Runtime:
    """The runtime, without its cache where the change under review could write there."""
    folders = (runtime.cache_folder, runtime.state_folder)
    in_reach = [each for each in folders if each is not None and runtime.reach.entered(each, directory) is not None]
    if not in_reach:
        return runtime
    # Facts of earlier runs, and the key that seals them: whoever writes both can write any fact.
    note = f"{in_reach[0]} lies in the working tree, so nothing is kept there"
    return replace(runtime, cache_folder=None, state_folder=None, notes=(*runtime.notes, note))


def _with_cache_checked(runtime: Runtime, options: AuditOptions) -> Runtime:
    """The runtime with its cache; without, where that cannot be used: then everything is fetched anew."""
    cache, state = runtime.cache_folder, runtime.state_folder
    if cache is not None and options.keep_cache and (why := _unusable(cache)):
        complain(
            f"the cache {cache} cannot be used: {why}",
            hint="it goes on without one; XDG_CACHE_HOME names a folder for it",
            prefix="lockwarden: warning: ",
        )
        cache = None
    if cache is not None and state is not None:
        runtime = replace(runtime, second_reader=SecondReader(Tables(folder=cache, key_file=state / KEY_FILE).parser))
    return replace(runtime, cache_folder=cache)


def _unusable(cache: Path) -> str:
    for folder in (cache / PACKAGES, cache / FACTS):
        try:
            make_private(folder)
        except OSError as error:
            return f"{folder.name}: {error.strerror or 'it cannot be made'}"
        if not os.access(folder, os.W_OK):
            return f"{folder.name}: it cannot be written to"
    return ""
