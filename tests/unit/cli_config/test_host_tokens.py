"""Tokens for hosts: variables, blocks, helper, in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from builders.tables import table

from lockwarden.core.cli_config.settings import CliConfig
from lockwarden.core.cli_config.token_variables import host_of_variable
from lockwarden.core.cli_config.tokens import TokenSource, TokenStore
from lockwarden.core.values.errors import NoAnswerError, Stage
from lockwarden.core.values.secret import Secret

ReadConfig = Callable[..., CliConfig]
BLOCK = 'credentials "example.test" { token = "block" }\ncredentials_helper "h" {}\n'


class Helper:
    """Answers for hosts and counts how often it was asked."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.asked: list[str] = []
        self._answers = answers

    def __call__(self, host: str) -> Secret | None:
        self.asked.append(host)
        if host == "broken.test":
            raise NoAnswerError("the helper is broken", stage=Stage.CREDENTIALS)
        return Secret(self._answers[host]) if host in self._answers else None


@table(
    ("name", "host"),
    [
        ("TF_TOKEN_example_test", "example.test"),
        ("TF_TOKEN_example.test", "example.test"),
        ("TF_TOKEN_EXAMPLE_TEST", "example.test"),
        ("TF_TOKEN_my__host_test", "my-host.test"),
        ("TF_TOKEN_café.fr", "xn--caf-dma.fr"),
        ("TF_TOKEN_xn--caf-dma.fr", "xn--caf-dma.fr"),
        ("TF_TOKEN_xn--caf-dma_fr", "xn--caf-dma.fr"),
        ("TF_TOKEN_xn____caf__dma_fr", "xn--caf-dma.fr"),
        ("TF_TOKEN_XN____CAF__DMA_FR", "xn--caf-dma.fr"),
        ("TF_TOKEN_localhost:8443", "localhost:8443"),
        ("TF_TOKEN_example_test:443", "example.test"),
        ("TF_TOKEN_faß_de", "fass.de"),
        ("TF_TOKEN_xn____fa__hia_de", "xn--fa-hia.de"),
    ],
)
def test_the_name_of_a_variable_stands_for_a_host(name: str, host: str) -> None:
    found = host_of_variable(name)
    assert found is not None
    assert found.ascii == host


@table(
    "name",
    [
        "TF_TOKEN_",
        "TF_TOKEN",
        "tf_token_example_test",
        "TF_TOKEN_a___b",
        "TF_TOKEN_a b",
        "TF_TOKEN__a",
        "TF_TOKEN_a:b",
        "TF_TOKEN_xn____caf__dmaö_fr",
        "TF_TOKEN_xn____!_fr",
        "HOME",
    ],
)
def test_other_variables_stand_for_none(name: str) -> None:
    assert host_of_variable(name) is None


def test_a_variable_wins_over_a_block_and_a_block_over_the_helper(read_config: ReadConfig) -> None:
    helper = Helper({"example.test": "helper", "helped.test": "helper"})
    tokens = TokenStore(read_config(BLOCK), {"TF_TOKEN_example_test": "variable"}, ask_helper=helper)
    assert tokens("example.test") == "variable"
    found = TokenStore(read_config(BLOCK), {}, ask_helper=helper).find("example.test")
    assert found is not None
    assert (found.token, found.source, str(found.origin)) == (Secret("block"), TokenSource.BLOCK, "/home/.tofurc:1")
    assert str(found) == "credentials block (/home/.tofurc:1)"
    assert helper.asked == []
    helped = tokens.find("helped.test")
    assert helped is not None
    assert (helped.source, str(helped.origin)) == (TokenSource.HELPER, "/home/.tofurc:2")
    assert tokens.find("unknown.test") is None
    assert tokens("unknown.test") is None


def test_the_origin_of_a_variables_token_is_the_variable(read_config: ReadConfig) -> None:
    found = TokenStore(read_config(""), {"TF_TOKEN_example_test": "hidden"}).find("example.test")
    assert str(found) == "environment variable (the environment variable TF_TOKEN_example_test)"
    assert "hidden" not in repr(found)


def test_of_several_variables_for_one_host_the_last_one_counts(read_config: ReadConfig) -> None:
    environ = {"TF_TOKEN_example_test": "first", "TF_TOKEN_example.test": "last", "HOME": "/home"}
    assert TokenStore(read_config(""), environ)("example.test") == "last"


def test_an_empty_variable_is_a_token_and_ends_the_search(read_config: ReadConfig) -> None:
    assert TokenStore(read_config(BLOCK), {"TF_TOKEN_example_test": ""})("example.test") == ""


def test_a_block_without_a_token_ends_the_search(read_config: ReadConfig) -> None:
    helper = Helper({"example.test": "helper"})
    config = read_config('credentials "example.test" {}\ncredentials_helper "h" {}')
    tokens = TokenStore(config, {}, ask_helper=helper)
    found = tokens.find("example.test")
    assert found is not None
    assert found.token is None
    assert tokens("example.test") is None
    assert helper.asked == []


@pytest.mark.parametrize(
    ("label", "host"),
    [
        ("Example.TEST", "example.test"),
        ("example.test:443", "example.test"),
        ("example.test:8443", "example.test:8443"),
    ],
)
def test_blocks_are_found_by_normalised_host_and_port(read_config: ReadConfig, label: str, host: str) -> None:
    tokens = TokenStore(read_config(f'credentials "{label}" {{ token = "t" }}'), {})
    assert tokens(host) == "t"
    assert tokens("example.test:1") is None


def test_of_two_spellings_of_a_host_the_last_one_counts(read_config: ReadConfig) -> None:
    config = read_config('credentials "A.test" { token = "1" }', 'credentials "a.test" { token = "2" }')
    assert TokenStore(config, {})("a.test") == "2"


def test_the_helper_is_asked_once_for_each_host_whatever_comes_of_it(read_config: ReadConfig) -> None:
    helper = Helper({"helped.test": "t"})
    tokens = TokenStore(read_config(BLOCK), {}, ask_helper=helper)
    for _ in range(2):
        assert tokens("helped.test") == "t"
        assert tokens("unknown.test") is None
        with pytest.raises(NoAnswerError, match="the helper is broken"):
            tokens("broken.test")
    assert helper.asked == ["helped.test", "unknown.test", "broken.test"]


def test_a_helper_whose_program_is_not_there_is_passed_over(read_config: ReadConfig) -> None:
    assert TokenStore(read_config(BLOCK), {})("helped.test") is None


def test_variables_whose_name_stands_for_no_host_are_listed(read_config: ReadConfig) -> None:
    config = read_config("", environ={"TF_TOKEN_a b": "hidden", "TF_TOKEN_a_test": "hidden", "HOME": "/home"})
    assert [f"{each.kind} {each.name}: {each.reason}" for each in config.ignored] == [
        "environment variable TF_TOKEN_a b: its name stands for no host"
    ]
    assert "hidden" not in repr(config)
