"""Over a generated grid of lock file entries coverage says what the real terraform does, from every kind of source."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest
from builders.lock_grid import MIRROR, LockGrid
from builders.reading import parse
from builders.remembering import RememberingVerifier
from builders.thorough import THOROUGH
from conformance.site import LINUX, ONLY_LINUX, Auditing, SourceMaker, hashes, lock_file, played, site
from servers.authority import Authority
from servers.environment import environment
from servers.https import of_world
from servers.terraform import Workspace, installation

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome
from lockwarden.core.evidence.source_answers import SourceKind
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.signatures.verify import SignatureVerifier, find_gpg
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.local.unpacked import UnpackedProvidersSource
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.demo.keys import KeyMaker

SETTINGS = ClientSettings(client=Client.TERRAFORM)
THOROUGHLY = pytest.mark.thorough
SOURCES = ("registry", "network mirror", "packed", "unpacked")
INSTALLED = frozenset({CoverageOutcome.ACCEPTED, CoverageOutcome.ACCEPTS_ANYTHING})
_INSTALLED = re.compile(r"- Installed (\S+) v")
_FROM_CACHE = re.compile(r"- Using (\S+) v\S+ from the shared cache directory")
_THERE = re.compile(r"- Using previously-installed (\S+) v")
_RUN_REFUSED = re.compile(r"(\S+): the cached package for")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The grid over its servers and folders, and what coverage says of each entry and source."""

    grid: LockGrid
    locked: LockFile
    folder: Path
    variables: Mapping[str, str]
    cells: Mapping[tuple[str, str], Coverage]
    """By address and source."""

    def workspace(self, name: str, source: str, lock: LockFile | None = None, **extra: str) -> Workspace:
        """A folder that requires everything in a lock file, with a CLI configuration for one source."""
        kinds = {"network mirror": ("network_mirror", MIRROR), "registry": None}
        kind = kinds.get(source, ("filesystem_mirror", str(self.folder / source)))
        configuration = self.folder / f"{name}.tfrc"
        configuration.write_text("" if kind is None else installation(*kind))
        made = self.locked if lock is None else lock
        required = {str(each.address): str(each.version) for each in made.providers}
        variables = {**self.variables, "TF_CLI_CONFIG_FILE": str(configuration), **extra}
        workspace = Workspace.make(self.folder / name, variables, required)
        workspace.lock_file.write_bytes(made.data)
        return workspace

    def said(self, source: str, claim: Callable[[Coverage], bool]) -> set[str]:
        """The entries of whose cell the claim is true, in words."""
        return {str(each) for each in self.grid.entries if claim(self.cells[each.address, source])}

    def named(self, found: Iterable[str]) -> set[str]:
        """The entries by their addresses, in words."""
        names = {each.address: str(each) for each in self.grid.entries}
        return {names[address] for address in found}


def audited(world: Auditing, locked: LockFile, folder: Path) -> Mapping[tuple[str, str], Coverage]:
    """Every cell, after an audit of all sources and caches."""
    makers: tuple[SourceMaker, ...] = (
        lambda t: RegistrySource(t.http, t.store, t.verifier, t.settings, id="registry"),
        lambda t: NetworkMirrorSource(t.http, t.store, MIRROR, t.settings, id="network mirror"),
        lambda t: FilesystemMirrorSource(folder / "packed", t.store, id="packed"),
        lambda t: FilesystemMirrorSource(folder / "unpacked", t.store, id="unpacked"),
        lambda t: UnpackedProvidersSource(folder / "unpacked", id="cache"),
        lambda t: UnpackedProvidersSource(folder / "unpacked", id="installed", kind=SourceKind.INSTALLED),
    )
    review = world.audit(locked, *makers, settings=SETTINGS, platforms=ONLY_LINUX)
    return MappingProxyType(
        {
            (str(each.address), cell.source): cell
            for each in review.providers
            if each.audit is not None
            for cell in coverage_of(each.entry, each.audit, settings=SETTINGS, platforms=[LINUX])
        }
    )


