"""The hashes that an origin registry reports beside the list of checksums, held against that list.

`packages` and the two proposed shapes of `hashes` are unsigned. They count as the registry's word only for packages
that the lists of checksums name, and never add one. An `h1` that is not that of the package is found elsewhere, by
whoever has the package.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from lockwarden.core.evidence.observations import ListShape, Observation, ReportedByRegistry
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.sources.protocols.registry_documents import PackageClaim
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_SHOWN = 5
_OPEN = "no list of checksums that could be read names such a package"


class _Report(Struct, frozen=True, kw_only=True):
    """One hash as one answer reports it."""

    hash: Hash
    shape: ListShape
    platform: Platform | None
    answer: PlatformAnswer
    against: str
    """Why it does not count beside the lists of checksums; a sentence's end, empty when it does."""


class RegistryReports(Struct, frozen=True, kw_only=True, dict=True):
    """What all answers about one release report, against the lists of checksums that are used."""

    answers: Sequence[PlatformAnswer]
    lists: Sequence[SignedSums]
    """Those that decide, whatever else was fetched."""
    complete: bool
    """Whether the lists cover every platform of the release, so that absence from them means something."""
    refused: Mapping[Platform, str]
    """Why nothing counts that the answer for a platform reports, where its list of checksums is not used."""
    source: str

    @cached_property
    def listed(self) -> frozenset[Hash]:
        """The `zh` hashes of all lists."""
        return frozenset().union(*(each.hashes for each in self.lists))

    @cached_property
    def listed_for(self) -> Mapping[Platform, frozenset[Hash]]:
        """The `zh` hashes that the lists give for each platform's package, by the names of the files.

        Which file is an answer's own decides only where the names say nothing: else it could be any of the list.
        """
        names = {answer.metadata.filename: answer.platform for answer in self.answers if not answer.astray}
        found: defaultdict[Platform, set[Hash]] = defaultdict(set)
        for each in self.lists:
            for line in each.sums.lines:
                platform = each.label(line).platform or (names.get(line.file_name) if self._nameless else None)
                if platform is not None and line.hash in each.hashes:
                    found[platform].add(line.hash)
        return {platform: frozenset(hashes) for platform, hashes in found.items()}

    @cached_property
    def _nameless(self) -> bool:
        """Whether no file name in the lists says a platform."""
        return not any(each.platforms for each in self.lists)

    @cached_property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        """Every hash that the registry claims for each platform, in whatever shape, believed or not."""
        found: defaultdict[Platform, set[Hash]] = defaultdict(set)
        for platform, hashes in self.listed_for.items():
            found[platform] |= hashes
        for report in self._reports:
            if report.platform is not None:
                found[report.platform].add(report.hash)
        return {platform: frozenset(hashes) for platform, hashes in found.items()}

    def observations(self) -> Iterator[tuple[Hash, Observation]]:
        """One observation for each hash, shape and platform, from the first answer that reports it so."""
        told: set[tuple[Hash, ListShape, Platform | None, str]] = set()
        for report in self._reports:
            refused = self.refused.get(report.answer.platform, "") or report.against
            key = (report.hash, report.shape, report.platform, refused)
            if key in told:
                continue
            told.add(key)
            yield (
                report.hash,
                ReportedByRegistry(
                    source=self.source,
                    document=report.answer.document,
                    shape=report.shape,
                    platform=report.platform,
                    refused=refused,
                ),
            )

    def problems(self) -> Iterator[Problem]:
        """Where the registry contradicts its own list, each contradiction once, and what of it cannot be read."""
        contradictions = dict.fromkeys(
            f"the registry reports {report.hash} in “{report.shape}”, but {report.against}"
            for report in self._reports
            if report.against not in {"", _OPEN} and report.hash.scheme == ZH
        )
        for message in list(contradictions)[:_SHOWN]:
            yield Problem(
                code=ProblemCode.REPORTED_HASHES_CONTRADICT_SUMS,
                severity=Severity.ERROR,
                message=message,
                hint="the registry may be stale, or somebody changed one of the two; compare with the author's release",
                source=self.source,
            )
        flaws = [
            flaw for answer in self.answers for flaw in (answer.metadata.packages.flaw, answer.metadata.extra.flaw)
        ]
        for flaw in [flaw for flaw in dict.fromkeys(flaws) if flaw][:_SHOWN]:
            yield Problem(
                code=ProblemCode.REPORTED_HASHES_UNREADABLE,
                severity=Severity.WARNING,
                message=f"the registry's answer {flaw}",
                hint="the hashes that it means to report there are not used; ask who runs the registry",
                source=self.source,
            )

    @cached_property
    def _reports(self) -> tuple[_Report, ...]:
        return tuple(report for answer in self.answers for report in self._of_answer(answer))

    def _of_answer(self, answer: PlatformAnswer) -> Iterator[_Report]:
        for claim in answer.metadata.packages.claims:
            against = self._against_claim(claim)
            for hash_ in claim.hashes:
                yield self._report(hash_, ListShape.PACKAGES, claim.platform, answer, against)
        for zh, contents in answer.metadata.extra.by_zh:
            against = self._against_zh(zh)
            for platform in self._platforms_of(zh):
                for hash_ in (zh, *contents):
                    yield self._report(hash_, ListShape.HASHES_BY_ZH, platform, answer, against)
        for hash_ in answer.metadata.extra.flat:
            yield self._report(hash_, ListShape.HASHES, None, answer, self._against_zh(hash_))

    def _report(
        self, hash_: Hash, shape: ListShape, platform: Platform | None, answer: PlatformAnswer, against: str
    ) -> _Report:
        return _Report(hash=hash_, shape=shape, platform=platform, answer=answer, against=against)

    def _platforms_of(self, zh: Hash) -> tuple[Platform | None, ...]:
        named = sorted(platform for platform, hashes in self.listed_for.items() if zh in hashes)
        return tuple(named) or (None,)

    def _against_claim(self, claim: PackageClaim) -> str:
        archives = frozenset(hash_ for hash_ in claim.hashes if hash_.scheme == ZH)
        if (listed := self.listed_for.get(claim.platform)) is not None:
            return f"SHA256SUMS lists another archive for {claim.platform}" if archives - listed else ""
        if against := next((against for zh in sorted(archives) if (against := self._against_zh(zh))), ""):
            return against
        # Where no name in the lists says a platform, an archive that is known as no other platform's may be its own.
        if archives and self._nameless and archives.isdisjoint(frozenset().union(*self.listed_for.values())):
            return ""
        return f"SHA256SUMS names no package for {claim.platform}" if self.complete else _OPEN

    def _against_zh(self, hash_: Hash) -> str:
        if hash_.scheme != ZH or hash_ in self.listed:
            return ""
        return "SHA256SUMS does not list such an archive" if self.complete else _OPEN
