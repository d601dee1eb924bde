"""Which credentials a repository in an OCI registry gets: the precedence of all sources, and container tools' files."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from builders.tables import table

from lockwarden.core.cli_config.docker_files import DockerFile, DockerFileError, parse_docker_file
from lockwarden.core.cli_config.oci_selection import (
    MalformedEntry,
    MalformedEntryError,
    OciCandidate,
    candidates_for,
    choose,
)
from lockwarden.core.cli_config.settings import BasicCredential, CliConfig, HelperCredential

ReadConfig = Callable[..., CliConfig]
DOMAIN, REPOSITORY = "r.test:5000", "team/x/plain"


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def file(content: dict[str, Any], path: str = "/docker.json") -> DockerFile:
    return parse_docker_file(json.dumps(content).encode(), path=path)


def auths(**users: str) -> dict[str, Any]:
    keys = {"domain": DOMAIN, "team": f"{DOMAIN}/team", "teamx": f"{DOMAIN}/team/x", "other": "other.test"}
    return {"auths": {keys[place]: {"auth": encoded(f"{user}:p")} for place, user in users.items()}}


def block(user: str, path: str = "") -> str:
    return f'oci_credentials "{DOMAIN}{path}" {{\n  username = "{user}"\n  password = "p"\n}}\n'


def helper_block(name: str) -> str:
    return f'oci_credentials "{DOMAIN}" {{\n  docker_credentials_helper = "{name}"\n}}\n'


def default_helper(name: str) -> str:
    return f'oci_default_credentials {{\n  docker_credentials_helper = "{name}"\n}}\n'


def found(config: CliConfig, *files: DockerFile) -> list[OciCandidate | MalformedEntry]:
    return list(
        candidates_for(DOMAIN, REPOSITORY, blocks=config.oci_credentials, defaults=config.oci_defaults, files=files)
    )


def chosen(config: CliConfig, *files: DockerFile) -> str | None:
    candidate = choose(found(config, *files))
    match candidate and candidate.credential:
        case BasicCredential(username=username):
            return username
        case HelperCredential(name=name):
            return f"helper {name}"
        case _:
            return None


@pytest.mark.parametrize(
    ("text", "files", "expected"),
    [
        ("", [], None),
        ("", [auths(other="u")], None),
        # global < domain < path
        (default_helper("d"), [], "helper d"),
        ("", [{"credsStore": "s"}], "helper s"),
        ("", [{"credsStore": "s", "credHelpers": {DOMAIN: "c"}}], "helper c"),
        ("", [{"credsStore": "s", **auths(domain="a")}], "a"),
        (default_helper("d"), [auths(domain="a")], "a"),
        ("", [auths(domain="a", team="b", teamx="c")], "c"),
        (block("block"), [auths(team="b")], "b"),
        (helper_block("h"), [auths(team="b")], "b"),
        (block("x", "/team/x/plain"), [auths(teamx="c")], "x"),
        (block("x", "/team/x/plain/more") + block("y", "/team/xx"), [auths(domain="a")], "a"),
        # ties: block, default helper, files in order, auths, credHelpers, credsStore
        (block("block"), [auths(domain="a")], "block"),
        (helper_block("h"), [auths(domain="a")], "helper h"),
        (default_helper("d"), [{"credsStore": "s"}], "helper d"),
        ("", [auths(domain="a"), auths(domain="b")], "a"),
        ("", [{"credHelpers": {DOMAIN: "c"}}, auths(domain="b")], "helper c"),
        ("", [{"credHelpers": {DOMAIN: "c"}, **auths(domain="a")}], "a"),
        ("", [{"credsStore": "s"}, {"credsStore": "t"}], "helper s"),
        # what never matches
        ("", [{"credHelpers": {"r.test": "c", f"{DOMAIN}/team": "c"}}], None),
        ("", [{"auths": {"https://r.test:5000/v1/": {"auth": encoded("u:p")}}}], None),
        ("", [{"auths": {f"{DOMAIN}/TEAM": {"auth": encoded("u:p")}, "": {"auth": encoded("u:p")}}}], None),
        ("", [{"auths": {DOMAIN: None}, "credsStore": "s"}], "helper s"),
        ("", [{"auths": {DOMAIN: {}}, "credHelpers": {DOMAIN: ""}}], None),
        ("", [{"auths": {DOMAIN: {"username": "u", "password": "p", "identitytoken": "t"}}}], None),
    ],
)
def test_the_most_specific_source_wins_and_of_equals_the_first(
    read_config: ReadConfig, text: str, files: list[dict[str, Any]], expected: str | None
) -> None:
    assert chosen(read_config(text), *map(file, files)) == expected


def test_an_unusable_entry_fails_the_lookup_only_when_another_source_matches(read_config: ReadConfig) -> None:
    broken = file({"auths": {f"{DOMAIN}/team": {"auth": encoded("hidden")}}})
    assert chosen(read_config(""), broken) is None
    for other in (broken, file(auths(domain="a"))):
        config = read_config(default_helper("d"))
        with pytest.raises(MalformedEntryError, match="is no user name and password") as caught:
            choose(found(config, broken, other))
        assert "hidden" not in str(caught.value)
    useless = read_config(block("", "/team") + block("u"))
    with pytest.raises(MalformedEntryError, match="has an empty username"):
        choose(found(useless))


def test_every_candidate_says_what_it_is_and_where_it_stands(read_config: ReadConfig) -> None:
    config = read_config(block("hidden-user") + default_helper("d"))
    broken = {"auths": {DOMAIN: {"auth": encoded("hidden")}}}
    content = {**broken, "credHelpers": {DOMAIN: "c"}, "credsStore": "s"}
    assert [each.shown for each in found(config, file(content, "/f.json"))] == [
        "oci_credentials block (/home/.tofurc:1)",
        "oci_default_credentials helper “d” (/home/.tofurc:5)",
        "auths entry (/f.json), which cannot be used",
        "credHelpers entry “c” (/f.json)",
        "credsStore “s” (/f.json)",
    ]


def test_a_file_is_read_as_the_clients_read_json() -> None:
    text = (
        '{"AUTHS": {"r.test": {"AUTH": "' + encoded("u:a:b") + '"}, "s.test/x": {"auth": "dTpw\\n"}},'
        ' "credhelpers": {"r.test": "c"}, "credsstore": null, "unknown": [1]}'
    )
    found = parse_docker_file(text.encode(), path="/f.json")
    credentials = [entry.credential for entry in found.auths]
    assert [isinstance(each, BasicCredential) and each.password.expose() for each in credentials] == ["a:b", "p"]
    assert (found.helpers, found.store) == ((("r.test", "c"),), "")


def test_a_password_that_is_no_utf8_keeps_its_bytes() -> None:
    auth = base64.b64encode(b"u:\xff").decode()
    (entry,) = file({"auths": {"r.test": {"auth": auth}}}).auths
    assert isinstance(entry.credential, BasicCredential)
    assert entry.credential.password.expose().encode("utf-8", "surrogateescape") == b"\xff"


@table(
    "text",
    [
        "",
        "{",
        "[]",
        "{} x",
        '{"auths": []}',
        '{"auths": {"r.test": "hidden"}}',
        '{"auths": {"r.test": {"auth": "hid den"}}}',
        '{"auths": {"r.test": {"auth": "hidde"}}}',
        '{"auths": {"r.test": {"auth": 1}}}',
        '{"credHelpers": {"r.test": 1}}',
        '{"credsStore": {}}',
        "[" * 100_000,
    ],
)
def test_a_file_of_another_form_cannot_be_used_and_nothing_of_it_is_repeated(text: str) -> None:
    with pytest.raises(DockerFileError, match=r"^/f\.json ") as caught:
        parse_docker_file(text.encode(), path="/f.json")
    assert "hid" not in str(caught.value)
    assert caught.value.__cause__ is None
