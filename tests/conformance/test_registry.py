"""Over every registry case of the recorded world Lockwarden says what the real clients did, but for the table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from builders.run_results import run_of
from builders.schema import undescribed
from builders.tables import table
from builders.thorough import THOROUGH, cases_of_this_run
from conformance.comparison import differences, installable, verdict_difference
from conformance.deviations import Area, Aspect, dead_entries, expected
from conformance.differences import DIFFERENCES
from conformance.recordings import CASES, Run, runs, true_hashes
from conformance.site import (
    EVERY,
    Auditing,
    SourceMaker,
    Tools,
    accepted,
    hashes,
    lock_file,
    played,
    provider,
    rejudged,
    site,
)
from servers.authority import Authority

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.review.review import Review
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.severity import Severity

RUNS = runs("registry")
COMMON = cases_of_this_run(RUNS, lambda run: run.columns)
"""Each case by both clients and from both hosts; of the four together, one is for thorough runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """Every case of the world by one client's rules, from a lock file whose entries have no hashes."""

    review: Review
    """After an audit for the platform that the client locked for."""
    written: LockFile
    """What `lockwarden lock` makes of the lock file after that audit."""
    every: Review
    """After an audit of every platform."""


def address(run: Run) -> str:
    return f"{run.place}/acme/{run.case}"


def direct(tools: Tools) -> RegistrySource:
    return RegistrySource(tools.http, tools.store, tools.verifier, tools.settings)


def through_host_blocks(port: int) -> SourceMaker:
    """The registries as `host` blocks on this very machine, which is how the clients were led to them."""
    services = {"providers.v1": f"https://localhost:{port}/v1/providers/"}
    blocks = {"example.test": services, "registry.opentofu.org": services}

    return lambda tools: RegistrySource(tools.http, tools.store, tools.verifier, tools.settings, services=blocks)


def audited(world: Auditing, settings: ClientSettings, addresses: set[str]) -> Audited:
    empty = lock_file(dict.fromkeys(sorted(addresses), ()), client=settings.client)
    review = world.audit(empty, direct, settings=settings)
    every = world.audit(empty, direct, settings=settings, platforms=EVERY)
    return Audited(review=review, written=accepted(review), every=every)


@pytest.fixture(scope="module")
def audits() -> Mapping[ClientSettings, Audited]:
    """By settings, all cases that a client ran over with them, each setting's in one audit."""
    addresses: defaultdict[ClientSettings, set[str]] = defaultdict(set)
    for run in COMMON:
        addresses[run.settings].add(address(run))
    world = played()
    return {settings: audited(world, settings, asked) for settings, asked in addresses.items()}


def test_every_case_of_the_world_was_run_by_both_clients_for_both_hosts() -> None:
    assert len(CASES["registry"]) == 48
    assert {(run.client, run.case, run.place) for run in RUNS} == {
        (client, case, host)
        for client in {run.client for run in RUNS}
        for case in CASES["registry"]
        for host in ("example.test", "registry.opentofu.org")
    }


@table("run", COMMON, ids=str)
def test_lock_writes_and_the_audit_says_what_the_client_did(audits: Mapping[ClientSettings, Audited], run: Run) -> None:
    known, names = audits[run.settings], true_hashes(run.case)
    said = differences(provider(known.review, address(run)), hashes(known.written, address(run)), run.result, names)
    locked = run.result.hashes if run.result.succeeded else tuple(names)
    judged = provider(rejudged(known.every, {address(run): locked}), address(run))
    if verdicts := verdict_difference(judged, run.result, names):
        said[Aspect.VERDICTS] = verdicts
    assert said == expected(Area.REGISTRY, run, DIFFERENCES)


@table("run", [run for run in COMMON if not run.result.succeeded], ids=str)
def test_what_the_client_refuses_or_crashes_on_offers_nothing_and_is_a_problem(
    audits: Mapping[ClientSettings, Audited], run: Run
) -> None:
    judged = provider(audits[run.settings].review, address(run))
    assert judged.audit is not None
    assert not installable(judged)
    assert hashes(audits[run.settings].written, address(run)) == ()
    told = [problem for answer in judged.audit.source_answers for problem in answer.problems]
    assert any(problem.severity is not Severity.NOTE for problem in told)


@table("run", [run for run in COMMON if run.case == "packages-lying"], ids=str)
def test_a_lying_registry_h1_is_named(audits: Mapping[ClientSettings, Audited], run: Run) -> None:
    judged = provider(audits[run.settings].review, address(run))
    assert "registry-h1-differs" in {problem.code for problem in judged.problems}
    assert judged.objected


@pytest.mark.parametrize("client", [Client.OPENTOFU, pytest.param(Client.TERRAFORM, marks=pytest.mark.thorough)])
def test_neither_real_https_nor_a_host_block_that_leads_to_this_machine_changes_an_answer(
    authority: Authority, audits: Mapping[ClientSettings, Audited], client: Client
) -> None:
    settings = ClientSettings(client=client)
    of_client = sorted({address(run) for run in COMMON if run.settings == settings})
    addresses = set(of_client if THOROUGH else of_client[::4])
    with site(authority) as world:
        empty = lock_file(dict.fromkeys(sorted(addresses), ()), client=client)
        review = world.audit(empty, through_host_blocks(world.server.port), settings=settings)
        asked = {(request.host, request.path.split("/")[1]) for request in world.server.journal.requests}
    assert asked <= {("localhost", "v1"), ("localhost", "releases")}
    written, expected = accepted(review), audits[settings].written
    assert {each: hashes(written, each) for each in addresses} == {each: hashes(expected, each) for each in addresses}
    assert any(hashes(written, each) for each in addresses)


def test_every_report_of_them_is_what_the_published_schema_describes(audits: Mapping[ClientSettings, Audited]) -> None:
    for each in audits.values():
        for review in (each.review, each.every) if THOROUGH else (each.every,):
            assert undescribed(json_report(run_of(review))) == ()


def test_the_table_names_only_runs_that_there_are() -> None:
    assert dead_entries(Area.REGISTRY, RUNS, DIFFERENCES) == []
