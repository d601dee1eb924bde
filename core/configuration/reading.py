"""Reads the configuration of a root module from disk, with the local modules that it calls.

Only regular files count. A link is followed as far as it stays inside the repository, as in shared files of versions;
what lies outside, is missing, too large or too much, or cannot be read, makes the answer open, never smaller.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from lockwarden.core.configuration.json_form import read_json
from lockwarden.core.configuration.native import read_native
from lockwarden.core.configuration.requirements import Module, ProviderRequirement, Required, SourceFile, module_of
from lockwarden.core.configuration.syntax import UnreadableProblem
from lockwarden.core.values.clients import Client

_TESTS: Final = "tests"
"""The folder of a root module that holds its tests, beside those in the module itself."""
_GENERATORS: Final = frozenset({"terragrunt.hcl", "terragrunt.hcl.json", "terragrunt.stack.hcl"})
"""Files of a program that writes more configuration beside what is there, just before a client runs."""
_OF_OTHER_COMMANDS: Final = (".tfquery.hcl", ".tfcomponent.hcl", ".tfcomponent.json", ".tfstack.hcl", ".tfstack.json")
"""What the names of files end with that only some versions of a client read, as queries or stacks."""
_ENDINGS: Final = (
    ".tf",
    ".tf.json",
    ".tofu",
    ".tofu.json",
    ".tftest.hcl",
    ".tftest.json",
    ".tofutest.hcl",
    ".tofutest.json",
)
"""What the names of configuration files end with."""


class Limits(Struct, frozen=True, kw_only=True):
    """How much of a configuration is read; more makes the answer open."""

    modules: int = 500
    files: int = 5_000
    names: int = 50_000
    """Names in one folder."""
    file_bytes: int = 2 * 1024 * 1024
    bytes: int = 16 * 1024 * 1024
    """Of all files together."""


def required_by(folder: Path, *, within: Path, client: Client, limits: Limits | None = None) -> Required:
    """What the root module in a folder requires, by the rules of one client. It blocks, and raises nothing.

    `within` is the repository's root, absolute and without links.
    """
    return _Walk(within, client, limits or Limits()).from_root(Path(os.path.realpath(folder)))


class _Walk:
    """One walk over a root module and all that it calls."""

    def __init__(self, within: Path, client: Client, limits: Limits) -> None:
        self._within = within
        self._client = client
        self._limits = limits
        self._files = limits.files
        self._bytes = limits.bytes

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
            files += self._read_all(folder / _TESTS, open_, tests=True, only_tests=True)
        if not files and not open_:
            return None
        module = module_of(files)
        return Module(requirements=module.requirements, calls=module.calls, open=(*module.open, *open_))

    def _read_all(
        self, folder: Path, open_: list[str], *, tests: bool, only_tests: bool = False
    ) -> Iterator[SourceFile]:
        try:
            real = Path(os.path.realpath(folder))
            if real != self._within and self._within not in real.parents:
                if os.path.lexists(folder):
                    open_.append(f"{folder.name} lies outside of the repository")
                return
            with os.scandir(real) as entries:
                names = [each.name for each, _ in zip(entries, range(self._limits.names + 1), strict=False)]
        except (FileNotFoundError, NotADirectoryError):
            return
        except (OSError, ValueError) as error:
            open_.append(f"{folder.name} cannot be looked into: {error}")
            return
        if len(names) > self._limits.names:
            open_.append(f"{folder.name} has more than {self._limits.names} names")
        if tests and not _GENERATORS.isdisjoint(names):
            open_.append("Terragrunt may add to it")
        if tests:
            open_ += [f"{each} may require more" for each in sorted(names) if each.endswith(_OF_OTHER_COMMANDS)][:1]
        for name in chosen_names(names, self._client):
            is_test = _is_test(name)
            if (is_test and not tests) or (only_tests and not is_test):
                continue
            try:
                data = self._read(real / name)
                if data is not None:
                    text = data.decode()
                    body = read_json(text) if name.endswith(".json") else read_native(text)
                    yield SourceFile(body=body, override=_is_override(name), test=is_test)
            except (UnreadableProblem, UnicodeDecodeError) as error:
                why = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
                open_.append(f"{name} cannot be read: {why}")
            except OSError as error:
                open_.append(f"{name} cannot be read: {error.strerror}")

    def _read(self, path: Path) -> bytes | None:
        """The bytes of a file; None for a folder, which the clients pass over. Raises UnreadableProblem, OSError."""
        real = Path(os.path.realpath(path))
        if self._within not in real.parents:
            raise UnreadableProblem("it is a link that leads out of the repository")
        if real.is_dir():
            return None
        self._files -= 1
        if self._files < 0:
            raise UnreadableProblem(f"there are more than {self._limits.files} files")
        file = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(file, "rb") as stream:  # noqa: PTH123
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise UnreadableProblem("it is not a regular file")
            data = stream.read(self._limits.file_bytes + 1)
        if len(data) > self._limits.file_bytes:
            raise UnreadableProblem(f"it is larger than the limit of {self._limits.file_bytes} bytes")
        self._bytes -= len(data)
        if self._bytes < 0:
            raise UnreadableProblem(f"all files together are larger than the limit of {self._limits.bytes} bytes")
        return data

    def _shown(self, folder: Path) -> str:
        return os.path.relpath(folder, self._within)


def chosen_names(names: list[str], client: Client) -> list[str]:
    """The names of configuration files that a client reads, in order.

    OpenTofu reads `x.tofu` in the place of `x.tf`; Terraform does not know the one. Both pass over hidden files and
    those that editors leave.
    """
    ours = {each for each in names if is_configuration(each)}
    if client is Client.TERRAFORM:
        return sorted(each for each in ours if ".tofu" not in _ending(each))
    return sorted(each for each in ours if _in_place_of(each) not in ours)


def is_configuration(name: str) -> bool:
    """Whether some client reads files of this name."""
    ignored = name.startswith(".") or name.endswith("~") or (name.startswith("#") and name.endswith("#"))
    return not ignored and _ending(name) != ""


def _in_place_of(name: str) -> str:
    """The name of the file that OpenTofu would read instead."""
    ending = _ending(name)
    return f"{name.removesuffix(ending)}{ending.replace('.tf', '.tofu', 1)}" if ".tofu" not in ending else ""


def _ending(name: str) -> str:
    return max((each for each in _ENDINGS if name.endswith(each) and name != each), key=len, default="")


def _is_test(name: str) -> bool:
    return "test" in _ending(name)


def _is_override(name: str) -> bool:
    stem = name.removesuffix(_ending(name))
    return stem == "override" or stem.endswith("_override")
