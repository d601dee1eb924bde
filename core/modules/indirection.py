"""Where a server says that a module's package is: the answers that lead on, and what they may lead to.

Sources: go-getter 1.8.6, `get_http.go`; OpenTofu, `internal/registry`.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final

from msgspec import Struct

from lockwarden.core.modules.sources import RemoteSource, parse_module_source
from lockwarden.core.values.errors import ModuleSourceError
from lockwarden.core.values.go_addresses import cleaned
from lockwarden.core.values.go_json import BodyError, read_json

HEADER: Final = "x-terraform-get"
MAX_HOPS: Final = 10
"""Servers that lead on, one to the next."""
_META: Final = "terraform-get"


class Location(Struct, frozen=True, kw_only=True):
    """What a registry says of where a version is."""

    address: str
    """It may hold secrets. Empty where it says nothing."""
    direct: bool = False
    """Whether it is the URL of an archive, whatever it looks like."""
    with_credentials: bool = False
    """Whether the archive is given out with the registry's own credentials only."""


class _Location(Struct):
    location: str = ""
    use_registry_credentials: bool | None = None


class _ListedVersion(Struct):
    version: str = ""


class _Module(Struct):
    versions: list[_ListedVersion] = []


class _Versions(Struct):
    modules: list[_Module] = []


def listed_versions(body: bytes) -> tuple[str, ...]:
    """The versions in a registry's list; only the first module counts. Raises BodyError."""
    modules = read_json(body, _Versions).modules
    if not modules:
        raise BodyError("names no module")
    return tuple(each.version for each in modules[0].versions)


def location_in(body: bytes, header: str) -> Location:
    """The location of a version, by the body of an answer or its header. Raises BodyError."""
    if not body.strip():
        return Location(address=header)
    found = read_json(body, _Location)
    direct = found.use_registry_credentials is not None
    return Location(
        address=found.location or header,
        direct=direct,
        with_credentials=bool(found.use_registry_credentials),
    )


def is_relative(address: str) -> bool:
    """Whether a registry's location goes by the URL that it was asked at."""
    return address.startswith(("/", "./", "../"))


def led_to(address: str, subdirectory: str) -> RemoteSource:
    """The source that a server led to, with the sub-directory of the call below it. Raises ModuleSourceError."""
    source = parse_module_source(address)
    if not isinstance(source, RemoteSource):
        raise ModuleSourceError("it leads to a folder or to a registry, where only an address of its own may stand")
    if not subdirectory:
        return source
    below = cleaned(f"{source.subdirectory}/{subdirectory}") if source.subdirectory else subdirectory
    return RemoteSource(getter=source.getter, url=source.url, subdirectory=below, asks_bitbucket=source.asks_bitbucket)


class _Head(HTMLParser):
    """Looks for the one element that leads on, in the head of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.address = ""
        self._over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(reversed(attrs))
        if tag == "body":
            self._over = True
        elif tag == "meta" and found.get("name") == _META and not self._over and not self.address:
            self.address = found.get("content") or ""

    def handle_endtag(self, tag: str) -> None:
        self._over |= tag == "head"


def address_in_page(body: bytes) -> str:
    """The address that a page leads on to by its `terraform-get` element; empty for none."""
    head = _Head()
    head.feed(body.decode("utf-8", "replace"))
    return head.address
