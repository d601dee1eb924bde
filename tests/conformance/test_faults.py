"""In the face of a server that misbehaves, Lockwarden succeeds and fails where OpenTofu does, but for the table."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

import pytest
from builders.tables import table
from builders.thorough import THOROUGH
from conformance.comparison import installable
from conformance.deviations import Area, Aspect, dead_entries, expected
from conformance.differences import DIFFERENCES
from conformance.fault_runs import (
    FAULTS,
    ON_THE_WIRE,
    Fault,
    asked_at_stage,
    by_fault,
    face_all,
    faulty_world,
    token_of,
)
from conformance.recordings import Run, runs
from conformance.site import accepted, hashes, played, rejudged, site
from servers.authority import Authority
from servers.faults import STAGES
from servers.journal import Request

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.errors import Stage

WORDS = {
    "versions": Stage.VERSIONS,
    "metadata": Stage.METADATA,
    "sums": Stage.SUMS,
    "signature": Stage.SIGNATURE,
    "index": Stage.INDEX,
    "archives": Stage.ARCHIVES,
}
"""What the errors call the stages whose failure leaves nothing to audit."""
PACKAGES = frozenset({"package", "mirrorpackage"})
NO_JSON = frozenset({"html", "empty", "badjson", "array"})
ALTERED = frozenset({"trailing", "longer"})
HAS_TOKENS = frozenset({"versions", "metadata", "index", "archives"})
"""The stages that a token goes to."""
CODES = {
    "truncated": "short-body",
    "reset": "connection-reset",
    "redirectloop": "too-many-redirects",
    "redirectnowhere": "redirect-refused",
    "redirecthttp": "redirect-refused",
    "texttype": "content-type",
    "notype": "content-type",
}
"""The code of the problem for faults that mean the same at every stage."""
CONTENT_CODES = {
    "versions": "answer-malformed",
    "metadata": "answer-malformed",
    "index": "unusable-json",
    "archives": "unusable-json",
    "sums": "package-not-listed",
    "signature": "signature-undecodable",
    "package": "package-contradicts-shasum",
    "mirrorpackage": "package-not-an-archive",
}
"""The code of the problem where a stage answers with something else than it should."""
SPECIAL_CODES = {
    ("versions", "s404"): "not-at-origin",
    ("metadata", "s404"): "platform-missing",
    ("archives", "s404"): "mirror-contradicts-itself",
    ("index", "html"): "html",
    ("archives", "html"): "html",
    ("signature", "empty"): "signature-unknown-issuer",
    ("sums", "trailing"): "signature-bad",
    ("sums", "longer"): "signature-bad",
}
CONTENT_ERRORS = frozenset({*CONTENT_CODES.values(), "signature-unknown-issuer", "signature-bad"})
ABSENT = {("versions", "s404"), ("index", "s404")}
"""Where the answer is that the provider is not there, which is no failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faced:
    """How the audit over one fault went."""

    review: Review
    requests: tuple[Request, ...]


@pytest.fixture(scope="module")
def faced(authority: Authority) -> dict[Fault, Faced]:
    """All faults, each at a host of its own; nothing but them may have been asked for.

    Without a connection where only the answer is odd, but for thorough runs.
    """
    on_the_wire = [fault for fault in FAULTS if THOROUGH or fault.fault in ON_THE_WIRE]
    others = played(faulty_world())
    with site(authority, faulty_world()) as world:
        reviews = asyncio.run(face_all(world, on_the_wire))
        journal = world.server.journal.requests
        refused = world.proxy.refused.requests
    reviews |= asyncio.run(face_all(others, [fault for fault in FAULTS if fault not in reviews]))
    journal += others.journal.requests
    assert refused == (), "plain http, or a host that is not of the tests, was asked for"
    assert {request.scheme for request in journal} == {"https"}
    requests = by_fault(journal)
    return {fault: Faced(review=review, requests=requests[fault]) for fault, review in reviews.items()}


def recorded_without_fault(fault: Fault) -> tuple[str, ...]:
    """What OpenTofu records where nothing misbehaves, or where what does goes unnoticed."""
    area, case, name = (
        ("network_mirror", "both", "example.test init")
        if fault.at_mirror
        else (
            "registry",
            "plain",
            "example.test init",
        )
    )
    (run,) = [run for run in runs(area) if (run.client, run.case, run.name) == (fault.run.client, case, name)]
    if fault.stage == "mirrorpackage" and fault.fault in ALTERED:
        # Other bytes with the same content: the listed h1 matches, the listed zh does not and is not recorded.
        return tuple(hash_ for hash_ in run.result.hashes if hash_.startswith("h1:"))
    return run.result.hashes


def tokens_seen(fault: Fault, requests: tuple[Request, ...]) -> frozenset[str]:
    """Scheme and host of every server that saw a token; the one that misbehaves under the client's name for it."""
    servers = {f"{request.scheme}://{request.host}" for request in requests if request.authorization is not None}
    return frozenset(server.replace(fault.host, "localhost") for server in servers)


def code_of(fault: Fault) -> str:
    """The code of the problem that a fault makes."""
    key = (fault.stage, fault.fault)
    if key in SPECIAL_CODES:
        return SPECIAL_CODES[key]
    if fault.fault in {"s401", "s403"} and fault.stage in HAS_TOKENS:
        return "credentials-rejected"
    if re.match(r"s\d{3}", fault.fault):
        return "http-status"
    return CODES.get(fault.fault) or CONTENT_CODES[fault.stage]


