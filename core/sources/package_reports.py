"""Tells how far the packages of one release are, and how each went, in the same words for every kind of source."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.evidence.events import PackageChecked, PackageProgress, Report
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version


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
