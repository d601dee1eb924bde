"""The report as JSON, `lockwarden.report/1`, described by `docs/report.schema.json`.

It says everything that the screens show, with full values in a stable order, and derives nothing of its own. New
members may be added to it; none changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from lockwarden.core.reports.json_values import (
    Json,
    finding_json,
    key_json,
    observation_json,
    platforms_json,
    problem_json,
    signing_json,
    source_json,
)
from lockwarden.core.reports.result import FileResult, RunResult
from lockwarden.core.review.key_use import KeyUse, key_uses
from lockwarden.core.review.review import ExitCode, ProviderReview, Review
from lockwarden.core.review.rows import HashRow

SCHEMA: Final = "lockwarden.report/1"
KEYS_SCHEMA: Final = "lockwarden.keys/1"


def json_report(result: RunResult) -> str:
    """The whole report as one JSON object, indented, with a line feed at the end. It is plain ASCII."""
    return _text(
        {
            "schema": SCHEMA,
            "exit_code": int(result.exit_code),
            "sources": [source_json(source) for source in result.sources],
            "lock_files": [_file(each) for each in result.files],
        }
    )


def json_keys(result: RunResult, uses: Iterable[KeyUse], exit_code: ExitCode) -> str:
    """The signing keys of a run as one JSON object, `lockwarden.keys/1`: KEY objects with what each was offered for."""
    return _text(
        {
            "schema": KEYS_SCHEMA,
            "exit_code": int(exit_code),
            "sources": [source_json(source) for source in result.sources],
            "lock_files": [
                {"path": each.path, "problems": [problem_json(problem) for problem in each.problems]}
                for each in result.files
            ],
            "keys": [key_json(use) | {"signings": [signing_json(each) for each in use.signings]} for use in uses],
        }
    )


def _text(document: Json) -> str:
    # ASCII, so that no character of a hostile text reaches a terminal as it is; json leaves DEL alone.
    return json.dumps(document, indent=2, ensure_ascii=True).replace("\x7f", "\\u007f") + "\n"


def _file(result: FileResult) -> Json:
    review = result.review
    return {
        "path": result.path,
        "problems": [problem_json(problem) for problem in result.problems],
        "providers": [] if review is None else [_provider(review, each) for each in review.providers],
    }


def _provider(review: Review, provider: ProviderReview) -> Json:
    audit = provider.audit
    return {
        "address": str(provider.address),
        "version": str(provider.entry.version),
        "constraints": provider.entry.constraints,
        "line": provider.entry.line,
        "summary": None if audit is None else audit.summary.value,
        "keys": [] if audit is None else [key_json(use) for use in key_uses([audit])],
        "problems": [problem_json(problem) for problem in provider.problems],
        "coverage": [],
        "findings": [] if audit is None else [finding_json(finding) for finding in audit.findings],
        "hashes": [_hash(review, provider, row) for row in provider.rows],
    }


def _hash(review: Review, provider: ProviderReview, row: HashRow) -> Json:
    disposition = row.disposition
    return {
        "hash": row.hash.text,
        "locked": row.locked,
        "line": row.line,
        "verdict": row.verdict.value,
        "decision": review.decision(provider, row).value,
        "reasons": [reason.text for reason in row.reasons],
        "platforms": platforms_json(row.platforms),
        "signed_by_gpg_key_ids": sorted(disposition.signed_by_gpg_key_ids),
        "signed_by_fingerprints": sorted(disposition.signed_by_fingerprints),
        "reported_by_registry": disposition.reported_by_registry,
        "reported_by_trusted_mirror": disposition.reported_by_trusted_mirror,
        "verified_locally": disposition.verified_locally,
        "observations": [observation_json(observation) for observation in row.observations],
    }
