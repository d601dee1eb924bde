"""`lockwarden get`: the package of a module's source, checked and unpacked as the client would have it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial

from lockwarden.cli.audits import run_watched
from lockwarden.cli.output import complain, show
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import process_runtime
from lockwarden.core.engine.getting_modules import GotModule, get_module, gettable
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode, code_of_failure
from lockwarden.core.values.errors import ArchiveError, SourceError


def get(source: str, folder: str, given: GivenOptions) -> int:
    """Get it, tell what it is and return the exit code: 1 where the client would refuse it too, 3 without an answer.

    Raises InputError, also for a CLI configuration that cannot be read, and SaveError.
    """
    options = options_here(given)
    wanted = gettable(source)
    runtime = process_runtime(options)
    try:
        got = run_watched(partial(get_module, wanted, folder, options), runtime)
    except (SourceError, ArchiveError) as error:
        complain(error.message, hint=error.hint)
        return int(code_of_failure(error))
    show(shown(_lines(got, folder)))
    return int(ExitCode.NOTHING_TO_OBJECT)


def _lines(got: GotModule, folder: str) -> Iterator[str]:
    resolved, package = got.resolved, got.package
    yield str(resolved.source)
    yield f"  manifest {resolved.manifest}"
    yield f"  package  {resolved.digest}, {package.size} bytes, {package.files} file{'s'[: package.files != 1]}"
    if package.h1 is not None:
        yield f"  {package.h1}  of its files"
    yield f"  credentials: {resolved.credentials}"
    yield f"  unpacked to {folder}"
    if got.subdirectory:
        yield f"  the module lies in {os.path.join(folder, got.subdirectory)}"  # noqa: PTH118 - as it was named
    if resolved.source.digest is None:
        yield f"  the same for ever: {resolved.pinned}"
