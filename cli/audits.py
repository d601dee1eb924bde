"""Runs the audits of a command: progress on stderr, and signals end them in order."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from lockwarden.cli.interruption import run_to_end
from lockwarden.cli.progress_lines import progress
from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.many_files import audit_files
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.reports.result import RunResult

_Result = TypeVar("_Result")


def run_audits(loaded: Sequence[Loaded], options: AuditOptions, runtime: Runtime) -> RunResult:
    """Audit all files that could be read, with progress on stderr when that is a terminal. Blocks until it is done.

    Raises ToolError when a program is missing that the sources need.
    """
    with progress() as report:
        return run_to_end(audit_files(loaded, options, runtime, report))


def run_watched(work: Callable[[Runtime], Coroutine[Any, Any, _Result]], runtime: Runtime) -> _Result:
    """Do some work that asks servers about modules, with progress as for audits. Blocks until it is done."""
    with progress() as report:
        return run_to_end(work(replace(runtime, report=report)))
