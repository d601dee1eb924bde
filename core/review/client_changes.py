"""That a change names another client in the comment at the top of a lock file, by which people and tools go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.read import client_named_in
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.values.clients import CLIENT_NAMES, Client
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


def client_problems(sides: Sequence[BaseSide], lock_file: LockFile, *, given: Client | None) -> Iterator[Problem]:
    """That the comment names another client than on every side that has the file; nothing where one has the same.

    `lock_file` is as it is judged. `given` is the client that the operator named; then the comment decides nothing.
    """
    had = [side for side in sides if side.lock_file is not None or side.client is not None]
    now = client_named_in(lock_file.data)
    if not had or any(side.client is now for side in had):
        return
    side = next((each for each in had if each.client is not None), had[0])
    rules = f"{CLIENT_NAMES[lock_file.client]}'s rules"
    by = f"{rules}, as --client says" if given else rules if side.client is None else f"{rules}, as at {side.name}"
    other = lock_file.client.other
    yield Problem(
        code=ProblemCode.LOCK_FILE_CLIENT_CHANGED,
        severity=Severity.NOTE if given else Severity.WARNING,
        message=f"the comment at the top names {_named(now)} and named {_named(side.client)} at {side.name}: the file"
        f" is judged by {by}",
        hint="it says whose rules judge signatures and what entries of registry.terraform.io/hashicorp stand for; where"
        f" {CLIENT_NAMES[other]} installs from now on, check with “--client {other}” as well",
    )


def _named(client: Client | None) -> str:
    return "nobody" if client is None else CLIENT_NAMES[client]
