"""Coverage in the JSON report: what a client would meet on each platform."""

from __future__ import annotations

from typing import Annotated, Self

from msgspec import Meta, Struct

from lockwarden.core.coverage.chain import ChainVerdict
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome, Installability
from lockwarden.core.reports.json_values import SourceId, hash_json

Installed = Annotated[CoverageOutcome, Meta(extra_json_schema={"enum": ["accepted", "refused", "accepts anything"]})]


class CoverageJson(Struct, frozen=True, kw_only=True):
    """Whether a first install on a platform, from this source alone, would succeed."""

    platform: str
    source: SourceId
    outcome: CoverageOutcome
    """How `init` ends, with or without -lockfile=readonly; only what was looked at is accepted."""
    runtime: Installed | None
    """What `plan` and the like say of the package while the lock file stays as it is."""
    expected: Installed | None
    """For a package that was not looked at: the outcome if it is what the source promises."""
    completing_h1: str | None
    """The h1 that an `init` which may write adds to the entry, so that runs succeed afterwards."""
    reason: str
    remedy: str
    """Empty where there is nothing to do."""

    @classmethod
    def of(cls, coverage: Coverage) -> Self:
        """One platform and one source."""
        return cls(
            platform=str(coverage.platform),
            source=coverage.source,
            outcome=coverage.outcome,
            runtime=coverage.runtime,
            expected=coverage.expected,
            completing_h1=hash_json(coverage.completing_h1),
            reason=coverage.reason,
            remedy=coverage.remedy,
        )


class ChainJson(Struct, frozen=True, kw_only=True):
    """What a first `init` on a platform meets that goes through the installation methods in their order."""

    platform: str
    source: str | None
    """The id of the method that decides; null where none does."""
    standing: Installability
    outcome: str
    """The outcome in words."""
    reason: str
    remedy: str
    """Empty where there is nothing to do."""

    @classmethod
    def of(cls, verdict: ChainVerdict) -> Self:
        """One platform with all configured methods."""
        return cls(
            platform=str(verdict.platform),
            source=verdict.source or None,
            standing=verdict.standing,
            outcome=verdict.word,
            reason=verdict.reason,
            remedy=verdict.remedy,
        )
