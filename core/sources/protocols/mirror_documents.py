"""The two documents of a network mirror: which versions it has, and the archives of one version."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.values.errors import InvalidHashError, InvalidPlatformError, InvalidVersionError
from lockwarden.core.values.go_json import BodyLimitError, read_json
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

MAX_VERSIONS: Final = 50_000
"""Versions in an index. The providers with the most releases have several hundred."""
MAX_ARCHIVES: Final = 1_000
"""Platforms of one version. Go knows fewer than fifty."""
MAX_HASHES: Final = 1_000
"""Hashes listed for one archive. One of each scheme is usual."""
MAX_TEXT: Final = 8_192
"""Characters in a URL, a platform name or a hash."""


class MirrorIndex(Struct, frozen=True, kw_only=True):
    """The versions of a provider that a mirror says it has."""

    versions: frozenset[Version]
    skipped: tuple[str, ...]
    """Keys that are not versions; the clients pass over them."""


class MirrorArchive(Struct, frozen=True, kw_only=True):
    """What a mirror says of the archive for one platform."""

    key: str
    """The name that the mirror gives the platform."""
    platform: Platform | None
    """None when the name is not a platform; no client ever looks at such an entry."""
    url: str
    """As written: relative to the URL that the document came from in the end."""
    hashes: tuple[Hash, ...]
    malformed: tuple[str, ...]
    """Listed texts without a scheme, over which a client stumbles."""


class _Nothing(msgspec.Struct):
    pass


class _IndexBody(msgspec.Struct):
    versions: dict[str, _Nothing] = {}


class _ArchiveBody(msgspec.Struct):
    url: str = ""
    hashes: list[str] = []


class _ArchivesBody(msgspec.Struct):
    archives: dict[str, _ArchiveBody] = {}


def read_mirror_index(body: bytes) -> MirrorIndex:
    """Read `index.json`. Raises BodyError."""
    keys = read_json(body, _IndexBody).versions
    _limit(len(keys), MAX_VERSIONS, "versions")
    versions: set[Version] = set()
    skipped: list[str] = []
    for key in keys:
        try:
            versions.add(Version.parse(key))
        except InvalidVersionError:
            skipped.append(key)
    return MirrorIndex(versions=frozenset(versions), skipped=tuple(skipped))


def read_archives(body: bytes) -> tuple[MirrorArchive, ...]:
    """Read `VERSION.json`, one archive a platform in the document's order. Raises BodyError."""
    archives = read_json(body, _ArchivesBody).archives
    _limit(len(archives), MAX_ARCHIVES, "platforms")
    return tuple(_archive(key, entry) for key, entry in archives.items())


def _archive(key: str, entry: _ArchiveBody) -> MirrorArchive:
    _limit(len(entry.hashes), MAX_HASHES, "hashes for one platform")
    _limit(max(map(len, (key, entry.url, *entry.hashes))), MAX_TEXT, "characters in one text")
    hashes: dict[Hash, None] = {}
    malformed: list[str] = []
    for text in entry.hashes:
        try:
            hashes[Hash.parse(text)] = None
        except InvalidHashError:
            malformed.append(text)
    return MirrorArchive(
        key=key, platform=_platform(key), url=entry.url, hashes=tuple(hashes), malformed=tuple(malformed)
    )


def _platform(key: str) -> Platform | None:
    try:
        return Platform.parse(key)
    except InvalidPlatformError:
        return None


def _limit(count: int, limit: int, what: str) -> None:
    if count > limit:
        raise BodyLimitError(f"has {count} {what}; the limit is {limit}")
