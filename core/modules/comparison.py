"""An installed copy of a module beside the package that its source means today, file by file."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from lockwarden.core.modules.module_lock import as_copied, differences_of
from lockwarden.core.values.hashes import h1_of_members


class CopyState(StrEnum):
    """Whether an installed copy is what its source means today, or what differs."""

    EQUAL = "equal"
    CHANGED = "locally changed"
    """It is of the package's revision, and files of it are others."""
    OTHER_REVISION = "other revision"
    DIFFERENT = "different"
    """Files of it are others; whether they were changed here, or it is of another revision, nobody wrote down."""
    UNKNOWN = "unknown"


class CopyComparison(Struct, frozen=True, kw_only=True):
    """One installed copy beside its package."""

    state: CopyState
    differences: tuple[str, ...] = ()
    """Clauses, the first of them."""
    reason: str = ""
    """Why it is not known, or of which other revision it is; a clause."""
    installed: str = ""
    """The `h1` of what is installed; empty where it is not known."""
    package: str = ""
    """The `h1` of as much of the package as such a copy has; empty where it is not known."""


def unknown_copy(reason: str) -> CopyComparison:
    """That they were not compared, and why; a clause."""
    return CopyComparison(state=CopyState.UNKNOWN, reason=reason)


def compared_copy(
    installed: Mapping[str, str],
    package: Mapping[str, str],
    *,
    today: str,
    installed_revision: str = "",
    fixed: bool = False,
) -> CopyComparison:
    """Hold an installed copy against the package of the revision `today`; both are SHA-256 digests by paths.

    `installed_revision` is the one that the copy is known to be of, by its own `.git` or by the module lock that has
    just these files; empty where nobody knows. `fixed` says that the source cannot have meant another one.
    """
    differences = differences_of(package, installed)
    state, reason = CopyState.EQUAL, ""
    if differences:
        if installed_revision and installed_revision != today:
            state, reason = CopyState.OTHER_REVISION, f"{installed_revision} is installed, and {today} is meant today"
        else:
            state = CopyState.CHANGED if installed_revision or fixed else CopyState.DIFFERENT
    return CopyComparison(
        state=state,
        differences=differences,
        reason=reason,
        installed=tree_h1(installed),
        package=tree_h1(as_copied(package, installed)),
    )


def tree_h1(tree: Mapping[str, str]) -> str:
    """The `h1` of a tree, given its files' SHA-256 by path, by the rules for packages of providers."""
    return str(h1_of_members((path.encode(), bytes.fromhex(digest)) for path, digest in tree.items()))
