"""Which calls of modules can be given a source that cannot mean anything else, and why others cannot."""

from __future__ import annotations

from lockwarden.core.modules.listing import ListedCall
from lockwarden.core.modules.pinning import Pinning
from lockwarden.core.modules.resolution import Resolved, Unresolved

NOTHING_TO_PIN = frozenset({Pinning.LOCAL, Pinning.IMMUTABLE})
"""Classes of calls that are pinned as far as can be."""


def pinned_source(listed: ListedCall) -> str:
    """The source to be written into a call; empty where there is none, for which `why_not_pinned` has the reason."""
    return listed.resolution.pinned if isinstance(listed.resolution, Resolved) and not why_not_pinned(listed) else ""


def why_not_pinned(listed: ListedCall) -> str:
    """Why nothing is to be written into a call; a clause, empty where something is.

    What was accepted as something else is not pinned to what it means today: nobody accepted that.
    """
    found, today = listed.classified, listed.resolution
    if found.pinning is Pinning.LOCAL:
        return "it is part of the package that calls it"
    if found.pinning is Pinning.IMMUTABLE:
        return "its source cannot mean anything else as it is"
    if found.pinning in {Pinning.UNKNOWN, Pinning.REFUSED}:
        return found.reason
    if not listed.own:
        return "it stands in an installed module, which the client would replace"
    if today is None:
        return "nobody asked what its source means today"
    if isinstance(today, Unresolved):
        return f"what its source means today is not known: {today.reason}"
    entry = None if listed.held_against is None else listed.held_against.entry
    if entry is not None and entry.revision and entry.revision != today.revision:
        return "its source means something else than what was accepted; look at that first"
    if not today.pinned and found.kind == "registry":
        return "the version of a registry is only a name; call what it leads to to pin it"
    if not today.pinned:
        return "its source cannot be written so that it means this and nothing else"
    if listed.call.span is None:
        return "its source is no plain text"
    return ""
