"""Drift in lines: how the lock files of one run differ in what they lock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lockwarden.core.review.drift import Drift, DriftForm

_SHOWN: Final = 3
"""Files that are named for each way; the JSON report names all."""


def form_line(drift: Drift, form: DriftForm) -> str:
    """One way in which a provider is locked, and where, as “1.2.3 with 4 hashes, lacks 2: a and 3 more files”."""
    count = len(form.hashes)
    lacking = len(drift.lacking(form))
    lacks = f", lacks {lacking} that others have" if lacking else ""
    named = ", ".join(form.paths[:_SHOWN])
    rest = len(form.paths) - _SHOWN
    more = f" and {rest} more {'files' if rest > 1 else 'file'}" if rest > 0 else ""
    return f"{form.version} with {count} {'hash' if count == 1 else 'hashes'}{lacks}: {named}{more}"


def drift_lines(drifts: tuple[Drift, ...]) -> Iterator[str]:
    """Every provider that is locked in several ways, and below it each way."""
    for drift in drifts:
        yield str(drift.address)
        yield from (f"  {form_line(drift, form)}" for form in drift.forms)
