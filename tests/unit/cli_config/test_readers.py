"""Which client reads a configuration file: hosts that patterns leave out, settings of one client, folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.core.cli_config.describe_methods import selection_words
from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.serving import effective_installation
from lockwarden.core.cli_config.settings import CliConfig
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity

TOFU = ProviderAddress.parse("registry.opentofu.org/acme/widget")
TERRAFORM = ProviderAddress.parse("registry.terraform.io/acme/widget")
ELSEWHERE = ProviderAddress.parse("example.test/acme/widget")
BOTH = "acme/* (registry.opentofu.org with OpenTofu or registry.terraform.io with Terraform)"


def loaded(home: Path, name: str, text: str, *, variable: str = "") -> CliConfig:
    """What a configuration says that lies in a home folder, or that a variable names there."""
    file = home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    environ = {"HOME": str(home), **({variable: str(file)} if variable else {})}
    return load_cli_config(surroundings(home, environ))


def surroundings(home: Path, environ: dict[str, str]) -> Surroundings:
    return Surroundings(
        environ=environ, account_home="", platform=Platform("linux", "amd64"), directory=str(home / "work")
    )


def with_mirror(path: str, patterns: str = "") -> str:
    return f'provider_installation {{\n  filesystem_mirror {{\n    path = "{path}"\n{patterns}  }}\n}}\n'


@pytest.mark.parametrize(
    ("name", "variable", "clients"),
    [
        (".tofurc", "", {TOFU}),
        (".terraformrc", "", {TOFU, TERRAFORM}),
        (".terraform.d/more.tfrc", "", {TOFU, TERRAFORM}),
        ("any.rc", "TF_CLI_CONFIG_FILE", {TOFU, TERRAFORM}),
        (".tofurc", "TF_CLI_CONFIG_FILE", {TOFU, TERRAFORM}),
        (".terraformrc", "TERRAFORM_CONFIG", {TOFU, TERRAFORM}),
    ],
)
def test_a_pattern_without_a_host_means_the_registry_of_each_client_that_reads_the_file(
    tmp_path: Path, name: str, variable: str, clients: set[ProviderAddress]
) -> None:
    for which, expected in (("include", clients), ("exclude", {TOFU, TERRAFORM, ELSEWHERE} - clients)):
        text = with_mirror(str(tmp_path), f'    {which} = ["acme/*"]\n')
        config = loaded(tmp_path, name, text, variable=variable)
        (method,) = effective_installation(config, surroundings(tmp_path, {})).methods
        assert {each for each in (TOFU, TERRAFORM, ELSEWHERE) if method.selects(each)} == expected
        assert (BOTH in selection_words(method)) is (len(clients) == 2)
        # As the client has it that is known to read it; of one that reads the file alone there is one reading.
        for reader, own in ((Client.OPENTOFU, TOFU), (Client.TERRAFORM, TERRAFORM)):
            meant = {own} if len(clients) == 2 else clients
            read = meant if which == "include" else {TOFU, TERRAFORM, ELSEWHERE} - meant
            assert {each for each in (TOFU, TERRAFORM, ELSEWHERE) if method.selects(each, reader)} == read


@pytest.mark.parametrize(("name", "clients"), [(".tofurc", {TOFU}), (".terraformrc", {TOFU, TERRAFORM})])
def test_an_override_without_a_host_is_read_in_the_same_way(
    tmp_path: Path, name: str, clients: set[ProviderAddress]
) -> None:
    text = 'provider_installation {\n  dev_overrides {\n    "acme/widget" = "/builds"\n  }\n  direct {}\n}\n'
    config = loaded(tmp_path, name, text)
    assert set(effective_installation(config, surroundings(tmp_path, {})).dev_overrides) == clients


def test_a_pattern_with_a_host_is_one_whoever_reads_it(tmp_path: Path) -> None:
    config = loaded(
        tmp_path, ".terraformrc", with_mirror(str(tmp_path), '    include = ["registry.terraform.io/a/*"]\n')
    )
    (method,) = effective_installation(config, surroundings(tmp_path, {})).methods
    assert selection_words(method) == "for registry.terraform.io/a/*"


@pytest.mark.parametrize(("name", "told"), [(".tofurc", False), (".terraformrc", True)])
def test_that_terraform_does_not_take_an_oci_mirror_is_told_where_it_reads_the_file(
    tmp_path: Path, name: str, told: bool
) -> None:
    template = "reg.example.test/${hostname}/${namespace}/${type}"
    text = f'provider_installation {{\n  oci_mirror {{\n    repository_template = "{template}"\n  }}\n}}\n'
    found = [(each.severity, each.message) for each in loaded(tmp_path, name, text).diagnostics]
    words = "OpenTofu alone knows oci_mirror: Terraform reports an error in this file and goes on without the method"
    assert found == ([(Severity.NOTE, words)] if told else [])


def test_what_terraform_alone_knows_is_no_typing_error(tmp_path: Path) -> None:
    config = loaded(tmp_path, ".terraformrc", "disable_checkpoint = true\ndisable_chekpoint = true\n")
    assert [(each.name, each.reason) for each in config.ignored] == [
        ("disable_checkpoint", "Terraform alone knows it, for its questions about newer releases of itself"),
        ("disable_chekpoint", "no client knows it"),
    ]


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("$HOME/mirror", "write the whole path: the clients replace neither ~ nor a variable such as $HOME in it"),
        ("~/mirror", "write the whole path: the clients replace neither ~ nor a variable such as $HOME in it"),
        ("gone", "make the folder, or remove the method"),
        ("mirror\\u0000", "make the folder, or remove the method"),
        ("mirror/file/below", "make the folder, or remove the method"),
        ("mirror/file", "make the folder, or remove the method"),
        ("mirror/link", "make the folder, or remove the method"),
        ("../work/mirror", None),
        ("mirror", None),
    ],
)
def test_a_mirrors_folder_that_is_not_there_is_told(tmp_path: Path, path: str, hint: str | None) -> None:
    (tmp_path / "work" / "mirror").mkdir(parents=True)
    (tmp_path / "work" / "mirror" / "file").touch()
    (tmp_path / "work" / "mirror" / "link").symlink_to("nowhere")
    found = loaded(tmp_path, ".tofurc", with_mirror(path)).diagnostics
    assert [each.hint for each in found] == ([] if hint is None else [hint])
    assert all(each.message.startswith(f"there is no folder {path}") or "\\u" in path for each in found)
    assert all(each.origin.line == 2 for each in found)
    something = path in {"mirror/file", "mirror/link"}
    assert all(("the clients find nothing in it" in each.message) is something for each in found)
    assert all(("the clients fail for every provider" in each.message) is not something for each in found)


def test_a_folder_of_which_nothing_can_be_known_is_no_complaint(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    name = "a" * 300  # longer than any file system takes, so that asking for it is an error of its own
    assert loaded(tmp_path, ".tofurc", with_mirror(name)).diagnostics == ()
