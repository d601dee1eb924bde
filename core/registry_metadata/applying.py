"""What a journal fills into one metadata file as it is now.

A line counts for every target with its URL and its digest. What is true of bytes with a digest stays true, whichever
provider, version and platform they serve. A target whose URL or digest has changed since has another key, and gets
nothing of the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from lockwarden.core.registry_metadata.editing import Fill
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.registry_metadata.model import ProviderMetadata, Target


class Conflict(Struct, frozen=True, kw_only=True):
    """A target that has its hash or its size already, and another one than was computed of its package."""

    version: str
    platform: str
    there: str
    computed: str


class Filling(Struct, frozen=True, kw_only=True):
    """What can be written into one file."""

    fills: tuple[Fill, ...]
    conflicts: tuple[Conflict, ...]
    withheld: int = 0
    """Targets that were left because their versions would not be complete."""


def filling_of(
    metadata: ProviderMetadata, journal: Mapping[str, JournalLine], *, whole_versions: bool = False
) -> Filling:
    """The fills of a file; with `whole_versions` only those that leave no target of their version unfilled."""
    fills: list[Fill] = []
    conflicts: list[Conflict] = []
    withheld = 0
    for place, version in enumerate(metadata.listed):
        own: list[Fill] = []
        for at, target in enumerate(version.packages):
            line = None if target.filled else journal.get(target.key)
            if line is None or not line.has_evidence:
                continue
            differing = tuple(_differing(target, line))
            if differing:
                conflicts += (
                    Conflict(version=version.version, platform=target.platform, there=there, computed=computed)
                    for there, computed in differing
                )
            else:
                own.append(Fill(version=place, target=at, h1=line.h1_archive, size=line.size))
        if whole_versions and len(own) < sum(not each.filled for each in version.packages):
            withheld += len(own)
        else:
            fills += own
    return Filling(fills=tuple(fills), conflicts=tuple(conflicts), withheld=withheld)


def _differing(target: Target, line: JournalLine) -> Iterator[tuple[str, str]]:
    if target.h1 and target.h1 != line.h1_archive:
        yield target.h1, line.h1_archive
    if target.size and target.size != line.size:
        yield f"{target.size} bytes", f"{line.size} bytes"
