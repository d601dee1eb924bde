"""Lock files in conflict, and what they are resolved to by prepared audits."""

from __future__ import annotations

from collections.abc import Iterable

from builders.audits import LINUX
from builders.reading import SECOND_READER
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile, conflicted
from lockwarden.core.review.resolution import Resolution, ResolvedFile, resolution
from lockwarden.core.review.resolving import Choices
from lockwarden.core.review.review import Review
from lockwarden.core.values.clients import ClientSettings

PATH = "infra/.terraform.lock.hcl"


def between(ours: str, theirs: str) -> str:
    """Both sides of a conflict as git writes them."""
    return f"<<<<<<< HEAD\n{ours}=======\n{theirs}>>>>>>> topic\n"


def conflict_of(text: str) -> ConflictedLockFile:
    """The sides of a text that has several."""
    found = conflicted(text.encode(), path=PATH, second_reader=SECOND_READER)
    assert found is not None
    return found


def reviews_of(conflict: ConflictedLockFile, audits: Iterable[Audit]) -> tuple[Review, ...]:
    """The reviews of the sides after the audits that are of their versions."""
    made = {(audit.address, audit.version): audit for audit in audits}
    found = []
    for side in conflict.sides:
        review = Review.start(side.lock_file, settings=ClientSettings(), platforms=[LINUX])
        for entry in side.lock_file.providers:
            review = review.with_audit(made[entry.address, entry.version])
        found.append(review)
    return tuple(found)


def resolution_of(text: str, *audits: Audit, choices: Choices | None = None) -> Resolution:
    """What becomes of a text in conflict."""
    conflict = conflict_of(text)
    return resolution(conflict, reviews_of(conflict, audits), choices or Choices())


def resolved_of(text: str, *audits: Audit, choices: Choices | None = None) -> ResolvedFile:
    """The same with the bytes that are written, and without a review of them."""
    made = resolution_of(text, *audits, choices=choices)
    after = None if made.unresolved else made.next_lock_file(SECOND_READER)
    return ResolvedFile(resolution=made, after=after, review=None)
