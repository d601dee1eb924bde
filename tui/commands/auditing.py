"""From lock files to their reviews: audits each release once, however many files hold it, and judges every file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lockwarden.core.addresses import ProviderAddress
from lockwarden.core.audit import PlatformChoice, ReleasePlan
from lockwarden.core.clients import ClientSettings
from lockwarden.core.events import Report
from lockwarden.core.findings import Audit
from lockwarden.core.hashes import Hash
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.platforms import Platform
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.review.review import Review
from lockwarden.core.sources.choose import name_sources
from lockwarden.core.versions import Version
from lockwarden.tui.commands.interruption import run_to_end
from lockwarden.tui.commands.lock_files import Loaded
from lockwarden.tui.commands.options import AuditOptions
from lockwarden.tui.progress_lines import progress
from lockwarden.tui.wiring import Place, audit_runner

Release = tuple[ProviderAddress, Version]
"""What is audited once, however many lock files hold it."""


def run_audits(loaded: Sequence[Loaded], options: AuditOptions, place: Place) -> RunResult:
    """Audit all files that could be read, with progress on stderr when that is a terminal. Blocks until it is done.

    Raises ToolError when a program is missing that the sources need.
    """
    with progress() as report:
        return run_to_end(_run(loaded, options, place, report))


async def _run(loaded: Sequence[Loaded], options: AuditOptions, place: Place, report: Report) -> RunResult:
    by_settings: defaultdict[ClientSettings, list[LockFile]] = defaultdict(list)
    for each in loaded:
        if each.lock_file is not None:
            by_settings[place.settings_of(each.lock_file)].append(each.lock_file)
    audits: dict[ClientSettings, Mapping[Release, Audit]] = {}
    specs = place.sources_for(options)
    async with audit_runner(options, place, report) as runner:
        for settings, lock_files in by_settings.items():
            made = await runner.audit(
                releases_of(lock_files), specs=specs, platforms=options.platforms, settings=settings
            )
            audits[settings] = {(audit.address, audit.version): audit for audit in made}

    def result(each: Loaded) -> FileResult:
        if each.lock_file is None:
            return FileResult(path=each.path, problems=each.problems)
        settings = place.settings_of(each.lock_file)
        review = reviewed(each.lock_file, audits[settings], settings, options.platforms)
        return FileResult(path=each.path, review=review, problems=each.problems)

    return RunResult(sources=name_sources(specs), files=tuple(result(each) for each in loaded))


def releases_of(lock_files: Iterable[LockFile]) -> tuple[ReleasePlan, ...]:
    """Every provider version of some lock files once, with all the hashes that any of them locks for it."""
    locked: dict[Release, frozenset[Hash]] = {}
    for lock_file in lock_files:
        for entry in lock_file.providers:
            release = (entry.address, entry.version)
            locked[release] = locked.get(release, frozenset()) | entry.hash_set
    return tuple(
        ReleasePlan(address=address, version=version, locked=hashes) for (address, version), hashes in locked.items()
    )


def reviewed(
    lock_file: LockFile, audits: Mapping[Release, Audit], settings: ClientSettings, choice: PlatformChoice
) -> Review:
    """The review of one lock file whose releases have all been audited."""
    review = Review.start(lock_file, settings=settings, platforms=choice.wanted)
    for entry in lock_file.providers:
        audit = audits[entry.address, entry.version]
        wide = replace(review, platforms=wanted_platforms(choice, audit)).with_audit(audit)
        review = replace(wide, platforms=review.platforms)
    return review


def wanted_platforms(choice: PlatformChoice, audit: Audit) -> frozenset[Platform]:
    """The platforms whose hashes the lock file should hold: those that were named, or every one that was looked at."""
    if not choice.every:
        return choice.wanted
    return choice.wanted | {package.platform for finding in audit.findings for package in finding.packages}


def audits_of(*reviews: Review) -> dict[Release, Audit]:
    """Every audit of some reviews once, in the order of their lock files."""
    audits = (provider.audit for review in reviews for provider in review.providers)
    return {(audit.address, audit.version): audit for audit in audits if audit is not None}
