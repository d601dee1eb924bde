"""Finds and reads the CLI configuration of a process."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.file_settings import read_settings
from lockwarden.core.cli_config.files import ON_DISK, ConfigFiles
from lockwarden.core.cli_config.ignored_settings import IgnoredSetting
from lockwarden.core.cli_config.locations import (
    ENDINGS,
    OPENTOFU_NAMES,
    MainFile,
    Surroundings,
    config_folder,
    main_file,
)
from lockwarden.core.cli_config.merging import merge
from lockwarden.core.cli_config.reading import parse
from lockwarden.core.cli_config.settings import CliConfig, FileSettings, FilesystemMirror, Setting
from lockwarden.core.hcl.syntax import SyntaxProblem
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.origins import OriginKind, UsedFile
from lockwarden.core.values.severity import Severity

MAX_FILES: Final = 1_000
"""Files of the configuration folder that are read."""

_ACCESS: Final = "check that you may read it"
_BOTH: Final = (Client.OPENTOFU, Client.TERRAFORM)


def load_cli_config(surroundings: Surroundings, files: ConfigFiles = ON_DISK) -> CliConfig:
    """Everything that the operator's files and variables say. It blocks; it never raises for what is in them.

    `files` says where they are read; what it raises beside OSError passes through. `checked` of the result raises
    CliConfigError when some file is useless. Credentials are as they stand in the files; no helper has been asked.
    """
    loader = _Loader(surroundings, files)
    main = main_file(surroundings, files.exists)
    folder = config_folder(surroundings, files.exists)
    main_settings = None if main is None else loader.read_main(main)
    folder_settings = [] if folder is None else loader.read_folder(Path(folder))
    config = merge(
        main_settings,
        folder_settings,
        environ=surroundings.environ,
        diagnostics=loader.diagnostics,
        ignored=loader.ignored,
    )
    config = replace(config, used=tuple(loader.used))
    return config.with_diagnostics(tuple(_about_folders(config, surroundings)))


class _Loader:
    """Reads files and collects what is wrong with them."""

    def __init__(self, surroundings: Surroundings, files: ConfigFiles) -> None:
        self.diagnostics: list[Diagnostic] = []
        self.ignored: list[IgnoredSetting] = []
        self.used: list[UsedFile] = []
        self._surroundings = surroundings
        self._files = files

    def read_main(self, main: MainFile) -> FileSettings | None:
        """The main file's settings; None when there is no such file."""
        path = Path(main.path)
        try:
            data = self._files.read(path)
        except (FileNotFoundError, NotADirectoryError):
            if main.variable:
                self._warn(path, f"it does not exist, although {main.variable} names it; the clients go on without it")
            return None
        except (OSError, ValueError) as error:
            self._warn(path, f"it cannot be opened{_because(error)}; the clients go on without it", hint=_ACCESS)
            return None
        except SyntaxProblem as problem:
            self._refuse(path, problem)
            return None
        return self._settings(path, data, clients=_readers(main))

    def read_folder(self, folder: Path) -> list[FileSettings]:
        """The settings of the folder's files, by name."""
        try:
            names = sorted((each for each in self._files.names(folder) if each.endswith(ENDINGS)), key=os.fsencode)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            self._refuse(folder, SyntaxProblem(0, f"the folder cannot be read{_because(error)}", hint=_ACCESS))
            return []
        if len(names) > MAX_FILES:
            self._refuse(folder, SyntaxProblem(0, f"it holds more than {MAX_FILES} configuration files"))
            return []
        read = (self._read(folder / name) for name in names)
        return [settings for settings in read if settings is not None]

    def _read(self, path: Path) -> FileSettings | None:
        try:
            data = self._files.read(path)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and self._files.revision(path):
                return None  # it lies in the folder, but is not part of it at the base
            self._refuse(path, SyntaxProblem(0, f"it cannot be read{_because(error)}", hint=_ACCESS))
        except SyntaxProblem as problem:
            self._refuse(path, problem)
        else:
            return self._settings(path, data)
        return None

    def _settings(self, path: Path, data: bytes, *, clients: tuple[Client, ...] = _BOTH) -> FileSettings | None:
        diagnostics = ConfigurationDiagnostics(str(path), clients)
        try:
            document = parse(data, path=str(path))
        except SyntaxProblem as problem:
            self._refuse(path, problem)
            return None
        surroundings = self._surroundings
        digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
        self.used.append(UsedFile(path=str(path), digest=digest, revision=self._files.revision(path)))
        settings = read_settings(document, diagnostics, environ=surroundings.environ, windows=surroundings.windows)
        self.diagnostics += diagnostics.diagnostics
        self.ignored += diagnostics.ignored
        return settings

    def _refuse(self, path: Path, problem: SyntaxProblem) -> None:
        diagnostics = ConfigurationDiagnostics(str(path))
        summary = f"Error parsing {path}"
        diagnostics.error(problem.line, summary, problem.message, hint=problem.hint, unreadable=True)
        self.diagnostics += diagnostics.diagnostics

    def _warn(self, path: Path, message: str, *, hint: str = "") -> None:
        diagnostics = ConfigurationDiagnostics(str(path))
        diagnostics.warning(0, "Unable to open CLI configuration file", message, hint=hint)
        self.diagnostics += diagnostics.diagnostics


