"""`lockwarden compare-registries`: locked versions at two origin registries, and what of a lock file holds at both."""

from __future__ import annotations

from collections.abc import Sequence

from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.output import complain_of, out, tell_left_out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.cli.progress_lines import progress
from lockwarden.core import __version__
from lockwarden.core.engine.lock_files import Loaded, load, problems_of, search, within_limits
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.engine.registry_comparing import compare_files, registries_from
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.registry_comparison import ComparedFile


def compare_registries(
    paths: tuple[str, ...], given: GivenOptions, *, hosts: Sequence[str], form: str, recursive: bool = False
) -> int:
    """Compare, write the report to stdout, and return the exit code. Raises InputError for hosts that are none."""
    options = options_here(given, paths, recursive=recursive)
    registries = registries_from(hosts)
    runtime = process_runtime(options, paths, recursive=recursive)
    found = search(paths, finder_for(options, runtime), None, recursive=recursive)
    tell_left_out(found.left_out)
    loaded = [
        load(each, runtime.second_reader)
        if isinstance(each, str)
        else Loaded(path=each.path, lock_file=None, problems=problems_of(each))
        for each in found.in_sight
    ]
    complain_of(loaded)
    within_limits(loaded)
    with progress() as report:
        readable = [each.lock_file for each in loaded if each.lock_file is not None]
        compared = run_to_end(compare_files(readable, registries, options, runtime, report))
    unread = code_for(unusable=any(each.lock_file is None for each in loaded))
    code = worst((unread, *(each.exit_code for each in compared)))
    out(_in_form(loaded, compared, code, form))
    return int(code)


def _in_form(loaded: Sequence[Loaded], compared: Sequence[ComparedFile], code: ExitCode, form: str) -> str:
    if form == "json":
        from lockwarden.core.reports.json_registries import ComparedFileJson, json_registries

        unread = [
            ComparedFileJson.of(ComparedFile(path=each.path, comparisons=(), passed_over=()), each.problems)
            for each in loaded
            if each.lock_file is None
        ]
        return json_registries((*map(ComparedFileJson.of, compared), *unread), code, version=__version__)
    if form == "markdown":
        from lockwarden.core.reports.markdown_registries import markdown_registries

        return markdown_registries(compared)
    from lockwarden.core.reports.registry_lines import registry_lines

    return shown(registry_lines(compared))
