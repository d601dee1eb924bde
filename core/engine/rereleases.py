"""Looks among the packages and facts that earlier runs kept for what a lock file remembers and nobody gives out now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.package_trees import LookedInto, look_into
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.seen_releases import SeenReleases
from lockwarden.core.modules.package_diff import package_diff
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.review.backfill_sightings import Sighting, packages_with, sightings
from lockwarden.core.review.locked_elsewhere import signers_of
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rereleases import (
    OriginState,
    PackageRelation,
    Rerelease,
    Wondered,
    given_out_today,
    most_like,
    nearest,
    wondered_at,
)
from lockwarden.core.review.review import Review
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.user_key import KEY_FILE, UserKey
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import H1, ZH, Hash

_MOST: Final = 20
"""Old packages that are compared in one run."""


async def find_rereleases(
    reviews: Iterable[Review], options: AuditOptions, runtime: Runtime, journal: Sequence[JournalLine] = ()
) -> tuple[Rerelease, ...]:
    """Every package that is kept, or that a journal of backfills knows, of which a locked hash is that something speaks
    against. Nobody is asked.

    None where nothing is kept, or where all is to be had anew, and there is no journal.
    """
    return await rereleases_of((each for review in reviews for each in review.providers), options, runtime, journal)


async def rereleases_of(
    providers: Iterable[ProviderReview], options: AuditOptions, runtime: Runtime, journal: Sequence[JournalLine] = ()
) -> tuple[Rerelease, ...]:
    """The same of some providers."""
    wondered = [one for each in providers if (one := wondered_at(each)) is not None]
    folder, state = (runtime.cache_folder, runtime.state_folder) if options.keep_cache else (None, None)
    if not wondered or ((folder is None or state is None) and not journal):
        return ()
    key = None if folder is None or state is None else UserKey.at(state / KEY_FILE)
    seen = SeenReleases.at(folder, state)
    async with PackageStore(folder, key=key, now=lambda: runtime.now().timestamp()) as store:
        finder = _Finder(store, seen, journal)
        h1s = frozenset(hash_ for each in wondered for hash_ in each.hashes if hash_.scheme == H1)
        finder.by_h1 = await finder.with_h1(h1s) if h1s else {}
        told: dict[object, Rerelease] = {}
        for each in wondered:
            found = await finder.of(each, at_most=_MOST - len(told))
            told |= {(one.address, one.version, one.old): one for one in found}
    return tuple(told.values())


class _Finder:
    """Looks in one store, into each package once."""

    def __init__(self, store: PackageStore, seen: SeenReleases | None, journal: Sequence[JournalLine]) -> None:
        self._store, self._seen, self._journal = store, seen, journal
        self._looked: dict[Hash, LookedInto | str | None] = {}
        self.by_h1: dict[Hash, tuple[Hash, ...]] = {}
        """What is known of kept packages: the `zh` of those that have an `h1`."""

    async def with_h1(self, wanted: frozenset[Hash]) -> dict[Hash, tuple[Hash, ...]]:
        """The `zh` of every package that has one of some `h1`, as the store or a journal knows it."""
        known = await self._store.with_h1(wanted)
        journaled = packages_with(self._journal, wanted)
        return {h1: tuple(sorted({*known.get(h1, ()), *journaled.get(h1, ())})) for h1 in wanted}

    async def of(self, wondered: Wondered, *, at_most: int) -> list[Rerelease]:
        """The kept packages of one entry, or the first of them."""
        today = given_out_today(wondered.provider)
        olds: dict[Hash, list[Hash]] = {}
        for hash_ in wondered.hashes:
            for zh in (hash_,) if hash_.scheme == ZH else self.by_h1.get(hash_, ()):
                if zh not in today:
                    olds.setdefault(zh, []).append(hash_)
        found: list[Rerelease] = []
        for old, hashes in olds.items():
            if len(found) >= at_most:
                break
            known = await self._store.find(old)
            seen = sightings(self._journal, old, wondered.provider.address, wondered.provider.entry.version)
            if known is not None or seen:
                made = self._made(wondered, old, known, tuple(hashes), seen)
                found.append(made if known is None else await self._compared(made, wondered, known))
        return found

    def _made(
        self,
        wondered: Wondered,
        old: Hash,
        known: KnownPackage | None,
        hashes: tuple[Hash, ...],
        seen: tuple[Sighting, ...],
    ) -> Rerelease:
        provider = wondered.provider
        audit = provider.audit
        assert audit is not None  # noqa: S101 - or there is nothing to wonder at
        states = () if self._seen is None else self._seen.states(provider.address, provider.entry.version)
        return Rerelease(
            address=provider.address,
            version=provider.entry.version,
            locked=hashes,
            old=old,
            new=None,
            given_out=() if known is None else tuple(known.givers.items()),
            states=tuple(
                OriginState(on=each.on, had_the_old=old in each.hashes, signers=each.signers) for each in states
            ),
            signers_now=signers_of(audit),
            sightings=seen,
            why_not="its bytes are not kept, only what a backfill saw of it",
        )

    async def _compared(self, made: Rerelease, wondered: Wondered, known: KnownPackage) -> Rerelease:
        provider, old = wondered.provider, known.zh
        before = await self._look(old)
        if not isinstance(before, LookedInto):
            why = before or "its bytes are not kept any more, only what is known of them"
            return replace(made, why_not=why)
        today = given_out_today(provider)
        looked = {zh: await self._look(zh) for zh in nearest(known.size, today)}
        trees = {zh: each for zh, each in looked.items() if isinstance(each, LookedInto)}
        new = most_like(before.tree, ((zh, each.tree) for zh, each in trees.items()))
        if new is None:
            return replace(made, why_not="no package of today is kept to compare it with")
        after = trees[new]
        return replace(
            made,
            new=new,
            platform=today[new].platform,
            relation=PackageRelation.of(old, new, before.facts.h1_directory, after.facts.h1_directory),
            diff=package_diff(before.tree, after.tree),
            why_not="",
        )

    async def _look(self, zh: Hash) -> LookedInto | str | None:
        """The members of a kept package; a clause why they cannot be told, None where it is not kept."""
        if zh not in self._looked:
            try:
                self._looked[zh] = await self._store.read(zh, lambda file, stop: look_into(file, zh, str(zh), stop))
            except ArchiveError as error:
                self._looked[zh] = error.message
        return self._looked[zh]
