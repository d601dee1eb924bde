"""Which installation methods serve a provider, in the clients' order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path, PurePath

from lockwarden.core.cli_config.locations import Surroundings, implied_mirrors
from lockwarden.core.cli_config.settings import CliConfig, Direct, FilesystemMirror, Method, ProviderInstallation
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import SourceError
from lockwarden.core.values.origins import BY_DEFAULT

Holds = Callable[[str, ProviderAddress], bool]
"""Whether a folder holds any package of a provider."""


def effective_installation(config: CliConfig, surroundings: Surroundings) -> ProviderInstallation:
    """What the configuration says, or else what the clients do by themselves on this machine. It blocks."""
    if config.provider_installation is not None:
        return config.provider_installation
    return implied_installation(path for path in implied_mirrors(surroundings) if _is_folder(path))


def implied_installation(folders: Iterable[PurePath]) -> ProviderInstallation:
    """The existing implied mirrors and then the origin registries, for providers that are in none of the folders."""
    paths = tuple(str(folder) for folder in folders)
    mirrors = (FilesystemMirror(origin=BY_DEFAULT, path=path) for path in paths)
    direct = Direct(origin=BY_DEFAULT, unless_in=paths)
    return ProviderInstallation(methods=(*mirrors, direct), origin=BY_DEFAULT, implied=True)


def folder_holds(folder: str, address: ProviderAddress) -> bool:
    """Whether a folder holds any package of a provider; like the clients, not when it cannot be read. It blocks."""
    try:
        from lockwarden.core.sources.local.layout import find_provider

        return bool(find_provider(Path(folder), address).packages)
    except SourceError:
        return False


def serves(
    method: Method, address: ProviderAddress, *, reader: Client | None = None, holds: Holds = folder_holds
) -> bool:
    """Whether a method is asked for a provider, by one `reader` of the file or by either. It may block."""
    if not method.selects(address, reader):
        return False
    return not (isinstance(method, Direct) and any(holds(folder, address) for folder in method.unless_in))


def _is_folder(path: PurePath) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
