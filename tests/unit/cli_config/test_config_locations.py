"""Where the clients look, by the rules of each system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

import pytest
from builders.tables import table

from lockwarden.core.cli_config.locations import (
    Surroundings,
    config_folder,
    container_auth_files,
    helper_folders,
    implied_mirrors,
    main_file,
)
from lockwarden.core.values.platforms import Platform

APPDATA = "C:\\Users\\me\\AppData\\Roaming"


def around(os: str = "linux", *, home: str = "/home/me", account_home: str = "", **environ: str) -> Surroundings:
    variables = {"HOME": home, **environ} if home else environ
    return Surroundings(
        environ=variables,
        account_home=account_home,
        platform=Platform(os, "amd64"),
        directory="C:\\infra" if os == "windows" else "/infra",
    )


def existing(*paths: str) -> Callable[[PurePath], bool]:
    return lambda path: str(path) in paths


def texts(paths: tuple[PurePath, ...]) -> list[str]:
    return [str(path) for path in paths]


@table("os", ["linux", "darwin", "freebsd"])
@table(
    ("environ", "paths", "expected"),
    [
        ({}, [], "/home/me/.tofurc"),
        ({}, ["/home/me/.terraformrc"], "/home/me/.terraformrc"),
        ({}, ["/home/me/.terraformrc", "/home/me/.tofurc"], "/home/me/.tofurc"),
        ({"XDG_CONFIG_HOME": "/xdg"}, [], "/xdg/opentofu/tofurc"),
        ({"XDG_CONFIG_HOME": ""}, [], "/home/me/.tofurc"),
        ({"XDG_CONFIG_HOME": "/xdg"}, ["/home/me/.tofurc"], "/home/me/.tofurc"),
        ({"XDG_CONFIG_HOME": "/xdg"}, ["/home/me/.terraformrc"], "/home/me/.terraformrc"),
        ({"TF_CLI_CONFIG_FILE": "/a", "TERRAFORM_CONFIG": "/b"}, ["/home/me/.tofurc"], "/a TF_CLI_CONFIG_FILE"),
        ({"TF_CLI_CONFIG_FILE": "", "TERRAFORM_CONFIG": "b"}, [], "/infra/b TERRAFORM_CONFIG"),
    ],
)
def test_the_main_file_on_unix(os: str, environ: dict[str, str], paths: list[str], expected: str) -> None:
    found = main_file(around(os, **environ), existing(*paths))
    assert found is not None
    assert f"{found.path} {found.variable}".rstrip() == expected


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], "tofu.rc"),
        ([f"{APPDATA}\\terraform.rc"], "terraform.rc"),
        ([f"{APPDATA}\\terraform.rc", f"{APPDATA}\\tofu.rc"], "tofu.rc"),
    ],
)
def test_the_main_file_on_windows(paths: list[str], expected: str) -> None:
    found = main_file(around("windows", APPDATA=APPDATA, XDG_CONFIG_HOME="C:\\xdg"), existing(*paths))
    assert found is not None
    assert str(found.path) == f"{APPDATA}\\{expected}"


def test_a_variable_on_windows_may_be_relative() -> None:
    found = main_file(around("windows", TF_CLI_CONFIG_FILE="x\\my.rc"), existing())
    assert found is not None
    assert str(found.path) == "C:\\infra\\x\\my.rc"


@table(
    ("surroundings", "paths", "expected"),
    [
        (around(), [], "/home/me/.terraform.d"),
        (around(XDG_CONFIG_HOME="/xdg"), [], "/xdg/opentofu"),
        (around("darwin", XDG_CONFIG_HOME="/xdg"), ["/home/me/.terraform.d"], "/home/me/.terraform.d"),
        (around(TF_CLI_CONFIG_FILE="/a"), ["/home/me/.terraform.d"], None),
        (around(TERRAFORM_CONFIG="/a"), [], None),
        (around(TERRAFORM_CONFIG=""), [], "/home/me/.terraform.d"),
        (around("windows", APPDATA=APPDATA, XDG_CONFIG_HOME="C:\\xdg"), [], f"{APPDATA}\\terraform.d"),
    ],
)
def test_the_configuration_folder(surroundings: Surroundings, paths: list[str], expected: str | None) -> None:
    found = config_folder(surroundings, existing(*paths))
    assert (found and str(found)) == expected


def test_the_home_is_the_variables_or_else_the_accounts() -> None:
    assert str(around(account_home="/root").home) == "/home/me"
    assert str(around(home="", account_home="/root").home) == "/root"


def test_without_a_home_nothing_is_looked_for() -> None:
    for nowhere in (around(home=""), around("windows")):
        assert main_file(nowhere, existing()) is None
        assert config_folder(nowhere, existing()) is None
        assert helper_folders(nowhere) == ()
    assert texts(implied_mirrors(around(home=""))) == [
        "/infra/terraform.d/plugins",
        "/usr/local/share/terraform/plugins",
        "/usr/share/terraform/plugins",
    ]
    assert texts(implied_mirrors(around("windows"))) == ["C:\\infra\\terraform.d\\plugins"]
    assert texts(implied_mirrors(around("darwin", home=""))) == [
        "/infra/terraform.d/plugins",
        "/Library/Application Support/io.terraform/plugins",
    ]


@table(
    ("surroundings", "expected"),
    [
        (
            around(),
            [
                "/infra/terraform.d/plugins",
                "/home/me/.terraform.d/plugins",
                "/home/me/.local/share/terraform/plugins",
                "/usr/local/share/terraform/plugins",
                "/usr/share/terraform/plugins",
            ],
        ),
        (
            around(XDG_DATA_HOME="/xdg", XDG_DATA_DIRS="/a:relative:/b"),
            [
                "/infra/terraform.d/plugins",
                "/home/me/.terraform.d/plugins",
                "/xdg/opentofu/plugins",
                "/xdg/terraform/plugins",
                "/a/terraform/plugins",
                "/b/terraform/plugins",
            ],
        ),
        (
            around("freebsd", XDG_DATA_HOME="relative", XDG_DATA_DIRS="/a"),
            [
                "/infra/terraform.d/plugins",
                "/home/me/.terraform.d/plugins",
                "relative/opentofu/plugins",
                "/home/me/.local/share/terraform/plugins",
                "/a/terraform/plugins",
            ],
        ),
        (
            around("darwin"),
            [
                "/infra/terraform.d/plugins",
                "/home/me/.terraform.d/plugins",
                "/home/me/Library/Application Support/io.terraform/plugins",
                "/Library/Application Support/io.terraform/plugins",
            ],
        ),
        (
            around("windows", APPDATA=APPDATA),
            [
                "C:\\infra\\terraform.d\\plugins",
                f"{APPDATA}\\terraform.d\\plugins",
                f"{APPDATA}\\HashiCorp\\Terraform\\plugins",
            ],
        ),
    ],
)
def test_implied_mirrors_in_their_order(surroundings: Surroundings, expected: list[str]) -> None:
    assert texts(implied_mirrors(surroundings)) == expected


def test_helpers_are_looked_for_in_the_operators_own_folders_only() -> None:
    assert texts(helper_folders(around(XDG_DATA_HOME="/xdg"))) == [
        "/home/me/.terraform.d/plugins",
        "/home/me/.terraform.d/plugins/linux_amd64",
        "/xdg/opentofu/plugins",
        "/xdg/opentofu/plugins/linux_amd64",
    ]
    assert texts(helper_folders(around("windows", APPDATA=APPDATA))) == [
        f"{APPDATA}\\terraform.d\\plugins",
        f"{APPDATA}\\terraform.d\\plugins\\windows_amd64",
    ]


@table(
    ("surroundings", "expected"),
    [
        (
            around(),
            ["/home/me/.config/containers/auth.json", "/home/me/.docker/config.json", "/home/me/.dockercfg"],
        ),
        (
            around(XDG_RUNTIME_DIR="/run/1", XDG_CONFIG_HOME="/xdg"),
            [
                "/run/1/containers/auth.json",
                "/xdg/containers/auth.json",
                "/home/me/.docker/config.json",
                "/home/me/.dockercfg",
            ],
        ),
        (
            around("darwin", XDG_RUNTIME_DIR="/run/1"),
            ["/home/me/.config/containers/auth.json", "/home/me/.docker/config.json", "/home/me/.dockercfg"],
        ),
        (
            around("darwin", XDG_CONFIG_HOME="/xdg"),
            [
                "/home/me/.config/containers/auth.json",
                "/xdg/containers/auth.json",
                "/home/me/.docker/config.json",
                "/home/me/.dockercfg",
            ],
        ),
        (
            around("windows", home="/elsewhere", USERPROFILE="C:\\Users\\me"),
            [
                "C:\\Users\\me\\.config\\containers\\auth.json",
                "C:\\Users\\me\\.docker\\config.json",
                "C:\\Users\\me\\.dockercfg",
            ],
        ),
        (
            around("freebsd", home=""),
            ["/.config/containers/auth.json", "/.docker/config.json", "/.dockercfg"],
        ),
        (
            around(home="", account_home="/root", DOCKER_CONFIG="/d", REGISTRY_AUTH_FILE="/r", DOCKER_AUTH_CONFIG="{}"),
            ["/root/.config/containers/auth.json", "/root/.docker/config.json", "/root/.dockercfg"],
        ),
    ],
)
def test_files_of_container_tools_in_their_order(surroundings: Surroundings, expected: list[str]) -> None:
    assert texts(container_auth_files(surroundings)) == expected


def test_the_process_has_surroundings_too() -> None:
    here = Surroundings.of_process({"HOME": "/home/me"})
    assert here.account_home
    assert here.home is not None
    assert PurePath(here.directory).is_absolute()


def test_an_account_that_the_system_does_not_know_has_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 7)
    here = Surroundings.of_process({})
    assert here.account_home == ""
    assert here.home is None
