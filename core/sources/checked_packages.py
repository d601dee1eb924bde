"""The packages of one release at one source: each is looked at once, and whoever watches is told when it was."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Generic, Protocol, TypeVar

from msgspec import Struct

from lockwarden.core.evidence.events import PackageChecked, PackageProgress, Report
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts
from lockwarden.core.sources.once import Once
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version


class Checked(Protocol):
    """What looking at one package gave; failures are part of it."""

    @property
    def package(self) -> PackageFacts:
        """The package itself."""
        ...


_Checked = TypeVar("_Checked", bound=Checked)


class CheckedPackages(Generic[_Checked]):
    """What is known so far of the packages that were looked at."""

    def __init__(self, reports: PackageReports, look: Callable[[Platform], Awaitable[_Checked]]) -> None:
        self._reports = reports
        self._look = look
        self._known: dict[Platform, _Checked] = {}
        self._once: Once[Platform, _Checked] = Once()

    async def check(self, platform: Platform) -> None:
        """Look at the package of one platform; asking twice does it once."""
        await self._once.get(platform, lambda: self._check(platform))

    async def _check(self, platform: Platform) -> _Checked:
        checked = await self._look(platform)
        self._known[platform] = checked
        self._reports.checked(checked.package)
        return checked

    @property
    def known(self) -> Mapping[Platform, _Checked]:
        """What each platform gave, in the order in which they were done."""
        return MappingProxyType(self._known)

    @property
    def in_order(self) -> tuple[_Checked, ...]:
        """What each platform gave, in the order of the platforms, so that the same audit says the same."""
        return tuple(self._known[platform] for platform in sorted(self._known))

    def missing(self, platform: Platform) -> PackageFacts:
        """The package of a platform that the source has none for."""
        release = f"{self._reports.address} {self._reports.version}"
        detail = f"{self._reports.source} does not have a package of {release} available for {platform}"
        return PackageFacts(platform=platform, outcome=Outcome.NOT_THERE, detail=detail)


class PackageReports(Struct, frozen=True, kw_only=True):
    """The release that is told of, at one source, and whom it is told."""

    address: ProviderAddress
    version: Version
    source: str
    report: Report

    def progress(self, platform: Platform, received: int, total: int | None = None) -> None:
        """So many bytes of a package are here, of so many in all where that is known."""
        self.report(
            PackageProgress(
                address=self.address,
                version=self.version,
                source=self.source,
                platform=platform,
                received=received,
                total=total,
            )
        )

    def checked(self, facts: PackageFacts) -> None:
        """A package was looked at."""
        self.report(
            PackageChecked(
                address=self.address,
                version=self.version,
                source=self.source,
                platform=facts.platform,
                outcome=_word(facts),
            )
        )


def _word(facts: PackageFacts) -> str:
    if facts.outcome is not Outcome.ANSWERED:
        return facts.outcome.value
    return "refused" if facts.client_refusal else "hashed" if facts.h1s else "not hashed"
