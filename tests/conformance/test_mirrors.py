"""At every mirror of the recorded world Lockwarden says what the real clients did, but for the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from builders.tables import table
from conformance.comparison import differences, installable
from conformance.deviations import Area, dead_entries, expected
from conformance.differences import DIFFERENCES
from conformance.recordings import CASES, Run, runs, single_runs, true_hashes
from conformance.site import Auditing, SourceMaker, accepted, hashes, lock_file, played, provider, site
from contract.oci.kinds import Shelf
from servers.authority import Authority
from servers.golden import WORLD
from servers.oci_registry import running_registry

from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.oci.registry import Registries
from lockwarden.core.review.review import Review
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.oci_mirror.source import OciMirrorSource
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.oci_templates import UriTemplate
from lockwarden.core.values.severity import Severity

MIRROR = "https://mirror.example.test/mirror"
HOSTS = ("example.test", "registry.opentofu.org")
TRUST = "trust_all_hashes"
RUNS = runs("network_mirror")
NAMES = true_hashes("plain")
"""Every mirror serves the packages of one case."""
FOLDERS = {
    "filesystem packed init": "fs-packed",
    "filesystem unpacked init": "fs-unpacked",
    "fs-packed lock": "fs-packed",
    "fs-unpacked lock": "fs-unpacked",
}
LISTS = {"network mirror init": "both", "network mirror without hashes init": "none"}
OCI_HOST = "oci.example.test"
OCI_INIT = "OCI mirror init"
"""The run that needs a real registry; only OpenTofu knows such mirrors."""
SINGLE_RUNS = tuple(run for run in single_runs("filesystem") if run.case != OCI_INIT)
OCI_RUNS = tuple(run for run in single_runs("filesystem") if run.case == OCI_INIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited:
    """Both hosts' providers at one source, from a lock file whose entries have no hashes."""

    review: Review
    written: LockFile


def audited(world: Auditing, client: Client, source: SourceMaker) -> Audited:
    empty = lock_file({f"{host}/acme/plain": () for host in HOSTS}, client=client)
    review = world.audit(empty, source, settings=settings_of(client))
    return Audited(review=review, written=accepted(review))


def settings_of(client: Client) -> ClientSettings:
    return ClientSettings(client=client)


def network_mirror(name: str, *, trusted: bool = False) -> SourceMaker:
    return lambda tools: NetworkMirrorSource(
        tools.http, tools.store, f"{MIRROR}/{name}/", tools.settings, trusted=trusted
    )


def folder(path: Path) -> SourceMaker:
    return lambda tools: FilesystemMirrorSource(path, tools.store)


@pytest.fixture(scope="module")
def network() -> Mapping[tuple[Client, str, bool], Audited]:
    """By client, list and trust."""
    world = played()
    return {
        (client, name, trusted): audited(world, client, network_mirror(name, trusted=trusted))
        for client in Client
        for name in CASES["mirror_lists"]
        for trusted in (False, True)
    }


@pytest.fixture(scope="module")
def folders() -> Mapping[tuple[Client, str], Audited]:
    """By client and folder."""
    world = played()
    return {
        (client, name): audited(world, client, folder(WORLD / name))
        for client in Client
        for name in ("fs-packed", "fs-unpacked")
    }


@pytest.fixture(scope="module")
def oci(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Audited]:
    """The packages in a real registry, as OpenTofu wants them there, audited for it."""
    with running_registry(tmp_path_factory.mktemp("registry")) as registry, site(authority, registry.respond) as world:
        for host in HOSTS:
            shelf = Shelf()
            shelf.provider()
            shelf.push(registry, f"providers/{host}/acme/plain")
        names = UriTemplate.parse(f"{OCI_HOST}/providers/{{hostname}}/{{namespace}}/{{type}}")
        yield audited(
            world,
            Client.OPENTOFU,
            lambda tools: OciMirrorSource(Registries(tools.http), tools.store, names, tools.settings),
        )


@table("run", RUNS, ids=str)
def test_a_network_mirror_offers_what_the_client_recorded(
    network: Mapping[tuple[Client, str, bool], Audited], run: Run
) -> None:
    known, address = network[run.client, run.case, TRUST in run.name], f"{run.place}/acme/plain"
    said = differences(provider(known.review, address), hashes(known.written, address), run.result, NAMES)
    assert said == expected(Area.NETWORK_MIRROR, run, DIFFERENCES)


@table("run", [run for run in RUNS if not run.result.succeeded], ids=str)
def test_a_mirror_that_the_client_refuses_offers_nothing_and_is_a_problem(
    network: Mapping[tuple[Client, str, bool], Audited], run: Run
) -> None:
    known, address = network[run.client, run.case, TRUST in run.name], f"{run.place}/acme/plain"
    judged = provider(known.review, address)
    assert judged.audit is not None
    assert not installable(judged)
    assert hashes(known.written, address) == ()
    told = [problem for answer in judged.audit.source_answers for problem in answer.problems]
    assert any(problem.severity is not Severity.NOTE for problem in told)


@table("name", ["good-zh-bad-h1", "bad-zh-good-h1", "all-wrong", "other-platform", "swapped"])
@table("trusted", [False, True], ids=["as it is", "trusted"])
@table("client", Client)
def test_a_wrong_hash_in_a_list_is_an_error_also_where_the_client_installs(
    network: Mapping[tuple[Client, str, bool], Audited], client: Client, trusted: bool, name: str
) -> None:
    for host in HOSTS:
        judged = provider(network[client, name, trusted].review, f"{host}/acme/plain")
        assert {p.code for p in judged.problems if p.severity is Severity.ERROR} >= {"mirror-hash-mismatch"}
        assert judged.objected


@table("run", SINGLE_RUNS, ids=str)
def test_a_mirror_of_each_kind_offers_what_the_client_recorded(
    network: Mapping[tuple[Client, str, bool], Audited], folders: Mapping[tuple[Client, str], Audited], run: Run
) -> None:
    known = (
        folders[run.client, FOLDERS[run.case]] if run.case in FOLDERS else network[run.client, LISTS[run.case], False]
    )
    for host in HOSTS:
        address = f"{host}/acme/plain"
        said = differences(provider(known.review, address), hashes(known.written, address), run.result, NAMES)
        assert said == expected(Area.FILESYSTEM, run, DIFFERENCES)


@pytest.mark.parametrize("run", OCI_RUNS, ids=str)
@pytest.mark.parametrize("host", HOSTS)
def test_an_oci_mirror_offers_what_the_client_recorded(oci: Audited, run: Run, host: str) -> None:
    address = f"{host}/acme/plain"
    said = differences(provider(oci.review, address), hashes(oci.written, address), run.result, NAMES)
    assert said == expected(Area.FILESYSTEM, run, DIFFERENCES)


def test_the_run_through_an_oci_mirror_is_that_of_opentofu() -> None:
    assert [(run.client, run.result.succeeded) for run in OCI_RUNS] == [(Client.OPENTOFU, True)]


def test_the_table_names_only_runs_that_there_are() -> None:
    assert dead_entries(Area.NETWORK_MIRROR, RUNS, DIFFERENCES) == []
    assert dead_entries(Area.FILESYSTEM, (*SINGLE_RUNS, *OCI_RUNS), DIFFERENCES) == []


def test_every_list_of_the_world_was_run_by_both_clients_for_both_hosts() -> None:
    commands = ("lock", "init", f"init {TRUST}")
    assert {(run.client, run.case, run.name) for run in RUNS} == {
        (client, name, f"{host} {command}")
        for client in Client
        for name in CASES["mirror_lists"]
        for host in HOSTS
        for command in commands
    }
