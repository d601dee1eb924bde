"""The lock files that decisions change, as a person is shown them before they are written. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.review.review import Review
from lockwarden.core.review.write_warnings import WriteWarning, write_warnings
from lockwarden.core.review.writing import to_think_of
from lockwarden.tui.state.files import Files


class Changed(Struct, frozen=True, kw_only=True):
    """One lock file that decisions change: as it was read, and its bytes as decided."""

    path: Path
    before: LockFile
    after: bytes
    review: Review
    warnings: tuple[WriteWarning, ...]
    """What writing it would cause; the same entry in other files causes the same."""


def changed_files(files: Files, second_reader: SecondReader) -> tuple[Changed, ...]:
    """What the files are as decided. It takes a while for many of them. Raises LockwardenError."""
    reviews = ((path, files.sessions[path].review) for path in files.unwritten)
    return tuple(
        Changed(
            path=path,
            before=review.lock_file,
            after=review.next_lock_file(second_reader),
            review=review,
            warnings=write_warnings(review),
        )
        for path, review in reviews
        if review is not None
    )


def shown_of(changed: Sequence[Changed]) -> list[object]:
    """Everything that a person was shown of the changes, to be compared."""
    return [(each.path, each.before.data, each.after, to_think_of(each.review), each.warnings) for each in changed]
