"""What a client wrote down of the modules that it installed: `modules/modules.json` in its data folder.

It says where each lies and by which address it was asked for. What the address led to is not in it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.modules.sources import ModuleSource, RemoteSource, parse_module_source
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.go_json import BodyError, read_json

MANIFEST: Final = "modules/modules.json"
DATA_FOLDER: Final = ".terraform"


class InstalledState(StrEnum):
    """What a client has of a module."""

    INSTALLED = "installed"
    NOT_INSTALLED = "not installed"
    """No client installed it here, as far as is written down."""
    MISSING = "missing"
    """It is written down, and its folder is not there."""
    OTHER_SOURCE = "installed from another source"
    """What lies there was asked for by another address than the call has now."""


class InstalledModule(Struct, frozen=True, kw_only=True):
    """One entry of the list."""

    source: str
    """The address as the client has it; it may hold secrets."""
    version: str
    """Empty but for modules of registries."""
    folder: str
    """Relative to the root module, with slashes."""

    def is_of(self, source: ModuleSource) -> bool:
        """Whether it was asked for by this source."""
        try:
            return _comparable(parse_module_source(self.source)) == _comparable(source)
        except ModuleSourceError:
            return False


class _Module(msgspec.Struct):
    Key: str = ""
    Source: str = ""
    Version: str = ""
    Dir: str = ""


class _Manifest(msgspec.Struct):
    Modules: list[_Module] = []


def read_installed(data: bytes) -> Mapping[str, InstalledModule]:
    """The installed modules by their keys, such as `network.subnets`. Raises BodyError."""
    found: dict[str, InstalledModule] = {}
    for each in read_json(data, _Manifest, whole=True).Modules:
        if each.Key in found:
            raise BodyError(f"has two entries for “{each.Key[:100]}”")
        folder = posixpath.normpath(each.Dir.replace("\\", "/")) if each.Dir else ""
        found[each.Key] = InstalledModule(source=each.Source, version=each.Version, folder=folder)
    return found


def _comparable(source: ModuleSource) -> object:
    """The source with its arguments in the order that the client writes them in."""
    if not isinstance(source, RemoteSource):
        return source
    url = source.url
    return (source.getter, url.scheme, url.user, url.host, url.path, sorted(url.query), source.subdirectory)
