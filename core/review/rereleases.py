"""A release that was made anew: what a package that the lock file remembers was, beside the one that there is today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.evidence.source_answers import PackageFacts
from lockwarden.core.modules.package_diff import PackageDiff, PackageTree
from lockwarden.core.review.backfill_sightings import Sighting
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version

MOST_CANDIDATES: Final = 8
"""Packages of today that an old one is held against, to find the one that is most like it."""


class PackageRelation(StrEnum):
    """How one package stands to another."""

    SAME_BYTES = "the same bytes"
    SAME_CONTENT = "another archive with the same files"
    OTHER_CONTENT = "other files"

    @classmethod
    def of(cls, before: Hash, after: Hash, before_h1: Hash | None, after_h1: Hash | None) -> PackageRelation:
        """By the `zh` and by the `h1` of each; an `h1` that nobody can claim is like no other."""
        if before == after:
            return cls.SAME_BYTES
        return cls.SAME_CONTENT if before_h1 is not None and before_h1 == after_h1 else cls.OTHER_CONTENT


class SameKey(StrEnum):
    """Whether the same keys signed both."""

    SAME = "the same key"
    OTHER = "another key"
    UNKNOWN = "not known by whom"


class OriginState(Struct, frozen=True, kw_only=True):
    """What the origin registry had when an earlier run first saw it so."""

    on: datetime
    had_the_old: bool
    signers: frozenset[str]


class Rerelease(Struct, frozen=True, kw_only=True):
    """One package that is still kept, or was seen, of which a locked hash is that nothing vouches for any more."""

    address: ProviderAddress
    version: Version
    locked: tuple[Hash, ...]
    """The locked hashes that are its."""
    old: Hash
    """Its `zh`."""
    new: Hash | None
    """The `zh` of the package that is given out today and is most like it; None where none is kept to compare with."""
    platform: Platform | None = None
    relation: PackageRelation | None = None
    diff: PackageDiff | None = None
    why_not: str = ""
    """Why nothing could be compared; a clause."""
    given_out: tuple[tuple[str, datetime], ...] = ()
    """Places that were seen to give the old one out, and when last."""
    states: tuple[OriginState, ...] = ()
    """What the origin registry had, the earliest first."""
    signers_now: frozenset[str] = frozenset()
    sightings: tuple[Sighting, ...] = ()
    """What journals of backfills say of the old one, the earliest first."""

    @property
    def same_key(self) -> SameKey:
        """Whether who signs today is who signed when the registry had the old package."""
        then = [each.signers for each in self.states if each.had_the_old and each.signers]
        if not then or not self.signers_now:
            return SameKey.UNKNOWN
        return SameKey.SAME if self.signers_now & then[-1] else SameKey.OTHER

    @property
    def had_until(self) -> datetime | None:
        """When the registry was first seen to have the old one, in its last state with it."""
        return next((each.on for each in reversed(self.states) if each.had_the_old), None)

    @property
    def gone_since(self) -> datetime | None:
        """When it was first seen without it, after it had had it."""
        seen = False
        for each in self.states:
            if seen and not each.had_the_old:
                return each.on
            seen = seen or each.had_the_old
        return None


class Wondered(Struct, frozen=True, kw_only=True):
    """The locked hashes of one entry that something speaks against: what is looked for among the kept packages."""

    provider: ProviderReview
    hashes: tuple[Hash, ...] = msgspec.field(default=())


def wondered_at(provider: ProviderReview) -> Wondered | None:
    """The hashes of an entry that a package of the same version may once have had; None where there are none."""
    hashes = tuple(row.hash for row in provider.rows if row.locked and row.verdict.is_finding and row.hash.usable)
    return Wondered(provider=provider, hashes=hashes) if hashes and provider.audit is not None else None


def given_out_today(provider: ProviderReview) -> Mapping[Hash, PackageFacts]:
    """The packages that were had from the origin registry for this audit, by their `zh`."""
    origin = None if provider.audit is None else provider.audit.origin
    packages = () if origin is None else origin.packages
    return {each.zh: each for each in packages if each.zh is not None and each.zh.scheme == ZH}


def nearest(size: int, packages: Mapping[Hash, PackageFacts]) -> tuple[Hash, ...]:
    """The packages whose archives are nearest to a size: looking into every one of a large release takes long."""
    by_distance = sorted(packages, key=lambda zh: (abs((packages[zh].size or 0) - size), zh))
    return tuple(by_distance[:MOST_CANDIDATES])


def likeness(before: PackageTree, after: PackageTree) -> tuple[int, int, int, int]:
    """How like two packages are, to be compared: first whether their programs are for the same machine."""
    kinds = [{each.program for each in tree.files.values() if each.program} for tree in (before, after)]
    names = before.files.keys() & after.files.keys()
    same = sum(before.files[name].digest == after.files[name].digest for name in names)
    return (len(kinds[0] & kinds[1]), same, len(names), -abs(_size(before) - _size(after)))


def _size(tree: PackageTree) -> int:
    return sum(each.size or 0 for each in tree.files.values())


def most_like(before: PackageTree, candidates: Iterable[tuple[Hash, PackageTree]]) -> Hash | None:
    """The package among the candidates that is most like another one; of equals the first by its hash."""
    found = sorted(candidates, key=lambda each: each[0])
    return max(found, key=lambda each: likeness(before, each[1]))[0] if found else None
