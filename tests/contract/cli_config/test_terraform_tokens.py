"""Configurations shown to the real terraform and to this program: the same token for the same host, or none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from servers.https import HttpsServer
from servers.terraform import Workspace

from lockwarden.core.cli_config.loading import load_cli_config
from lockwarden.core.cli_config.locations import Surroundings
from lockwarden.core.cli_config.stores import token_store
from lockwarden.core.values.errors import NoAnswerError
from lockwarden.core.values.platforms import Platform

HOST = "ex-ample.example.test"
BLOCK = 'credentials "{}" {{\n  token = "{}"\n}}\n'
HELPER = 'credentials_helper "h" {\n  args = ["a b", "c"]\n}\n'
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "nothing": ("", {}),
    "a block": (BLOCK.format(HOST, "block"), {}),
    "a block in other letters and with the usual port": (BLOCK.format(f"Ex-Ample.Example.TEST:{443}", "block"), {}),
    "a block for another port": (BLOCK.format(f"{HOST}:8443", "block"), {}),
    "a block for the domain above": (BLOCK.format("example.test", "block"), {}),
    "two blocks": (BLOCK.format(HOST, "one") + BLOCK.format(HOST, "two"), {}),
    "a block in JSON": (json.dumps({"credentials": {HOST: {"token": "json", "more": 1}}}), {}),
    "a block without a token before the helper": (f'credentials "{HOST}" {{}}\n{HELPER}', {}),
    "a number as token": (f'credentials "{HOST}" {{\n  token = 12\n}}\n', {}),
    "a variable over a block": (BLOCK.format(HOST, "block"), {"TF_TOKEN_ex__ample_example_test": "variable"}),
    "a variable with dots and dashes": ("", {"TF_TOKEN_ex-ample.example.test": "variable"}),
    "a helper": (HELPER, {}),
    "a helper that fails": (HELPER.replace('"c"', '"fail"'), {}),
}


@pytest.mark.parametrize("case", CASES)
def test_terraform_sends_the_token_that_is_found_here(
    case: str, https_server: HttpsServer, program_environment: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    text, variables = CASES[case]
    configuration = tmp_path / "case.rc"
    configuration.write_text(text, encoding="utf-8")
    environment = program_environment(TF_CLI_CONFIG_FILE=str(configuration), **variables)
    helper = Path(environment["HOME"]) / ".terraform.d" / "plugins" / "terraform-credentials-h"
    helper.parent.mkdir(parents=True)
    helper.write_text('#!/bin/sh\n[ "$2" = c ] || exit 1\necho "{\\"token\\": \\"$*\\"}"\n', encoding="utf-8")
    helper.chmod(0o755)

    workspace = Workspace.make(tmp_path / "w", environment, {f"{HOST}/acme/one": "1.0.0"})
    workspace.run("init", expected=1)
    requests = https_server.journal.to(HOST, "/.well-known/")
    assert requests
    sent = {request.authorization for request in requests}

    surroundings = Surroundings(
        environ=environment, account_home="", platform=Platform("linux", "amd64"), directory=str(workspace.folder)
    )
    tokens = token_store(load_cli_config(surroundings).checked(), surroundings)
    if case == "a helper that fails":
        # terraform asks the registry all the same, without a token
        with pytest.raises(NoAnswerError, match="failed with exit code 1"):
            tokens(HOST)
        assert sent == {None}
        return
    token = tokens(HOST)
    assert sent == {None if token is None else f"Bearer {token}".strip()}
