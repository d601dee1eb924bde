"""What there is to say of a lock file by its name."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.lockfile.names import is_lock_file_name
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


def name_problems(name: str) -> Iterator[Problem]:
    """That a file is the lock file of its folder on some disks and not on this one."""
    if name != LOCK_FILE_NAME and is_lock_file_name(name):
        yield Problem(
            code=ProblemCode.LOCK_FILE_NAME_ALIKE,
            severity=Severity.ERROR,
            message=f"{name} is not {LOCK_FILE_NAME}, and disks that cannot tell the two apart, as on macOS or Windows,"
            " make one file of them: clients there may read this one",
            hint="remove it, or rename it",
        )
