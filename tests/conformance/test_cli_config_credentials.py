"""CLI configurations: the same tokens and the same OCI credentials as the client recorded.

`cli_config.json` holds what was recorded: `tokens` (case → which token reached which kind of request; `none` is no
header, `Bearer` a header without a token) and `oci_credentials` (case → how a request for
`localhost:PORT/team/x/plain` ended). What a case sets up is here, beside its name.
"""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from conformance.config_home import RECORDED, Home

from lockwarden.core.cli_config.settings import BasicCredential, TokenCredential
from lockwarden.core.cli_config.stores import oci_credential_store, token_store
from lockwarden.core.values.errors import NoAnswerError
from lockwarden.core.values.severity import Severity

TOKENS: dict[str, Any] = RECORDED["tokens"]
OCI: dict[str, Any] = RECORDED["oci_credentials"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    folder = tmp_path / "home"
    folder.mkdir()
    return Home(folder=folder)


# Tokens

REGISTRY = "example.test"
MIRROR = "localhost:8443"


def credentials(token: str, host: str = REGISTRY) -> str:
    return f'credentials "{host}" {{\n  token = "{token}"\n}}\n'


def stored(token: str) -> str:
    return json.dumps({"credentials": {REGISTRY: {"token": token}}})


def service_helper(home: Home, script: str, arguments: str = "") -> None:
    home.write(".tofurc", f'credentials_helper "h" {{\n  args = [{arguments}]\n}}\n')
    calls = shlex.quote(str(home.folder / "calls"))
    program = f'#!/bin/sh\necho "$@" >> {calls}\n{script}\n'
    home.write(".terraform.d/plugins/terraform-credentials-h", program, program=True)


def set_up_xdg(home: Home) -> None:
    home.variables["XDG_CONFIG_HOME"] = str(home.folder / "xdg")
    home.write("xdg/opentofu/tofurc", credentials("xdg"))


def named(home: Home, variable: str, token: str) -> None:
    home.variables[variable] = str(home.write(f"named-{token}", credentials(token)))


def both(*steps: Callable[[Home], object]) -> Callable[[Home], None]:
    def set_up(home: Home) -> None:
        for step in steps:
            step(home)

    return set_up


def rc(text: str, name: str = ".tofurc") -> Callable[[Home], object]:
    return lambda home: home.write(name, text)


def variable(name: str, value: str = "env") -> Callable[[Home], object]:
    return lambda home: home.variables.update({name: value})


TOKEN_CASES: Mapping[str, Callable[[Home], object]] = {
    ".tofurc": rc(credentials("tofurc")),
    ".terraformrc": rc(credentials("terraformrc"), ".terraformrc"),
    "both rc files": both(rc(credentials("tofurc")), rc(credentials("terraformrc"), ".terraformrc")),
    "XDG_CONFIG_HOME": set_up_xdg,
    "XDG_CONFIG_HOME and .tofurc": both(set_up_xdg, rc(credentials("tofurc"))),
    "TF_CLI_CONFIG_FILE": lambda home: named(home, "TF_CLI_CONFIG_FILE", "file"),
    "TERRAFORM_CONFIG": lambda home: named(home, "TERRAFORM_CONFIG", "file"),
    "both variables": both(
        lambda home: named(home, "TF_CLI_CONFIG_FILE", "one"), lambda home: named(home, "TERRAFORM_CONFIG", "two")
    ),
    "credentials.tfrc.json": rc(stored("stored"), ".terraform.d/credentials.tfrc.json"),
    "credentials.tfrc.json and .tofurc": both(
        rc(stored("stored"), ".terraform.d/credentials.tfrc.json"), rc(credentials("tofurc"))
    ),
    "two directory files": both(
        rc(credentials("a"), ".terraform.d/a.tfrc"), rc(credentials("b"), ".terraform.d/b.tfrc")
    ),
    "directory file and TF_CLI_CONFIG_FILE": both(
        rc(credentials("a"), ".terraform.d/a.tfrc"),
        rc("", "named"),
        lambda home: home.variables.update(TF_CLI_CONFIG_FILE=str(home.folder / "named")),
    ),
    "TF_TOKEN_ over block": both(variable("TF_TOKEN_example_test"), rc(credentials("tofurc"))),
    "TF_TOKEN_ empty": variable("TF_TOKEN_example_test", ""),
    "TF_TOKEN_ with dots": variable("TF_TOKEN_example.test"),
    "TF_TOKEN_ upper case": variable("TF_TOKEN_EXAMPLE_TEST"),
    "TF_TOKEN_ for a dash": variable("TF_TOKEN_ex__ample_test"),
    "TF_TOKEN_ for another host": variable("TF_TOKEN_other_test"),
    "block without token": both(
        rc(f'credentials "{REGISTRY}" {{}}\n'), rc(credentials("tofurc", "other.test"), ".terraform.d/a.tfrc")
    ),
    "block, other spelling": rc(credentials("spelt", "Example.TEST")),
    "block with port 443": rc(credentials("port", f"{REGISTRY}:443")),
    "helper": lambda home: service_helper(home, """echo '{"token": "helper"}'""", '"x", "y"'),
    "helper says {}": lambda home: service_helper(home, "echo '{}'"),
    "helper fails": lambda home: service_helper(home, "echo bad luck >&2; exit 1"),
    "helper prints garbage": lambda home: service_helper(home, "echo hello"),
    "network mirror, block for the mirror with port": rc(credentials("mirror", MIRROR)),
    "network mirror, block without port": rc(credentials("mirror", "localhost")),
    "network mirror, block for the provider's host": rc(credentials("mirror", REGISTRY)),
}
HOSTS = {"TF_TOKEN_ for a dash": "ex-ample.test"}
SENT_TO = {"metadata": REGISTRY, "mirror": MIRROR}
"""Which host's token goes along with which kind of request; the other kinds never get one."""
OTHER_END = {"TF_CLI_CONFIG_FILE missing"}
"""Recorded against a host that was not there, so that no request shows which token it would have had."""


def test_every_recorded_token_case_is_set_up_here() -> None:
    assert set(TOKENS) - OTHER_END == set(TOKEN_CASES)


@pytest.mark.parametrize("case", TOKEN_CASES)
def test_the_same_token_is_found_for_the_same_kind_of_request(home: Home, case: str) -> None:
    TOKEN_CASES[case](home)
    tokens = token_store(home.load().checked(), home.surroundings)
    recorded = TOKENS[case]
    if recorded.get("failed"):
        with pytest.raises(NoAnswerError, match="terraform-credentials-h"):
            tokens(REGISTRY)
        return
    for kind, sent in recorded["sent"].items():
        if kind not in SENT_TO:
            assert sent == "none"
            continue
        token = tokens(HOSTS.get(case, SENT_TO[kind]))
        assert ("none" if token is None else token or "Bearer") == sent
    if "helper_calls" in recorded:
        assert (home.folder / "calls").read_text().splitlines() == recorded["helper_calls"]


def test_a_main_file_that_a_variable_names_and_that_is_missing_is_warned_of(home: Home) -> None:
    home.variables["TF_CLI_CONFIG_FILE"] = str(home.folder / "nope")
    home.write(".tofurc", credentials("tofurc"))
    home.write(".terraform.d/a.tfrc", credentials("a"))
    config = home.load().checked()
    assert [(each.severity, each.summary) for each in config.diagnostics] == [
        (Severity.WARNING, "Unable to open CLI configuration file")
    ]
    assert token_store(config, home.surroundings)(REGISTRY) is None


# OCI credentials

DOMAIN = "localhost:5000"
REPOSITORY = "team/x/plain"


def encoded(user: str, password: str = "p") -> str:
    return base64.b64encode(f"{user}:{password}".encode()).decode()


def auths(**entries: str) -> dict[str, Any]:
    places = {"domain": DOMAIN, "path": f"{DOMAIN}/team", "url": f"https://{DOMAIN}/v1/"}
    return {"auths": {places[place]: {"auth": encoded(user)} for place, user in entries.items()}}


def block(user: str, prefix: str = DOMAIN) -> str:
    return f'oci_credentials "{prefix}" {{\n  username = "{user}"\n  password = "p"\n}}\n'


def docker(content: object) -> Callable[[Home], object]:
    return rc(content if isinstance(content, str) else json.dumps(content), ".docker/config.json")


def containers(content: object, folder: str = ".config") -> Callable[[Home], object]:
    text = content if isinstance(content, str) else json.dumps(content)
    return rc(text, f"{folder}/containers/auth.json")


def helper(user: str, name: str = "one", script: str = "") -> Callable[[Home], object]:
    def set_up(home: Home) -> None:
        asked = shlex.quote(str(home.folder / "asked"))
        answer = json.dumps({"ServerURL": "x", "Username": user, "Secret": "s"})
        lines = ["#!/bin/sh", f'echo "$(basename "$0") $@" > {asked}', f"cat >> {asked}", script or f"echo '{answer}'"]
        home.write(f"bin/docker-credential-{name}", "\n".join([*lines, ""]), program=True)

    return set_up


def folder_variable(name: str, folder: str) -> Callable[[Home], object]:
    return lambda home: home.variables.update({name: str(home.folder / folder)})


NOTHING = "echo 'credentials not found in native keychain'; exit 1"
DEFAULTS = "oci_default_credentials {{\n  {}\n}}\n"
DEFAULT_HELPER = DEFAULTS.format('docker_credentials_helper = "one"')
BLOCK_HELPER = f'oci_credentials "{DOMAIN}" {{\n  docker_credentials_helper = "one"\n}}\n'
OCI_CASES: Mapping[str, Callable[[Home], object]] = {
    "nothing": both(),
    "block for the domain": rc(block("domain")),
    "block without the port": rc(block("domain", "localhost")),
    "blocks for domain and path": rc(block("domain") + block("teamx", f"{DOMAIN}/team/x")),
    "path that is no whole segment": rc(block("domain") + block("part", f"{DOMAIN}/team/x/pl")),
    "docker config": docker(auths(domain="docker")),
    "containers file": containers(auths(domain="containers")),
    "containers before docker": both(containers(auths(domain="containers")), docker(auths(domain="docker"))),
    "docker path beats containers domain": both(containers(auths(domain="containers")), docker(auths(path="docker"))),
    "XDG_RUNTIME_DIR first": both(
        folder_variable("XDG_RUNTIME_DIR", "run"),
        containers(auths(domain="runtime"), "run"),
        containers(auths(domain="containers")),
    ),
    "XDG_CONFIG_HOME": both(
        folder_variable("XDG_CONFIG_HOME", "xdg"),
        containers(auths(domain="xdg"), "xdg"),
        containers(auths(domain="containers")),
    ),
    "block beats file": both(rc(block("block")), docker(auths(domain="docker"))),
    "file path beats block domain": both(rc(block("block")), docker(auths(path="docker"))),
    "URL key": docker(auths(url="docker")),
    "DOCKER_CONFIG": both(
        folder_variable("DOCKER_CONFIG", "elsewhere"), rc(json.dumps(auths(domain="docker")), "elsewhere/config.json")
    ),
    "discovery off": both(rc(DEFAULTS.format("discover_ambient_credentials = false")), docker(auths(domain="docker"))),
    "named file": both(
        rc(DEFAULTS.format('docker_style_config_files = ["mine.json"]')),
        rc(json.dumps(auths(domain="mine")), "mine.json"),
        docker(auths(domain="docker")),
    ),
    "named file missing": rc(DEFAULTS.format('docker_style_config_files = ["none.json"]')),
    "one broken file of two": both(containers("{"), docker(auths(domain="docker"))),
    "auth not base64": docker({"auths": {DOMAIN: {"auth": "%%%"}}}),
    "auth without colon": docker({"auths": {DOMAIN: {"auth": base64.b64encode(b"nothing").decode()}}}),
    "username and password keys": docker({"auths": {DOMAIN: {"username": "u", "password": "p"}}}),
    "identitytoken": docker({"auths": {DOMAIN: {"identitytoken": "t"}}}),
    "colon in the password": docker({"auths": {DOMAIN: {"auth": encoded("u", "a:b")}}}),
    "empty entry and credsStore": both(docker({"auths": {DOMAIN: {}}, "credsStore": "one"}), helper("store")),
    "credHelpers": both(docker({"credHelpers": {DOMAIN: "one"}}), helper("credhelper")),
    "credHelpers and auths of one domain": both(
        docker({**auths(domain="static"), "credHelpers": {DOMAIN: "one"}}), helper("credhelper")
    ),
    "credsStore and auths": both(docker({**auths(domain="static"), "credsStore": "one"}), helper("store")),
    "credHelpers and credsStore": both(
        docker({"credHelpers": {DOMAIN: "one"}, "credsStore": "two"}), helper("credhelper"), helper("store", "two")
    ),
    "default helper": both(rc(DEFAULT_HELPER), helper("default")),
    "default helper and credsStore": both(
        rc(DEFAULT_HELPER), docker({"credsStore": "two"}), helper("default"), helper("store", "two")
    ),
    "block with helper": both(rc(BLOCK_HELPER), helper("blockhelper")),
    "helper finds nothing, block for all": both(
        rc(BLOCK_HELPER + DEFAULTS.format('docker_credentials_helper = "two"')),
        helper("one", script=NOTHING),
        helper("all", "two"),
    ),
    "helper fails": both(rc(BLOCK_HELPER), helper("one", script="echo boom; exit 1")),
    "helper says <token>": both(rc(BLOCK_HELPER), helper("<token>")),
    "helper missing": rc(BLOCK_HELPER.replace("one", "nothere")),
    "access token block": rc(f'oci_credentials "{DOMAIN}" {{\n  access_token = "a"\n  refresh_token = "r"\n}}\n'),
}


def test_every_recorded_oci_case_is_set_up_here() -> None:
    assert set(OCI) == set(OCI_CASES)


@pytest.mark.parametrize("case", OCI_CASES)
def test_the_same_oci_credentials_are_found(home: Home, case: str) -> None:
    OCI_CASES[case](home)
    recorded = OCI[case]
    store = oci_credential_store(home.load().checked(), home.surroundings)
    if recorded["end"] == "failed":
        with pytest.raises(NoAnswerError):
            store.find(DOMAIN, REPOSITORY)
    else:
        match store.find(DOMAIN, REPOSITORY).credential:
            case BasicCredential(username=username, password=password):
                assert ("sent", f"{username}:{password.expose()}") == (recorded["end"], recorded["sent"])
            case TokenCredential():
                assert recorded["end"] == "access token"
            case None:
                assert recorded["end"] == "anonymous"
    if "asked" in recorded:
        asked = (home.folder / "asked").read_text().splitlines()
        assert asked == [recorded["asked"]["program"], recorded["asked"]["input"].replace("localhost:PORT", DOMAIN)]
