"""The user's settings in this process: read once a command, and never from what is under review."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from lockwarden.cli.output import complain, let_output_know
from lockwarden.cli.surroundings import settings_file
from lockwarden.core.engine.options import AuditOptions, GivenOptions, insecure_hosts, read_options
from lockwarden.core.engine.user_settings import MAX_BYTES, UserSettings, read_user_settings
from lockwarden.core.git.reach import Reach
from lockwarden.core.reports.result import UsedSettings
from lockwarden.core.system.own_files import read_own_file
from lockwarden.core.values.errors import SettingsError
from lockwarden.core.values.platforms import current_platform
from lockwarden.core.values.used_files import UsedFile

NO_SETTINGS: Final = UserSettings()


def settings_here(
    paths: Iterable[str] = (), *, recursive: bool = False, insecure_http: tuple[str, ...] = ()
) -> UserSettings:
    """The user's settings; none where there is no file, and none, with a note, where a change could write it.

    Raises SettingsError for what is wrong with them.
    """
    path = settings_file()
    data = read_own_file(path, name=str(path), limit=MAX_BYTES, error=SettingsError, follow_links=True)
    if data is None:
        return NO_SETTINGS
    if _under_review(path, tuple(paths) or (".",), recursive=recursive):
        complain(
            f"the settings {path} do not count: they lie in the working tree, which the change under review can write",
            prefix="lockwarden: note: ",
        )
        return NO_SETTINGS
    settings = read_user_settings(
        data, path=path, current=current_platform(), insecure_hosts=insecure_hosts(insecure_http)
    )
    let_output_know(settings)
    return settings


def _under_review(path: Path, paths: tuple[str, ...], *, recursive: bool) -> bool:
    """Whether whoever writes the repositories of `paths` could write the file, or what the way to it leads over."""
    if Reach.of(paths).entered(path, Path.cwd()) is not None:
        return True
    roots = Reach.of((str(path.parent),)).roots if recursive else ()
    below = [Path(os.path.realpath(each)) for each in paths]
    return any(root.is_relative_to(folder) for root in roots for folder in below)


def options_with(settings: UserSettings, given: GivenOptions) -> AuditOptions:
    """The options of the command line; sources and platforms that it does not name are those of the settings.

    Raises InputError for an option that cannot be used.
    """
    options = read_options(given, directory=Path.cwd(), current=current_platform())
    sources = settings.sources if not given.source else ()
    platforms = settings.platforms if not given.platform else None
    if not sources and platforms is None:
        return options
    used = UsedSettings(
        file=UsedFile(path=settings.path, digest=settings.digest),
        sources=bool(sources),
        platforms=platforms is not None,
    )
    return replace(
        options,
        sources=sources or options.sources,
        platforms=platforms or options.platforms,
        settings=used,
    )


def options_here(given: GivenOptions, paths: Iterable[str] = (), *, recursive: bool = False) -> AuditOptions:
    """The options of a command, with the defaults of the user's settings. Raises InputError, also for the settings."""
    return options_with(settings_here(paths, recursive=recursive, insecure_http=given.insecure_http), given)
