"""Lock files in conflict as a screen finds, audits, resolves and writes them.

What does it is loaded when a lock file is looked at that no client could read: every other review opens without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.engine.standards import StandardsFinder
from lockwarden.core.evidence.events import ignore
from lockwarden.core.review.review import Review

if TYPE_CHECKING:
    from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile
    from lockwarden.core.review.resolution import ResolvedFile
    from lockwarden.core.review.resolving import Choices


class ConflictFilesOnDisk:
    """Everything but `audited` blocks, and raises LockwardenError."""

    def __init__(self, options: AuditOptions, runtime: Runtime, finder: StandardsFinder) -> None:
        self._options, self._place, self._finder = options, runtime, finder

    def find(self, path: Path) -> ConflictedLockFile | None:
        """The sides that stand in a lock file; None where only one does."""
        from lockwarden.core.engine.conflicts import find_conflict

        reader, client = self._place.second_reader, self._options.client
        return find_conflict(path, reader, environ=self._place.environ, client=client)

    async def audited(
        self, conflict: ConflictedLockFile, sources: tuple[SourceSpec, ...], platforms: PlatformChoice
    ) -> tuple[Review, ...]:
        """The reviews of the sides, in their order, once all of their releases are audited."""
        from lockwarden.core.engine.conflicts import sides_to_audit
        from lockwarden.core.engine.lock_files import within_limits
        from lockwarden.core.engine.many_files import audit_files

        loaded = sides_to_audit(conflict, self._finder)
        within_limits(loaded)
        options = replace(self._options, sources=sources, platforms=platforms)
        result = await audit_files(loaded, options, self._place, ignore)
        return tuple(each.review for each in result.files if each.review is not None)

    def resolved(self, conflict: ConflictedLockFile, reviews: tuple[Review, ...], choices: Choices) -> ResolvedFile:
        """What becomes of the file."""
        from lockwarden.core.engine.conflicts import resolved

        return resolved(conflict, reviews, choices, self._options, self._place.second_reader)

    def save(self, made: ResolvedFile) -> None:
        """Write it, unless the file on disk is no longer the one that was read."""
        from lockwarden.core.engine.conflicts import save_resolved

        save_resolved(made)
