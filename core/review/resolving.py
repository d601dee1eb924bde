"""Makes one entry of what several sides lock for a provider: of one version, with what is confirmed for that alone.

A merge that nobody looked at closely is where a hash that nobody vouches for comes in unseen. So what is not confirmed
for the chosen version is left out and told, whoever had it, and a provider of which nothing is confirmed has no entry:
one without hashes would accept any package.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.lockfile.edit import content
from lockwarden.core.lockfile.model import LockedHash, LockedProvider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.constraints import VersionConstraints
from lockwarden.core.values.errors import InputError, InvalidAddressError, InvalidVersionError
from lockwarden.core.values.hashes import H1, Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version


class Bound(StrEnum):
    """Which version is taken of those that the sides lock, where none is named."""

    HIGHER = "higher"
    LOWER = "lower"


Taken = Bound | Version | str
"""A bound, a version, or the name of a side."""
_EXAMPLES: Final = "write higher, lower, a side such as ours or theirs, a version, or ADDRESS=ANY_OF_THESE"


class Choices(Struct, frozen=True, kw_only=True):
    """What is taken of each provider."""

    all: Taken = Bound.HIGHER
    of: Mapping[str, Taken] = msgspec.field(default_factory=lambda: MappingProxyType({}))
    """By the address, or the end of it, as it was written."""

    def taken(self, address: ProviderAddress) -> tuple[Taken, bool]:
        """What is taken of a provider, and whether that was said of it by name."""
        full = str(address)
        named = next((each for name, each in self.of.items() if f"/{full}".endswith(f"/{name}")), None)
        return (self.all, False) if named is None else (named, True)

    def with_one(self, address: ProviderAddress, taken: Taken) -> Choices:
        """The same with another choice of one provider."""
        return replace(self, of=MappingProxyType({**self.of, str(address): taken}))


def choices_from(words: Iterable[str]) -> Choices:
    """Read what was written on a command line. Raises InputError."""
    all_: Taken = Bound.HIGHER
    of: dict[str, Taken] = {}
    for word in words:
        name, equals, taken = word.rpartition("=")
        if equals:
            try:
                ProviderAddress.parse(name)
            except InvalidAddressError as error:
                raise InputError(f"nothing can be taken of it: {error.message}", hint=_EXAMPLES) from error
            of[name] = _taken(taken)
        else:
            all_ = _taken(taken)
    return Choices(all=all_, of=MappingProxyType(of))


def _taken(word: str) -> Taken:
    if not word:
        raise InputError("what is to be taken was left empty", hint=_EXAMPLES)
    if word in set(Bound):
        return Bound(word)
    try:
        return Version.parse(word)
    except InvalidVersionError:
        return word


class Candidate(Struct, frozen=True, kw_only=True):
    """What one side locks for a provider, and what its audit means."""

    side: str
    review: ProviderReview

    @property
    def entry(self) -> LockedProvider:
        """The block of the side."""
        return self.review.entry


class LeftOutHash(Struct, frozen=True, kw_only=True):
    """A hash that some side has and the resolved entry has not."""

    row: HashRow
    """As the audit of the chosen version has it."""
    sides: tuple[str, ...]
    other_version: bool
    """Whether only sides with another version have it, so that there is nothing to wonder about."""


class ResolvedProvider(Struct, frozen=True, kw_only=True):
    """One provider of which the sides do not say the same, and what becomes of it."""

    candidates: tuple[Candidate, ...]
    version: Version
    why: str
    """Why it is this version, a clause."""
    entry: LockedProvider | None
    """What is written; None where nothing is confirmed, so that nothing may be."""
    kept: tuple[HashRow, ...]
    left_out: tuple[LeftOutHash, ...]
    notes: tuple[str, ...] = ()
    """What else a person should know of it, sentences."""

    @property
    def address(self) -> ProviderAddress:
        """Which provider."""
        return self.candidates[0].entry.address

    @property
    def open(self) -> bool:
        """Whether what is left out was not checked, so that nobody knows whether it belongs in."""
        return any(each.row.verdict is Verdict.UNCHECKED and not each.other_version for each in self.left_out)


def in_conflict(candidates: Sequence[Candidate], sides: Sequence[str]) -> bool:
    """Whether the sides do not all say the same of a provider, each in one block; `sides` names the whole ones."""
    if [each.side for each in candidates] != list(sides):
        return True
    return any(content(each.entry) != content(candidates[0].entry) for each in candidates)


def chosen_version(candidates: Iterable[Candidate], choices: Choices) -> tuple[Version, str]:
    """The version that is taken of those that the sides lock, and why.

    A side that was named for all providers has no say in those that it does not lock. Raises InputError for a side or a
    version that was named for one provider and that it does not have.
    """
    by_side = {each.side: each.entry.version for each in candidates}
    versions = sorted(set(by_side.values()), key=lambda each: (each.order_key, each.metadata))
    address = next(each.entry.address for each in candidates)
    taken, named = choices.taken(address)
    if isinstance(taken, Version) and taken in versions:
        return taken, "the version that was chosen"
    if isinstance(taken, str) and not isinstance(taken, Bound) and taken in by_side:
        return by_side[taken], f"the version of {taken}, as was chosen"
    if named and not isinstance(taken, Bound):
        locked = ", ".join(f"{version} by {side}" for side, version in by_side.items())
        raise InputError(f"{address} is locked neither by nor at “{taken}”", hint=f"it is locked at {locked}")
    if len(versions) == 1:
        return versions[0], "the only version" if len(by_side) > 1 else f"only {next(iter(by_side))} has it"
    if taken is Bound.LOWER:
        return versions[0], "the lower version, as was chosen"
    return versions[-1], "the higher version"


def merged_entry(
    candidates: Iterable[Candidate], version: Version, choices: Choices, *, asked: str | None = None
) -> LockedProvider:
    """All hashes that any side has, as one entry of the version: what is judged before anything is kept of it.

    Its constraints are what the configuration has `asked`, and where that is not known those of a side.
    """
    of_version = [each for each in candidates if each.entry.version == version]
    taken, _ = choices.taken(of_version[0].entry.address)
    first = next((each for each in of_version if each.side == taken), of_version[0]).entry
    hashes: dict[Hash, LockedHash] = {}
    for each in (*of_version, *candidates):
        for locked in each.entry.hashes:
            hashes.setdefault(locked.hash, locked)
    constraints = first.constraints if asked is None else asked
    return replace(
        first, hashes=tuple(hashes.values()), constraints=constraints, read_as=None, moved_from=None, beside_old=False
    )


def resolve_provider(
    candidates: tuple[Candidate, ...], judged: ProviderReview, *, why: str, asked: str | None = None
) -> ResolvedProvider:
    """What becomes of a provider; `judged` is its merged entry by the audit of the version that was chosen."""
    version = judged.entry.version
    locked = [row for row in judged.rows if row.locked]
    kept = tuple(row for row in locked if row.verdict is Verdict.CONFIRMED)
    entry = replace(judged.entry, hashes=tuple(_in_order(judged.entry, kept)))
    left = tuple(
        LeftOutHash(
            row=row,
            sides=tuple(each.side for each in candidates if row.hash in each.entry.hash_set),
            other_version=all(
                row.hash not in each.entry.hash_set for each in candidates if each.entry.version == version
            ),
        )
        for row in locked
        if row.verdict is not Verdict.CONFIRMED
    )
    return ResolvedProvider(
        candidates=candidates,
        version=version,
        why=why,
        entry=entry if entry.protects else None,
        kept=kept,
        left_out=left,
        notes=(*_about_constraints(candidates, judged.entry, asked), *_about_platforms(candidates, kept)),
    )


def _in_order(entry: LockedProvider, kept: Iterable[HashRow]) -> list[LockedHash]:
    confirmed = {row.hash for row in kept}
    return sorted((each for each in entry.hashes if each.hash in confirmed), key=lambda each: each.hash.text)


def _about_constraints(candidates: Iterable[Candidate], entry: LockedProvider, asked: str | None) -> Iterator[str]:
    """Where the sides record different ones and nobody knows which are right, or the version is not allowed."""
    of_version = [each for each in candidates if each.entry.version == entry.version]
    recorded = {each.entry.constraints: each.side for each in of_version}
    if asked is None and len(recorded) > 1:
        said = " and ".join(f"“{text}” by {side}" for text, side in recorded.items())
        yield f"the sides record other constraints, {said}; init records those of the configuration again"
    if asked is not None and not VersionConstraints.parse(asked).allows(entry.version):
        yield f"the configuration asks for “{asked}”, which does not allow {entry.version}, so that init fails"


def _about_platforms(candidates: Iterable[Candidate], kept: Iterable[HashRow]) -> Iterator[str]:
    """Platforms of which only another version had an `h1`."""
    before = _platforms(row for each in candidates for row in each.review.rows if row.locked)
    for lost in sorted(before - _platforms(kept)):
        yield f"no h1 of {lost} is locked any more; “lockwarden lock --platform {lost}” adds it"


def _platforms(rows: Iterable[HashRow]) -> frozenset[Platform]:
    """The platforms whose `h1` is confirmed among some rows."""
    confirmed = (row for row in rows if row.hash.scheme == H1 and row.verdict is Verdict.CONFIRMED)
    return frozenset(platform for row in confirmed for platform in row.platforms)
