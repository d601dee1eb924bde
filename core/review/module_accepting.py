"""What may be written into the module lock: what a person, or the command, accepts of a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.modules.installed import InstalledState
from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.modules.module_lock import MAX_FILES
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import Resolved
from lockwarden.core.review.module_findings import findings_of
from lockwarden.core.values.problem_codes import ProblemCode

_IN_THE_WAY: Final = frozenset(
    {
        ProblemCode.MODULE_SECRET,
        ProblemCode.MODULE_MISSING,
        ProblemCode.MODULE_OTHER_SOURCE,
        ProblemCode.MODULE_ABSENT,
    }
)
"""What no acceptance can answer."""
_ALARMS: Final = frozenset({ProblemCode.MODULE_MOVED, ProblemCode.MODULE_CHANGED})
"""What a person has to look at, call by call."""
_NEITHER: Final = "it is neither installed nor known what it means today"


def is_lockable(listed: ListedCall) -> bool:
    """Whether the module lock can have an entry for the source of a call."""
    return listed.classified.pinning not in {Pinning.LOCAL, Pinning.UNKNOWN, Pinning.REFUSED}


def why_not_locked(listed: ListedCall, tree: Mapping[str, str] | str | None, revision: str) -> str:
    """Why the module lock cannot have an entry for a source with these files; a clause, empty where it can."""
    if listed.classified.secrets:
        return "its address holds what may be a secret, and the file would hold it too"
    if not listed.call.source.isprintable():
        return "its source has characters that nobody can see"
    if isinstance(tree, str):
        return f"what is installed cannot be hashed: {tree}"
    if tree is not None and len(tree) > MAX_FILES:
        return f"it has more than {MAX_FILES} files"
    if not tree and not revision:
        return _NEITHER
    return ""


def why_not_accepted(listed: ListedCall) -> str:
    """Why a person cannot accept a call as it stands on the screen; a clause, empty where they can."""
    if not is_lockable(listed):
        return f"{listed.classified.reason}, so that there is nothing to accept"
    found = findings_of(listed)
    in_the_way = next((each for each in found if each.code in _IN_THE_WAY), None)
    if in_the_way is not None:
        return f"{in_the_way.message}; no acceptance changes that"
    if listed.resolution is None:
        return "nobody asked what its source means today"
    known = isinstance(listed.resolution, Resolved)
    if not known and listed.installed is not InstalledState.INSTALLED:
        return _NEITHER
    entry = None if listed.held_against is None else listed.held_against.entry
    if entry is None:
        return ""
    if entry.revision and not known:
        return "what its source means today is not known, and its entry has a revision"
    differs = any(each.code in _ALARMS or each.code is ProblemCode.MODULE_NOT_COMPARED for each in found)
    return "" if differs or (known and not entry.revision) else "it is accepted as it is"


def accepted_in_bulk(listed: ListedCall) -> bool:
    """Whether a call may be accepted together with others: never one that means or is something else than before."""
    return not why_not_accepted(listed) and all(each.code not in _ALARMS for each in findings_of(listed))
