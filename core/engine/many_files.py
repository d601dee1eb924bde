"""From lock files to their reviews: audits each release once, however many files hold it, and judges every file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice, ReleasePlan
from lockwarden.core.engine.audit_runner import AuditRunner, audit_runner
from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec, name_sources
from lockwarden.core.engine.wanted_platforms import policy_choice, wanted_platforms
from lockwarden.core.evidence.events import Report, ignore
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.review.judging import Judging
from lockwarden.core.review.of_other_providers import with_other_providers
from lockwarden.core.review.recorded_evidence import HOW_TO_VOUCH
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

LockedRelease = tuple[ProviderAddress, Version]
"""What is audited once, however many lock files hold it."""


async def audit_files(loaded: Sequence[Loaded], options: AuditOptions, runtime: Runtime, report: Report) -> RunResult:
    """Audit all files that could be read. Raises ToolError when a program is missing that the sources need."""
    by_settings: defaultdict[ClientSettings, list[Loaded]] = defaultdict(list)
    for each in loaded:
        if each.lock_file is not None:
            by_settings[runtime.settings_of(each.lock_file)].append(each)
    results: dict[str, FileResult] = {}
    specs = runtime.sources_for(options)
    unread = (FileResult(path=each.path, problems=each.problems) for each in loaded)
    used = runtime.used_configuration(options)
    evidence = None if runtime.evidence is None else runtime.evidence.recorded
    if not by_settings:
        return RunResult(sources=name_sources(specs), files=tuple(unread), configuration=used, evidence=evidence)
    async with audit_runner(options, runtime, report) as runner:
        for settings, files in by_settings.items():
            pairs = [(each.lock_file, each.standards) for each in files if each.lock_file is not None]
            choice = policy_choice(options.platforms, (standards for _, standards in pairs))
            made = by_release(await runner.audit(releases_of(pairs), specs=specs, platforms=choice, settings=settings))
            judging = Judging(settings)
            earlier = await earlier_audits(runner, pairs, specs=specs, settings=settings)
            for each, (lock_file, standards) in zip(files, pairs, strict=True):
                own = policy_choice(options.platforms, [standards])
                review = reviewed(lock_file, made, settings, own, standards.with_audits(earlier), judging=judging)
                problems = (*each.problems, *_about(review))
                results[each.path] = FileResult(path=each.path, review=review, problems=problems)
    told = _with_other_providers(results.get(each.path, each) for each in unread)
    evidence = _as_judged(evidence, (each.review for each in told if each.review is not None))
    return RunResult(sources=name_sources(specs), files=told, configuration=used, evidence=evidence)


def _with_other_providers(files: Iterable[FileResult]) -> tuple[FileResult, ...]:
    given = tuple(files)
    told = iter(with_other_providers(each.review for each in given if each.review is not None))
    return tuple(each if each.review is None else replace(each, review=next(told)) for each in given)


def _about(review: Review) -> tuple[FileProblem, ...]:
    """That nobody vouches for the evidence that answered."""
    recorded = next((each for each in _evidence_of(review) if not each.vouched), None)
    if recorded is None:
        return ()
    message = f"of what the evidence says, only good signatures of keys that the policy pins count: {recorded.doubt}"
    code = ProblemCode.EVIDENCE_UNSIGNED
    return (FileProblem(code=code, severity=Severity.WARNING, message=message, hint=HOW_TO_VOUCH),)


def _evidence_of(*reviews: Review) -> tuple[RecordedEvidence, ...]:
    """On what each provider's audit rests, as it is under the policy."""
    audits = (provider.audit for review in reviews for provider in review.providers)
    return tuple(audit.recorded for audit in audits if audit is not None and audit.recorded is not None)


def _as_judged(evidence: RecordedEvidence | None, reviews: Iterable[Review]) -> RecordedEvidence | None:
    """The evidence of a run: who vouches for it under the policy, where somebody does for every provider."""
    judged = _evidence_of(*reviews)
    return judged[0] if judged and all(each.vouched for each in judged) else evidence


def by_release(audits: Iterable[Audit]) -> dict[LockedRelease, Audit]:
    """Audits by what they are of."""
    return {(audit.address, audit.version): audit for audit in audits}


async def earlier_audits(
    runner: AuditRunner,
    pairs: Iterable[tuple[LockFile, Standards]],
    *,
    specs: Sequence[SourceSpec],
    settings: ClientSettings,
) -> tuple[Audit, ...]:
    """Audits of the versions that were locked before, as far as another is locked now: their documents, no package."""
    releases = {
        (before.address, before.version): ReleasePlan(
            address=before.address, version=before.version, locked=frozenset()
        )
        for lock_file, standards in pairs
        for side in standards.sides
        for entry in lock_file.providers
        if (before := side.entry(entry.address)) is not None and before.version != entry.version
    }
    if not releases:
        return ()
    nothing = PlatformChoice(wanted=frozenset())
    return await runner.audit(
        tuple(releases.values()), specs=specs, platforms=nothing, settings=settings, report=ignore
    )


def releases_of(pairs: Iterable[tuple[LockFile, Standards]]) -> tuple[ReleasePlan, ...]:
    """Every provider version of some lock files once, with all the hashes that should be explained.

    Those are the hashes that any of the files locks for it, and those that a change took out.
    """
    locked: dict[LockedRelease, frozenset[Hash]] = {}
    for lock_file, standards in pairs:
        for entry in lock_file.entries:
            release = (entry.address, entry.version)
            known = locked.get(release, frozenset())
            locked[release] = known | entry.hash_set | standards.removed(entry)
    return tuple(
        ReleasePlan(address=address, version=version, locked=hashes) for (address, version), hashes in locked.items()
    )


def reviewed(
    lock_file: LockFile,
    audits: Mapping[LockedRelease, Audit],
    settings: ClientSettings,
    choice: PlatformChoice,
    standards: Standards = NO_STANDARDS,
    *,
    judging: Judging | None = None,
) -> Review:
    """The review of one lock file whose releases have all been audited; `judging` is shared by those of one run."""
    judged = judging or Judging(settings)
    made = ((entry, audits[entry.address, entry.version]) for entry in lock_file.entries)
    providers = tuple(
        judged.review(entry, audit, platforms=wanted_platforms(choice, audit), standards=standards)
        for entry, audit in made
    )
    return Review(
        lock_file=lock_file, settings=settings, platforms=choice.wanted, providers=providers, standards=standards
    )


def audits_of(*reviews: Review) -> dict[LockedRelease, Audit]:
    """Every audit of some reviews once, in the order of their lock files."""
    audits = (provider.audit for review in reviews for provider in review.providers)
    return by_release(audit for audit in audits if audit is not None)
