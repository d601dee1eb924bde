"""Fills the metadata files of a registry from a journal. It asks nobody, and doing it again changes no byte."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from lockwarden.core.engine.registries.metadata_files import FoundMetadataFile, read_file, replace_file
from lockwarden.core.registry_metadata.applying import Filling, filling_of
from lockwarden.core.registry_metadata.editing import filled
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.registry_metadata.model import read_metadata
from lockwarden.core.review.exit_codes import ExitCode, code_for
from lockwarden.core.values.errors import FileChangedError, LockwardenError, MetadataEditError, MetadataError

_TRIES: Final = 5
"""How often a file is read anew that somebody else writes at the same time."""


@dataclass(kw_only=True)
class Applied:
    """What was filled in, or would be."""

    written: list[str] = field(default_factory=list)
    """The files."""
    targets: int = 0
    withheld: int = 0
    conflicts: list[str] = field(default_factory=list)
    refused: list[LockwardenError] = field(default_factory=list)
    """Files that were left as they are."""

    @property
    def exit_code(self) -> ExitCode:
        """Unusable input where a file had to be left, findings where values contradict each other."""
        return code_for(unusable=bool(self.refused), objected=bool(self.conflicts))


def apply_journal(
    files: Iterable[FoundMetadataFile],
    journal: Mapping[str, JournalLine],
    *,
    every_target: bool = False,
    whole_versions: bool = False,
    dry_run: bool = False,
) -> Applied:
    """Fill each file with what the journal has for it, and say what was filled.

    A file that changes meanwhile is read again. One that cannot be edited stays as it is and is among the `refused`.
    With `whole_versions`, a version is filled only as a whole. `every_target` and `dry_run`: see `filled`; with
    `dry_run` nothing is written. Raises SaveError when a file cannot be written.
    """
    applied = Applied()
    for file in files:
        try:
            _apply(file, journal, applied, every_target=every_target, whole_versions=whole_versions, dry_run=dry_run)
        except (MetadataError, MetadataEditError, FileChangedError) as error:
            applied.refused.append(error)
    return applied


def _apply(
    file: FoundMetadataFile,
    journal: Mapping[str, JournalLine],
    applied: Applied,
    *,
    every_target: bool,
    whole_versions: bool,
    dry_run: bool,
) -> None:
    for left in reversed(range(_TRIES)):
        data = read_file(file.path)
        filling = filling_of(read_metadata(data, file.shown), journal, whole_versions=whole_versions)
        new = data
        if filling.fills:
            new = filled(data, filling.fills, path=file.shown, every_target=every_target)
        try:
            if new != data and not dry_run:
                replace_file(file.path, new, expected=data)
        except FileChangedError:
            if not left:
                raise
            continue
        _note(file, filling, applied)
        return


def _note(file: FoundMetadataFile, filling: Filling, applied: Applied) -> None:
    applied.targets += len(filling.fills)
    applied.withheld += filling.withheld
    if filling.fills:
        applied.written.append(file.shown)
    for each in filling.conflicts:
        applied.conflicts.append(
            f"{file.shown}: {each.version} {each.platform} has {each.there} already, and its package {each.computed}"
        )
