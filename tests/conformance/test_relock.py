"""On an existing lock file Lockwarden leaves what the client's command leaves, and names what no client names."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from builders.reading import SECOND_READER, parse
from builders.tables import table
from conformance.comparison import differences
from conformance.deviations import Area, dead_entries, expected
from conformance.differences import DIFFERENCES
from conformance.existing import PLANT, PLANTED, existing
from conformance.recordings import Run, relock_runs, true_hashes
from conformance.site import (
    AUTO,
    EVERY,
    ONLY_LINUX,
    TWO_PLATFORMS,
    Auditing,
    Tools,
    accepted,
    hashes,
    lock_file,
    played,
    provider,
)

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.review.decisions import Decision, Decisions, HashKey, choices, next_choice
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash

RUNS = relock_runs()
PROVIDERS = ("example.test/acme/plain", "registry.opentofu.org/acme/packages")
CASES = tuple(dict.fromkeys(run.case for run in RUNS))
CHOICES = {False: ONLY_LINUX, True: TWO_PLATFORMS}
"""By whether the command named two platforms."""


def direct(tools: Tools) -> RegistrySource:
    return RegistrySource(tools.http, tools.store, tools.verifier, tools.settings)


def audited(world: Auditing, client: Client, case: str, platforms: PlatformChoice) -> Review:
    """The review of a lock file of this case for both providers."""
    locked = {address: existing(case, address) for address in PROVIDERS}
    return world.audit(
        lock_file(locked, client=client), direct, settings=ClientSettings(client=client), platforms=platforms
    )


def of_two(run: Run) -> bool:
    return run.name.endswith("two platforms")


@pytest.fixture(scope="module")
def reviews() -> Mapping[tuple[Client, str, bool], Review]:
    """By client, lock file and whether two platforms were named."""
    world = played()
    return {
        (client, case, two): audited(world, client, case, choice)
        for client in Client
        for case in CASES
        for two, choice in CHOICES.items()
    }


@pytest.fixture(scope="module")
def planted() -> Mapping[tuple[Client, str], Review]:
    """The lock file with the planted hash, by client and by how platforms are chosen."""
    words = {"auto": AUTO, "all": EVERY, "linux_amd64": ONLY_LINUX}
    world = played()
    return {
        (client, word): audited(world, client, PLANT, choice) for client in Client for word, choice in words.items()
    }


@table("run", RUNS, ids=str)
def test_what_is_locked_and_what_is_new_are_what_the_client_leaves(
    reviews: Mapping[tuple[Client, str, bool], Review], run: Run
) -> None:
    review, address = reviews[run.client, run.case, of_two(run)], run.place
    names = true_hashes(address.rpartition("/")[2])
    said = differences(provider(review, address), hashes(accepted(review), address), run.result, names)
    assert said == expected(Area.RELOCK, run, DIFFERENCES)


@table("run", [run for run in RUNS if run.case == PLANT], ids=str)
def test_every_command_of_the_clients_keeps_a_planted_hash(run: Run) -> None:
    assert run.result.succeeded
    assert PLANTED in run.result.hashes


@table("address", PROVIDERS)
@table("word", ["auto", "all"])
@table("client", Client)
def test_a_planted_hash_is_unexplained_and_one_decision_drops_it(
    planted: Mapping[tuple[Client, str], Review], client: Client, word: str, address: str
) -> None:
    review = planted[client, word]
    judged = provider(review, address)
    (row,) = [row for row in judged.rows if row.verdict.is_finding]
    assert (row.hash, row.verdict) == (Hash(PLANTED), Verdict.UNEXPLAINED)
    assert review.exit_code is ExitCode.FINDINGS
    assert HashKey.of(judged.address, row.hash) not in dict(review.suggested([judged]))

    pressed = next_choice(review.decision(judged, row), choices(row.verdict, usable=row.hash.usable))
    assert pressed is Decision.DROP
    decided = review.with_decisions(Decisions().decide([(HashKey.of(judged.address, row.hash), pressed)]))
    before = hashes(review.lock_file, address)
    after = hashes(parse(decided.next_lock_file(SECOND_READER), path="after"), address)
    assert after == tuple(each for each in before if each != PLANTED)


@table("address", PROVIDERS)
@table("client", Client)
def test_while_other_platforms_were_not_looked_at_a_planted_hash_is_unchecked(
    planted: Mapping[tuple[Client, str], Review], client: Client, address: str
) -> None:
    review = planted[client, "linux_amd64"]
    verdicts = {row.hash: row.verdict for row in provider(review, address).rows if row.locked}
    assert verdicts[Hash(PLANTED)] is Verdict.UNCHECKED
    assert review.exit_code is ExitCode.INCOMPLETE


@table("case", ["none", "unknown scheme"])
@table("client", Client)
def test_an_entry_that_accepts_any_package_is_an_error(
    reviews: Mapping[tuple[Client, str, bool], Review], client: Client, case: str
) -> None:
    review = reviews[client, case, False]
    for address in PROVIDERS:
        assert "accepts-any-package" in {problem.code for problem in provider(review, address).problems}
    assert review.exit_code is ExitCode.FINDINGS


def test_every_lock_file_was_run_by_both_clients_on_both_providers() -> None:
    commands = ("providers lock", "providers lock, two platforms", "init", "init -upgrade")
    assert {(run.client, run.case, run.name) for run in RUNS} == {
        (client, case, f"{address} {command}")
        for client in Client
        for case in CASES
        for address in PROVIDERS
        for command in commands
    }
    assert len(CASES) == 9


def test_the_table_names_only_runs_that_there_are() -> None:
    assert dead_entries(Area.RELOCK, RUNS, DIFFERENCES) == []
