"""File names of a release: which are packages, and of which platform; which belong to it; which to another release.

The names are those that release tools write and registries demand: `terraform-provider-TYPE_VERSION_OS_ARCH.zip`. The
clients look at no name but the one that the registry's answer gives them, so a strange name is worth a label.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.errors import InvalidPlatformError
from lockwarden.core.platforms import Platform
from lockwarden.core.versions import Version

_PREFIX: Final = "terraform-provider-"
_SUFFIX: Final = ".zip"
_ENDS: Final = frozenset({"", "_", "."})
"""What may follow the version; anything else makes it another version."""


class FileKind(StrEnum):
    """What a file in a list of checksums is to the release that the list is of."""

    PACKAGE = "package"
    COMPANION = "other file of the release"
    FOREIGN = "file of another provider or version"
    OTHER = "other file"


class FileLabel(Struct, frozen=True, kw_only=True):
    """What a file name says: its kind, and the platform of a package of this release."""

    kind: FileKind
    platform: Platform | None = None


def package_file_name(type_name: str, version: Version, platform: Platform) -> str:
    """The usual name of the package of provider `type_name` for one platform."""
    return f"{_PREFIX}{type_name}_{version}_{platform}{_SUFFIX}"


def label_of(file_name: str, *, type_name: str, version: Version) -> FileLabel:
    """What `file_name` is to this version of the provider `type_name`. A name is a claim, not a proof.

    A `v` before the version is what some release tools write: such a file is of the release, but names no platform.
    """
    if not file_name.startswith(_PREFIX):
        return FileLabel(kind=FileKind.OTHER)
    stem = f"{_PREFIX}{type_name}_{version}"
    rest = file_name.removeprefix(stem)
    if not file_name.startswith(stem) or rest[:1] not in _ENDS:
        also_ours = file_name.startswith(f"{_PREFIX}{type_name}_v{version}")
        return FileLabel(kind=FileKind.COMPANION if also_ours else FileKind.FOREIGN)
    platform = _platform_in(rest)
    if platform is None:
        return FileLabel(kind=FileKind.COMPANION)
    return FileLabel(kind=FileKind.PACKAGE, platform=platform)


def _platform_in(rest: str) -> Platform | None:
    """The platform in `_OS_ARCH.zip`, or None when the text is anything else."""
    if not (rest.startswith("_") and rest.endswith(_SUFFIX)):
        return None
    try:
        platform = Platform.parse(rest.removeprefix("_").removesuffix(_SUFFIX))
    except InvalidPlatformError:
        return None
    return platform if platform.os and platform.arch else None
