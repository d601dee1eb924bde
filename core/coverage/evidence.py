"""What an audit says of packages, as coverage needs it: promises, and which platform's package a hash stands for.

It reads what the sources said and what was computed, whatever a policy makes of it: a client knows no policy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property

from msgspec import Struct

from lockwarden.core.evidence.observations import (
    ComputedLocally,
    ListedByMirror,
    ReportedByRegistry,
    ReportedByTrustedMirror,
)
from lockwarden.core.evidence.source_answers import Audit, SourceAnswer
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.platforms import Platform


class CoverageEvidence(Struct, frozen=True, dict=True):
    """One audit, read for its packages."""

    audit: Audit

    @cached_property
    def platforms_of(self) -> Mapping[Hash, frozenset[Platform]]:
        """The platforms whose package is known to have a hash.

        Known is what was computed from a package that a client would take, and which `zh` the origin registry lists
        for a file; a mirror's list is a claim, and so is a registry's `h1`.
        """
        found: defaultdict[Hash, set[Platform]] = defaultdict(set)
        for hash_, platform in self._known():
            found[hash_].add(platform)
        return {hash_: frozenset(platforms) for hash_, platforms in found.items()}

    def _known(self) -> Iterator[tuple[Hash, Platform]]:
        for answer in self.audit.source_answers:
            for package in answer.packages:
                if not package.client_refusal:
                    yield from ((hash_, package.platform) for hash_ in package.hashes)
            for hash_, seen in answer.observations:
                if isinstance(seen, ReportedByRegistry) and hash_.scheme == ZH and seen.platform and not seen.refused:
                    yield hash_, seen.platform

    def promised(self, answer: SourceAnswer, platform: Platform) -> frozenset[Hash]:
        """The hashes that a source names for a platform's package, whether or not the package was looked at."""
        return self._promises[answer.source.id].get(platform, frozenset())

    def remembered(self, answer: SourceAnswer, platform: Platform) -> datetime | None:
        """When the bytes were hashed that stand for a source's package; None where they were fetched for this audit."""
        return self._remembered.get((answer.source.id, platform))

    @cached_property
    def _remembered(self) -> Mapping[tuple[str, Platform], datetime]:
        return {
            (answer.source.id, seen.platform): seen.computed_on
            for answer in self.audit.source_answers
            for _, seen in answer.observations
            if isinstance(seen, ComputedLocally) and seen.computed_on is not None
        }

    @cached_property
    def _promises(self) -> Mapping[str, Mapping[Platform, frozenset[Hash]]]:
        return {answer.source.id: _promises(answer) for answer in self.audit.source_answers}


def _promises(answer: SourceAnswer) -> Mapping[Platform, frozenset[Hash]]:
    found: defaultdict[Platform, set[Hash]] = defaultdict(set)
    for hash_, seen in answer.observations:
        if not isinstance(seen, ReportedByRegistry | ReportedByTrustedMirror | ListedByMirror):
            continue
        if seen.platform is not None and not seen.refused and hash_.usable:
            found[seen.platform].add(hash_)
    return {platform: frozenset(hashes) for platform, hashes in found.items()}
