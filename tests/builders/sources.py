"""A source for tests that answers from values; it fills the same port as the real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from builders.audits import h1, zh
from lockwarden.core.evidence.events import PackageChecked, Report
from lockwarden.core.evidence.observations import Basis, ComputedLocally
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, SourceAnswer, SourceRef
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version


@dataclass
class ScriptedRelease:
    """One release of a scripted source; packages hash to `h1(SEED)` and `zh(SEED)`."""

    source: ScriptedSource
    address: ProviderAddress
    version: Version
    report: Report
    packages: dict[Platform, PackageFacts] = field(default_factory=dict)

    @property
    def platforms(self) -> frozenset[Platform] | None:
        return frozenset(self.source.seeds) if self.source.outcome is Outcome.ANSWERED else None

    @property
    def claimed(self) -> Mapping[Platform, frozenset[Hash]]:
        return self.source.claims

    async def check(self, platform: Platform) -> None:
        self.source.checked.append(platform)
        if self.source.stall is not None:
            self.source.stalled.set()
            await self.source.stall.wait()
        seed = self.source.seeds.get(platform)
        if seed is None:
            self.packages[platform] = PackageFacts(platform=platform, outcome=Outcome.NOT_THERE)
            return
        self.packages[platform] = PackageFacts(
            platform=platform, outcome=Outcome.ANSWERED, zh=zh(seed), h1_archive=h1(seed), h1_directory=h1(seed)
        )
        self.report(
            PackageChecked(
                address=self.address,
                version=self.version,
                source=self.source.ref.id,
                platform=platform,
                outcome="hashed",
            )
        )

    def source_answer(self) -> SourceAnswer:
        observations = tuple(
            (
                hash_,
                ComputedLocally(
                    source=self.source.ref.id,
                    platform=platform,
                    basis=Basis.ARCHIVE,
                    location="",
                    package_zh=facts.zh,
                ),
            )
            for platform, facts in self.packages.items()
            for hash_ in sorted(facts.hashes)
        )
        return SourceAnswer(
            source=self.source.ref,
            outcome=self.source.outcome,
            detail=self.source.detail,
            observations=observations,
            packages=tuple(self.packages.values()),
            platforms=self.platforms,
        )


@dataclass
class ScriptedSource:
    """A source whose packages are told by a seed for each platform; it remembers which were checked."""

    ref: SourceRef
    seeds: Mapping[Platform, str] = field(default_factory=dict)
    claims: Mapping[Platform, frozenset[Hash]] = field(default_factory=dict)
    outcome: Outcome = Outcome.ANSWERED
    detail: str = ""
    checked: list[Platform] = field(default_factory=list)
    stall: asyncio.Event | None = None
    stalled: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(
        self, address: ProviderAddress, version: Version, *, platforms: Sequence[Platform], report: Report
    ) -> ScriptedRelease:
        return ScriptedRelease(self, address, version, report)
