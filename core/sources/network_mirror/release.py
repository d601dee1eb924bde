"""One provider version at a network mirror: what it lists for each platform, and what it really gives out.

What a mirror lists is a bare claim. It becomes *reported by trusted mirror* only at a mirror that is trusted, once one
listed hash matched a package that was downloaded. A hash that is known to be wrong never becomes that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from msgspec import Struct

from lockwarden.core.evidence.events import Report
from lockwarden.core.evidence.observations import Document, ListedByMirror, Observation, ReportedByTrustedMirror
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, Problem, SourceAnswer, SourceRef
from lockwarden.core.sources.checked_packages import CheckedPackages, PackageReports
from lockwarden.core.sources.network_mirror.judgement import (
    GivenOut,
    Promise,
    list_problems,
    match_problems,
    wrongly_listed,
)
from lockwarden.core.sources.package_content import archive_observations, stored_problems, stored_refusal, unhashable
from lockwarden.core.sources.protocols.mirror_documents import MirrorArchive
from lockwarden.core.store.known_facts import KnownPackage
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import SourceError
from lockwarden.core.values.hashes import PREFERRED_SCHEMES, Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version


class Fetched(Struct, frozen=True, kw_only=True):
    """A package that was downloaded, and where it came from."""

    location: str
    """URL without query and user information."""
    stored: KnownPackage


class _Checked(Struct, frozen=True, kw_only=True):
    """What is known of one platform's package."""

    package: PackageFacts
    given: GivenOut | None = None
    observations: tuple[tuple[Hash, Observation], ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(kw_only=True)
class MirrorRelease:
    """The archives of one version at a mirror, downloaded one by one."""

    source: SourceRef
    address: ProviderAddress
    version: Version
    document: Document
    """The list of archives."""
    archives: Sequence[MirrorArchive]
    trust_all: bool
    """The client takes a match with any platform's hash, and then the word of the mirror for all of them."""
    fetch: Callable[[MirrorArchive, Callable[[int], None]], Awaitable[Fetched]]
    """Downloads one archive and tells how many bytes there are so far; raises SourceError."""
    report: Report
    problems: tuple[Problem, ...] = ()

    @property
    def platforms(self) -> frozenset[Platform] | None:
        """The platforms that the mirror lists archives for."""
        return frozenset(self._targets)

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        """What the mirror lists for each platform."""
        return {platform: frozenset(archive.hashes) for platform, archive in self._targets.items()}

    @cached_property
    def _targets(self) -> Mapping[Platform, MirrorArchive]:
        return {archive.platform: archive for archive in self.archives if archive.platform is not None}

    @cached_property
    def _reports(self) -> PackageReports:
        return PackageReports(address=self.address, version=self.version, source=self.source.id, report=self.report)

    @cached_property
    def _packages(self) -> CheckedPackages[_Checked]:
        return CheckedPackages(self._reports, self._look_at)

    async def check(self, platform: Platform) -> None:
        """Download and judge the package of one platform, once."""
        await self._packages.check(platform)

    async def _look_at(self, platform: Platform) -> _Checked:
        archive = self._targets.get(platform)
        if archive is None:
            return _Checked(package=self._packages.missing(platform))
        return await self._download(archive, platform)

    async def _download(self, archive: MirrorArchive, platform: Platform) -> _Checked:
        try:
            fetched = await self.fetch(archive, partial(self._reports.progress, platform))
        except SourceError as error:
            return self._failed(platform, error)
        return self._judge(archive, platform, fetched)

    def _failed(self, platform: Platform, error: SourceError) -> _Checked:
        # Even a 404 is no answer: the mirror lists the package, so it is not known to be absent from the release.
        problem = Problem(
            code=error.code or ProblemCode.PACKAGE_FAILED,
            severity=Severity.WARNING,
            message=f"the {platform} package that {self.source.id} lists could not be had: {error.message}",
            hint=error.hint,
            source=self.source.id,
        )
        facts = PackageFacts(platform=platform, outcome=Outcome.NO_ANSWER, detail=error.message, hint=error.hint)
        return _Checked(package=facts, problems=(problem,))

    def _judge(self, archive: MirrorArchive, platform: Platform, fetched: Fetched) -> _Checked:
        stored, source, location = fetched.stored, self.source.id, fetched.location
        given = _given_out(stored)
        promise = Promise.of(archive, self.archives, trust_all=self.trust_all)
        refused = promise.refusal(given)
        facts = PackageFacts(
            platform=platform,
            outcome=Outcome.ANSWERED,
            location=location,
            size=stored.size,
            zh=stored.zh,
            h1_archive=given.h1_archive,
            h1_directory=given.h1_directory,
            promised=promise.kept(given),
            client_refusal=refused or stored_refusal(stored, self.address.type),
            detail=given.unhashable,
        )
        computed = archive_observations(
            stored.zh,
            stored.facts,
            source=source,
            platform=platform,
            location=location,
            computed_on=stored.computed_on,
            refused=refused,
        )
        content = stored_problems(stored, self.address.type, platform=platform, source=source)
        return _Checked(
            package=facts,
            given=given,
            observations=tuple(computed),
            problems=(*match_problems(archive, given, source), *content),
        )

    def source_answer(self) -> SourceAnswer:
        """What is known so far, packages in the order of their platforms."""
        known = self._packages.in_order
        listed = list_problems(self.archives, self.source.id)
        return SourceAnswer(
            source=self.source,
            outcome=Outcome.ANSWERED,
            observations=(*self._listed(), *(each for checked in known for each in checked.observations)),
            packages=tuple(checked.package for checked in known),
            platforms=self.platforms,
            problems=(*self.problems, *listed, *(each for checked in known for each in checked.problems)),
        )

    def _listed(self) -> Iterator[tuple[Hash, Observation]]:
        trusted = self._trust_earned
        for archive in self.archives:
            wrong = self._wrong(archive)
            for hash_ in archive.hashes:
                believed = trusted and hash_.scheme in PREFERRED_SCHEMES
                kind = ReportedByTrustedMirror if believed else ListedByMirror
                yield (
                    hash_,
                    kind(
                        source=self.source.id,
                        document=self.document,
                        platform=archive.platform,
                        refused=wrong.get(hash_, ""),
                    ),
                )

    def _wrong(self, archive: MirrorArchive) -> Mapping[Hash, str]:
        checked = None if archive.platform is None else self._packages.known.get(archive.platform)
        if checked is None or checked.given is None:
            return {}
        return wrongly_listed(archive, checked.given)

    @property
    def _trust_earned(self) -> bool:
        return self.trust_all and any(
            checked.package.promised and not checked.package.client_refusal for checked in self._packages.in_order
        )


def _given_out(stored: KnownPackage) -> GivenOut:
    return GivenOut(
        zh=stored.zh,
        h1_archive=None if stored.facts is None else stored.facts.h1_archive,
        h1_directory=None if stored.facts is None else stored.facts.h1_directory,
        unhashable=unhashable(stored),
    )
