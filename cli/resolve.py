"""`lockwarden resolve`: shows what each side of a lock file in conflict locks, and writes what is confirmed of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.cli.audits import run_audits
from lockwarden.cli.output import complain, out, tell_left_out
from lockwarden.cli.own_settings import options_here
from lockwarden.cli.process_runtime import finder_for, guarded_runtime, process_runtime
from lockwarden.core import __version__
from lockwarden.core.engine.base_grounds import HEAD
from lockwarden.core.engine.conflicts import find_conflict, resolved, save_resolved, sides_to_audit
from lockwarden.core.engine.lock_file_reading import file_of
from lockwarden.core.engine.lock_files import problems_of, search, within_limits
from lockwarden.core.engine.options import AuditOptions, GivenOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile
from lockwarden.core.reports.bounds import bounded_text
from lockwarden.core.reports.resolution_lines import resolution_lines
from lockwarden.core.reports.result import FileProblem, RunResult
from lockwarden.core.reports.text_report import MAX_SIZE
from lockwarden.core.review.exit_codes import ExitCode, code_for, worst
from lockwarden.core.review.resolution import ResolvedFile, refuse_unknown
from lockwarden.core.review.resolving import Choices, choices_from
from lockwarden.core.review.review import Review
from lockwarden.core.values.errors import LockFileEditError, LockFileError, LockwardenError
from lockwarden.core.values.printable import printed
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

if TYPE_CHECKING:
    from lockwarden.core.reports.json_resolution import ResolvedFileJson


class _File(Struct, kw_only=True):
    """One file of the run, as far as it has come."""

    path: str
    conflict: ConflictedLockFile | None = None
    made: ResolvedFile | None = None
    written: bool = False
    problems: tuple[FileProblem, ...] = ()

    @property
    def exit_code(self) -> ExitCode:
        unusable = code_for(unusable=bool(self.problems))
        return unusable if self.made is None else worst((unusable, self.made.exit_code))


def resolve(
    paths: tuple[str, ...],
    given: GivenOptions,
    *,
    take: Sequence[str],
    write: bool,
    form: str,
    recursive: bool = False,
) -> int:
    """Show what the files are resolved to, or write it, and return the exit code, which is that of `check` afterwards.

    Raises InputError for choices that cannot be, and for a policy or approvals that cannot be used.
    """
    options = options_here(given, paths, recursive=recursive)
    choices = choices_from(take)
    runtime = process_runtime(options, paths, recursive=recursive)
    files = [*_found(paths, options, runtime, recursive=recursive)]
    refuse_unknown(choices, (each.conflict for each in files if each.conflict is not None))
    runtime = _held_to_head(files, options, runtime)
    result = _audited(files, options, runtime)
    reviews = {each.path: each.review for each in result.files if each.review is not None}
    for each in files:
        if each.conflict is not None:
            _resolve(each, [reviews[name] for name in _names(each.conflict)], choices, options, runtime)
    for each in files:
        if write and each.made is not None and each.made.after is not None:
            _write(each)
    code = worst(each.exit_code for each in files)
    told = _lines(files, write=write)
    out(_json(files, result, code) if form == "json" else bounded_text(map(printed, told), MAX_SIZE))
    return int(code)


def _found(paths: tuple[str, ...], options: AuditOptions, runtime: Runtime, *, recursive: bool) -> Iterator[_File]:
    """The lock files, each with the sides that stand in it; what is wrong with one is told, and stops no other."""
    found = search(paths, finder_for(options, runtime), None, recursive=recursive)
    tell_left_out(found.left_out)
    seen: set[str] = set()
    for each in found.in_sight:
        file = _File(path=each if isinstance(each, str) else each.path)
        try:
            if not isinstance(each, str):
                raise each
            file.conflict = find_conflict(
                Path(each), runtime.second_reader, environ=runtime.environ, client=options.client
            )
            file.path = str(file_of(Path(each)))
            if (real := os.path.realpath(file.path)) in seen:
                continue  # by another name
            seen.add(real)
        except LockFileError as error:
            file.path, file.problems = error.path, problems_of(error)
            for problem in file.problems:
                at = "lockwarden" if problem.line is None else f"{error.path}:{problem.line}"
                complain(problem.message, hint=problem.hint, prefix=f"{at}: {problem.severity}: ")
        yield file


def _held_to_head(files: Iterable[_File], options: AuditOptions, runtime: Runtime) -> Runtime:
    """The runtime without what a merge that goes on has brought: what configures the run is then that of HEAD.

    Raises InputError as with a base.
    """
    unfinished = [each.path for each in files if each.conflict is not None and each.conflict.is_unfinished]
    if not unfinished:
        return runtime
    held = guarded_runtime(replace(options, base=HEAD), unfinished)
    for words in held.notes:
        complain(words, prefix="lockwarden: note: ")
    usable = None if runtime.cache_folder is None else held.cache_folder
    return replace(held, second_reader=runtime.second_reader, cache_folder=usable)


def _audited(files: Iterable[_File], options: AuditOptions, runtime: Runtime) -> RunResult:
    """The sides of all files as reviews, each release audited once."""
    finder = finder_for(options, runtime)
    loaded = [one for each in files if each.conflict is not None for one in sides_to_audit(each.conflict, finder)]
    within_limits(loaded)
    return run_audits(loaded, options, runtime)


def _names(conflict: ConflictedLockFile) -> list[str]:
    return [f"{conflict.path} ({each.name})" for each in conflict.sides]


def _resolve(file: _File, reviews: Sequence[Review], choices: Choices, options: AuditOptions, runtime: Runtime) -> None:
    assert file.conflict is not None  # noqa: S101 - or there is nothing to resolve
    for problem in reviews[0].standards.problems:
        complain(problem.message, hint=problem.hint, prefix=f"{file.path}: {problem.severity}: ")
    try:
        file.made = resolved(file.conflict, reviews, choices, options, runtime.second_reader)
    except (LockFileEditError, LockFileError) as error:
        _refused(file, error)


def _write(file: _File) -> None:
    assert file.made is not None  # noqa: S101 - or there is nothing to write
    try:
        save_resolved(file.made)
    except LockwardenError as error:
        _refused(file, error)
    else:
        file.written = True


def _refused(file: _File, error: LockwardenError) -> None:
    complain(error.message, hint=error.hint)
    problem = FileProblem(code=ProblemCode.NOT_WRITTEN, severity=Severity.ERROR, message=error.message, hint=error.hint)
    file.problems = (*file.problems, problem)


def _lines(files: Iterable[_File], *, write: bool) -> Iterator[str]:
    for number, each in enumerate(files):
        if number:
            yield ""
        if each.made is None:
            yield f"{each.path}: {'it cannot be resolved' if each.problems else 'nothing to resolve in it'}"
            continue
        yield from resolution_lines(each.made)
        if each.written:
            yield ""
            yield f"{each.path}: written; git add marks it as resolved"
        elif not write and each.made.after is not None:
            yield ""
            yield "Nothing was written; --write does that"


def _json(files: Iterable[_File], result: RunResult, code: ExitCode) -> str:
    from lockwarden.core.reports.json_resolution import ResolvedFileJson, json_resolution

    told: dict[str, ResolvedFileJson] = {}
    for each in files:
        if each.made is None:
            told[each.path] = ResolvedFileJson.without(each.path, each.problems)
        else:
            told[each.path] = ResolvedFileJson.of(each.made, written=each.written, problems=each.problems)
    return json_resolution(result, told, code, version=__version__)
