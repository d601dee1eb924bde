"""Where the clients look for CLI configuration, credentials helpers, implied mirrors and container credentials.

Everything is computed from an environment, a home folder and the name of a system, so that the rules of every system
can be followed on any other. Nothing is read; whether a path exists is asked through a function.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.platforms import Platform, current_platform

OVERRIDES: Final = ("TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG")
"""Variables that name the main file; the first one that is not empty counts."""
OPENTOFU_NAMES: Final = frozenset({".tofurc", "tofu.rc", "tofurc"})
"""Names of a main file that OpenTofu alone reads, in the places where it looks for one."""
ENDINGS: Final = (".tfrc", ".tfrc.json")
"""What the names of the configuration folder's files end in."""
_BUNDLE: Final = "io.terraform"

Exists = Callable[[PurePath], bool]
"""Says whether something is at a path."""


class Surroundings(Struct, frozen=True, kw_only=True):
    """What decides where things are."""

    environ: Mapping[str, str]
    account_home: str
    """The home folder that the system knows for the account; used where no variable names one. Empty for none."""
    platform: Platform
    """Its system is named as Go does: `linux`, `darwin`, `windows`, `freebsd`, …"""
    directory: str
    """The folder in which the process was started, absolute."""

    @classmethod
    def of_process(cls, environ: Mapping[str, str]) -> Self:
        """This machine's, with an environment."""
        return cls(
            environ=environ, account_home=_account_home(environ), platform=current_platform(), directory=str(Path.cwd())
        )

    @property
    def windows(self) -> bool:
        """Whether the rules of Windows hold."""
        return self.platform.os == "windows"

    def path(self, *parts: str | PurePath) -> PurePath:
        """A path by the rules of the system."""
        return PureWindowsPath(*parts) if self.windows else PurePosixPath(*parts)

    @property
    def home(self) -> PurePath | None:
        """The folder that `~` means; None when it is not known."""
        text = self.environ.get("HOME", "") or self.account_home
        return self.path(text) if text else None

    @property
    def application_data(self) -> PurePath | None:
        """What `%APPDATA%` means on Windows."""
        text = self.environ.get("APPDATA", "")
        return self.path(text) if text else None

    def absolute(self, text: str) -> PurePath:
        """A path of the operator's, from the folder in which the process was started."""
        return self.path(self.directory, text)

    def folder_of(self, variable: str) -> PurePath | None:
        """The folder that a variable names, or None when it is empty or not set."""
        text = self.environ.get(variable, "")
        return self.path(text) if text else None


def _account_home(environ: Mapping[str, str]) -> str:
    if sys.platform == "win32":
        return environ.get("USERPROFILE", "")
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


class MainFile(Struct, frozen=True, kw_only=True):
    """The main configuration file."""

    path: PurePath
    variable: str = ""
    """The variable that names it; then it has to be there. Empty for the standard place."""


def main_file(surroundings: Surroundings, exists: Exists) -> MainFile | None:
    """Which file is the main one; None when no home folder is known."""
    for variable in OVERRIDES:
        if text := surroundings.environ.get(variable, ""):
            return MainFile(path=surroundings.absolute(text), variable=variable)
    if surroundings.windows:
        folder, names = surroundings.application_data, ("tofu.rc", "terraform.rc")
    else:
        folder, names = surroundings.home, (".tofurc", ".terraformrc")
    if folder is None:
        return None
    new, old = (folder / name for name in names)
    xdg = None if surroundings.windows else surroundings.folder_of("XDG_CONFIG_HOME")
    if exists(new):
        return MainFile(path=new)
    if exists(old):
        return MainFile(path=old)
    return MainFile(path=new if xdg is None else xdg / "opentofu" / "tofurc")


def config_folder(surroundings: Surroundings, exists: Exists) -> PurePath | None:
    """The folder whose `*.tfrc` and `*.tfrc.json` files are read; None when a variable names the main file."""
    if any(surroundings.environ.get(variable) for variable in OVERRIDES):
        return None
    if surroundings.windows:
        data = surroundings.application_data
        return None if data is None else data / "terraform.d"
    home, xdg = surroundings.home, surroundings.folder_of("XDG_CONFIG_HOME")
    if home is None:
        return None
    folder = home / ".terraform.d"
    return folder if xdg is None or exists(folder) else xdg / "opentofu"


def data_folders(surroundings: Surroundings) -> tuple[PurePath, ...]:
    """The folders with a `plugins` folder of the operator's own."""
    if surroundings.windows:
        data = surroundings.application_data
        return () if data is None else (data / "terraform.d",)
    home, xdg = surroundings.home, surroundings.folder_of("XDG_DATA_HOME")
    if home is None:
        return ()
    return (home / ".terraform.d", *(() if xdg is None else (xdg / "opentofu",)))


def helper_folders(surroundings: Surroundings) -> tuple[PurePath, ...]:
    """Where programs called `terraform-credentials-NAME` may be, the first one first."""
    plugins = (folder / "plugins" for folder in data_folders(surroundings))
    return tuple(each for folder in plugins for each in (folder, folder / str(surroundings.platform)))


def implied_mirrors(surroundings: Surroundings) -> tuple[PurePath, ...]:
    """The folders that are filesystem mirrors when no configuration says where providers come from, if they exist."""
    own = (folder / "plugins" for folder in data_folders(surroundings))
    launch = surroundings.path(surroundings.directory, "terraform.d", "plugins")
    return (launch, *own, *_system_folders(surroundings))


def _system_folders(surroundings: Surroundings) -> Iterator[PurePath]:
    match surroundings.platform.os:
        case "windows":
            if surroundings.application_data is not None:
                yield surroundings.application_data / "HashiCorp" / "Terraform" / "plugins"
        case "darwin":
            library = ("Library", "Application Support", _BUNDLE, "plugins")
            if surroundings.home is not None:
                yield surroundings.home.joinpath(*library)
            yield surroundings.path("/", *library)
        case _:
            for folder in _xdg_data(surroundings):
                yield folder / "terraform" / "plugins"


def _xdg_data(surroundings: Surroundings) -> Iterator[PurePath]:
    """The data folders of the XDG rules, by which relative paths count as not set."""
    own = surroundings.folder_of("XDG_DATA_HOME")
    if own is not None and own.is_absolute():
        yield own
    elif surroundings.home is not None:
        yield surroundings.home / ".local" / "share"
    shared = surroundings.environ.get("XDG_DATA_DIRS", "") or "/usr/local/share:/usr/share"
    for text in shared.split(":"):
        folder = surroundings.path(text)
        if folder.is_absolute():
            yield folder


def container_auth_files(surroundings: Surroundings) -> tuple[PurePath, ...]:
    """Files in which container tools keep credentials, the first one first; none twice in a row."""
    home = _container_home(surroundings)
    found: list[PurePath] = []
    match surroundings.platform.os:
        case "linux":
            runtime = surroundings.folder_of("XDG_RUNTIME_DIR")
            found += [] if runtime is None else [runtime / "containers" / "auth.json"]
        case "windows" | "darwin":
            found.append(home / ".config" / "containers" / "auth.json")
    config = surroundings.folder_of("XDG_CONFIG_HOME") or home / ".config"
    for path in (config / "containers" / "auth.json", home / ".docker" / "config.json", home / ".dockercfg"):
        if path not in found[-1:]:
            found.append(path)
    return tuple(found)


def _container_home(surroundings: Surroundings) -> PurePath:
    variable = "USERPROFILE" if surroundings.windows else "HOME"
    root = "nul:" if surroundings.windows else "/"
    return surroundings.path(surroundings.environ.get(variable, "") or surroundings.account_home or root)
