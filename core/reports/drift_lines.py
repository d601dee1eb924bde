"""Drift in lines: how the lock files of one run differ in what they lock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from lockwarden.core.review.drift import BothRegistries, Drift, DriftForm, DriftKind

_SHOWN: Final = 3
"""Files that are named for each way; the JSON report names all."""
DRIFT_WORDS: Final = {
    DriftKind.CHECKSUMS: "other zh hashes for the same version",
    DriftKind.VERSION: "other versions",
    DriftKind.NO_CHECKSUMS: "no zh hashes, where others have them",
    DriftKind.PLATFORMS: "other h1 hashes, as of other platforms",
}


_MARKS: Final = {DriftKind.CHECKSUMS: ", other zh", DriftKind.NO_CHECKSUMS: ", no zh"}
"""What the line of one way says of it that its version and the number of its hashes do not."""


def drift_head(drift: Drift) -> str:
    """What it is about, as in “acme/time: other versions”; h1 hashes are not worth a word beside anything else."""
    words = [DRIFT_WORDS[kind] for kind in drift.kinds if kind is not DriftKind.PLATFORMS]
    return f"{drift.address}: {' and '.join(words) or DRIFT_WORDS[DriftKind.PLATFORMS]}"


def form_line(drift: Drift, form: DriftForm) -> str:
    """One way in which a provider is locked, and where, as “1.2.3 with 4 hashes, other zh: a and 3 more files”."""
    count = len(form.hashes)
    lacking = len(drift.lacking(form))
    lacks = f", lacks {lacking} that others have" if lacking else ""
    marks = "".join(_MARKS.get(kind, "") for kind in form.kinds)
    return f"{form.version} with {count} {'hash' if count == 1 else 'hashes'}{marks}{lacks}: {named_files(form.paths)}"


def named_files(paths: Sequence[str]) -> str:
    """The first of some files, and how many more there are."""
    rest = len(paths) - _SHOWN
    more = f" and {rest} more {'files' if rest > 1 else 'file'}" if rest > 0 else ""
    return f"{', '.join(paths[:_SHOWN])}{more}"


def both_head(both: BothRegistries) -> str:
    """That a provider is locked under both default registries."""
    first, *_ = (address for address, _ in both.places)
    return f"{first.namespace}/{first.type}: locked under both registries, which have packages and keys of their own"


def both_lines(both: BothRegistries) -> Iterator[str]:
    """Each registry with the files that lock the provider there."""
    yield from (f"{address}: {named_files(paths)}" for address, paths in both.places)


def drift_lines(drifts: Sequence[Drift], both: Sequence[BothRegistries] = ()) -> Iterator[str]:
    """Every provider that is locked in several ways, and below it each way; what is ordinary last."""
    loud = [each for each in drifts if any(form.stands_out for form in each.forms)]
    for drift in loud:
        yield from _told(drift)
    for each in both:
        yield both_head(each)
        yield from (f"  {line}" for line in both_lines(each))
    for drift in drifts:
        if drift not in loud:
            yield from _told(drift)


def _told(drift: Drift) -> Iterator[str]:
    yield drift_head(drift)
    yield from (f"  {form_line(drift, form)}" for form in drift.forms)
