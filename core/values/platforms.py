"""Platforms `OS_ARCH`, as in `linux_amd64`."""

from __future__ import annotations

import platform as _platform
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.values.errors import InvalidPlatformError

_OS_NAMES: Final = {"linux": "linux", "darwin": "darwin", "windows": "windows", "freebsd": "freebsd"}
_ARCH_NAMES: Final = {
    "x86_64": "amd64",
    "amd64": "amd64",
    "aarch64": "arm64",
    "arm64": "arm64",
    "i386": "386",
    "i686": "386",
    "armv6l": "arm",
    "armv7l": "arm",
}
_SHOWN: Final = 100
POPULARITY: Final = (
    "linux_amd64",
    "darwin_arm64",
    "windows_amd64",
    "linux_arm64",
    "darwin_amd64",
    "windows_arm64",
    "linux_386",
    "windows_386",
    "linux_arm",
    "freebsd_amd64",
)
"""Platforms in the usual order of how many people run them; what is not named here comes after, by name."""


class Platform(Struct, frozen=True, order=True):
    """An operating system and an architecture by Go's names; ordered by system, then architecture."""

    os: str
    arch: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `OS_ARCH`; like the clients, know no list of names.

        Raises InvalidPlatformError unless the text is two words around exactly one underscore.
        """
        os_name, separator, arch = text.partition("_")
        if not separator or "_" in arch or any(char in " \t\r\n" for char in text):
            raise InvalidPlatformError(
                f"“{text}” is not a platform",
                hint="write two words separated by an underscore, such as linux_amd64",
            )
        return cls(os_name, arch)

    def __str__(self) -> str:
        return f"{self.os}_{self.arch}"


def read_platform(text: str) -> Platform:
    """A platform as people write it into a file of ours: in small letters. Raises InvalidPlatformError."""
    platform = Platform.parse(text)
    if not all(part.isascii() and part.isalnum() and part == part.lower() for part in (platform.os, platform.arch)):
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        raise InvalidPlatformError(
            f"“{shown}” is not a platform", hint="write it in small letters, such as linux_amd64"
        )
    return platform


def current_platform() -> Platform:
    """The platform of this machine, by Go's names."""
    os_name = _platform.system().lower()
    arch = _platform.machine().lower()
    return Platform(_OS_NAMES.get(os_name, os_name), _ARCH_NAMES.get(arch, arch))


def by_popularity(platform: Platform) -> tuple[int, str]:
    """Sort key: the usual order of popularity, then by name."""
    name = str(platform)
    return (POPULARITY.index(name) if name in POPULARITY else len(POPULARITY), name)
