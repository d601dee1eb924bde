"""For every recorded lock file and source, coverage says what the client did, at install and when a provider starts."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from builders.tables import table
from conformance.existing import existing
from conformance.recordings import Run, relock_runs, runs
from conformance.site import LINUX, TWO_PLATFORMS, Site, SourceMaker, lock_file, provider, site
from contract.oci.kinds import Shelf
from servers.authority import Authority
from servers.golden import WORLD, GoldenWorld
from servers.https import Respond
from servers.oci_registry import running_registry

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.oci.registry import Registries
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.oci_mirror.source import OciMirrorSource
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.oci_templates import UriTemplate

ADDRESS = "example.test/acme/plain"
RUNS = runs("grid")
CASES = tuple(dict.fromkeys(run.case for run in RUNS))
INITS = tuple(run for run in relock_runs() if run.name == f"{ADDRESS} init")
"""The runs of `init` without -lockfile=readonly, all from the registry."""
INSTALLED = frozenset({CoverageOutcome.ACCEPTED, CoverageOutcome.ACCEPTS_ANYTHING})
OCI = "OCI mirror"
OCI_HOST = "oci.example.test"


def network_mirror(name: str, *, id: str) -> SourceMaker:  # noqa: A002 - the source's word
    url = f"https://mirror.example.test/mirror/{name}/"
    return lambda tools: NetworkMirrorSource(tools.http, tools.store, url, tools.settings, id=id)


def folder(name: str, *, id: str) -> SourceMaker:  # noqa: A002 - the source's word
    return lambda tools: FilesystemMirrorSource(WORLD / name, tools.store, id=id)


NAMES = UriTemplate.parse(f"{OCI_HOST}/providers/{{hostname}}/{{namespace}}/{{type}}")
SOURCES: Mapping[str, SourceMaker] = {
    "registry": lambda tools: RegistrySource(tools.http, tools.store, tools.verifier, tools.settings, id="registry"),
    "network mirror": network_mirror("both", id="network mirror"),
    "network mirror without hashes": network_mirror("none", id="network mirror without hashes"),
    "filesystem packed": folder("fs-packed", id="filesystem packed"),
    "filesystem unpacked": folder("fs-unpacked", id="filesystem unpacked"),
    OCI: lambda tools: OciMirrorSource(Registries(tools.http), tools.store, NAMES, tools.settings, id=OCI),
}
"""The sources of the recorded runs, as this program asks them."""


def with_oci(registry: Respond) -> Respond:
    """The recorded world, and the OCI registry under its own name."""
    world = GoldenWorld()
    return lambda host, path, headers: (registry if host == OCI_HOST else world.respond)(host, path, headers)


@pytest.fixture(scope="module")
def audits(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Mapping[Client, Audit]:
    """One audit of all sources by each client's rules; nothing in it depends on what is locked."""
    with (
        running_registry(tmp_path_factory.mktemp("registry")) as registry,
        site(authority, with_oci(registry.respond)) as world,
    ):
        shelf = Shelf()
        shelf.provider()
        shelf.push(registry, f"providers/{ADDRESS}")
        return {client: audited(world, client) for client in Client}


def audited(world: Site, client: Client) -> Audit:
    empty, settings = lock_file({ADDRESS: ()}, client=client), ClientSettings(client=client)
    found = provider(world.audit(empty, *SOURCES.values(), settings=settings, platforms=TWO_PLATFORMS), ADDRESS).audit
    assert found is not None
    return found


def predicted(client: Client, case: str, source: str, audits: Mapping[Client, Audit]) -> Coverage:
    """What is said of a recorded lock file on the platform that the clients ran on."""
    (entry,) = lock_file({ADDRESS: existing(case, ADDRESS)}, client=client).providers
    cells = coverage_of(entry, audits[client], settings=ClientSettings(client=client), platforms=[LINUX])
    (cell,) = [cell for cell in cells if cell.source == source]
    return cell


@table("run", RUNS, ids=str)
def test_an_install_and_a_run_end_as_they_were_recorded(audits: Mapping[Client, Audit], run: Run) -> None:
    cell = predicted(run.client, run.case, run.name, audits)
    assert cell.outcome in {*INSTALLED, CoverageOutcome.REFUSED}
    assert (cell.outcome in INSTALLED) is run.result.succeeded
    assert (None if cell.runtime is None else cell.runtime in INSTALLED) is run.result.ran


@table("run", INITS, ids=str)
def test_an_init_that_may_write_left_the_h1_that_completes_the_entry(audits: Mapping[Client, Audit], run: Run) -> None:
    cell = predicted(run.client, run.case, "registry", audits)
    assert (cell.outcome in INSTALLED) is run.result.succeeded
    before = set(existing(run.case, ADDRESS))
    if cell.completing_h1 is not None:
        assert cell.completing_h1.text in set(run.result.hashes) - before
    elif run.result.succeeded:
        assert not {hash_ for hash_ in set(run.result.hashes) - before if hash_.startswith("h1:")}


def test_every_lock_file_was_tried_with_every_source_of_the_client() -> None:
    assert {(run.client, run.case, run.name) for run in RUNS} == {
        (client, case, name)
        for client in Client
        for case in CASES
        for name in SOURCES
        if not (client is Client.TERRAFORM and name == OCI)
    }
    assert len(CASES) == 9
    assert {(run.client, run.case) for run in INITS} == {(client, case) for client in Client for case in CASES}


@table("case", CASES)
def test_terraform_is_said_to_refuse_every_oci_mirror(audits: Mapping[Client, Audit], case: str) -> None:
    cell = predicted(Client.TERRAFORM, case, OCI, audits)
    assert cell.outcome is CoverageOutcome.REFUSED
    assert "knows no OCI mirrors" in cell.reason
