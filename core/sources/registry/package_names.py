"""File names of a release: which are packages, and of which platform; which belong to it; which to another release.

The names are those that release tools write and registries demand: `terraform-provider-TYPE_VERSION_OS_ARCH.zip`, also
with a `v` before the version. The clients look at no name but the one that the registry's answer gives them. A list of
another release, signed by the same author, would pass for this one's. So what a name says is held against the release.
A name that does not have this form says nothing about the release.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.values.errors import InvalidPlatformError, InvalidVersionError
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

_PREFIX: Final = "terraform-provider-"
_SUFFIX: Final = ".zip"
_FORM: Final = re.compile(
    rf"{_PREFIX}(?P<type>.+?)_[vV]?(?P<version>[0-9][^_]*)(?:_(?P<rest>.*))?", re.IGNORECASE | re.DOTALL
)
_PLACE: Final = re.compile(r"[/\\]")
_QUERY: Final = re.compile(r"[?#].*", re.DOTALL)


class FileKind(StrEnum):
    """What a file in a list of checksums is to the release that the list is of."""

    PACKAGE = "package"
    COMPANION = "other file of the release"
    FOREIGN_PACKAGE = "package of another provider or version"
    FOREIGN = "other file of another provider or version"
    OTHER = "other file"


class Spelling(StrEnum):
    """How a name writes the release."""

    USUAL = "as release tools write it"
    OTHER = "in another way"
    """Capitals in the type, or `.` for the `+` of the version, as forges write it."""
    AMBIGUOUS = "as another version might be written, too"
    """`1.2.3-rc.1` is a version, and what forges make of `1.2.3-rc+1`."""


class FileLabel(Struct, frozen=True, kw_only=True):
    """What a file name says: its kind, and the platform of a package of this release."""

    kind: FileKind
    platform: Platform | None = None
    spelling: Spelling = Spelling.USUAL
    release: str = ""
    """The provider type and the version that the name says when they are not those of this release."""


_SAYS_NOTHING: Final = FileLabel(kind=FileKind.OTHER)


def label_of(file_name: str, *, type_name: str, version: Version) -> FileLabel:
    """What `file_name`, or the end of a path or URL, is to this version of the provider `type_name`.

    A name is a claim, not a proof.
    """
    name = _PLACE.split(_QUERY.sub("", file_name))[-1]
    zipped = name[-len(_SUFFIX) :].lower() == _SUFFIX
    match = _FORM.fullmatch(name[: -len(_SUFFIX)] if zipped else name)
    if match is None:
        return _SAYS_NOTHING
    written, rest = match["version"], match["rest"] or ""
    spelling = _spelling(written, version)
    if spelling is None and not zipped and not rest:
        # Behind the version of what is no package a name may end: `…_1.2.3.sbom.json`.
        spelling = Spelling.USUAL if written.startswith(f"{version}.") else None
    if spelling is None or _normal(match["type"]) != type_name:
        kind = FileKind.FOREIGN_PACKAGE if zipped else FileKind.FOREIGN
        return FileLabel(kind=kind, release=f"{match['type']} {written}")
    if not zipped:
        return FileLabel(kind=FileKind.COMPANION)
    if spelling is Spelling.USUAL and not name.startswith(f"{_PREFIX}{type_name}_"):
        spelling = Spelling.OTHER
    return FileLabel(kind=FileKind.PACKAGE, platform=_platform_in(rest), spelling=spelling)


def _normal(type_name: str) -> str:
    return unicodedata.normalize("NFC", type_name.lower())


def _spelling(written: str, version: Version) -> Spelling | None:
    """How `written` writes exactly this version; None when it is another one."""
    if written == str(version):
        return Spelling.USUAL
    read = _version_in(written)
    if read == version:
        return Spelling.OTHER
    if version.metadata and written in {str(version).replace("+", sign) for sign in (".", "%2B", "%2b")}:
        return Spelling.OTHER if read is None else Spelling.AMBIGUOUS
    return None


def _version_in(text: str) -> Version | None:
    try:
        return Version.parse(text)
    except InvalidVersionError:
        return None


def _platform_in(text: str) -> Platform | None:
    """The platform in `OS_ARCH`, or None when the text is anything else."""
    try:
        platform = Platform.parse(text)
    except InvalidPlatformError:
        return None
    return platform if platform.os and platform.arch else None
