"""Reads the configuration of a root module, with the local modules that it calls.

What lies outside of the repository, is missing, too large or too much, or cannot be read, makes the answer open, never
smaller.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from lockwarden.core.configuration.files import ConfigurationFiles, Limits
from lockwarden.core.configuration.names import chosen_names, is_override, is_test
from lockwarden.core.configuration.requirements import Module, ProviderRequirement, Required, SourceFile, module_of
from lockwarden.core.configuration.syntax import UnreadableProblem
from lockwarden.core.values.clients import Client

TESTS: Final = "tests"
"""The folder of a root module that holds its tests, beside those in the module itself."""
_GENERATORS: Final = frozenset({"terragrunt.hcl", "terragrunt.hcl.json", "terragrunt.stack.hcl"})
"""Files of a program that writes more configuration beside what is there, just before a client runs."""
_OF_OTHER_COMMANDS: Final = (".tfquery.hcl", ".tfcomponent.hcl", ".tfcomponent.json", ".tfstack.hcl", ".tfstack.json")
"""What the names of files end with that only some versions of a client read, as queries or stacks."""


def required_in(folder: Path, files: ConfigurationFiles, *, client: Client, limits: Limits) -> Required:
    """What the root module in a folder requires, by the rules of one client. It raises nothing.

    The folder is absolute and without links.
    """
    return _Walk(files, client, limits).from_root(folder)


class _Walk:
    """One walk over a root module and all that it calls."""

    def __init__(self, files: ConfigurationFiles, client: Client, limits: Limits) -> None:
        self._within = files.within
        self._client = client
        self._limits = limits
        self._files = files

    def from_root(self, root: Path) -> Required:
        waiting, seen = [root], {root}
        requirements: set[ProviderRequirement] = set()
        open_: list[str] = []
        found = False
        while waiting:
            folder = waiting.pop()
            module = self._module(folder, root=folder == root)
            if module is None:
                if folder != root:
                    open_.append(f"the module {self._shown(folder)} is missing, or has no configuration")
                continue
            found = found or folder == root
            requirements |= module.requirements
            open_ += [f"{self._shown(folder)}: {each}" for each in module.open]
            for source in module.calls:
                called = Path(os.path.normpath(folder / source.replace("\\", "/")))
                if called not in seen:
                    seen.add(called)
                    waiting.append(called)
            if len(seen) > self._limits.modules:
                open_.append(f"it has more than {self._limits.modules} modules")
                break
        return Required(requirements=frozenset(requirements), open=tuple(dict.fromkeys(open_)), found=found)

    def _module(self, folder: Path, *, root: bool) -> Module | None:
        """What one folder says; None when it has no configuration."""
        open_: list[str] = []
        files = list(self._read_all(folder, open_, tests=root))
        if root:
            files += self._read_all(folder / TESTS, open_, tests=True, only_tests=True)
        if not files and not open_:
            return None
        module = module_of(files)
        return Module(requirements=module.requirements, calls=module.calls, open=(*module.open, *open_))

    def _read_all(
        self, folder: Path, open_: list[str], *, tests: bool, only_tests: bool = False
    ) -> Iterator[SourceFile]:
        try:
            found = self._files.folder(folder)
        except UnreadableProblem as problem:
            open_.append(str(problem))
            return
        if found is None:
            return
        if not found.complete:
            open_.append(f"{folder.name} has more than {self._limits.names} names")
        if tests and not _GENERATORS.isdisjoint(found.names):
            open_.append("Terragrunt may add to it")
        if tests:
            open_ += [f"{each} may require more" for each in sorted(found.names) if each.endswith(_OF_OTHER_COMMANDS)][
                :1
            ]
        for name in chosen_names(found.names, self._client):
            test = is_test(name)
            if (test and not tests) or (only_tests and not test):
                continue
            try:
                body = self._files.body(found.path / name)
                if body is not None:
                    yield SourceFile(body=body, override=is_override(name), test=test)
            except UnreadableProblem as problem:
                open_.append(f"{name} cannot be read: {problem}")

    def _shown(self, folder: Path) -> str:
        return os.path.relpath(folder, self._within)
