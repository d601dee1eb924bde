"""Keeps what a change under review can write from deciding how it is judged: variables, programs, mirrors, sources.

Files of the configuration are taken from the change's base (`files`). What cannot be had from there without writing it
somewhere first, or what would run, is passed over where everything else stays as it is without it, and else refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.settings import Direct, FilesystemMirror, Method, ProviderInstallation
from lockwarden.core.git.reach import Reach
from lockwarden.core.http.client_certificates import CERTIFICATE, KEY
from lockwarden.core.values.errors import InputError

if TYPE_CHECKING:
    from lockwarden.core.cli_config.service_helpers import HelperProgram

_OUTSIDE: Final = "with --base, keep it outside of the working tree"
_CODE: Final = ("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "DASK_CONFIG", "DASK_ROOT_CONFIG")
"""Folders, of which an empty one is the current folder, whose code Python runs before anything of ours, or whose
settings say which code Dask runs."""
_TRUST: Final = ("SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", CERTIFICATE, KEY)
"""Whom a server has to be known to, and who we are for it."""
_GIT_HOMES: Final = ("HOME", "XDG_CONFIG_HOME")


def guarded(environ: Mapping[str, str], directory: str, reach: Reach) -> dict[str, str]:
    """The environment without what leads into a change's reach: folders of programs there, and settings of git there.

    Raises InputError for variables that have had an effect already, or that say whom to trust.
    """
    for name in (*_CODE, *_TRUST):
        for text in _folders(environ.get(name, ""), name):
            if reach.entered(text or ".", directory) is not None:
                raise _refusal(name, text)
    kept = dict(environ)
    if "PATH" in kept:
        kept["PATH"] = os.pathsep.join(
            each for each in kept["PATH"].split(os.pathsep) if reach.entered(each or ".", directory) is None
        )
    own = kept.get("GIT_CONFIG_GLOBAL")
    places = _GIT_HOMES if own is None else ("GIT_CONFIG_GLOBAL",)
    if any(kept.get(name) and reach.entered(kept[name], directory) is not None for name in places):
        kept["GIT_CONFIG_GLOBAL"] = os.devnull
    if (system := kept.get("GIT_CONFIG_SYSTEM")) and reach.entered(system, directory) is not None:
        kept["GIT_CONFIG_NOSYSTEM"] = "1"
    return kept


def refuse_user_site(folder: str, directory: str, reach: Reach) -> None:
    """Raises InputError when the folder of the user's own modules is there and a change can write it."""
    if Path(folder).is_dir() and reach.entered(folder, directory) is not None:
        raise InputError(
            f"{folder} lies in the working tree, so that Python may have run what the change under review brings",
            hint="start it with “python -I -m lockwarden.cli”, or have HOME outside of the working tree",
        )


def _folders(value: str, name: str) -> Iterator[str]:
    """The places that a variable names; an empty variable names none."""
    if value:
        yield from value.split(os.pathsep) if name in {*_CODE, "SSL_CERT_DIR"} else (value,)


def _refusal(name: str, text: str) -> InputError:
    if name in _CODE:
        return InputError(
            f"{name} leads into the working tree ({f'“{text}”' if text else 'by an empty entry'}), so that Python may"
            " have run what the change under review brings",
            hint=f"unset {name} for this command, or leave --base out",
        )
    return InputError(
        f"{name} names {text}, which lies in the working tree, where the change under review can replace it",
        hint=_OUTSIDE,
    )


def out_of_reach(
    installation: ProviderInstallation, surroundings: Surroundings, reach: Reach
) -> tuple[ProviderInstallation, tuple[str, ...]]:
    """The installation without mirrors in a change's reach, and those mirrors.

    Whoever writes the lock file there can write the packages too, and would hold the one against the other. Nor do
    they keep an origin registry from being asked.
    """
    methods: list[Method] = []
    passed_over: list[str] = []
    for method in installation.methods:
        match method:
            case FilesystemMirror(path=path) if _is_in(path, surroundings, reach):
                passed_over.append(path)
            case Direct(unless_in=folders):
                outside = tuple(each for each in folders if not _is_in(each, surroundings, reach))
                methods.append(replace(method, unless_in=outside))
            case _:
                methods.append(method)
    return replace(installation, methods=tuple(methods)), tuple(passed_over)


def refuse_helper(helper: HelperProgram | None, surroundings: Surroundings, reach: Reach) -> None:
    """Raises InputError when the credentials helper is a program that a change can write."""
    if helper is not None and _is_in(str(helper.path), surroundings, reach):
        raise InputError(
            f"the credentials helper {helper.path} lies in the working tree, so it is not run", hint=_OUTSIDE
        )


def refuse_source(location: str, directory: str | Path, reach: Reach) -> None:
    """Raises InputError when a folder that the operator names as a source is one that a change can write."""
    if reach.entered(location, directory) is not None:
        raise InputError(
            f"the source {location} lies in the working tree, so the change under review can bring packages that fit"
            " its own lock file",
            hint="name a folder outside of the working tree; without a base it may lie anywhere",
        )


def _is_in(path: str, surroundings: Surroundings, reach: Reach) -> bool:
    return reach.entered(str(surroundings.absolute(path)), surroundings.directory) is not None
