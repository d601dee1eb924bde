"""`lockwarden modules --pin`: the calls with sources that cannot mean anything else; with `--write`, in their files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lockwarden.cli.audits import run_watched
from lockwarden.cli.modules import complain_of_problems, held
from lockwarden.cli.output import complain, out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.cli.surroundings import environment
from lockwarden.core.engine.module_listing import list_modules
from lockwarden.core.engine.module_pinning import is_module_address, pin_calls, save_pins, wanted_calls
from lockwarden.core.engine.module_resolving import resolve_modules
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.modules.pins import PinnedFile
from lockwarden.core.reports.differences import Sign, difference
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import code_for, worst
from lockwarden.core.review.module_findings import exit_code_of
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.errors import InputError, LockwardenError


def pin_modules(
    arguments: tuple[str, ...], given: GivenOptions, *, form: str, others: bool, pin: bool, write: bool
) -> int:
    """Print the difference, or write it, and return the exit code.

    The code is that of the calls as they were, and never 0 where a call that was named, or that could mean something
    else, stays as it is. Raises InputError, also for a module lock that cannot be read.
    """
    if not pin or others or form == "json":
        raise InputError(
            "--write goes with --pin, and --pin with neither --lock, --compare, --diff nor JSON",
            hint="pin first, and lock what is pinned",
        )
    options = options_here(given, arguments)
    addresses = tuple(filter(is_module_address, arguments))
    paths = tuple(each for each in arguments if each not in addresses)
    listings = list_modules(paths, environment())
    wanted_calls(listings, addresses)  # before anybody is asked
    runtime = process_runtime(options, paths)
    listings = run_watched(partial(resolve_modules, listings, options), runtime)
    listings = tuple(held(each, options.base, finder_for(options, runtime)) for each in listings)
    complain_of_problems(listings)
    pinnings = pin_calls(wanted_calls(listings, addresses))
    for listed, why in pinnings.left_out:
        complain(f"it is not pinned: {why}", prefix=f"{listed.call.path}:{listed.call.line}: warning: ")
    refused = False
    for each in pinnings.files:
        if write:
            refused |= not _written(each)
        else:
            out(shown(_difference(each)))
    if not pinnings.files:
        out(shown(["Nothing to pin"]))
    return int(worst([exit_code_of(listings), code_for(unusable=refused, incomplete=bool(pinnings.left_out))]))


def _written(pinned: PinnedFile) -> bool:
    try:
        save_pins(pinned)
    except LockwardenError as error:
        complain(error.message, hint=error.hint)
        return False
    told = f"{pinned.path}: written, {counted(len(pinned.calls), 'source')} pinned"
    out(shown([told, "  install them anew, and lock them: the module lock knows the sources as they were"]))
    return True


def _difference(pinned: PinnedFile) -> Iterator[str]:
    yield f"{pinned.path}: {counted(len(pinned.calls), 'source')} to pin"
    for line in difference(pinned.shown_before, pinned.shown_after, around=0):
        yield f"  {line.text}" if line.sign is Sign.PLACE else f"  {line.sign}{line.text}"
