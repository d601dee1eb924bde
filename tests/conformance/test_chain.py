"""Of several installation methods the verdict for all of them is what the real clients met."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest
from builders.remembering import RememberingVerifier
from builders.tables import table
from builders.thorough import cases_of_this_run
from conformance.chain_runs import ADDRESS, RUNS, ChainRun, ChainWorld

from lockwarden.core.coverage.chain import ChainVerdict
from lockwarden.core.coverage.outcomes import Installability
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.values.clients import Client
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.packages import provider_package
from lockwarden.demo.releases import Release, signed

COMMON = cases_of_this_run(RUNS, lambda run: run.parts)
BUILT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


@pytest.fixture(scope="module")
def world(key_maker: KeyMaker) -> ChainWorld:
    now = datetime.now(UTC)
    key = key_maker.make("Chain <chain@example.test>", created=now - timedelta(days=30))
    releases = []
    for version in ("1.2.2", "1.2.3"):
        packages = {
            platform: provider_package("widget", version, platform, size=300, modified=BUILT)
            for platform in ("linux_amd64", "darwin_arm64")
        }
        release = Release(address=str(ADDRESS), version=version, packages=packages, offered=(key,))
        releases.append(signed(release, maker=key_maker, key=key, at=now - timedelta(days=2)))
    verifier = SignatureVerifier(find_gpg(os.environ), clock=lambda: datetime.now(UTC))
    return ChainWorld(releases, RememberingVerifier(verifier))


@pytest.fixture(scope="module")
def verdicts(world: ChainWorld, tmp_path_factory: pytest.TempPathFactory) -> Mapping[ChainRun, ChainVerdict]:
    """By OpenTofu's rules, of every run that is looked at."""
    return world.verdicts(COMMON, Client.OPENTOFU, tmp_path_factory.mktemp("chains"))


@table("run", COMMON, ids=str)
def test_the_verdict_for_a_chain_is_what_the_clients_met(
    verdicts: Mapping[ChainRun, ChainVerdict], run: ChainRun
) -> None:
    said = verdicts[run]
    for client in Client:
        succeeded, source = run.recorded(client)
        if said.standing is Installability.OPEN:
            # Only of a method that does not list the version, and may have a package of it all the same.
            assert "does not list 1.2." in said.reason
            assert said.source == (source or said.source) or said.source == "direct"
        else:
            assert (said.standing, said.source if succeeded else "") == (
                (Installability.WORKS, source) if succeeded else (Installability.FAILS, "")
            ), said


def test_the_recording_is_whole() -> None:
    assert len(RUNS) == 302
    assert sum(len(run.methods) > 1 for run in RUNS) == 238