@pytest.fixture(scope="module")
def grid(authority: Authority, key_maker: KeyMaker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grid]:
    folder = tmp_path_factory.mktemp("grid")
    made = LockGrid.make(key_maker)
    made.write_packed(folder / "packed")
    made.write_unpacked(folder / "unpacked")
    locked = lock_file({each.address: each.hashes for each in made.entries}, client=Client.TERRAFORM)
    verifier = RememberingVerifier(SignatureVerifier(find_gpg(os.environ), clock=lambda: datetime.now(UTC)))
    served = of_world(made.world())
    cells = audited(played(served, verifier), locked, folder)
    with site(authority, served) as world:
        variables = environment(folder, proxy_url=world.proxy.url, ca_file=authority.ca_file)
        yield Grid(grid=made, locked=locked, folder=folder, variables=variables, cells=cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What terraform did from one source: which entries were installed, and which of those refused to start."""

    installed: set[str]
    refused: set[str]


@pytest.fixture(scope="module")
def ran(grid: Grid) -> Callable[[str], Ran]:
    """The whole grid from a source in one run of `init`, which goes on after a refusal, and one start of everything."""

    @cache
    def run(source: str) -> Ran:
        workspace = grid.workspace(f"readonly {source}", source)
        said = workspace.run("init", "-lockfile=readonly", expected=1)
        assert workspace.lock_file.read_bytes() == grid.locked.data
        started = workspace.run("providers", "schema", "-json", expected=1)
        return Ran(installed=grid.named(_INSTALLED.findall(said)), refused=grid.named(_RUN_REFUSED.findall(started)))

    return run


@pytest.mark.parametrize("source", SOURCES)
def test_what_terraform_installs_is_what_is_said_to_be_installed(
    grid: Grid, source: str, ran: Callable[[str], Ran]
) -> None:
    assert ran(source).installed == grid.said(source, lambda cell: cell.outcome in INSTALLED)
    others = grid.said(source, lambda cell: cell.outcome is CoverageOutcome.REFUSED)
    assert others == {str(each) for each in grid.grid.entries} - ran(source).installed


@pytest.mark.parametrize("source", SOURCES)
def test_what_terraform_refuses_to_start_is_what_is_said_to_be_refused(
    grid: Grid, source: str, ran: Callable[[str], Ran]
) -> None:
    assert ran(source).refused == grid.said(source, lambda cell: cell.runtime is CoverageOutcome.REFUSED)
    assert ran(source).installed - ran(source).refused == grid.said(source, lambda cell: cell.runtime in INSTALLED)


@pytest.mark.parametrize(
    "source", [each if each in {"registry", "unpacked"} else pytest.param(each, marks=THOROUGHLY) for each in SOURCES]
)
def test_an_init_that_may_write_adds_the_h1_after_which_everything_starts(
    grid: Grid, source: str, ran: Callable[[str], Ran]
) -> None:
    entries = {each.address: each.hashes for each in grid.grid.entries if str(each) in ran(source).installed}
    workspace = grid.workspace(f"writing {source}", source, lock_file(entries, client=Client.TERRAFORM))
    workspace.run("init")
    after = parse(workspace.lock_file.read_bytes(), path="after")
    added = {
        address: {hash_ for hash_ in hashes(after, address) if hash_ not in before and hash_.startswith("h1:")}
        for address, before in entries.items()
    }
    completing = {address: grid.cells[address, source].completing_h1 for address in entries}
    assert added == {address: set() if h1 is None else {h1.text} for address, h1 in completing.items()}
    assert any(completing.values())
    assert not _RUN_REFUSED.findall(workspace.run("providers", "schema", "-json", expected=1))


def test_a_plugin_cache_is_used_where_its_h1_is_locked(grid: Grid) -> None:
    cache = grid.folder / "cache"
    grid.grid.write_unpacked(cache)
    said = grid.workspace("cached", "packed", TF_PLUGIN_CACHE_DIR=str(cache)).run("init", expected=1)
    assert grid.named(_FROM_CACHE.findall(said)) == grid.said("cache", lambda c: c.outcome is CoverageOutcome.ACCEPTED)
    passed_over = grid.said("cache", lambda cell: cell.outcome is CoverageOutcome.PASSED_OVER)
    assert grid.named(_INSTALLED.findall(said)) == passed_over & grid.said("packed", lambda c: c.outcome in INSTALLED)


def test_what_is_installed_starts_and_stays_where_its_h1_is_locked(grid: Grid) -> None:
    anything = lock_file(dict.fromkeys(grid.grid.required, ()), client=Client.TERRAFORM)
    workspace = grid.workspace("installed", "unpacked", anything)
    workspace.run("init", "-lockfile=readonly")
    workspace.lock_file.write_bytes(grid.locked.data)
    started = workspace.run("providers", "schema", "-json", expected=1)
    refused = grid.said("installed", lambda cell: cell.runtime is CoverageOutcome.REFUSED)
    assert grid.named(_RUN_REFUSED.findall(started)) == refused
    said = workspace.run("init", "-lockfile=readonly", expected=1)
    there = grid.said("installed", lambda cell: cell.outcome is CoverageOutcome.ACCEPTED)
    assert grid.named(_THERE.findall(said)) == there


def test_the_grid_holds_what_lock_files_hold_and_every_cell_is_decided(grid: Grid) -> None:
    words = {frozenset(each.words) for each in grid.grid.entries}
    for wanted in ((), ("h1",), ("zh",), ("h1", "zh"), ("other platform's h1", "other platform's zh"), ("wrong h1",)):
        assert frozenset(wanted) in words
    assert len(grid.grid.entries) == (32 + 8 + 2 * 7 if THOROUGH else 17 + 8 + 7)
    assert len(grid.cells) == len(grid.grid.entries) * 6
    assert {cell.outcome for (_, source), cell in grid.cells.items() if source in SOURCES} == {
        *INSTALLED,
        CoverageOutcome.REFUSED,
    }
