"""`lockwarden registry backfill`: fills the hashes and sizes that a registry's metadata lacks, in three steps."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.cli.backfill_progress import backfill_progress
from lockwarden.cli.backfill_words import applied_lines, plan_lines, run_lines
from lockwarden.cli.cluster_options import cluster_place
from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.output import complain, out
from lockwarden.cli.surroundings import clock, environment, proxies
from lockwarden.core.engine.registries.applying import apply_journal
from lockwarden.core.engine.registries.journals import OpenJournal, clear_scratch, read_journals, refuse_tracked
from lockwarden.core.engine.registries.metadata_files import FoundMetadataFile, metadata_files, read_file
from lockwarden.core.engine.registries.running import BackfillProgress, RunBudget
from lockwarden.core.engine.registries.settings import WorkRuntime, WorkSettings
from lockwarden.core.http.politeness import HostLimits
from lockwarden.core.registry_metadata.journal_lines import JournalLine, State
from lockwarden.core.registry_metadata.model import read_metadata
from lockwarden.core.registry_metadata.plan import Counts, Plan, Planner
from lockwarden.core.registry_metadata.shards import read_shard
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.values.errors import InputError, MetadataError
from lockwarden.core.values.urls import host_from

STEPS: Final = ("plan", "run", "apply")
MODES: Final = ("minimal", "canonical")
DEFAULT_JOURNAL: Final = "lockwarden-backfill.jsonl"
_MOST_JOBS: Final = 64
_MOST_REQUESTS: Final = 30
"""The registry's own tools ask no more of a host at once."""
_MOST_STARTS: Final = 1000
_UNITS: Final = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "t": 1000**4}


class BackfillOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of the command line as they were written."""

    step: tuple[str, ...] = ()
    journal: tuple[str, ...] = ()
    dry_run: bool = False
    shard: str = "1/1"
    reopen: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    max_packages: int | None = None
    max_bytes: str | None = None
    max_seconds: float | None = None
    host_requests: int = HostLimits().running
    host_starts: float = HostLimits().starts
    jobs: int = WorkSettings(run_id="").jobs
    max_package_size: str | None = None
    mode: str = MODES[0]
    whole_versions: bool = False
    workers: int | None = None
    scheduler: str | None = None

    @property
    def journals(self) -> tuple[Path, ...]:
        """The first is the one that a run writes to."""
        return tuple(map(Path, self.journal)) or (Path(DEFAULT_JOURNAL),)

    @property
    def hosts(self) -> frozenset[str]:
        """Those that may be asked, in comparison form. Raises InputError."""
        return frozenset(map(host_from, self.host))

    @property
    def settings(self) -> WorkSettings:
        """How to work. Raises InputError."""
        if not 1 <= self.jobs <= _MOST_JOBS:
            raise InputError(f"--jobs: {self.jobs} is not a number from 1 to {_MOST_JOBS}", hint="the default is 16")
        most = WorkSettings(run_id="").max_package
        return WorkSettings(
            run_id=f"{clock():%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}",
            hosts=limits_of(self.host_requests, self.host_starts),
            allowed_hosts=self.hosts,
            jobs=self.jobs,
            max_package=most
            if self.max_package_size is None
            else read_size("--max-package-size", self.max_package_size),
        )


def limits_of(requests: int, starts: float) -> HostLimits:
    """What a host may be asked. Raises InputError."""
    if not 1 <= requests <= _MOST_REQUESTS or not 0 < starts <= _MOST_STARTS:
        raise InputError(
            f"--host-requests takes 1 to {_MOST_REQUESTS}, --host-starts up to {_MOST_STARTS:,}",
            hint="leave them out for 8 requests at once to a host, and 5 new ones a second",
        )
    return HostLimits(running=requests, starts=starts)


def backfill(folder: str, options: BackfillOptions) -> int:
    """Plan, run and apply, or the steps that were named; a summary of each goes to stdout.

    Raises InputError, also for a journal that is damaged or written by another run, SaveError for what cannot be
    written, ToolError where a cluster is wanted and not there.
    """
    steps = tuple(each for each in STEPS if not options.step or each in options.step)
    cluster_place(options.workers, options.scheduler)
    files = metadata_files(Path(folder))
    if not options.journal:
        refuse_tracked(Path(DEFAULT_JOURNAL), environment())
    journal = read_journals(options.journals)
    codes: list[ExitCode] = []
    if "plan" in steps or "run" in steps:
        plan, unreadable = _plan(files, journal, options)
        codes.append(code_for(unusable=bool(unreadable)))
        out(shown(plan_lines(plan)))
        if "run" in steps and not options.dry_run and plan.packages:
            codes.append(_run(plan, options))
            journal = read_journals(options.journals)
        elif "run" in steps and not options.dry_run:
            clear_scratch(options.journals[0])
    if "apply" in steps:
        applied = apply_journal(
            files,
            journal,
            every_target=options.mode == "canonical",
            whole_versions=options.whole_versions,
            dry_run=options.dry_run,
        )
        for error in applied.refused:
            complain(error.message, hint=error.hint)
        out(shown(applied_lines(applied, _counts(files), dry_run=options.dry_run)))
        codes.append(applied.exit_code)
    objections = [each for each in journal.values() if each.state.objects] if "run" in steps else []
    codes.append(code_for(objected=bool(objections)))
    return int(worst(codes))


def _plan(
    files: Iterable[FoundMetadataFile], journal: Mapping[str, JournalLine], options: BackfillOptions
) -> tuple[Plan, int]:
    planner = Planner(
        journal,
        reopened=_states(options.reopen),
        allowed_hosts=options.hosts,
        shard=read_shard(options.shard),
    )
    unreadable = 0
    for file in files:
        try:
            planner.add(file.provider, read_metadata(read_file(file.path), file.shown))
        except MetadataError as error:
            unreadable += 1
            complain(error.message, hint=error.hint)
    return planner.plan(), unreadable


def _states(words: Collection[str]) -> frozenset[State]:
    return frozenset(State(word) for word in words)


def _counts(files: Iterable[FoundMetadataFile]) -> Counts:
    counts = Counts()
    for file in files:
        try:
            counts.add(read_metadata(read_file(file.path), file.shown))
        except MetadataError:
            continue
    return counts


def _run(plan: Plan, options: BackfillOptions) -> ExitCode:
    settings = options.settings
    budget = RunBudget(
        packages=options.max_packages,
        bytes=None if options.max_bytes is None else read_size("--max-bytes", options.max_bytes),
        seconds=options.max_seconds,
    )
    progress = BackfillProgress(plan=plan, clock=time.monotonic, began=time.monotonic())
    with OpenJournal(options.journals[0]) as journal, journal.scratch() as scratch:
        runtime = WorkRuntime(
            environ=environment(),
            now=lambda: clock().timestamp(),
            worker=f"{os.uname().nodename}:{os.getpid()}",
            scratch=scratch,
            proxies=proxies,
        )
        if journal.dropped:
            complain(
                f"{journal.path} ended in the middle of a line, which was dropped; its package is done again",
                prefix="lockwarden: note: ",
            )
        try:
            with backfill_progress() as report:
                run_to_end(_worked(settings, runtime, options, progress, journal, budget, report))
        finally:
            out(shown(run_lines(progress)))
    return progress.exit_code


async def _worked(
    settings: WorkSettings,
    place: WorkRuntime,
    options: BackfillOptions,
    progress: BackfillProgress,
    journal: OpenJournal,
    budget: RunBudget,
    report: Callable[[BackfillProgress], None],
) -> None:
    from lockwarden.core.engine.registries.pipeline import opened_pipeline
    from lockwarden.core.engine.registries.running import run_backfill

    cluster = cluster_place(options.workers, options.scheduler)
    if cluster is None:
        async with opened_pipeline(settings, place) as engine:
            await run_backfill(engine, progress, journal, budget, report)
        return
    from lockwarden.cli.cluster_work import TASKS
    from lockwarden.core.engine.registries.cluster_opening import opened_cluster

    async with opened_cluster(settings, TASKS, replace(cluster, scratch=place.scratch)) as engine:
        await run_backfill(engine, progress, journal, budget, report)


def read_size(option: str, text: str) -> int:
    """Bytes, as `500000`, `500k`, `20M`, `1.5G` or with a B behind. Raises InputError."""
    word = text.strip().lower().removesuffix("b")
    unit = word[-1:] if word[-1:] in _UNITS else ""
    try:
        size = int(float(word.removesuffix(unit)) * _UNITS[unit])
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise InputError(f"{option}: “{text}” is not a size", hint="such as 500MB or 20GB")
    return size
