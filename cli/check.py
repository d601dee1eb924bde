"""`lockwarden check`: the audit without a screen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.evidence import with_evidence
from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.option_declarations import REPORTS
from lockwarden.cli.output import complain_of, out, show, tell_left_out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, process_runtime
from lockwarden.cli.report_files import report_file
from lockwarden.core import __version__
from lockwarden.core.engine.lock_files import load_all
from lockwarden.core.engine.options import AuditOptions, GivenOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.text_report import shown, text_report
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InputError

if TYPE_CHECKING:
    from lockwarden.core.registry_metadata.journal_lines import JournalLine
    from lockwarden.core.review.rereleases import Rerelease
    from lockwarden.core.review.review import Review
    from lockwarden.core.values.versions import Version

MODULE: Final = "module."
"""What `--explain` is begun with for a module."""


def check(
    paths: tuple[str, ...],
    given: GivenOptions,
    *,
    form: str,
    verbose: bool,
    reports: tuple[str, ...] = (),
    explain: str | None = None,
    recursive: bool = False,
    with_modules: bool = False,
    journals: tuple[str, ...] = (),
) -> int:
    """Audit the lock files, write the report to stdout and return the exit code.

    Raises InputError for options, and for a policy, approvals, a base or a journal that cannot be used; SaveError for a
    report's file.
    """
    options = options_here(given, paths, recursive=recursive)
    wanted = tuple(report_file(each, REPORTS) for each in reports)
    if explain is not None:
        _check_explainable(explain, form, with_modules=with_modules)
    if journals and not verbose and explain is None:
        raise InputError("--journal is told of with --verbose or --explain alone", hint="add -v")
    journal = journaled(journals)
    runtime = process_runtime(options, paths, recursive=recursive)
    evidence, options, runtime = with_evidence(given, options, runtime, with_modules=with_modules)
    finder = finder_for(options, runtime)
    checked = None
    if with_modules:
        from lockwarden.cli.checked_modules import CheckedModules

        checked = CheckedModules(paths, finder, options, recursive=recursive)
        loaded = checked.lock_files()
    else:
        loaded = load_all(paths, finder, base=options.base, recursive=recursive, client=options.client)
    complain_of(loaded.files)
    tell_left_out(loaded.left_out)
    if evidence is not None:
        evidence.hold(each.lock_file for each in loaded.files if each.lock_file is not None)
    if checked is not None:
        checked.hold(loaded, runtime)
    result = replace(run_audits(loaded.files, options, runtime), left_out=loaded.left_out)
    if checked is not None:
        result = replace(result, modules=checked.review(runtime))
    forms = {form, *(each.form for each in wanted)}
    told_of = explain is not None or (verbose and not forms.isdisjoint({"text", "json"}))
    kept = _kept_packages(result, options, runtime, journal) if told_of else ()
    if explain is None:
        told = in_form(result, form, verbose=verbose, kept=kept)
    else:
        told = _explained(result, explain, form, kept)
    if form == "text":
        show(told, result)
    else:
        out(told)
    for each in wanted:
        each.write(in_form(result, each.form, verbose=verbose, kept=kept if verbose else ()))
    return int(result.exit_code)


def in_form(result: RunResult, form: str, *, verbose: bool, kept: Sequence[Rerelease] = ()) -> str:
    """The report in one of the forms; only the one that is asked for is imported."""
    match form:
        case "json":
            from lockwarden.core.reports.json_report import json_report

            return json_report(result, version=__version__, rereleases=kept)
        case "markdown":
            from lockwarden.core.reports.markdown import markdown_report

            return markdown_report(result)
        case "sarif":
            from lockwarden.core.git.places import folder_with_git
            from lockwarden.core.reports.sarif import rooted, sarif_report

            here = Path.cwd()
            # Whoever runs it from outside means the repository of what is named.
            found = (folder_with_git(here / each) for each in (LOCK_FILE_NAME, *(file.path for file in result.files)))
            root = next((each for each in found if each is not None), None)
            placed = (
                result
                if root is None
                else rooted(result, os.path.realpath(root), os.path.realpath(here), _without_links)
            )
            return sarif_report(placed, version=__version__)
        case "junit":
            from lockwarden.core.reports.junit import junit_report

            return junit_report(result)
        case _:
            return text_report(result, every_hash=verbose) + _told_of(kept)


def _without_links(path: str) -> str:
    """A path whose folders are those that its links lead to; what lies there may be a link itself, as git has it."""
    folder, name = os.path.split(path)
    return str(Path(os.path.realpath(folder), name)) if name.strip(".") else os.path.realpath(path)


def journaled(journals: tuple[str, ...]) -> tuple[JournalLine, ...]:
    """The lines of the journals that were named. Raises InputError for one that cannot be used."""
    if not journals:
        return ()
    from lockwarden.core.engine.registries.journals import journaled

    return journaled(tuple(map(Path, journals)))


def _kept_packages(
    result: RunResult, options: AuditOptions, runtime: Runtime, journal: Sequence[JournalLine]
) -> tuple[Rerelease, ...]:
    """The packages of earlier runs whose hashes are locked, and that nothing vouches for now."""
    if not any(row.objects for review in result.reviews for each in review.providers for row in each.rows):
        return ()
    from lockwarden.core.engine.rereleases import find_rereleases

    return run_to_end(find_rereleases(result.reviews, options, runtime, journal))


def _told_of(kept: Sequence[Rerelease]) -> str:
    if not kept:
        return ""
    from lockwarden.core.reports.rerelease_lines import rerelease_lines

    return shown(["", *rerelease_lines(kept)])


def _explained(result: RunResult, text: str, form: str, kept: Sequence[Rerelease] = ()) -> str:
    """The whole reasoning about one provider or module, as lines, or about a provider as JSON.

    Raises InputError when not just one is meant.
    """
    if text.startswith(MODULE):
        return _explained_module(result, text.removeprefix(MODULE))
    from lockwarden.core.reports.explain import explain as explained
    from lockwarden.core.reports.json_explanation import json_explanation
    from lockwarden.core.reports.rerelease_lines import rerelease_lines
    from lockwarden.core.reports.standards_lines import standards_line

    address = _meant(result, text)
    told: dict[str, list[str]] = {}
    for each in result.files:
        if each.review is not None and each.review.lock_file.entry(address) is not None:
            held = f"  Held against: {standards_line(each.review.standards)}"
            own = [one for one in kept if (one.address, one.version) == _release(each.review, address)]
            anew = ["", *rerelease_lines(own)] if own else []
            told[each.path] = [*explained(each.review, address), *anew, held]
    if form == "json":
        return json_explanation(told, address, result.exit_code, version=__version__)
    lines: list[str] = []
    for path, of_file in told.items():
        lines += [*([""] if lines else []), f"{path}:", *of_file]
    return shown(lines)


def _release(review: Review, address: ProviderAddress) -> tuple[ProviderAddress, Version]:
    return address, review.provider(address).entry.version


def _check_explainable(text: str, form: str, *, with_modules: bool) -> None:
    """Raises InputError for what nothing can be told of, before anything is asked."""
    if not text.startswith(MODULE):
        ProviderAddress.parse(text)
    elif not with_modules or form == "json":
        raise InputError(
            f"“{text}” is a module, and those are explained with --modules, as text",
            hint="the JSON report has all of every call",
        )


def _explained_module(result: RunResult, key: str) -> str:
    from lockwarden.core.reports.module_report import explained_calls

    lines = list(explained_calls(() if result.modules is None else result.modules.listings, key))
    if not lines:
        raise InputError(
            f"no configuration here calls a module “{key}”",
            hint="the name begins with those of the calls that lead there, as in module.network.subnets",
        )
    return shown(lines)


def _meant(result: RunResult, text: str) -> ProviderAddress:
    """The provider that an address, or its last parts, stands for among those of the lock files."""
    known = sorted({each.address for file in result.files if file.review for each in file.review.providers}, key=str)
    full = ProviderAddress.parse(text)
    found = [full] if full in known else [each for each in known if f"/{each}".endswith(f"/{text}")]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"“{text}” may be {' or '.join(map(str, found))}", hint="write the whole address")
    listed = ", ".join(map(str, known))
    raise InputError(
        f"no lock file here has {full}", hint=f"it has {listed}" if known else "it locks no provider at all"
    )
