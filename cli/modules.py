"""`lockwarden modules`: every module call of configurations, with what it is and how far it pins.

It asks servers only with `--resolve`: what each source means today.
"""

from __future__ import annotations

import os

from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.output import complain, out
from lockwarden.cli.process_place import process_place
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.module_listing import list_modules
from lockwarden.core.engine.module_resolving import resolve_modules
from lockwarden.core.engine.options import AuditOptions, insecure_hosts, token_hosts
from lockwarden.core.reports.module_report import module_lines, modules_json
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.module_findings import exit_code_of


def modules(
    paths: tuple[str, ...], *, form: str, resolve: bool, insecure_http: tuple[str, ...], token_host: tuple[str, ...]
) -> int:
    """Print the calls and return the exit code; what cannot be read is told on stderr. Raises InputError."""
    listings = list_modules(paths, os.environ)
    if resolve:
        options = AuditOptions(
            sources=(),
            platforms=PlatformChoice(wanted=frozenset()),
            keep_cache=False,
            insecure_hosts=insecure_hosts(insecure_http),
            token_hosts=token_hosts(token_host),
        )
        listings = run_to_end(resolve_modules(listings, options, process_place(options)))
    for listing in listings:
        for problem in listing.problems:
            place = f"{problem.path}:{problem.line}" if problem.line else problem.path
            complain(problem.message, prefix=f"{place}: error: ")
    code = exit_code_of(listings)
    out(modules_json(listings, code) if form == "json" else shown(module_lines(listings)))
    return int(code)
