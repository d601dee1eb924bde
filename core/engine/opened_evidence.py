"""An evidence bundle that was opened: what an audit over it is, and what answers in everybody's place.

The audit is planned as it was then, and marked as what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.bundles.folders import RecordedFolder
from lockwarden.core.bundles.model import FolderRecord, lock_file_digest
from lockwarden.core.bundles.replaying import Replayer
from lockwarden.core.engine.audit import AuditPlan, PlatformChoice, ReleasePlan, run_audit
from lockwarden.core.engine.configured_sources import not_served
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import AuditEvent, ProviderAudited, Report
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.evidence.source_answers import Audit, SourceRef
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.review.recorded_evidence import as_recorded
from lockwarden.core.sources.local.reading import FolderReading
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.oci_references import OciRepository

if TYPE_CHECKING:
    from lockwarden.core.bundles.replaying import Served


class OpenedEvidence(Struct, frozen=True, kw_only=True):
    """A bundle that was read, and what is known of who vouches for it."""

    name: str
    replayer: Replayer
    recorded: RecordedEvidence

    def hold(self, lock_files: Iterable[LockFile]) -> None:
        """Raise InputError for a lock file that the bundle was not made for, by its SHA-256.

        Its answers may lack what that file needs, and silence would look like an answer.
        """
        for each in lock_files:
            if lock_file_digest(each.data) not in self.replayer.lock_files:
                raise InputError(
                    f"the evidence in {self.name} was made for another lock file than {each.path}, and proves nothing"
                    " of this one",
                    hint="a lock file that has changed needs evidence of its own: make it with “lockwarden bundle”",
                )

    def options(self, options: AuditOptions, *, platforms_named: bool) -> AuditOptions:
        """The options of a run over it: what the audit was that it was made of, but for platforms that are named.

        So neither the sources nor the platforms are those of the user's settings.
        """
        plan = self.replayer.plan
        choice = PlatformChoice(wanted=plan.platforms, explain=plan.explain, every=plan.every)
        return replace(
            options,
            sources=tuple(SourceSpec(kind=each.kind, location=each.location, id=each.id) for each in plan.sources),
            platforms=options.platforms if platforms_named else choice,
            settings=None,
            offline=False,
            keep_cache=False,
        )

    @property
    def note(self) -> str:
        """What a run over it says of that, in a sentence without a full stop."""
        told = f"{self.name} is evidence recorded on {self.recorded.when}"
        return told if self.recorded.vouched else f"{told}; {self.recorded.doubt}"

    def names(self, ref: SourceRef) -> RecordedNames:
        """How an OCI mirror led from providers to their repositories."""
        return RecordedNames(ref.location.removeprefix("oci://"), self.replayer.plan.repositories[ref.id])

    def folder(self, ref: SourceRef) -> FolderReading:
        """What a folder held."""
        told = self.replayer.folders.get(ref.id)
        return told or RecordedFolder(FolderRecord(source=ref.id, searches=[]))


class RecordedNames(Struct, frozen=True):
    """Leads from a provider to its repository as a bundle has it."""

    text: str
    repositories: Mapping[ProviderAddress, OciRepository]

    def expand(self, address: ProviderAddress) -> OciRepository:
        """The repository of a provider. Raises InputError where the bundle has none."""
        if address not in self.repositories:
            raise InputError("it is not in the evidence")
        return self.repositories[address]


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
