"""`oci_credentials` and `oci_default_credentials` blocks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lockwarden.core.cli_config.configuration_diagnostics import ConfigurationDiagnostics
from lockwarden.core.cli_config.oci_blocks import read_oci_defaults
from lockwarden.core.cli_config.reading import parse
from lockwarden.core.cli_config.settings import (
    BasicCredential,
    CliConfig,
    HelperCredential,
    TokenCredential,
    UselessCredential,
)

ReadConfig = Callable[..., CliConfig]


def block(*lines: str, label: str = '"r.test"') -> str:
    return "\n".join([f"oci_credentials {label} {{", *lines, "}", ""])


def test_each_group_of_arguments_makes_its_credential(read_config: ReadConfig) -> None:
    config = read_config(
        block('username = "u"', "password = 1", label='"r.test:50/team/x"')
        + block('access_token = "a"', 'refresh_token = "r"')
        + block('docker_credentials_helper = "h"', label='"s.test"')
        + block('username = ""', 'password = "hidden"', label='"t.test"')
    )
    basic, token, helper, useless = (each.credential for each in config.oci_credentials)
    assert isinstance(basic, BasicCredential)
    assert (basic.username, basic.password.expose()) == ("u", "1")
    assert isinstance(token, TokenCredential)
    assert (token.access_token.expose(), token.refresh_token.expose()) == ("a", "r")
    assert helper == HelperCredential(name="h")
    assert useless == UselessCredential(message="the oci_credentials block has an empty username")
    assert [each.origin.line for each in config.oci_credentials] == [1, 5, 9, 12]
    assert (config.oci_credentials[0].prefix.domain, config.oci_credentials[0].prefix.path) == ("r.test:50", "team/x")
    assert config.diagnostics == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (block('username = "u"', label=""), 1, "it needs one label"),
        (block(label='"a" "b"'), 1, "it needs one label"),
        ("oci_credentials = {}", 1, "it needs one label"),
        (block(label='"r.test/x:1"'), 1, "its label cannot be used: a tag or a digest"),
        (block(label='"u:hidden@r.test"'), 1, "its label cannot be used: “r.test” is not the domain"),
        (block(), 1, "it must set username and password, or access_token"),
        (block('username = "u"', 'docker_credentials_helper = "h"'), 1, ", and only one of these"),
        (block('username = "u"'), 1, "it must set both username and password; password is missing"),
        (block('refresh_token = "hidden"'), 1, "access_token is missing"),
        (block('docker_credentials_helper = "h"', label='"r.test/x"'), 1, "cannot be used for some repositories only"),
        (block('docker_credentials_helper = "../h"'), 1, "“../h” cannot be the name of a Docker credential helper"),
        (block('docker_credentials_helper = ""'), 1, "“” cannot be the name"),
        (block("username = true"), 2, "“username” needs a text, not a true or false"),
    ],
)
def test_a_block_that_cannot_be_used_is_dropped(read_config: ReadConfig, text: str, line: int, message: str) -> None:
    config = read_config(text)
    (found,) = config.diagnostics
    assert (found.origin.line, message in found.message) == (line, True)
    assert config.oci_credentials == ()
    assert "hidden" not in str(config)


def test_of_two_blocks_with_one_label_the_first_is_used(read_config: ReadConfig) -> None:
    text = block('username = "u"', 'password = "p"')
    config = read_config(text, text.replace('"u"', '"v"') + text.replace("r.test", "R.test"))
    assert [str(each.origin) for each in config.oci_credentials] == ["/home/.tofurc:1", "/home/.terraform.d/a.tfrc:5"]
    (found,) = config.diagnostics
    assert str(found) == (
        "/home/.terraform.d/a.tfrc:1: there is an oci_credentials block for “r.test” at /home/.tofurc:1 already,"
        " which is used"
    )


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ('{"oci_credentials": {"r.test": {"username": "u", "password": "p"}}}', ["r.test"]),
        (
            (
                '{"oci_credentials": {"r.test": {"username": "u", "password": "p"},'
                ' "s.test": {"username": "u", "password": "p"}}}'
            ),
            ["r.test", "s.test"],
        ),
        ('{"oci_credentials": {"r.test": {"username": {"password": {}}}}}', []),
        ('{"oci_credentials": 1}', []),
        ('{"oci_credentials": {"r.test": 1}}', []),
    ],
)
def test_json_blocks_have_one_label_too(read_config: ReadConfig, text: str, labels: list[str]) -> None:
    config = read_config(text)
    assert [each.label for each in config.oci_credentials] == labels
    assert bool(config.diagnostics) is not bool(labels)


def test_defaults_are_discovery_in_the_standard_places_without_a_helper(read_config: ReadConfig) -> None:
    defaults = read_config("oci_default_credentials {}").oci_defaults
    assert defaults is not None
    assert defaults.discover_ambient_credentials
    assert defaults.docker_style_config_files is None
    assert defaults.docker_credentials_helper == ""
    assert read_config("").oci_defaults is None


def test_named_files_are_relative_to_the_configuration_file(read_config: ReadConfig) -> None:
    text = 'oci_default_credentials {\n  docker_style_config_files = ["a.json", "../b.json", "/c/./d.json"]\n}\n'
    defaults = read_config(text).oci_defaults
    assert defaults is not None
    assert defaults.docker_style_config_files == ("/home/a.json", "/b.json", "/c/d.json")
    none = read_config(text.replace('"a.json", "../b.json", "/c/./d.json"', "")).oci_defaults
    assert none is not None
    assert none.docker_style_config_files == ()


def test_named_files_follow_the_rules_of_windows_there() -> None:
    text = 'oci_default_credentials {\n  docker_style_config_files = ["a.json", "D:\\\\b.json"]\n}\n'
    document = parse(text.encode(), path=r"C:\Users\me\AppData\tofu.rc")
    (defaults,) = read_oci_defaults(document, ConfigurationDiagnostics(document.path), windows=True)
    assert defaults.docker_style_config_files == (r"C:\Users\me\AppData\a.json", r"D:\b.json")


@pytest.mark.parametrize(
    ("text", "line", "message", "used"),
    [
        ("oci_default_credentials = {}", 1, "it is a block and takes no equals sign", False),
        ('oci_default_credentials "x" {}', 1, "it has no labels", False),
        ('oci_default_credentials {\n  discover_ambient_credentials = "no"\n}', 2, "needs true or false", False),
        ('{"oci_default_credentials": 1}', 1, "it is a block", False),
        (
            'oci_default_credentials {\n  docker_credentials_helper = "a/b"\n}',
            2,
            "“a/b” cannot be the name of a Docker credential helper",
            True,
        ),
        (
            "oci_default_credentials {\n  discover_ambient_credentials = false\n  docker_style_config_files = []\n}",
            3,
            "docker_style_config_files has no use",
            True,
        ),
    ],
)
def test_defaults_that_cannot_be_meant_are_complained_about(
    read_config: ReadConfig, text: str, line: int, message: str, used: bool
) -> None:
    config = read_config(text)
    (found,) = config.diagnostics
    assert (found.origin.line, message in found.message) == (line, True)
    assert (config.oci_defaults is not None) is used
    assert config.oci_defaults is None or config.oci_defaults.docker_credentials_helper == ""
