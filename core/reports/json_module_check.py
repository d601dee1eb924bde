"""The modules of a run in the JSON report of `check`. No secret of an address is in it."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from lockwarden.core.reports.bounds import Room
from lockwarden.core.reports.json_modules import LockChangeJson, ModuleProblemJson, RootModuleJson
from lockwarden.core.review.answers import Answer, answer_for
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.module_review import LockReview, ModuleReview


class UncalledEntryJson(Struct, frozen=True, kw_only=True):
    """What the change does to an entry of the module lock that no call has which was looked at."""

    line: int | None
    """In the change's module lock; null for an entry that is gone."""
    change: LockChangeJson
    problem: ModuleProblemJson


class ModuleLockJson(Struct, frozen=True, kw_only=True):
    """One module lock that calls were held against."""

    path: str
    sha256: str | None
    """Of the one that counts; null where there is none."""
    revision: str | None
    """The base that it was read at; null for the working tree."""
    commit: str | None
    uncalled: list[UncalledEntryJson]

    @classmethod
    def of(cls, lock: LockReview, room: Room) -> Self:
        """One of them, with as many entries as there is room for."""
        uncalled = (
            UncalledEntryJson(
                line=line or None, change=LockChangeJson.of(change), problem=ModuleProblemJson.of(finding)
            )
            for line, change, finding in lock.findings
        )
        return cls(
            path=lock.path,
            sha256=lock.digest or None,
            revision=lock.revision or None,
            commit=lock.commit or None,
            uncalled=room.taken("uncalled", uncalled),
        )


class ModuleCheckJson(Struct, frozen=True, kw_only=True):
    """The modules of all configurations of a run."""

    answer: Answer
    """Whether to commit, as far as the modules go."""
    exit_code: ExitCode
    """What they alone lead to."""
    locks: list[ModuleLockJson]
    configurations: list[RootModuleJson]

    @classmethod
    def of(cls, review: ModuleReview, room: Room) -> Self:
        """All of them, with as many calls as there is room for."""
        return cls(
            answer=answer_for(review.exit_code),
            exit_code=review.exit_code,
            locks=[ModuleLockJson.of(each, room) for each in review.locks],
            configurations=[RootModuleJson.of(each, room) for each in review.listings],
        )
