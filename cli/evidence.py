"""What `check` and the review do with `--evidence`."""

from __future__ import annotations

from pathlib import Path

from lockwarden.core.engine.evidence_files import EvidenceTrust, OpenedEvidence, open_evidence, read_age
from lockwarden.core.engine.options import GivenOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.values.errors import InputError


def evidence_of(given: GivenOptions, place: Runtime, *, with_modules: bool = False) -> OpenedEvidence:
    """The bundle that was named. Raises InputError, also for options that mean to ask somebody."""
    asking = (
        ("--source", bool(given.source)),
        ("--fresh", given.fresh),
        ("--modules", with_modules),
        ("--insecure-http", bool(given.insecure_http)),
        ("--token-host", bool(given.token_host)),
    )
    for name, is_given in asking:
        if is_given:
            raise InputError(
                f"{name} and --evidence exclude each other: nobody is asked, and the evidence says what was",
                hint="leave one of them out",
            )
    trust = EvidenceTrust(signers=given.evidence_signers, max_age=read_age(given.evidence_max_age))
    return open_evidence(given.evidence or "", place, trust, directory=Path.cwd())
