"""Folders that the clients prefer to the origin registry, and which of them may keep the origin from being asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.audits import DEFAULT_HOST_ADDRESS, VERSION

from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.serving import effective_installation
from lockwarden.core.engine.audit import ReleasePlan
from lockwarden.core.engine.configured_sources import configured_sources, with_sources
from lockwarden.core.engine.source_spelling import name_sources
from lockwarden.core.values.platforms import Platform


def asked(home: Path, working_folder: Path) -> list[str]:
    """The kinds of the sources that are asked for a provider, without any configuration."""
    surroundings = Surroundings(
        environ={"HOME": str(home), "XDG_DATA_DIRS": str(home / "share")},
        account_home="",
        platform=Platform("linux", "amd64"),
        directory=str(working_folder),
    )
    specs = configured_sources(effective_installation(load_cli_config(surroundings), surroundings), surroundings)
    named = {ref.id: spec for ref, spec in zip(name_sources(specs), specs, strict=True)}
    release = with_sources(
        ReleasePlan(address=DEFAULT_HOST_ADDRESS, version=VERSION, locked=frozenset()),
        named,
        holds=lambda folder, address: True,
    )
    assert release.sources is not None
    return sorted(named[id_].kind.value for id_ in release.sources)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def working_folder(tmp_path: Path) -> Path:
    (tmp_path / "infra").mkdir()
    return tmp_path / "infra"


def test_a_folder_of_the_operators_home_takes_the_place_of_the_origin_as_with_the_clients(
    home: Path, working_folder: Path
) -> None:
    (home / ".terraform.d" / "plugins").mkdir(parents=True)
    assert asked(home, working_folder) == ["filesystem mirror"]


def test_a_folder_beside_the_lock_file_is_looked_at_but_does_not_silence_the_origin(
    home: Path, working_folder: Path
) -> None:
    (working_folder / "terraform.d" / "plugins").mkdir(parents=True)
    assert asked(home, working_folder) == ["direct", "filesystem mirror"]
