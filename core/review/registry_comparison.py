"""One version of a provider at two origin registries: which packages are the same bytes, who signed, and what of a lock
file holds at the other one. It says whether both are the same, never that either is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Final

from msgspec import Struct

from lockwarden.core.evidence.observations import ComputedLocally, Observation, ReportedByRegistry, SignedBy
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.lockfile.model import LockedHash
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import H1, ZH, Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version


class PackageComparison(StrEnum):
    """How the package of one platform at one registry stands to that at the other."""

    SAME_BYTES = "same bytes"
    SAME_CONTENT = "same content in another archive"
    OTHER_CONTENT = "other content"
    OTHER_ARCHIVE = "another archive, whose content was not compared"
    ONLY_FIRST = "only at the first"
    ONLY_SECOND = "only at the second"
    UNKNOWN = "not known"


class Likeness(StrEnum):
    """How something stands at the one registry to the same at the other."""

    SAME = "same"
    OTHER = "other"
    UNKNOWN = "not known"


_DIFFERENT: Final = frozenset(PackageComparison) - {PackageComparison.SAME_BYTES, PackageComparison.UNKNOWN}


class AtRegistry(Struct, frozen=True, kw_only=True, dict=True):
    """What one registry says of the version, and what its packages were found to be."""

    review: ProviderReview
    """Of the locked hashes by the audit of this registry alone, held against no policy."""

    @property
    def host(self) -> str:
        """The registry's name."""
        return self.review.address.hostname.display

    @cached_property
    def answer(self) -> SourceAnswer | None:
        """What it answered; None where it was not asked."""
        return None if self.review.audit is None else self.review.audit.origin

    @property
    def outcome(self) -> Outcome:
        """How asking it ended."""
        return Outcome.NOT_ASKED if self.answer is None else self.answer.outcome

    @property
    def detail(self) -> str:
        """Why it gave no answer, or what it has not."""
        return "it is not among the sources" if self.answer is None else self.answer.detail

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """Every platform of the version; None where it does not say."""
        return None if self.answer is None else self.answer.platforms

    @cached_property
    def signers(self) -> frozenset[str]:
        """Fingerprints of the keys whose signatures over its list count."""
        return frozenset(
            seen.fingerprint for _, seen in self._observations if isinstance(seen, SignedBy) and seen.vouches
        )

    @cached_property
    def zh(self) -> Mapping[Platform, frozenset[Hash]]:
        """The `zh` of each platform's package, by its list and by what was downloaded."""
        return self._by_platform(ZH, (SignedBy, ReportedByRegistry, ComputedLocally))

    @cached_property
    def h1(self) -> Mapping[Platform, frozenset[Hash]]:
        """The `h1` of each package that was downloaded."""
        return self._by_platform(H1, (ComputedLocally,))

    def _by_platform(self, scheme: str, kinds: tuple[type[Observation], ...]) -> Mapping[Platform, frozenset[Hash]]:
        found: defaultdict[Platform, set[Hash]] = defaultdict(set)
        for hash_, seen in self._observations:
            if hash_.scheme == scheme and isinstance(seen, kinds) and seen.vouches and seen.platform is not None:
                found[seen.platform].add(hash_)
        return {platform: frozenset(hashes) for platform, hashes in found.items()}

    @property
    def _observations(self) -> Iterable[tuple[Hash, Observation]]:
        return () if self.answer is None else self.answer.observations


class ComparedPackage(Struct, frozen=True, kw_only=True):
    """The packages of one platform at both."""

    platform: Platform
    standing: PackageComparison
    first: frozenset[Hash]
    """The `zh` at the first registry; none where that is not known."""
    second: frozenset[Hash]


class MovedHash(Struct, frozen=True, kw_only=True):
    """A locked hash, and what it is at each of both."""

    locked: LockedHash
    first: Verdict
    second: Verdict
    same_package: bool = False
    """Whether it is of a package of the one registry, downloaded, that the other one lists as well."""

    @property
    def standing(self) -> Likeness:
        """Whether it stands for the same bytes at both: then it still holds after a move."""
        if self.same_package:
            return Likeness.SAME
        if Verdict.UNCHECKED in {self.first, self.second}:
            return Likeness.UNKNOWN
        both = self.first is Verdict.CONFIRMED and self.second is Verdict.CONFIRMED
        return Likeness.SAME if both else Likeness.OTHER


