"""`lockwarden organisation`: what many repositories lock, as one report."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.cluster_options import audit_workers, cluster_place
from lockwarden.cli.option_declarations import ORGANISATION_REPORTS
from lockwarden.cli.output import complain, out
from lockwarden.cli.process_runtime import process_runtime
from lockwarden.cli.report_files import report_file
from lockwarden.core import __version__
from lockwarden.core.engine.options import AuditOptions, GivenOptions, read_options
from lockwarden.core.engine.organisation.committed_lock_files import HEAD, LockFileReader, StateReader
from lockwarden.core.engine.organisation.committed_standards import OrganisationPolicy
from lockwarden.core.engine.organisation.places import places_of
from lockwarden.core.engine.organisation.run import put_together, read_all, ready, to_audit
from lockwarden.core.engine.policy_files import FoundPolicy, named_from, named_policy, not_there, read_named
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.seen_releases import SeenReleases
from lockwarden.core.reports.organisation.rows import OrganisationTables
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.platforms import current_platform
from lockwarden.core.values.severity import Severity


def organisation(
    words: Sequence[str],
    given: GivenOptions,
    *,
    form: str,
    reports: tuple[str, ...] = (),
    clones: str | None = None,
    standards_at: str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
) -> int:
    """Audit what the repositories lock, write the report to stdout and return the exit code.

    Raises InputError for options, for lists, and for the organisation's policy where it cannot be used; ToolError where
    a cluster is wanted and not there; SaveError for a report's file.
    """
    cluster = cluster_place(workers, scheduler)
    directory = Path.cwd()
    options = read_options(given, directory=directory, current=current_platform())
    wanted = tuple(report_file(each, ORGANISATION_REPORTS) for each in reports)
    trusted = standards_at or HEAD
    places = places_of(words, directory=directory, clones=None if clones is None else directory / clones)
    # Whatever lies in a working tree under review configures nothing here, as with a base.
    folders = [str(each.folder) for each in places if each.folder is not None]
    runtime = process_runtime(replace(options, base=trusted), folders)
    runtime = replace(runtime, workers=audit_workers(cluster, options.jobs))
    policy = OrganisationPolicy(_policy(options, runtime, directory))
    now = runtime.now()
    reader = StateReader(
        environ=runtime.environ,
        files=LockFileReader(runtime.second_reader, options.client),
        policy=policy,
        now=now.astimezone(UTC),
        standards_at=trusted,
    )
    today = now.astimezone(UTC).date()
    states = ready(read_all(places, reader), today=today, seen=SeenReleases.of_run(options, runtime))
    for state in states:
        for problem in state.problems:
            if problem.severity is Severity.ERROR:
                complain(problem.message, hint=problem.hint, prefix=f"{state.place.name}: error: ")
    run = run_audits(to_audit(states), options, runtime)
    result = put_together(states, run, policy_files=policy.files, standards_at=trusted)
    tables = OrganisationTables(result=result)
    out(in_form(tables, form, made=now))
    for each in wanted:
        each.write(in_form(tables, each.form, made=now))
    return int(result.exit_code)


def in_form(tables: OrganisationTables, form: str, *, made: datetime | None = None) -> str:
    """The report in one of the forms; only the one that is asked for is imported."""
    match form:
        case "json":
            from lockwarden.core.reports.organisation.json_report import json_organisation

            return json_organisation(tables, version=__version__)
        case "markdown":
            from lockwarden.core.reports.organisation.markdown import markdown_organisation

            return markdown_organisation(tables)
        case "html":
            from lockwarden.core.reports.organisation.html_page import html_organisation

            style, script = (_asset(each) for each in ("organisation.css", "organisation.js"))
            return html_organisation(tables, style=style, script=script, version=__version__, made=made)
        case _:
            from lockwarden.core.reports.organisation.text import text_organisation

            return text_organisation(tables)


def _asset(name: str) -> str:
    """A file of the page, such as its style, that is installed with the program."""
    return (resources.files("lockwarden.cli") / name).read_text("utf-8")


def _policy(options: AuditOptions, runtime: Runtime, directory: Path) -> FoundPolicy | None:
    """The organisation's policy, which the operator names. Raises PolicyError and InputError."""
    named = named_policy(options.policy, runtime.environ)
    if named is None:
        return None
    text, chosen_by = named
    path = named_from(directory, text)
    if runtime.reach.entered(path, directory) is not None:
        raise InputError(
            f"{chosen_by}: {text} lies in the working tree of a repository that is looked at, and others may change it",
            hint="keep the organisation's policy outside of the clones",
        )
    found = read_named(path, text, chosen_by, in_reach=False)
    if found is None:
        raise not_there(text, chosen_by)
    return found
