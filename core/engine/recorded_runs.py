"""Runs an audit that is answered from recorded evidence: planned as it was then, and marked as what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from lockwarden.core.engine.audit import AuditPlan, ReleasePlan, run_audit
from lockwarden.core.engine.configured_sources import not_served
from lockwarden.core.evidence.events import AuditEvent, ProviderAudited, Report
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.recorded_evidence import as_recorded

if TYPE_CHECKING:
    from lockwarden.core.bundles.replaying import Served


def as_planned(release: ReleasePlan, served: Served | None) -> ReleasePlan:
    """The release with the sources that served it then; one that was not looked at is asked for at all of them."""
    if served is None:
        return release
    problems = release.problems if served.sources else (*release.problems, not_served(release.address))
    return replace(release, sources=served.sources, chain=served.chain, problems=problems)


async def run_recorded(plan: AuditPlan, report: Report, recorded: RecordedEvidence) -> tuple[Audit, ...]:
    """As `run_audit` does; every audit says on which evidence it rests."""

    def marked(event: AuditEvent) -> None:
        if isinstance(event, ProviderAudited):
            event = replace(event, audit=as_recorded(event.audit, recorded))
        report(event)

    audits = await run_audit(plan, marked)
    return tuple(as_recorded(each, recorded) for each in audits)
