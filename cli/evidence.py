"""What `check` and the review do with `--evidence`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lockwarden.core.engine.options import AuditOptions, GivenOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.values.errors import InputError

if TYPE_CHECKING:
    from lockwarden.core.engine.opened_evidence import OpenedEvidence


def with_evidence(
    given: GivenOptions, options: AuditOptions, runtime: Runtime, *, with_modules: bool = False
) -> tuple[OpenedEvidence | None, AuditOptions, Runtime]:
    """The bundle of `--evidence`, if there is one, with options and a runtime by which nobody else is asked.

    Raises InputError, also for options that mean to ask somebody.
    """
    if given.evidence is None:
        return None, options, runtime
    from lockwarden.core.engine.evidence_files import EvidenceTrust, open_evidence, read_age

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
    evidence = open_evidence(given.evidence, runtime, trust, directory=Path.cwd())
    return evidence, evidence.options(options, platforms_named=bool(given.platform)), runtime.answered_by(evidence)
