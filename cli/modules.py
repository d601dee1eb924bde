"""`lockwarden modules`: every module call of configurations, with what it is and how far it pins. It asks no server."""

from __future__ import annotations

import os

from lockwarden.cli.output import complain, out
from lockwarden.core.engine.module_listing import list_modules
from lockwarden.core.reports.module_report import module_lines, modules_json
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.module_findings import exit_code_of


def modules(paths: tuple[str, ...], *, form: str) -> int:
    """Print the calls and return the exit code; what cannot be read is told on stderr. Raises InputError."""
    listings = list_modules(paths, os.environ)
    for listing in listings:
        for problem in listing.problems:
            place = f"{problem.path}:{problem.line}" if problem.line else problem.path
            complain(problem.message, prefix=f"{place}: error: ")
    code = exit_code_of(listings)
    out(modules_json(listings, code) if form == "json" else shown(module_lines(listings)))
    return int(code)