def _because(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else "it is no path"
    return f": {reason}" if reason else ""


def _readers(main: MainFile) -> tuple[Client, ...]:
    """The clients that read the main file: OpenTofu alone where it has its own name in its own place.

    OpenTofu reads Terraform's where it has none of its own, and what a variable names may be meant for either.
    """
    return (Client.OPENTOFU,) if main.path.name in OPENTOFU_NAMES and not main.variable else _BOTH


def _about_folders(config: CliConfig, surroundings: Surroundings) -> Iterator[Diagnostic]:
    """The folders that are named and are not there."""
    if config.plugin_cache_dir is not None and (problem := _cache_problem(config.plugin_cache_dir)) is not None:
        yield problem
    for method in () if config.provider_installation is None else config.provider_installation.methods:
        if isinstance(method, FilesystemMirror) and (why := _no_mirror(str(surroundings.absolute(method.path)))):
            yield Diagnostic(
                severity=Severity.WARNING,
                summary="Filesystem mirror that is not there",
                message=f"there is no folder {method.path}{why}",
                origin=method.origin,
                hint="write the whole path: the clients replace neither ~ nor a variable such as $HOME in it"
                if method.path.startswith("~") or "$" in method.path
                else "make the folder, or remove the method",
            )


def _no_mirror(path: str) -> str:
    """What the clients make of a mirror that is no folder; empty where it may be one."""
    if _is_there(path):
        return ", but a file, so the clients find nothing in it" if os.path.isfile(path) else ""  # noqa: PTH113
    if os.path.lexists(path):
        return ", but a link that leads to none, so the clients find nothing in it"
    return ", so the clients fail for every provider of this method"


def _is_there(path: str) -> bool:
    """Whether something is at a path, or nobody can tell."""
    try:
        os.stat(path)  # noqa: PTH116 - the value may be no path at all
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def _cache_problem(cache: Setting[str]) -> Diagnostic | None:
    try:
        os.stat(cache.value)  # noqa: PTH116 - the value may be no path at all
    except (OSError, ValueError) as error:
        file = cache.origin.kind is OriginKind.FILE
        return Diagnostic(
            severity=Severity.ERROR,
            summary="The specified plugin cache dir cannot be opened",
            message=f"the plugin cache {cache.value} cannot be opened{_because(error)}",
            origin=cache.origin,
            hint="make the folder; ~ is not expanded, $HOME is" if file else "make the folder; nothing is expanded",
        )
    return None
