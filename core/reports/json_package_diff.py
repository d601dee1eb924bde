"""What is new in a module's package, in the JSON of `lockwarden modules --diff`. No secret of an address is in it."""

from __future__ import annotations

from typing import Final, Self

from msgspec import Struct

from lockwarden.core.modules.listing import DiffedCall
from lockwarden.core.modules.package_diff import FileChange, FileDiff, PackageDiff, PackageFile
from lockwarden.core.modules.resolution import Unresolved
from lockwarden.core.reports.bounds import shortened
from lockwarden.core.reports.module_report import call_name
from lockwarden.core.values.source_redaction import redacted_source

_LONGEST: Final = 1_000


class PackageFileJson(Struct, frozen=True, kw_only=True):
    """One file of a package."""

    sha256: str
    size: int | None
    """Null where only the digest is known."""
    mode: str | None
    """Permissions as octal digits; null where they are no part of the package."""
    program: str
    """What runs it, of the program that a provider is; empty for any other file."""

    @classmethod
    def of(cls, file: PackageFile | None) -> Self | None:
        """None for a file that is not there."""
        if file is None:
            return None
        mode = None if file.mode is None else f"{file.mode:o}"
        return cls(sha256=file.digest, size=file.size, mode=mode, program=file.program)


class FileDiffJson(Struct, frozen=True, kw_only=True):
    """One file that differs."""

    path: str
    change: FileChange
    before: PackageFileJson | None
    """Null where it is added."""
    after: PackageFileJson | None
    """Null where it is removed."""
    lines: list[str]
    """A unified diff without its head; long lines are cut."""
    not_shown: str | None
    """Why there are no lines, or not all; null where all are there."""

    @classmethod
    def of(cls, diff: FileDiff) -> Self:
        """One file."""
        return cls(
            path=shortened(diff.path, _LONGEST),
            change=diff.change,
            before=PackageFileJson.of(diff.before),
            after=PackageFileJson.of(diff.after),
            lines=list(diff.lines),
            not_shown=diff.not_shown or None,
        )


class PackageDiffJson(Struct, frozen=True, kw_only=True):
    """The package that was accepted for a source beside the one that it means today."""

    key: str
    """The call's."""
    source: str
    before: str | None
    """What was accepted; null where the difference is not known."""
    after: str | None
    unknown: str | None
    """Why the difference is not known; null where it is."""
    files: list[FileDiffJson]
    alike: int
    """How many files are the same in both."""
    left_out: int
    """How many more files differ than are listed."""

    @classmethod
    def of(cls, diffed: DiffedCall) -> Self:
        """One call."""
        diff = diffed.diff
        known = diff if isinstance(diff, PackageDiff) else None
        return cls(
            key=call_name(diffed.listed),
            source=redacted_source(diffed.listed.call.source),
            before=None if known is None else known.before,
            after=None if known is None else known.after,
            unknown=diff.reason if isinstance(diff, Unresolved) else None,
            files=[] if known is None else list(map(FileDiffJson.of, known.files)),
            alike=0 if known is None else known.alike,
            left_out=0 if known is None else known.left_out,
        )
