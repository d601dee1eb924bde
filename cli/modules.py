"""`lockwarden modules`: every module call of configurations, with what it is and how far it pins.

It asks servers only with `--resolve`: what each source means today.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from lockwarden.cli.audits import run_watched
from lockwarden.cli.output import complain, out, show
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.cli.surroundings import clock, environment
from lockwarden.core.engine.module_comparing import compare_copies
from lockwarden.core.engine.module_diffing import diff_packages
from lockwarden.core.engine.module_listing import list_modules
from lockwarden.core.engine.module_locks import compared, find_lock_in, lock_modules
from lockwarden.core.engine.module_resolving import resolve_modules
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.modules.listing import ModuleListing
from lockwarden.core.modules.module_lock import ModuleLock
from lockwarden.core.reports.json_modules import modules_json
from lockwarden.core.reports.module_report import module_lines
from lockwarden.core.reports.package_diff_lines import diff_lines
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.module_findings import exit_code_of
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.source_redaction import redacted_source


def modules(
    paths: tuple[str, ...],
    given: GivenOptions,
    *,
    form: str,
    resolve: bool,
    lock: bool,
    compare: bool = False,
    diff: bool = False,
) -> int:
    """Print the calls and return the exit code; what cannot be read is told on stderr.

    Raises InputError, also for a module lock that cannot be read, and what saving one raises.
    """
    options = options_here(given, paths)
    if lock and options.base:
        raise InputError("--lock and --base exclude each other", hint="what is locked is what lies here")
    listings = list_modules(paths, environment())
    asks = resolve or lock or compare or diff
    runtime = process_runtime(options, paths) if asks or options.base else None
    if asks and runtime is not None:
        listings = run_watched(partial(resolve_modules, listings, options), runtime)
    finder = _finder_of_files() if runtime is None else finder_for(options, runtime)
    if lock:
        _lock(listings, finder)
    listings = tuple(held(each, options.base, finder) for each in listings)
    if compare and runtime is not None:
        listings = run_watched(partial(compare_copies, listings, options), runtime)
    diffs = run_watched(partial(diff_packages, listings, options), runtime) if diff and runtime is not None else None
    complain_of_problems(listings)
    code = exit_code_of(listings)
    told = [*module_lines(listings), *diff_lines(diffs)]
    if form == "json":
        out(modules_json(listings, code, diffs=diffs))
    else:
        show(shown(told))
    return int(code)


def _finder_of_files() -> StandardsFinder:
    """What finds module locks where nothing is asked, and there is no base."""
    return StandardsFinder(environ=environment(), directory=Path.cwd(), now=clock, second_reader=SecondReader())


def complain_of_problems(listings: Iterable[ModuleListing]) -> None:
    """Tell on stderr what could not be read."""
    for problem in (each for listing in listings for each in listing.problems):
        place = f"{problem.path}:{problem.line}" if problem.line else problem.path
        complain(problem.message, prefix=f"{place}: error: ")


def _lock(listings: Sequence[ModuleListing], finder: StandardsFinder) -> None:
    """Add what is missing to the module lock of each repository, and tell what was added and what was not."""
    for listing in listings:
        found = find_lock_in(listing.path, finder)
        done = lock_modules([listing], found, environ=environment(), now=clock())
        for entry in done.added:
            complain(f"{found.path}: added {redacted_source(entry.source)}", prefix="lockwarden: note: ")
        for listed, why in done.left_out:
            complain(f"it is not locked: {why}", prefix=f"{listed.call.path}:{listed.call.line}: warning: ")


def held(listing: ModuleListing, base: str, finder: StandardsFinder) -> ModuleListing:
    """The listing beside the module lock that counts, where there is one."""
    found = find_lock_in(listing.path, finder, base=base)
    if found.changed:
        complain(
            f"{found.path} is not that of {found.at_base}, which is the one that counts", prefix="lockwarden: note: "
        )
    if found.lock is None and not found.changes:
        return listing
    return compared(listing, found.lock or ModuleLock(), found.changes)
