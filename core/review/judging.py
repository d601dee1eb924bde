"""Judges the entries of many lock files: of those that lock the same, one is judged and the others follow it."""

from __future__ import annotations

from collections.abc import Hashable

from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.provider_judging import review_provider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.rows import first_lines
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.platforms import Platform


class Judging:
    """Reviews entries by the same audits and settings, and remembers what it has judged."""

    def __init__(self, settings: ClientSettings) -> None:
        """`settings` are those of the client that uses all the lock files."""
        self._settings = settings
        self._judged: dict[Hashable, ProviderReview] = {}
        self._audits: list[Audit] = []

    def review(
        self, entry: LockedProvider, audit: Audit, *, platforms: frozenset[Platform], standards: Standards
    ) -> ProviderReview:
        """What `review_provider` makes of the entry.

        Entries that list the same hashes of the same version in the same order differ only in their lines and
        constraints. No verdict depends on those. With a base, an entry that has changed has its own past and is judged
        by itself.
        """
        if standards.has_base and not standards.kept(entry):
            return self._made(entry, audit, platforms, standards)
        hashes = tuple(each.hash for each in entry.hashes)
        sides = tuple((side.name, side.commit, side.ref) for side in standards.sides)
        elsewhere = (standards.in_run.get(entry.address), standards.seen.get(entry.address))
        held_against = (standards.policy, standards.approvals, standards.today, sides, elsewhere)
        key = (
            entry.address,
            entry.version,
            entry.read_as,
            entry.moved_from,
            entry.beside_old,
            hashes,
            id(audit),
            platforms,
            held_against,
        )
        if key not in self._judged:
            self._audits.append(audit)  # so that no other one can get its identity
            self._judged[key] = self._made(entry, audit, platforms, standards)
        return _of_entry(self._judged[key], entry)

    def _made(
        self, entry: LockedProvider, audit: Audit, platforms: frozenset[Platform], standards: Standards
    ) -> ProviderReview:
        return review_provider(entry, audit, settings=self._settings, platforms=platforms, standards=standards)


def _of_entry(judged: ProviderReview, entry: LockedProvider) -> ProviderReview:
    if judged.entry is entry:
        return judged
    lines = first_lines(entry)
    rows = tuple(replace(row, line=lines.get(row.hash)) for row in judged.rows)
    return replace(judged, entry=entry, rows=rows)
