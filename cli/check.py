"""`lockwarden check`: the audit without a screen."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.option_declarations import REPORTS
from lockwarden.cli.output import complain_of, out, tell_left_out
from lockwarden.cli.process_place import finder_for, process_place
from lockwarden.core.engine.lock_files import load_all
from lockwarden.core.engine.options import read_options
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.text_report import shown, text_report
from lockwarden.core.system.named_files import write_named_file
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.platforms import current_platform


def check(
    paths: tuple[str, ...],
    *,
    form: str,
    verbose: bool,
    reports: tuple[str, ...] = (),
    explain: str | None = None,
    recursive: bool = False,
    **said: Any,
) -> int:
    """Audit the lock files, write the report to stdout and return the exit code.

    Raises InputError for options, and for a policy, approvals or a base that cannot be used; SaveError for a report's
    file.
    """
    options = read_options(directory=Path.cwd(), current=current_platform(), **said)
    wanted = tuple(map(_report_file, reports))
    address = None if explain is None else ProviderAddress.parse(explain)
    place = process_place(options, paths, recursive=recursive)
    loaded = load_all(paths, finder_for(options, place), base=options.base, recursive=recursive)
    complain_of(loaded.files)
    tell_left_out(loaded.left_out)
    result = replace(run_audits(loaded.files, options, place), left_out=loaded.left_out)
    out(in_form(result, form, verbose=verbose) if address is None else _explained(result, address))
    for each in wanted:
        each.write(in_form(result, each.form, verbose=verbose))
    return int(result.exit_code)


def in_form(result: RunResult, form: str, *, verbose: bool) -> str:
    """The report in one of the forms; only the one that is asked for is imported."""
    match form:
        case "json":
            from lockwarden.core.reports.json_report import json_report

            return json_report(result)
        case "markdown":
            from lockwarden.core.reports.markdown import markdown_report

            return markdown_report(result)
        case "sarif":
            from lockwarden.core.reports.sarif import sarif_report

            return sarif_report(result, version=version("lockwarden"))
        case "junit":
            from lockwarden.core.reports.junit import junit_report

            return junit_report(result)
        case _:
            return text_report(result, every_hash=verbose)


def _explained(result: RunResult, address: ProviderAddress) -> str:
    """The whole reasoning about one provider. Raises InputError when no lock file has it."""
    from lockwarden.core.reports.explain import explain as explained
    from lockwarden.core.reports.standards_lines import standards_line

    lines: list[str] = []
    for each in result.files:
        if each.review is not None and each.review.lock_file.provider(address) is not None:
            held = f"  Held against: {standards_line(each.review.standards)}"
            lines += [*([""] if lines else []), f"{each.path}:", *explained(each.review, address), held]
    if not lines:
        known = _known(result)
        raise InputError(
            f"no lock file here has {address}", hint=f"it has {known}" if known else "it locks no provider at all"
        )
    return shown(lines)


def _known(result: RunResult) -> str:
    found = {str(each.address) for file in result.files if file.review for each in file.review.providers}
    return ", ".join(sorted(found))


class _ReportFile(Struct, frozen=True):
    """One report that goes to a file beside the one on stdout."""

    form: str
    path: Path

    def write(self, report: str) -> None:
        """Write it whole. Raises SaveError."""
        write_named_file(self.path, report.encode("utf-8", "backslashreplace"), what=f"the {self.form} report")


def _report_file(text: str) -> _ReportFile:
    form, colon, name = text.partition(":")
    if not colon or not name or "\0" in name or form not in REPORTS:
        raise InputError(
            f"--report: “{text}” is not FORM:FILE",
            hint=f"FORM is one of {_listed(REPORTS)}, such as sarif:report.sarif",
        )
    return _ReportFile(form, Path(name))


def _listed(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} and {last}"
