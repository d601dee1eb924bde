"""The sources that a CLI configuration names, and which of them serve a provider."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, assert_never

from msgspec.structs import replace

from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.serving import Holds, folder_holds, serves
from lockwarden.core.cli_config.settings import (
    Direct,
    FilesystemMirror,
    Method,
    NetworkMirror,
    OciMirror,
    ProviderInstallation,
)
from lockwarden.core.engine.audit import ReleasePlan
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.source_answers import DIRECT, Problem, SourceKind
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import CLIENT_NAMES, Client
from lockwarden.core.values.origins import BY_DEFAULT
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.urls import redacted

if TYPE_CHECKING:
    from lockwarden.core.values.oci_templates import RepositoryNames

ORIGINS: Final = SourceSpec(kind=SourceKind.DIRECT, location=DIRECT)
"""Every provider's own origin registry, as the clients have it without any configuration."""


def configured_sources(installation: ProviderInstallation, surroundings: Surroundings) -> tuple[SourceSpec, ...]:
    """One source for each installation method, in the clients' order."""
    return tuple(_spec(method, surroundings) for method in installation.methods)


def _spec(method: Method, surroundings: Surroundings) -> SourceSpec:
    match method:
        case Direct():
            asked = replace(method, unless_in=_out_of_reach(method.unless_in, surroundings))
            return ORIGINS if asked == Direct(origin=BY_DEFAULT) else replace(ORIGINS, method=asked)
        case FilesystemMirror():
            kind, location = SourceKind.FILESYSTEM_MIRROR, str(surroundings.absolute(method.path))
        case NetworkMirror():
            kind, location = SourceKind.NETWORK_MIRROR, _shown(method)
        case OciMirror():
            kind, location = SourceKind.OCI_MIRROR, f"oci://{method.template.text}"
        case _:
            assert_never(method)
    return SourceSpec(kind=kind, location=location, method=method)


def _out_of_reach(folders: Iterable[str], surroundings: Surroundings) -> tuple[str, ...]:
    """The implied mirrors that may keep the origin from being asked, as they do with the clients.

    Those below the working folder may not. Whoever writes the lock file there could write them too, and the audit
    would hold the one against the other.
    """
    here = Path(surroundings.directory)
    return tuple(each for each in folders if not Path(str(surroundings.absolute(each))).is_relative_to(here))


def _shown(mirror: NetworkMirror) -> str:
    """Where a mirror is asked, without secrets."""
    import httpx

    try:
        return redacted(httpx.URL(mirror.base_url))
    except httpx.InvalidURL:
        return mirror.shown


def repository_names(location: str, method: Method | None) -> RepositoryNames:
    """How an OCI mirror leads from a provider to its repository. Raises InputError for a template that cannot."""
    if isinstance(method, OciMirror):
        return method.template
    from lockwarden.core.values.oci_templates import UriTemplate

    return UriTemplate.parse(location)


def is_served(
    spec: SourceSpec, address: ProviderAddress, *, reader: Client | None = None, holds: Holds = folder_holds
) -> bool:
    """Whether a source is asked for a provider, as the `reader` of the configuration has it. It may block."""
    return spec.method is None or serves(spec.method, address, reader=reader, holds=holds)


def with_sources(
    release: ReleasePlan,
    sources: Mapping[str, SourceSpec],
    *,
    chained: bool = False,
    reader: Client | None = None,
    holds: Holds = folder_holds,
) -> ReleasePlan:
    """The release with the sources that serve its provider; `sources` gives all of them by id, the first one first.

    Where they are `chained`, a client goes through them in this order. Of several that are the same place, the first
    one counts. When none serves the provider, that is a problem of the
    release. It may block.
    """
    chosen: dict[tuple[SourceKind, str], str] = {}
    for id_, spec in sources.items():
        if is_served(spec, release.address, reader=reader, holds=holds):
            chosen.setdefault((spec.kind, spec.location), id_)
    problems = release.problems if chosen else (*release.problems, not_served(release.address, reader))
    chain = tuple(chosen.values()) if chained and len(chosen) > 1 else ()  # a single source is judged by itself
    return replace(release, sources=frozenset(chosen.values()), chain=chain, problems=problems)


def are_the_clients(installation: ProviderInstallation, surroundings: Surroundings) -> bool:
    """Whether the sources of an installation are all that a client would go through, and no others.

    They are not where an origin is asked that a client would leave out for what lies below the working folder.
    """
    origins = (method for method in installation.methods if isinstance(method, Direct))
    return all(_out_of_reach(each.unless_in, surroundings) == each.unless_in for each in origins)


def not_served(address: ProviderAddress, reader: Client | None = None) -> Problem:
    """That no source serves a provider, as the `reader` of the configuration has it."""
    nobody = "no client can" if reader is None else f"{CLIENT_NAMES[reader]} cannot"
    return Problem(
        code=ProblemCode.NO_SOURCE,
        severity=Severity.WARNING,
        message=f"no installation method of the CLI configuration serves {address}, so nothing was asked, and {nobody}"
        " install it here",
        hint=f"“lockwarden config {address}” shows all methods; name a source, such as --source direct, to check it",
    )


def overridden(release: ReleasePlan, installation: ProviderInstallation) -> ReleasePlan:
    """The release with a note when the configuration replaces its provider with a build on this machine."""
    folder = installation.dev_overrides.get(release.address)
    if folder is None:
        return release
    note = Problem(
        code=ProblemCode.DEV_OVERRIDE,
        severity=Severity.NOTE,
        message=f"{folder.origin} replaces {release.address} with what is in {folder.value}",
        hint="the clients do not hold this provider against the lock file here; elsewhere they do",
    )
    return replace(release, chain=(), problems=(*release.problems, note))