class RegistryComparison(Struct, frozen=True, kw_only=True, dict=True):
    """One locked version at two registries."""

    first: AtRegistry
    second: AtRegistry
    locked: ProviderAddress
    """Under which address it stands in the lock file."""
    hashes: tuple[MovedHash, ...]
    """The locked ones, in their order."""

    @property
    def version(self) -> Version:
        """Which version."""
        return self.first.review.entry.version

    @property
    def there(self) -> Likeness:
        """Whether both have the version."""
        outcomes = {self.first.outcome, self.second.outcome}
        if not outcomes <= {Outcome.ANSWERED, Outcome.NOT_THERE}:
            return Likeness.UNKNOWN
        return Likeness.SAME if outcomes == {Outcome.ANSWERED} else Likeness.OTHER

    @cached_property
    def platforms(self) -> Likeness:
        """Whether both have the same set of platforms."""
        if self.there is not Likeness.SAME or self.first.platforms is None or self.second.platforms is None:
            return Likeness.UNKNOWN
        return Likeness.SAME if self.first.platforms == self.second.platforms else Likeness.OTHER

    @cached_property
    def signers(self) -> Likeness:
        """Whether the same keys signed at both, or none at either."""
        if self.there is not Likeness.SAME:
            return Likeness.UNKNOWN
        return Likeness.SAME if self.first.signers == self.second.signers else Likeness.OTHER

    @cached_property
    def packages(self) -> tuple[ComparedPackage, ...]:
        """The packages of every platform that either has, by name."""
        if self.there is not Likeness.SAME:
            return ()
        known = (each for side in (self.first, self.second) for each in (*(side.platforms or ()), *side.zh))
        return tuple(self._package(each) for each in sorted(set(known)))

    def _package(self, platform: Platform) -> ComparedPackage:
        first, second = (side.zh.get(platform, frozenset()) for side in (self.first, self.second))
        return ComparedPackage(
            platform=platform, standing=self._standing(platform, first, second), first=first, second=second
        )

    def _standing(self, platform: Platform, first: frozenset[Hash], second: frozenset[Hash]) -> PackageComparison:
        if first and second:
            if first == second:
                return PackageComparison.SAME_BYTES
            mine, theirs = (side.h1.get(platform) for side in (self.first, self.second))
            if mine is None or theirs is None:
                return PackageComparison.OTHER_ARCHIVE
            return PackageComparison.SAME_CONTENT if mine == theirs else PackageComparison.OTHER_CONTENT
        if platform not in (self.first.platforms or {platform}):
            return PackageComparison.ONLY_SECOND
        if platform not in (self.second.platforms or {platform}):
            return PackageComparison.ONLY_FIRST
        return PackageComparison.UNKNOWN

    @property
    def exit_code(self) -> ExitCode:
        """Whether it is the same at both, differs, or could not be told."""
        standings = (self.there, self.platforms, self.signers)
        differs = Likeness.OTHER in standings or any(each.standing in _DIFFERENT for each in self.packages)
        differs = differs or any(each.standing is Likeness.OTHER for each in self.hashes)
        is_open = Likeness.UNKNOWN in standings or any(
            each.standing is PackageComparison.UNKNOWN for each in self.packages
        )
        is_open = is_open or any(each.standing is Likeness.UNKNOWN for each in self.hashes)
        return code_for(objected=differs, incomplete=is_open)


def compare_registries(first: ProviderReview, second: ProviderReview, locked: ProviderAddress) -> RegistryComparison:
    """Compare one entry by the audits of both registries; both reviews are of the same hashes."""
    rows = [{row.hash: row for row in each.rows if row.locked} for each in (first, second)]
    sides = (AtRegistry(review=first), AtRegistry(review=second))
    listed = [frozenset(hash_ for each in side.zh.values() for hash_ in each) for side in sides]
    hashes = {each.hash: each for each in first.entry.hashes}
    return RegistryComparison(
        first=sides[0],
        second=sides[1],
        locked=locked,
        hashes=tuple(
            MovedHash(
                locked=each,
                first=rows[0][hash_].verdict,
                second=rows[1][hash_].verdict,
                same_package=any(_package_of(rows[side][hash_]) & listed[1 - side] for side in (0, 1)),
            )
            for hash_, each in hashes.items()
        ),
    )


def _package_of(row: HashRow) -> frozenset[Hash]:
    """The archives that a confirmed `h1` was computed from."""
    if row.verdict is not Verdict.CONFIRMED or row.hash.scheme != H1:
        return frozenset()
    seen = (each for each in row.observations if isinstance(each, ComputedLocally) and each.vouches)
    return frozenset(each.package_zh for each in seen if each.package_zh is not None)


class ComparedFile(Struct, frozen=True, kw_only=True):
    """One lock file, each provider of it at two registries."""

    path: str
    comparisons: tuple[RegistryComparison, ...]
    passed_over: tuple[ProviderAddress, ...]
    """Providers of other registries than those that are compared."""

    @property
    def exit_code(self) -> ExitCode:
        """The worst of all; incomplete where nothing was compared."""
        codes = [each.exit_code for each in self.comparisons]
        return worst(codes) if codes else ExitCode.INCOMPLETE
