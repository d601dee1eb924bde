"""Runs on a cluster say what a run in one process says; a scheduler that dies costs nothing that was known."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from builders.registry_metadata import Registry, target, without_times
from builders.three_providers import ThreeProviders
from end_to_end.organisations import LOCK, Clones
from end_to_end.pull_requests import ASKED, lock_text
from end_to_end.registry_runs import RegistryRun
from servers.cluster import Cluster, running_cluster
from servers.https import HttpsServer, of_world
from servers.installed import Lockwarden
from servers.no_connections import over_connections

from lockwarden.demo.world import Response

FORMS = ("text", "json", "markdown")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


def made() -> Registry:
    return Registry(
        [target(name, platform=each) for name in ("one", "two") for each in ("linux_amd64", "darwin_arm64")]
    )


def lines_of(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def test_organisations_are_told_the_same_to_the_byte_whoever_fetched(
    cluster: Cluster, three_providers: ThreeProviders, lockwarden: Lockwarden, served: HttpsServer, tmp_path: Path
) -> None:
    clones = Clones(folder=tmp_path / "clones", environment=lockwarden.environment)
    clones.folder.mkdir()
    whole = lock_text(three_providers.releases)
    planted = whole.replace("  hashes = [\n", f'  hashes = [\n    "zh:{"0" * 64}",\n', 1)
    clones.make("a", {LOCK: whole, f"sub/{LOCK}": planted})
    clones.make("b", {LOCK: '# This file is maintained automatically by "tofu init".\n' + whole})
    world = three_providers.world()

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if path.endswith("_one_1.4.0_linux_amd64.zip") or "provider-one_1.4.0_linux_amd64.zip" in path:
            return Response(status=410)
        answer = world.respond(host, path)
        return (
            Response(body=answer.body + b"\n")
            if "provider-two_" in path and path.endswith("darwin_arm64.zip")
            else answer
        )

    served.serve(respond)

    def told(*words: str) -> tuple[list[str], list[str]]:
        served.journal.clear()
        reports = [word for form in FORMS for word in ("--report", f"{form}:{form}")]
        lockwarden.run("organisation", "clones", *ASKED, "--no-cache", *reports, *words, folder=tmp_path, expected=1)
        return [(tmp_path / form).read_text() for form in FORMS], sorted(
            each.path for each in served.journal.requests if each.path.endswith(".zip")
        )

    here, asked_here = told()
    there, asked_there = told("--scheduler", cluster.address)
    assert there == here
    assert asked_there == asked_here
    assert "410" in here[0]
    assert lockwarden.leftovers() == []


def test_a_backfill_on_a_scheduler_has_the_journal_of_one_in_this_process_and_goes_on_when_that_dies(
    backfilled: RegistryRun, cluster: Cluster, tmp_path: Path
) -> None:
    backfilled.serve(made())
    backfilled.backfill("--step", "run", "--journal", "here.jsonl", expected=0)
    backfilled.backfill("--step", "run", "--journal", "there.jsonl", "--scheduler", cluster.address, expected=0)
    here, there = (without_times(backfilled.folder / f"{name}.jsonl") for name in ("here", "there"))
    assert there == here
    assert len(here) == 4
    # The scheduler goes away with two packages done: they are kept, and the others are done by the next run.
    (tmp_path / "dying").mkdir()
    # Over connections, so that who waits for an answer goes on with the others meanwhile.
    with over_connections(), running_cluster(tmp_path / "dying", workers=1) as dying:
        answered: list[str] = []

        def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
            answered.append(path)
            if len(answered) == 3:
                while lines_of(backfilled.journal) < 2:  # results come by way of the scheduler
                    time.sleep(0.01)
                dying.end()
            return made().respond(host, path, headers)

        backfilled.server.serve(respond)
        ended = backfilled.backfill("--host-requests", "1", "--scheduler", dying.address, expected=2)
    assert "hint: what is known so far is kept" in ended.err
    kept = backfilled.journal.read_bytes()
    assert kept.count(b"\n") == 2
    backfilled.server.serve(made().respond)
    asked = backfilled.asked
    backfilled.backfill(expected=0)
    assert backfilled.asked == asked + 2
    assert backfilled.journal.read_bytes().startswith(kept)
    assert without_times(backfilled.journal) == here


def test_an_organisation_whose_scheduler_dies_or_is_none_is_told_in_a_sentence(
    lockwarden: Lockwarden, three_providers: ThreeProviders, served: HttpsServer, tmp_path: Path
) -> None:
    clones = Clones(folder=tmp_path / "clones", environment=lockwarden.environment)
    clones.folder.mkdir()
    clones.make("a", {LOCK: lock_text(three_providers.releases)})
    words = ("organisation", "clones", *ASKED)
    told = lockwarden.run(*words, "--scheduler", "tcp://127.0.0.1:9", folder=tmp_path, expected=2)
    assert "no scheduler can be spoken to at tcp://127.0.0.1:9" in told.err
    told = lockwarden.run(*words, "--scheduler", "x", "--workers", "2", folder=tmp_path, expected=2)
    assert "--workers and --scheduler exclude each other" in told.err
    with running_cluster(tmp_path, workers=1) as dying:
        world = of_world(three_providers.world())

        def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
            if path.endswith(".zip"):
                dying.end()
            return world(host, path, headers)

        served.serve(respond)
        told = lockwarden.run(*words, "--scheduler", dying.address, folder=tmp_path, expected=2)
    assert "hint: what is known so far is kept" in told.err
    assert told.out == ""
