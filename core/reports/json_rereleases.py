"""Packages of locked hashes that nothing vouches for any more, in the JSON of `lockwarden check --verbose`."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from lockwarden.core.reports.json_package_diff import FileDiffJson
from lockwarden.core.reports.json_values import hash_json
from lockwarden.core.review.backfill_sightings import Came, Sighting
from lockwarden.core.review.rereleases import PackageRelation, Rerelease, SameKey


class GivenOutJson(Struct, frozen=True, kw_only=True):
    """A place that was seen to give the package out."""

    place: str
    last_on: str
    """The day, as YYYY-MM-DD."""


class SightingJson(Struct, frozen=True, kw_only=True):
    """One time that a backfill asked for the package, as a journal says."""

    place: str
    on: str
    """The day, as YYYY-MM-DD."""
    came: Came
    instead: str | None
    """The zh of what came in its place; null where that is not known."""
    of_this_version: bool
    """Whether the registry's metadata had it for this version."""

    @classmethod
    def of(cls, sighting: Sighting) -> Self:
        """One sighting."""
        return cls(
            place=sighting.place,
            on=f"{sighting.on:%Y-%m-%d}",
            came=sighting.came,
            instead=hash_json(sighting.instead),
            of_this_version=sighting.of_this_version,
        )


class RereleaseJson(Struct, frozen=True, kw_only=True):
    """One package that earlier runs or backfills saw, of which a locked hash is that nothing vouches for now."""

    address: str
    version: str
    locked: list[str]
    """The locked hashes that are its."""
    old: str
    """Its zh."""
    new: str | None
    """The zh of the package of today that is most like it; null where none could be compared."""
    platform: str | None
    """That of the package of today."""
    relation: PackageRelation | None
    unknown: str | None
    """Why nothing could be compared; null where it was."""
    given_out: list[GivenOutJson]
    had_until: str | None
    """The day on which the origin registry was first seen to have it, in its last state with it; null where it never
    was."""
    gone_since: str | None
    """The day on which the origin registry was first seen without it; null where it never was."""
    sightings: list[SightingJson]
    """What the journals say that were given, the earliest first."""
    key: SameKey
    """Whether the same keys sign today as when the origin registry had it."""
    files: list[FileDiffJson]
    """Those that differ."""
    alike: int
    """How many files are the same in both."""
    left_out: int
    """How many more files differ than are listed."""

    @classmethod
    def of(cls, found: Rerelease) -> Self:
        """One package."""
        diff = found.diff
        return cls(
            address=str(found.address),
            version=str(found.version),
            locked=[each.text for each in found.locked],
            old=found.old.text,
            new=hash_json(found.new),
            platform=None if found.platform is None else str(found.platform),
            relation=found.relation,
            unknown=None if diff is not None else found.why_not,
            given_out=[GivenOutJson(place=place, last_on=f"{on:%Y-%m-%d}") for place, on in found.given_out],
            had_until=None if found.had_until is None else f"{found.had_until:%Y-%m-%d}",
            gone_since=None if found.gone_since is None else f"{found.gone_since:%Y-%m-%d}",
            sightings=[SightingJson.of(each) for each in found.sightings],
            key=found.same_key,
            files=[] if diff is None else [FileDiffJson.of(each) for each in diff.files],
            alike=0 if diff is None else diff.alike,
            left_out=0 if diff is None else diff.left_out,
        )
