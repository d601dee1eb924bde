"""Which methods serve a provider: configured ones, implied ones, and what a folder that holds it changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest
from msgspec.structs import replace

from lockwarden.core.cli_config.describe import who_serves
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.serving import effective_installation, folder_holds, implied_installation, serves
from lockwarden.core.cli_config.settings import CliConfig, Direct, FilesystemMirror
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform

ReadConfig = Callable[..., CliConfig]
PLAIN = ProviderAddress.parse("example.test/acme/plain")
OTHER = ProviderAddress.parse("example.test/acme/other")


def around(folder: Path) -> Surroundings:
    return Surroundings(
        environ={"HOME": str(folder / "home"), "XDG_DATA_DIRS": str(folder / "share")},
        account_home="",
        platform=Platform("linux", "amd64"),
        directory=str(folder / "work"),
    )


def package(folder: Path, version: str = "1.0.0") -> None:
    place = folder / "example.test/acme/plain"
    place.mkdir(parents=True, exist_ok=True)
    (place / f"terraform-provider-plain_{version}_freebsd_arm.zip").touch()


def test_configured_methods_serve_in_their_order(read_config: ReadConfig, tmp_path: Path) -> None:
    config = read_config(
        "provider_installation {\n"
        '  filesystem_mirror {\n    path = "/m"\n    include = ["example.test/acme/plain"]\n  }\n'
        '  network_mirror {\n    url = "https://m.test/"\n    exclude = ["example.test/*/*"]\n  }\n'
        "  direct {}\n}\n"
    )
    installation = effective_installation(config, around(tmp_path))
    assert not installation.implied
    assert [type(each) for each in installation.methods if serves(each, PLAIN)] == [FilesystemMirror, Direct]
    assert [type(each) for each in installation.methods if serves(each, OTHER)] == [Direct]
    assert [(each.serves, each.words) for each in who_serves(installation, OTHER)] == [
        (False, "filesystem mirror /m (/home/.tofurc:2)"),
        (False, "network mirror https://m.test/ (/home/.tofurc:6)"),
        (True, "origin registries (direct) (/home/.tofurc:10)"),
    ]


def test_an_empty_block_serves_nothing(read_config: ReadConfig, tmp_path: Path) -> None:
    package(tmp_path / "work/terraform.d/plugins")
    installation = effective_installation(read_config("provider_installation {}"), around(tmp_path))
    assert not any(serves(each, PLAIN) for each in installation.methods)


def test_without_a_block_existing_folders_come_first_and_keep_their_providers(
    read_config: ReadConfig, tmp_path: Path
) -> None:
    package(tmp_path / "share/terraform/plugins")
    (tmp_path / "home/.terraform.d/plugins").mkdir(parents=True)
    installation = effective_installation(read_config(""), around(tmp_path))
    assert installation.implied
    assert [each.path for each in installation.methods if isinstance(each, FilesystemMirror)] == [
        str(tmp_path / "home/.terraform.d/plugins"),
        str(tmp_path / "share/terraform/plugins"),
    ]
    assert [type(each) for each in installation.methods if serves(each, PLAIN)] == [FilesystemMirror, FilesystemMirror]
    assert [type(each) for each in installation.methods if serves(each, OTHER)] == [
        FilesystemMirror,
        FilesystemMirror,
        Direct,
    ]
    assert [str(each.origin) for each in installation.methods] == ["the default"] * 3


def test_nothing_implied_leaves_the_origin_registries() -> None:
    installation = implied_installation([])
    assert [type(each) for each in installation.methods if serves(each, PLAIN)] == [Direct]


@pytest.mark.parametrize("held", [True, False])
def test_what_a_folder_holds_may_come_from_elsewhere(held: bool) -> None:
    installation = implied_installation([PurePosixPath("/m")])
    assert sum(serves(each, PLAIN, holds=lambda _, __: held) for each in installation.methods) == (1 if held else 2)


def test_a_folder_that_cannot_be_read_holds_nothing(tmp_path: Path) -> None:
    assert not folder_holds(str(tmp_path / "missing"), PLAIN)
    package(tmp_path)
    assert folder_holds(str(tmp_path), PLAIN)
    assert not folder_holds(str(tmp_path), OTHER)


def test_a_folder_whose_name_no_system_takes_is_not_there(read_config: ReadConfig, tmp_path: Path) -> None:
    surroundings = replace(around(tmp_path), environ={"XDG_DATA_DIRS": f"/{'x' * 5000}:/a\0b", "HOME": "/nonexistent"})
    assert [type(each) for each in effective_installation(read_config(""), surroundings).methods] == [Direct]
