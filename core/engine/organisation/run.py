"""From places to one result: reads every repository, audits each release once for all of them, and puts it together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Final

from msgspec.structs import replace

from lockwarden.core.engine.lock_files import MAX_HASHES, Loaded
from lockwarden.core.engine.organisation.committed_lock_files import (
    CommittedFile,
    CommittedState,
    StateReader,
    repository_label,
)
from lockwarden.core.engine.organisation.places import RepositoryRef
from lockwarden.core.engine.seen_releases import SeenReleases
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.reports.organisation.result import (
    OrganisationResult,
    RepositoryFile,
    RepositoryProblem,
    RepositoryResult,
)
from lockwarden.core.reports.result import RunResult
from lockwarden.core.review.locked_elsewhere import locked_in_run
from lockwarden.core.review.standards import NOWHERE, StandardFile
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_AT_ONCE: Final = 4
"""Repositories that are read at the same time: git waits for the disk."""


def read_all(places: Sequence[RepositoryRef], reader: StateReader) -> tuple[CommittedState, ...]:
    """Every repository, in the order of the places, as far as there is room for it. It blocks.

    Raises ToolError without git.
    """
    with ThreadPoolExecutor(max_workers=_AT_ONCE, thread_name_prefix="repositories") as pool:
        return tuple(within_limits(pool.map(reader.read, places), reader.forget))


def within_limits(
    states: Iterable[CommittedState], forget: Callable[[CommittedState], None] = lambda _: None
) -> Iterator[CommittedState]:
    """The states, each without its files where those would be too many hashes together with what came before.

    Such a state says so in its problems. `forget` is called with it, so that its files do not stay in memory.
    """
    total = _Total()
    for state in states:
        kept = total.bounded(state)
        if kept is not state:
            forget(state)
        yield kept


def ready(states: Iterable[CommittedState], *, today: date, seen: SeenReleases | None) -> tuple[CommittedState, ...]:
    """The states as they can be audited.

    Each file gets a name that no other file has, and is held against how the others lock the same providers. `today`
    ends approvals; `seen` is what this user saw of releases before. It blocks.
    """
    kept = _called_apart(tuple(states))
    in_run = locked_in_run(file for state in kept for file in _lock_files(state))

    def held(file: CommittedFile) -> CommittedFile:
        lock_file = file.loaded.lock_file
        known = NOWHERE if seen is None or lock_file is None else seen.of(lock_file)
        standards = replace(file.loaded.standards.with_run(in_run), today=today, seen=known)
        return replace(file, loaded=replace(file.loaded, standards=standards))

    return tuple(replace(state, files=tuple(map(held, state.files))) for state in kept)


def to_audit(states: Iterable[CommittedState]) -> tuple[Loaded, ...]:
    """All lock files, in the order that `put_together` takes them in."""
    return tuple(file.loaded for state in states for file in state.files)


def put_together(
    states: Sequence[CommittedState], run: RunResult, *, policy_files: tuple[StandardFile, ...], standards_at: str
) -> OrganisationResult:
    """The run's results, which are in the order of `to_audit`, with the repositories that hold the files."""
    results = iter(run.files)
    labels = _Names()
    return OrganisationResult(
        repositories=tuple(
            RepositoryResult(
                name=state.place.name,
                label=labels.called(repository_label(state.place)),
                revision=state.place.revision,
                commit=state.commit,
                files=tuple(RepositoryFile(path=each.path, result=next(results)) for each in state.files),
                problems=state.problems,
            )
            for state in states
        ),
        run=run,
        policy_files=policy_files,
        standards_at=standards_at,
    )


class _Total:
    """Counts what has to be judged, each entry's hash once in however many lock files it stands."""

    def __init__(self) -> None:
        self._seen: set[object] = set()
        self._files: set[int] = set()

    def bounded(self, state: CommittedState) -> CommittedState:
        """The state, without its files where those would be too much together with what came before."""
        more: set[object] = set()
        for lock_file in _lock_files(state):
            for entry in lock_file.entries:
                if id(entry) not in self._files:
                    more.update((entry.address, entry.version, each) for each in entry.hash_set or (None,))
        if len(self._seen | more) > MAX_HASHES:
            problem = RepositoryProblem(
                code=ProblemCode.REPOSITORY_TOO_LARGE,
                severity=Severity.ERROR,
                message="its lock files were not looked at: with those before, the run would have more than"
                f" {MAX_HASHES} different hashes, which is the limit",
                hint="look at fewer repositories at a time, or at this one by itself",
            )
            return replace(state, files=(), problems=(*state.problems, problem))
        self._seen |= more
        self._files |= {id(entry) for lock_file in _lock_files(state) for entry in lock_file.entries}
        return state


def _lock_files(state: CommittedState) -> Iterator[LockFile]:
    yield from (each.loaded.lock_file for each in state.files if each.loaded.lock_file is not None)


def _called_apart(states: tuple[CommittedState, ...]) -> tuple[CommittedState, ...]:
    """The states with files that are called differently, whatever repositories and paths are called."""
    names = _Names()

    def apart(file: CommittedFile) -> CommittedFile:
        loaded = file.loaded
        name = names.called(loaded.path)
        if name == loaded.path:
            return file
        lock_file = None if loaded.lock_file is None else replace(loaded.lock_file, path=name)
        return replace(file, loaded=replace(loaded, path=name, lock_file=lock_file))

    return tuple(replace(state, files=tuple(map(apart, state.files))) for state in states)


class _Names:
    """Gives every name once: whoever makes a repository chooses what it and its files are called."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def called(self, wanted: str) -> str:
        """The name, or the same with a number behind it."""
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted} ({number})"
        self._taken.add(name)
        return name
