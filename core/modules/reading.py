"""Reads all module calls of a configuration: of the root module, of the local modules that it calls, and of
the installed ones, by what a client wrote down of them.

It calls nothing and asks nobody. Whatever cannot be read is a problem with its place, and stops nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.configuration.files import ConfigurationFiles, Limits
from lockwarden.core.configuration.names import chosen_names, is_override, is_test
from lockwarden.core.configuration.reading import TESTS
from lockwarden.core.configuration.syntax import UnreadableProblem
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.lockfile.read import client_of
from lockwarden.core.modules.calls import CallsFile, ModuleCall, calls_of
from lockwarden.core.modules.installed import DATA_FOLDER, MANIFEST, InstalledModule, InstalledState, read_installed
from lockwarden.core.modules.listing import ListedCall, ModuleListing, ReadingProblem
from lockwarden.core.modules.sources import LocalSource
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.go_json import BodyError

MAX_CALLS: Final = 10_000
"""Calls of one configuration; further ones are not read, which is a problem."""
MAX_PROBLEMS: Final = 1_000
_MODULES: Final = MANIFEST.partition("/")[0]
LIMITS: Final = Limits(files=50_000, bytes=64 * 1024 * 1024)


class ModuleFiles(ConfigurationFiles, Protocol):
    """The files of a configuration, and what a client installed and wrote down beside them."""

    def real(self, path: Path) -> Path:
        """The place that a client finds by a path, which it cleans before it follows links."""

    def holds(self, path: Path) -> bool:
        """Whether something has this name, be it a link that leads nowhere."""

    def read(self, path: Path) -> bytes | None:
        """The bytes of a file; None for a folder. Raises UnreadableProblem."""


def list_calls(
    root: Path, files: ModuleFiles, *, named: str, data_folder: str = "", client: Client | None = None
) -> ModuleListing:
    """The module calls of the configuration whose root module is a folder. It raises nothing.

    The folder is absolute and without links; `files` are those of its repository, or of the folder itself, and nothing
    else is read. `data_folder` is the one that the operator has the client use, when it is not `.terraform`. Without a
    `client` it is read by the rules of the one that the lock file is of.
    """
    return _Walk(root, files, named, data_folder, client).listing()


class _Folder(Struct, frozen=True, kw_only=True):
    """A folder of the walk."""

    path: Path
    package: Path
    """The folder that local calls may not leave: the package's, or the repository's."""
    key: str
    above: frozenset[Path]
    """The folders of the calls that lead here."""


class _Walk:
    """One walk over a root module and all that it calls."""

    def __init__(self, root: Path, files: ModuleFiles, named: str, data_folder: str, client: Client | None) -> None:
        self._root = root
        self._named = named
        self._files = files
        self._data_folder = root / (data_folder or DATA_FOLDER)
        self._problems: dict[ReadingProblem, None] = {}
        self._client = client or self._client_here()
        self._other_files = False
        self._known: dict[Path, tuple[ModuleCall, ...] | None] = {}

    def listing(self) -> ModuleListing:
        installed = self._installed()
        if self._calls(self._root) is None:
            self._problem(self._root, "there is no configuration in it")
        calls: list[ListedCall] = []
        waiting = [_Folder(path=self._root, package=self._files.within, key="", above=frozenset())]
        while waiting:
            folder = waiting.pop()
            inner = []
            for call in self._calls(folder.path) or ():
                if len(calls) >= MAX_CALLS:
                    self._problem(self._root, f"it has more than {MAX_CALLS} module calls, which is the limit")
                    return self._listed(calls)
                listed, below = self._listed_call(call, folder, installed)
                calls.append(listed)
                if below is not None and self._may_go_into(below, call):
                    inner.append(below)
            waiting += reversed(inner)
        return self._listed(calls)

    def _listed(self, calls: list[ListedCall]) -> ModuleListing:
        problems = tuple(self._problems)[:MAX_PROBLEMS]
        return ModuleListing(
            path=self._named,
            client=self._client,
            calls=tuple(calls),
            problems=problems,
            other_files=self._other_files,
        )

    def _listed_call(
        self, call: ModuleCall, folder: _Folder, installed: Mapping[str, InstalledModule]
    ) -> tuple[ListedCall, _Folder | None]:
        """The call, and the folder that it leads to, where that can be told."""
        key = f"{folder.key}.{call.name}" if folder.key else call.name
        listed = ListedCall(
            key=key,
            call=call,
            classified=call.classified(self._client.default_registry),
            own=folder.package == self._files.within and self._data_folder not in folder.path.parents,
        )
        if call.test or not call.source:
            return listed, None
        try:
            source = call.parsed(self._client.default_registry)
        except ModuleSourceError:
            return listed, None
        above = folder.above | {folder.path}
        if isinstance(source, LocalSource):
            place = self._files.real(folder.path / source.path)
            below = _Folder(path=place, package=folder.package, key=key, above=above)
            return replace(listed, folder=self._shown(place)), below
        entry = installed.get(key)
        if entry is None or not entry.folder:
            return replace(listed, installed=InstalledState.NOT_INSTALLED), None
        place = self._files.real(self._root / entry.folder)
        listed = replace(listed, folder=self._shown(place), version=entry.version)
        if not entry.is_of(source):
            return replace(listed, installed=InstalledState.OTHER_SOURCE), None
        if self._is_missing(place):
            return replace(listed, installed=InstalledState.MISSING), None
        package = self._package_of(place, key, source.subdirectory)
        below = _Folder(path=place, package=package, key=key, above=above)
        return replace(listed, installed=InstalledState.INSTALLED, package=str(package)), below

    def _package_of(self, place: Path, key: str, subdirectory: str) -> Path:
        """The folder of the whole package that an installed module lies in.

        Clients put it into a folder that is called by the key; where the list says otherwise, the sub-directory of the
        source tells. That of a registry's location stands nowhere, and a pattern could stand for any name.
        """
        modules = self._files.real(self._data_folder / _MODULES)
        package = self._files.real(modules / key)
        if package.parent == modules and place.is_relative_to(package):
            return package
        parts = tuple(part for part in subdirectory.split("/") if part)
        return place.parents[len(parts) - 1] if parts and place.parts[-len(parts) :] == parts else place

    def _may_go_into(self, below: _Folder, call: ModuleCall) -> bool:
        """Whether a folder that a call leads to is read; if not, it is told why."""
        why = ""
        if below.path in below.above:
            why = f"the module “{call.name}” calls a folder that leads here, which has no end"
        elif not below.path.is_relative_to(self._files.within):
            why = f"the module “{call.name}” lies outside of the repository: {self._shown(below.path)}"
        elif not below.path.is_relative_to(below.package):
            why = f"the module “{call.name}” lies outside of the package: {self._shown(below.path)}"
        elif self._calls(below.path) is None:
            why = f"the module “{call.name}” is missing, or has no configuration: {self._shown(below.path)}"
        if why:
            self._add(ReadingProblem(path=call.path, line=call.line, message=why))
        return not why

    def _calls(self, folder: Path) -> tuple[ModuleCall, ...] | None:
        """The calls of one folder, which is read once; None when it has no configuration."""
        if folder not in self._known:
            files = list(self._read(folder, tests=folder == self._root))
            if folder == self._root:
                files += self._read(folder / TESTS, tests=True, only_tests=True)
            self._known[folder] = calls_of(each for each in files if each is not None) if files else None
        return self._known[folder]

    def _read(self, folder: Path, *, tests: bool, only_tests: bool = False) -> Iterator[CallsFile | None]:
        """The files of a folder; None for one that cannot be read."""
        try:
            found = self._files.folder(folder)
        except UnreadableProblem as problem:
            self._problem(folder, problem.message)
            yield None
            return
        if found is None:
            return
        if not found.complete:
            self._problem(folder, "it has more names than are read")
        ours, theirs = (chosen_names(found.names, each) for each in (self._client, self._client.other))
        self._other_files = self._other_files or ours != theirs
        for name in ours:
            test = is_test(name)
            if (test and not tests) or (only_tests and not test):
                continue
            try:
                body = self._files.body(found.path / name)
            except UnreadableProblem as problem:
                self._problem(folder / name, f"it cannot be read: {problem.message}", problem.line)
                yield None
                continue
            if body is not None:
                yield CallsFile(
                    path=self._shown(folder / name),
                    file=str(folder / name),
                    body=body,
                    override=is_override(name),
                    test=test,
                )

    def _installed(self) -> Mapping[str, InstalledModule]:
        """What a client wrote down; nothing where it wrote nothing."""
        path = self._data_folder / MANIFEST
        if not self._files.holds(path):
            return {}
        if self._files.within not in path.parents:
            self._problem(path, "it lies outside of the repository, and is not read")
            return {}
        try:
            data = self._files.read(path)
            return read_installed(data or b"")
        except UnreadableProblem as problem:
            self._problem(path, f"it cannot be read: {problem.message}")
        except BodyError as error:
            self._problem(path, f"it {error}")
        return {}

    def _is_missing(self, place: Path) -> bool:
        try:
            return self._files.folder(place) is None
        except UnreadableProblem:
            return False  # told when it is read

    def _client_here(self) -> Client:
        """The client that keeps the lock file beside the root module; OpenTofu where there is none."""
        path = self._root / LOCK_FILE_NAME
        if not self._files.holds(path):
            return Client.OPENTOFU
        try:
            return client_of((self._files.read(path) or b"").decode(errors="replace"))
        except UnreadableProblem:
            return Client.OPENTOFU

    def _problem(self, path: Path, message: str, line: int = 0) -> None:
        self._add(ReadingProblem(path=self._shown(path), line=line, message=message))

    def _add(self, problem: ReadingProblem) -> None:
        if len(self._problems) <= MAX_PROBLEMS:
            self._problems[problem] = None

    def _shown(self, path: Path) -> str:
        """A path as people know it: from the folder that they named."""
        relative = os.path.relpath(path, self._root)
        return os.path.normpath(f"{self._named}/{relative}")