@table("fault", FAULTS, ids=str)
def test_it_succeeds_where_the_client_does_and_asks_as_often(faced: dict[Fault, Faced], fault: Fault) -> None:
    review, requests = faced[fault].review, faced[fault].requests
    said: dict[Aspect, str] = {}
    judged = review.providers[0]
    if installable(judged) != fault.succeeded:
        said[Aspect.REFUSAL] = "installed" if installable(judged) else "refused"
    written = hashes(accepted(review), fault.address)
    if written != (recorded_without_fault(fault) if fault.succeeded else ()):
        said[Aspect.HASHES] = ", ".join(written) or "nothing"
    if (asked := asked_at_stage(fault, requests)) != fault.requests:
        said[Aspect.REQUESTS] = str(asked)
    if (seen := tokens_seen(fault, requests)) != fault.token_sent_to:
        said[Aspect.TOKENS] = ", ".join(sorted(seen))
    assert said == expected(Area.FAULTS, fault.run, DIFFERENCES)


@table("fault", FAULTS, ids=str)
def test_a_token_goes_to_its_own_host_and_to_nothing_but_the_documents_that_need_it(
    faced: dict[Fault, Faced], fault: Fault
) -> None:
    for request in faced[fault].requests:
        if request.authorization is not None:
            assert (request.scheme, request.host) == ("https", fault.host)
            assert request.authorization == f"Bearer {token_of(fault.host)}"
            assert not re.search(r"\.zip$|SHA256SUMS(\.sig)?$", request.path)


@table("fault", [each for each in FAULTS if not each.succeeded or each.fault == "redirecthttp"], ids=str)
def test_a_failure_is_a_problem_of_the_stage_that_failed(faced: dict[Fault, Faced], fault: Fault) -> None:
    judged = faced[fault].review.providers[0]
    assert judged.audit is not None
    (answer,) = judged.audit.source_answers
    if (fault.stage, fault.fault) in ABSENT:
        assert answer.outcome is Outcome.NOT_THERE
        assert answer.detail
        return
    problems = [problem for problem in judged.problems if problem.code == code_of(fault)]
    assert problems, [problem.code for problem in judged.problems]
    assert all(problem.hint for problem in problems)
    if fault.stage in PACKAGES:
        assert answer.outcome is Outcome.ANSWERED
        assert answer.platforms
        assert "package" in problems[0].message
    elif answer.outcome is Outcome.NO_ANSWER:
        assert f"({WORDS[fault.stage]})" in problems[0].message
    else:
        assert fault.stage in {"sums", "signature"} or fault.fault == "s404"


@table("fault", [each for each in FAULTS if not each.succeeded], ids=str)
def test_not_there_and_no_answer_are_different(faced: dict[Fault, Faced], fault: Fault) -> None:
    judged = faced[fault].review.providers[0]
    assert judged.audit is not None
    (answer,) = judged.audit.source_answers
    outcomes = {answer.outcome, *(package.outcome for package in answer.packages)}
    not_there = (fault.stage, fault.fault) in {*ABSENT, ("metadata", "s404")}
    assert (Outcome.NOT_THERE in outcomes) == not_there
    if fault.stage not in {"sums", "signature"} and not not_there and fault.fault not in NO_JSON | ALTERED:
        assert Outcome.NO_ANSWER in outcomes
        assert judged.incomplete


@table("fault", [each for each in FAULTS if each.stage == "mirrorpackage"], ids=str)
def test_a_mirrors_altered_package_is_an_error_though_its_h1_matches(faced: dict[Fault, Faced], fault: Fault) -> None:
    codes = {problem.code for problem in faced[fault].review.providers[0].problems}
    assert ("mirror-hash-mismatch" in codes) == (fault.fault in NO_JSON | ALTERED)


@table("fault", FAULTS, ids=str)
def test_right_hashes_are_confirmed_only_where_something_confirms_them(faced: dict[Fault, Faced], fault: Fault) -> None:
    locked = recorded_without_fault(fault)
    review = rejudged(faced[fault].review, {fault.address: locked})
    confirmed = {row.hash.text for row in review.providers[0].rows if row.verdict is Verdict.CONFIRMED}
    altered = fault.stage == "mirrorpackage" and fault.fault in ALTERED
    if fault.succeeded and fault.fault != "redirecthttp":
        assert confirmed == set(locked)
        assert review.exit_code is (ExitCode.FINDINGS if altered else ExitCode.NOTHING_TO_OBJECT)
        return
    # The signed list holds the zh hashes also where no package could be had, or other bytes came.
    assert confirmed == {hash_ for hash_ in locked if fault.stage == "package" and hash_.startswith("zh:")}
    objection = fault.stage in {"sums", "signature", *PACKAGES} and code_of(fault) in CONTENT_ERRORS
    assert review.exit_code is (ExitCode.FINDINGS if objection else ExitCode.INCOMPLETE)


def test_every_stage_was_met_with_every_fault() -> None:
    by_stage = {stage: {each.fault for each in FAULTS if each.stage == stage} for stage in STAGES}
    assert len(FAULTS) == 256
    assert len({frozenset(faults) for faults in by_stage.values()}) == 1


def test_the_table_names_only_runs_that_there_are() -> None:
    known: list[Run] = [fault.run for fault in FAULTS]
    assert dead_entries(Area.FAULTS, known, DIFFERENCES) == []
