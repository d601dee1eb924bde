"""The lock files that a command was given: each is read or its problems are known, and one bad file stops no other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.errors import LockFileError, LockFileInvalidError
from lockwarden.core.lockfile.model import Diagnostic, LockFile
from lockwarden.core.lockfile.read import read
from lockwarden.core.reports.result import FileProblem
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.severity import Severity
from lockwarden.tui.commands.output import complain
from lockwarden.tui.commands.trees import files_in
from lockwarden.tui.held_against import StandardsFinder

_ANEW: Final = "correct the file, or make it anew with tofu init or terraform init"
_NOT_IN_A_CODE: Final = re.compile(r"[^a-z0-9]+")


class Loaded(Struct, frozen=True, kw_only=True):
    """One lock file as it was read, or None with the problems that tell why not."""

    path: str
    lock_file: LockFile | None
    problems: tuple[FileProblem, ...]
    standards: Standards = NO_STANDARDS
    """What it is held against."""


def load_all(
    paths: Iterable[str], finder: StandardsFinder, *, base: str = "", recursive: bool = False
) -> tuple[Loaded, ...]:
    """Read every lock file, or the current folder's when none is named, and what each is held against.

    With `recursive`, also those in all folders below the named ones. Raises InputError for a policy, approvals or a
    base that cannot be used, and ToolError when git is missing.
    """
    named = tuple(paths) or (".",)
    found = files_in(named, finder.environ) if recursive else named
    read = [_unreadable(each) if isinstance(each, LockFileError) else load(each) for each in found]
    return tuple(
        replace(each, standards=finder.standards(each.lock_file, base=base)) if each.lock_file is not None else each
        for each in read
    )


def load(path: str) -> Loaded:
    """Read one lock file, or the one in a folder. What is wrong with it is told by the value, never raised."""
    try:
        lock_file = read(Path(path))
    except LockFileInvalidError as error:
        return Loaded(path=error.path, lock_file=None, problems=tuple(map(_of_diagnostic, error.diagnostics)))
    except LockFileError as error:
        return _unreadable(error)
    return Loaded(path=lock_file.path, lock_file=lock_file, problems=tuple(map(_of_diagnostic, lock_file.warnings)))


def _unreadable(error: LockFileError) -> Loaded:
    problem = FileProblem(code="lock-file-unreadable", severity=Severity.ERROR, message=error.message, hint=error.hint)
    return Loaded(path=error.path, lock_file=None, problems=(problem,))


def complain_of(loaded: Iterable[Loaded]) -> None:
    """Tell on stderr why files cannot be read: every problem on a line of its own, with file and line where known."""
    for each in loaded:
        if each.lock_file is not None:
            continue
        for problem in each.problems:
            place = "lockwarden" if problem.line is None else f"{each.path}:{problem.line}"
            complain(problem.message, hint=problem.hint, prefix=f"{place}: {problem.severity}: ")


def _of_diagnostic(diagnostic: Diagnostic) -> FileProblem:
    return FileProblem(
        code=_NOT_IN_A_CODE.sub("-", diagnostic.summary.lower()).strip("-"),
        severity=Severity(diagnostic.severity.value),
        message=diagnostic.message,
        hint=diagnostic.hint or (_ANEW if diagnostic.severity.value == Severity.ERROR else ""),
        line=diagnostic.line,
    )
