"""What the lock files of a run are beside each other: which come first, and what they lock differently. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from types import MappingProxyType

from msgspec.structs import replace

from lockwarden.core.review.drift import BothRegistries, Drift, drift_of, loudest_drift_first, under_both_registries
from lockwarden.tui.state.files import Files, held_against_each_other, reviews_of


def compared(files: Files) -> Files:
    """All files were read: what the change touches comes first, and what the files lock differently is found anew.

    With a base, what cannot be read comes before all others: the change may have made it so.
    Where nobody has moved yet, the first of them is selected.
    """
    before = next(iter(files.sessions), files.current)
    order = sorted(files.sessions.items(), key=lambda each: (not each[1].may_be_changed, each[1].changed))
    untouched = files.current == before
    files = replace(files, sessions=MappingProxyType(dict(order)), current=order[0][0] if untouched else files.current)
    by_path: defaultdict[str, list[Drift]] = defaultdict(list)
    apart = Counter[str]()
    lock_files = tuple(each.lock_file for each in reviews_of(files))
    for drift in loudest_drift_first(drift_of(lock_files)):
        for form in drift.forms:
            for path in form.paths:
                by_path[path].append(drift)
                apart[path] += form.stands_out
    both: defaultdict[str, dict[BothRegistries, None]] = defaultdict(dict)
    for each in under_both_registries(lock_files):
        for _, paths in each.places:
            for path in paths:
                both[path].setdefault(each)
    files = held_against_each_other(files)
    return replace(
        files,
        drifts=MappingProxyType({path: tuple(found) for path, found in by_path.items()}),
        apart=MappingProxyType(+apart),
        both=MappingProxyType({path: tuple(found) for path, found in both.items()}),
    )
