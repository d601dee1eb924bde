"""`lockwarden check`: the audit without a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lockwarden.core.platforms import current_platform
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.text_report import text_report
from lockwarden.tui.commands.auditing import run_audits
from lockwarden.tui.commands.lock_files import complain_of, load_all
from lockwarden.tui.commands.options import read_options
from lockwarden.tui.commands.output import out
from lockwarden.tui.commands.places import process_place


def check(paths: tuple[str, ...], *, form: str, verbose: bool, **said: Any) -> int:
    """Audit the lock files, write the report to stdout and return the exit code. Raises InputError for options."""
    options = read_options(directory=Path.cwd(), current=current_platform(), **said)
    place = process_place()
    loaded = load_all(paths)
    complain_of(loaded)
    result = run_audits(loaded, options, place)
    out(in_form(result, form, verbose=verbose))
    return int(result.exit_code)


def in_form(result: RunResult, form: str, *, verbose: bool) -> str:
    """The report in the form that was asked for."""
    return json_report(result) if form == "json" else text_report(result, every_hash=verbose)
