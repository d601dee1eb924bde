"""What backfills saw of one package, by their journals: who gave it out and when, and what came in its place.

A journal is its writer's word, and says what places gave out, never who made it: it is told and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from lockwarden.core.registry_metadata.journal_lines import JournalLine, State
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.urls import redacted
from lockwarden.core.values.versions import Version

MOST: Final = 10
"""Sightings that are told of one package: the first and the last ones."""


class Came(StrEnum):
    """What came when a package was asked for."""

    IT = "the package"
    OTHER_BYTES = "other bytes"
    NOTHING = "nothing"


_CAME: Final = {State.CHANGED: Came.OTHER_BYTES, State.MISSING: Came.NOTHING}


class Sighting(Struct, frozen=True, kw_only=True, order=True):
    """One time that a backfill asked for a package."""

    on: datetime
    place: str
    """URL without query and user information."""
    came: Came
    instead: Hash | None = None
    """The `zh` of what came in its place; None where that is not known."""
    of_this_version: bool = False
    """Whether the metadata had it for the version that is looked at."""


def sightings(
    lines: Iterable[JournalLine], package: Hash, address: ProviderAddress, version: Version
) -> tuple[Sighting, ...]:
    """What journals say of the package with a `zh`, the earliest first."""
    found = sorted({one for line in lines if (one := _sighting(line, package, address, version)) is not None}, key=_key)
    return tuple(found if len(found) <= MOST else (*found[: MOST // 2], *found[-MOST // 2 :]))


def _sighting(line: JournalLine, package: Hash, address: ProviderAddress, version: Version) -> Sighting | None:
    came = Came.IT if line.has_evidence else _CAME.get(line.state)
    on = _moment(line.finished)
    if came is None or on is None or f"{ZH}:{line.zh_expected}" != package.text:
        return None
    provider = f"{address.namespace}/{address.type}".lower()
    instead = Hash(f"{ZH}:{line.zh}") if came is Came.OTHER_BYTES else None
    return Sighting(
        on=on,
        place=redacted(line.url),
        came=came,
        instead=instead if instead is not None and instead.usable else None,
        of_this_version=any((each.provider, each.version) == (provider, str(version)) for each in line.subjects),
    )


def _key(sighting: Sighting) -> tuple[datetime, str, str]:
    return sighting.on, sighting.place, sighting.came


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC) if found.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def packages_with(lines: Iterable[JournalLine], wanted: frozenset[Hash]) -> Mapping[Hash, tuple[Hash, ...]]:
    """The `zh` of every package of which a journal says that it has one of some `h1`, by that."""
    found: dict[Hash, set[Hash]] = {}
    for line in lines:
        if line.has_evidence:
            for h1 in {Hash(line.h1_archive), Hash(line.h1_dir)} & wanted:
                found.setdefault(h1, set()).add(Hash(f"{ZH}:{line.zh}"))
    return {h1: tuple(sorted(names)) for h1, names in found.items()}
