"""The report as JSON, `lockwarden.report/1`, described by `docs/report.schema.json`.

It says everything that the screens show, with full values in a stable order, and derives nothing of its own. New
members may be added to it; none changes its meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.chain import chain_of
from lockwarden.core.coverage.matrix import named_platforms
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.bounds import Room
from lockwarden.core.reports.configuration_lines import configuration_json
from lockwarden.core.reports.headline import answer_of, answer_of_run, loudest_of, loudest_of_run
from lockwarden.core.reports.json_standards import approval_json, base_json, change_json, loudest_json, standards_json
from lockwarden.core.reports.json_values import (
    Json,
    chain_json,
    coverage_json,
    finding_json,
    json_text,
    key_json,
    observation_json,
    platforms_json,
    problem_json,
    signing_json,
    source_json,
    stranger_json,
)
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.review.drift import BothRegistries, Drift
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.key_use import KeyUse, UnknownIssuer, key_uses
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.rows import HashRow
from lockwarden.core.review.trusted_keys import key_trust, trust_in_run
from lockwarden.core.review.verdicts import Verdict

SCHEMA: Final = "lockwarden.report/1"
MAX_SIZE: Final = 16_000_000
"""Bytes before the text is indented, which makes it up to three times as large: less than 50 MB in the end."""
KEYS_SCHEMA: Final = "lockwarden.keys/1"


def json_report(result: RunResult, *, version: str = "", limit: int = MAX_SIZE) -> str:
    """The whole report as one JSON object, indented, with a line feed at the end. It is plain ASCII.

    Where it would be larger than some `limit` bytes, before they are indented, each provider has its share; what has no
    room in it is left out and counted, the hashes that nothing speaks against first.
    """
    shares = _Shares(limit, sum(len(each.review.providers) for each in result.files if each.review is not None))
    files = [_file(each, shares) for each in result.files]
    drift = Room(shares.left)
    document: Json = {
        "schema": SCHEMA,
        "answer": answer_of_run(result),
        "loudest": loudest_json(loudest_of_run(result)),
        "exit_code": int(result.exit_code),
        "sources": [source_json(source) for source in result.sources],
        "configuration": configuration_json(result.configuration),
        "lock_files": files,
        "drift": drift.taken("drift", (_drift(each) for each in result.drift)),
        "both_registries": drift.taken("both_registries", map(_both, result.both_registries)),
        "left_out": [{"count": each.count, "message": each.message} for each in result.left_out],
        "tool": {"name": "Lockwarden", "version": version},
    }
    omitted = shares.omitted + sum(drift.omitted.values())
    return json_text(document | ({"omitted": omitted} if omitted else {}))


class _Shares:
    """Divides what is left among the providers that are still to come."""

    def __init__(self, left: int, providers: int) -> None:
        self.left = left
        self.omitted = 0
        self._providers = providers

    def give(self) -> Room:
        return Room(self.left // self._providers)

    def settle(self, given: Room) -> None:
        """Take back what a provider did not need."""
        self.left -= self.left // self._providers - given.left
        self.omitted += sum(given.omitted.values())
        self._providers -= 1


def json_keys(
    result: RunResult, uses: Iterable[KeyUse], exit_code: ExitCode, unknown: Iterable[UnknownIssuer] = ()
) -> str:
    """The signing keys of a run as one JSON object, `lockwarden.keys/1`: KEY objects with what each was offered for."""
    return json_text(
        {
            "schema": KEYS_SCHEMA,
            "exit_code": int(exit_code),
            "sources": [source_json(source) for source in result.sources],
            "lock_files": [
                {
                    "path": each.path,
                    "standards": None if each.review is None else standards_json(each.review.standards),
                    "problems": [problem_json(problem) for problem in each.problems],
                }
                for each in result.files
            ],
            "keys": [
                key_json(use, trust_in_run(result.reviews, use))
                | {"signings": [signing_json(each) for each in use.signings]}
                for use in uses
            ],
            "unknown_issuers": [stranger_json(each) for each in unknown],
        }
    )


def _file(result: FileResult, shares: _Shares) -> Json:
    review = result.review
    problems: list[Problem | FileProblem] = [*result.problems, *(() if review is None else review.problems)]
    return {
        "path": result.path,
        "answer": answer_of(result),
        "loudest": loudest_json(loudest_of(result)),
        "base": None if review is None else base_json(review),
        "standards": None if review is None else standards_json(review.standards),
        "problems": [problem_json(problem) for problem in problems],
        "providers": [] if review is None else [_provider(review, each, shares) for each in review.providers],
    }


def _drift(drift: Drift) -> Json:
    return {
        "address": str(drift.address),
        "kinds": [each.value for each in drift.kinds],
        "forms": [
            {
                "version": str(form.version),
                "kinds": [each.value for each in form.kinds],
                "hashes": [str(each) for each in sorted(form.hashes)],
                "lacking": [str(each) for each in sorted(drift.lacking(form))],
                "paths": list(form.paths),
            }
            for form in drift.forms
        ],
    }


def _both(both: BothRegistries) -> Json:
    return {"places": [{"address": str(address), "paths": list(paths)} for address, paths in both.places]}


def _provider(review: Review, provider: ProviderReview, shares: _Shares) -> Json:
    audit = provider.audit
    room = shares.give()
    changes = room.taken("changes", map(change_json, provider.changes))
    problems = room.taken("problems", map(problem_json, provider.problems))
    hashes = _hashes(review, provider, room)
    described: Json = {
        "address": str(provider.address),
        "version": str(provider.entry.version),
        "constraints": provider.entry.constraints,
        "line": provider.entry.line,
        "summary": None if audit is None else audit.summary.value,
        "changes": changes,
        "alarmed": provider.alarmed,
        "keys": room.taken("keys", _keys(review, provider)),
        "problems": problems,
        "coverage": room.taken("coverage", _coverage(review, provider)),
        "chain": room.taken("chain", _chain(review, provider)),
        "findings": room.taken("findings", () if audit is None else map(finding_json, audit.source_answers)),
        "hashes": hashes,
    }
    shares.settle(room)
    return described | ({"omitted": room.omitted} if room.omitted else {})


def _hashes(review: Review, provider: ProviderReview, room: Room) -> list[Json]:
    """The hashes in their order; where there is not room for all, those first that count for the answer."""
    order = sorted(range(len(provider.rows)), key=lambda place: _weight(provider.rows[place]))
    told = room.taken("hashes", (_hash(review, provider, provider.rows[place]) for place in order))
    return [each for _, each in sorted(zip(order, told, strict=False), key=lambda pair: pair[0])]


def _weight(row: HashRow) -> tuple[bool, bool, bool]:
    return (not row.objects, row.verdict is not Verdict.UNCHECKED, not row.locked)


def _keys(review: Review, provider: ProviderReview) -> Iterator[Json]:
    for use in () if provider.audit is None else key_uses([provider.audit]):
        yield key_json(use, key_trust(review.standards.policy, provider.address, use.key.fingerprint))


def _coverage(review: Review, provider: ProviderReview) -> Iterator[Json]:
    """Every platform that some source names, also where it was not looked at."""
    if provider.audit is None:
        return
    platforms = named_platforms(provider.audit, review.platforms)
    for each in coverage_of(provider.entry, provider.audit, settings=review.settings, platforms=platforms):
        yield coverage_json(each)


def _chain(review: Review, provider: ProviderReview) -> Iterator[Json]:
    if provider.audit is None:
        return
    for each in chain_of(provider.entry, provider.audit, settings=review.settings, platforms=review.platforms):
        yield chain_json(each)


def _hash(review: Review, provider: ProviderReview, row: HashRow) -> Json:
    disposition = row.disposition
    return {
        "hash": row.hash.text,
        "locked": row.locked,
        "line": row.line,
        "verdict": row.verdict.value,
        "decision": review.decision(provider, row).value,
        "moved": None if row.moved is None else row.moved.value,
        "approval": None if row.approval is None else approval_json(row.approval),
        "reasons": [reason.text for reason in row.reasons],
        "platforms": platforms_json(row.platforms),
        "signed_by_gpg_key_ids": sorted(disposition.signed_by_gpg_key_ids),
        "signed_by_fingerprints": sorted(disposition.signed_by_fingerprints),
        "reported_by_registry": disposition.reported_by_registry,
        "reported_by_trusted_mirror": disposition.reported_by_trusted_mirror,
        "verified_locally": disposition.verified_locally,
        "observations": [observation_json(observation) for observation in row.observations],
    }
