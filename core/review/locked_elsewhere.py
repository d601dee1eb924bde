"""Hashes that are known for another version of the same provider: locked at the base, before it or in another file, or
seen at its registry by an earlier run.

A hash is of one package, so one that stays while the version line changes is of the other version. A file that both
releases have, such as a manifest, is the exception: its `zh` may rightly stand in both lists.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit, Problem
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import H1, Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

ONE_IS_RIGHT: Final = "only one of the two can be right"
# “lock” drops nothing, and no client does either: what is wrong stays beside what is added.
_REMOVE: Final = "remove “hashes” from the entry, and “lockwarden lock” makes them anew"
_ANEW: Final = f"{_REMOVE}; or go back to the version that they are of"
_WHICH: Final = f"the origin registry knows which is wrong; there, {_REMOVE}"


class LockedElsewhere(Struct, frozen=True, kw_only=True):
    """What hashes a version of a provider is or was known by in another place."""

    version: Version
    hashes: frozenset[Hash]
    how: str
    """How that is known, as the end of a sentence."""
    files: int = 0
    """How many lock files of this run hold it so; 0 for what no change under review can write."""
    undecided: bool = False
    """As many lock files of this run hold it for the version that the entry says, and nothing else is known."""

    @property
    def remedy(self) -> str:
        """What to do about an entry that has hashes of it."""
        return _WHICH if self.undecided else _ANEW

    @classmethod
    def of(cls, entry: LockedProvider, place: str) -> LockedElsewhere:
        """An earlier state of an entry; `place` says where, as the end of a sentence."""
        return cls(version=entry.version, hashes=entry.hash_set, how=f"as locked {place}")

    @classmethod
    def at_base(cls, entry: LockedProvider, name: str, address: ProviderAddress) -> LockedElsewhere:
        """What a provider's entry was at a side of the base, which may be one at the registry from which it moved."""
        return cls.of(entry, f"at {name}" if entry.address == address else f"at {name} for {entry.address}")

    @classmethod
    def seen(cls, version: Version, hashes: frozenset[Hash], *, origin: str, on: date) -> LockedElsewhere:
        """What the origin registry vouched for when an earlier run asked it about a version."""
        return cls(version=version, hashes=hashes, how=f"as {origin} had it on {on:%Y-%m-%d}")


def locked_in_run(lock_files: Iterable[LockFile]) -> Mapping[ProviderAddress, tuple[LockedElsewhere, ...]]:
    """How the lock files of one run lock each provider that some of them lock for different versions."""
    found: defaultdict[ProviderAddress, defaultdict[tuple[Version, frozenset[Hash]], list[str]]]
    found = defaultdict(lambda: defaultdict(list))
    for lock_file in lock_files:
        for entry in lock_file.providers:
            found[entry.address][entry.version, entry.hash_set].append(lock_file.path)
    return {
        address: tuple(
            LockedElsewhere(version=version, hashes=hashes, how=f"as locked in {paths[0]}", files=len(paths))
            for (version, hashes), paths in ways.items()
        )
        for address, ways in found.items()
        if len({version for version, _ in ways}) > 1
    }


def of_another_version(entry: LockedProvider, known: Iterable[LockedElsewhere]) -> dict[Hash, LockedElsewhere]:
    """The usable hashes of an entry that are known for another version, and where; none that its own had before.

    Between the files of one run more of them decide, since nobody knows which is right; a tie speaks against both.
    Of several versions that have a hash, the one that has most of the entry is named.
    """
    ways = sorted(known, key=lambda way: -len(way.hashes & entry.hash_set))
    found = {}
    for hash_ in sorted(each for each in entry.hash_set if each.usable):
        holding = [way for way in ways if hash_ in way.hashes]
        own = [way for way in holding if way.version == entry.version]
        others = [way for way in holding if way.version != entry.version]
        if any(not way.files for way in own):
            continue
        before = [way for way in others if not way.files]
        if before:
            found[hash_] = before[0]
        elif others:
            theirs, ours = (sum(way.files for way in ways) for ways in (others, own))
            if theirs >= ours:
                found[hash_] = replace(others[0], undecided=theirs == ours)
    return found


def settled(foreign: Mapping[Hash, LockedElsewhere], refuted: Collection[Hash]) -> dict[Hash, LockedElsewhere]:
    """The same where an audit has shown which hashes are not of the version that the entry says: these are decided."""
    return {hash_: replace(way, undecided=way.undecided and hash_ not in refuted) for hash_, way in foreign.items()}


def vouched_for(audit: Audit) -> frozenset[Hash]:
    """The hashes of packages that the origin registry stands behind for a release: what later runs may know it by.

    Other files of a release, such as its manifest, are left out, since several releases may have the same.
    """
    evidence = Evidence(audit)
    if not evidence.origin_answered:
        return frozenset()
    seen = (each for each in audit.observations if each.usable and evidence.platforms_of(each))
    return frozenset(each for each in seen if evidence.confirms(each))


def signers_of(audit: Audit) -> frozenset[str]:
    """Fingerprints of the keys whose signatures over the origin's lists count."""
    lists = () if audit.origin is None else audit.origin.lists
    return frozenset(signer for each in lists for signer in each.signers)


def is_alarm(foreign: Iterable[Hash]) -> bool:
    """Whether hashes of another version are more than the file that two releases may share: several, or an `h1`."""
    given = tuple(foreign)
    return len(given) > 1 or any(each.scheme == H1 for each in given)


def alarming(foreign: Mapping[Hash, LockedElsewhere]) -> Mapping[Hash, LockedElsewhere]:
    """The hashes that an alarm is about; none where there is no reason for one.

    Those of which it is decided whose they are, where they are an alarm by themselves. A file that many releases have
    is of more than one other entry, so that it says nothing of the hashes beside it.
    """
    decided = {hash_: way for hash_, way in foreign.items() if not way.undecided}
    undecided = {hash_: way for hash_, way in foreign.items() if way.undecided}
    return next((each for each in (decided, undecided, foreign) if is_alarm(each)), {})


def another_versions(entry: LockedProvider, foreign: Mapping[Hash, LockedElsewhere]) -> Problem | None:
    """The alarm about hashes of another version, or None where there is no reason for one."""
    foreign = alarming(foreign)
    if not foreign:
        return None
    places = dict.fromkeys(f"{way.version}, {way.how}" for way in foreign.values())
    several = len(foreign) > 1
    count = f"{len(foreign)} of {len(entry.hash_set)} hashes" if several else "an h1 hash"
    undecided = next((way for way in foreign.values() if way.undecided), None)
    told = f"belong{'' if several else 's'} to {' and to '.join(places)}"
    if undecided is not None:
        told = f"{'are also those' if several else 'is also that'} of {' and of '.join(places)}: {ONE_IS_RIGHT}"
    return Problem(
        code=ProblemCode.HASHES_OF_ANOTHER_VERSION,
        severity=Severity.ERROR,
        message=f"the entry for {entry.address} says {entry.version}, and {count} of it {told}",
        hint=_ANEW if undecided is None else undecided.remedy,
    )
