"""`lockwarden registry audit`: the metadata of a registry against its own rules, and a sample against packages."""

from __future__ import annotations

import os
import secrets
from contextlib import AsyncExitStack
from pathlib import Path

from msgspec import Struct

from lockwarden.cli.check import in_form
from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.option_declarations import REPORTS
from lockwarden.cli.output import out
from lockwarden.cli.registry import limits_of
from lockwarden.cli.report_files import report_file
from lockwarden.cli.surroundings import clock, environment, proxies
from lockwarden.core.engine.registries.auditing import MetadataAudit, packages_of
from lockwarden.core.engine.registries.fetched_metadata import fetched_metadata, is_url
from lockwarden.core.engine.registries.settings import WorkRuntime, WorkSettings
from lockwarden.core.registry_metadata.journal_lines import JournalLine
from lockwarden.core.registry_metadata.sampling import Sampler
from lockwarden.core.reports.result import RunResult
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.values.errors import ToolError


class MetadataAuditOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of the command line as they were written."""

    form: str = "text"
    reports: tuple[str, ...] = ()
    sample: int | None = None
    seed: str | None = None
    host_requests: int = 8
    host_starts: float = 5.0


def audit(place: str, options: MetadataAuditOptions) -> int:
    """Audit metadata, write the report to stdout and return the exit code. Raises InputError, SaveError."""
    wanted = tuple(report_file(each, REPORTS) for each in options.reports)
    settings = WorkSettings(run_id="audit", hosts=limits_of(options.host_requests, options.host_starts))
    result = run_to_end(_audited(place, options, settings))
    out(in_form(result, options.form, verbose=False))
    for each in wanted:
        each.write(in_form(result, each.form, verbose=False))
    return int(result.exit_code)


async def _audited(place: str, options: MetadataAuditOptions, settings: WorkSettings) -> RunResult:
    surroundings = WorkRuntime(
        environ=environment(),
        now=lambda: clock().timestamp(),
        worker=f"{os.uname().nodename}:{os.getpid()}",
        proxies=proxies,
    )
    seed = secrets.token_hex(4) if options.seed is None else options.seed
    sampler = None if options.sample is None else Sampler(options.sample, seed)
    async with AsyncExitStack() as stack:
        folder = Path(place)
        if is_url(place):
            folder = await stack.enter_async_context(fetched_metadata(place, settings, surroundings))
        audit = MetadataAudit(folder, shown=place, now=clock(), sampler=sampler)
        audit.check(_verifier())
        if sampler is not None:
            await _sampled(audit, sampler, seed, settings, surroundings)
    return audit.result()


async def _sampled(
    audit: MetadataAudit, sampler: Sampler, seed: str, settings: WorkSettings, place: WorkRuntime
) -> None:
    from lockwarden.core.engine.registries.pipeline import opened_pipeline

    sample = sampler.drawn()
    lines: dict[str, JournalLine] = {}
    async with opened_pipeline(settings, place) as pipeline:
        await pipeline.run(packages_of(sample), lambda line: lines.update({line.key: line}))
    audit.add_sample(sample, lines, seed)


def _verifier() -> SignatureVerifier | None:
    try:
        return SignatureVerifier(find_gpg(environment()), clock=clock, lax_armor=True)
    except ToolError:
        return None
