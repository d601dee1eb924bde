"""What `-lockfile=readonly` makes of entries that OpenTofu takes for entries of its own registry as well."""

from __future__ import annotations

from msgspec.structs import replace

from lockwarden.core.coverage.outcomes import Coverage
from lockwarden.core.lockfile.model import LockedProvider


def with_readonly(cell: Coverage, entry: LockedProvider) -> Coverage:
    """The cell with what a first install meets that may not write; unchanged where that makes no difference.

    The set of providers changes as soon as the file is read, and is compared with what is required after the install.
    Rule: OpenTofu, `internal/command/init.go`, since 1.10.
    """
    if entry.read_as is not None:
        why = f"OpenTofu takes the entry for {entry.read_as} as well"
    elif entry.moved_from is not None:
        why = f"the file has only {entry.moved_from}, which OpenTofu takes for this"
    else:
        return cell
    return replace(cell, reason=f"{cell.reason}; with -lockfile=readonly init fails, since {why}")
