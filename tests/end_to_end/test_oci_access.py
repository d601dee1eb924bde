"""Who may see what on the way into an OCI registry, with the installed command and real parts on this machine."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from contract.oci.asking import Scripted
from contract.oci.kinds import Shelf, entry, index
from end_to_end.oci_mirrors import (
    ASKED,
    HOST,
    ON_LINUX,
    PATTERN,
    assert_no_secret,
    configured,
    filled,
    over_https,
    plain,
    said,
)
from servers.https import HttpsServer, serving
from servers.installed import Ended, Lockwarden
from servers.oci_registry import OCI_INDEX, PASSWORD, USER, Registry, TokenGate, basic, running_registry

from lockwarden.demo.world import Response

AUTH = "auth.example.test"
EVERYTHING = (*ASKED, "--format", "json")


def authorizations(server: HttpsServer, host: str = "") -> set[str | None]:
    """Everything that a server, or one host of it, was shown."""
    return {request.authorization for request in server.journal.requests if not host or request.host == host}


def problems(done: Ended) -> list[str]:
    return [problem["code"] for problem in done.provider("one")["problems"]]


@dataclass(kw_only=True)
class Apart:
    """A registry at one address of this machine whose token server is at another, both without TLS."""

    front: HttpsServer
    tokens: HttpsServer
    gate: TokenGate

    @property
    def registry(self) -> str:
        return f"127.0.0.1:{self.front.port}"

    @property
    def token_host(self) -> str:
        return f"localhost:{self.tokens.port}"

    @property
    def options(self) -> tuple[str, ...]:
        return ("--source", f"oci://{self.registry}/{PATTERN}", "--insecure-http", self.registry)

    def shown(self) -> tuple[set[str | None], set[str | None]]:
        """What the registry was shown, and what the token server."""
        return authorizations(self.front), authorizations(self.tokens)


@pytest.fixture
def apart(registry: Registry) -> Iterator[Apart]:
    def nothing(*_: object) -> Response:
        return Response.of_status(404)

    with serving(nothing, context=None) as front, serving(nothing, context=None) as tokens:
        gate = TokenGate(behind=registry.respond, realm=f"http://localhost:{tokens.port}/token")
        front.serve(gate.respond)
        tokens.serve(gate.respond)
        yield Apart(front=front, tokens=tokens, gate=gate)


def test_a_token_server_elsewhere_sees_no_password_and_the_message_says_what_would_let_it(
    apart: Apart, folder: Path, lockwarden: Lockwarden
) -> None:
    file = configured(lockwarden, apart.registry, PASSWORD)
    for form in (ON_LINUX, ON_LINUX[:2]):
        done = lockwarden.run("check", *apart.options, *form, folder=folder, expected=3)
        assert f"--token-host {apart.token_host}" in done.out
        assert str(file) in done.out
        assert_no_secret(done)
    assert apart.shown() == ({None}, {None})


def test_a_token_server_that_was_not_named_sees_no_password(apart: Apart, folder: Path, lockwarden: Lockwarden) -> None:
    configured(lockwarden, apart.registry, PASSWORD)
    for named in ("localhost", f"127.0.0.1:{apart.tokens.port}", "localhost:1", "other.example.test"):
        other = ("--token-host", named)
        done = lockwarden.run("check", *apart.options, *other, *ON_LINUX, folder=folder, expected=3)
        assert problems(done) == ["credentials-withheld"], named
        assert apart.shown() == ({None}, {None}), named


def test_a_token_server_that_was_named_gets_the_password_and_the_registry_only_its_tokens(
    apart: Apart, folder: Path, lockwarden: Lockwarden
) -> None:
    configured(lockwarden, apart.registry, PASSWORD)
    named = ("--token-host", "other.example.test", "--token-host", apart.token_host)
    done = lockwarden.run("check", *apart.options, *named, *EVERYTHING, folder=folder, expected=0)
    tokens = [token for token, _ in apart.gate.given]
    assert len(tokens) == 3
    assert_no_secret(done, *tokens)
    registry, token_server = apart.shown()
    assert registry == {None, *(f"Bearer {token}" for token in tokens)}
    assert token_server == {basic()}
    assert said(done)["outcome"] == "answered"


def test_over_https_a_named_token_server_gets_the_password_and_no_other_host_does(
    registry: Registry, https_server: HttpsServer, folder: Path, lockwarden: Lockwarden
) -> None:
    configured(lockwarden, HOST, PASSWORD)
    gate = TokenGate(behind=registry.respond, realm=f"https://{AUTH}/token")
    https_server.serve(gate.respond)
    done = lockwarden.run("check", *over_https(), "--token-host", AUTH, *EVERYTHING, folder=folder, expected=0)
    assert_no_secret(done, *(token for token, _ in gate.given))
    assert authorizations(https_server, AUTH) == {basic()}
    assert authorizations(https_server, HOST) == {None, *(f"Bearer {token}" for token, _ in gate.given)}

    elsewhere = TokenGate(behind=registry.respond, realm="https://elsewhere.example.test/token")
    https_server.serve(elsewhere.respond)
    done = lockwarden.run("check", *over_https(), "--token-host", AUTH, *ON_LINUX, folder=folder, expected=3)
    assert problems(done) == ["credentials-withheld"]
    assert authorizations(https_server) == {None}


def test_the_repositories_of_a_configured_mirror_are_asked_for_by_the_same_rules(
    apart: Apart, folder: Path, lockwarden: Lockwarden
) -> None:
    file = configured(lockwarden, apart.registry, PASSWORD)
    template = f"{apart.registry}/providers/${{namespace}}/${{type}}"
    mirror = f'repository_template = "{template}"\n    include = ["{HOST}/*/*"]'
    file.write_text(f"{file.read_text()}provider_installation {{\n  oci_mirror {{\n    {mirror}\n  }}\n}}\n")
    options = ("config", "--ask", "--insecure-http", apart.registry)
    done = lockwarden.run(*options, folder=folder, expected=3)
    assert f"? oci://{template}: " in done.out
    assert f"    → if {apart.token_host} is to see them, name it: --token-host {apart.token_host}\n" in done.out
    assert apart.shown() == ({None}, {None})
    done = lockwarden.run(*options, "--token-host", apart.token_host, folder=folder, expected=0)
    for name in ("one", "two", "three"):
        assert f"      {apart.registry}/providers/acme/{name}\n" in done.out
    assert [scope for _, scope in apart.gate.given] == ["registry:catalog:*"]
    assert apart.shown() == ({None, "Bearer token-0"}, {None, basic()})
    assert_no_secret(done, "token-0")


ANSWER = json.dumps({"ServerURL": "", "Username": USER, "Secret": PASSWORD})


def with_docker_helper(lockwarden: Lockwarden, registry: str, folder: Path, *lines: str) -> dict[str, str]:
    """Make a Docker credential helper known for a registry; the variables that this needs."""
    docker = Path(lockwarden.environment["HOME"]) / ".docker"
    docker.mkdir()
    (docker / "config.json").write_text(json.dumps({"credHelpers": {registry: "vault"}}))
    program = folder / "docker-credential-vault"
    program.parent.mkdir()
    program.write_text("\n".join(("#!/bin/sh", *lines, "")))
    program.chmod(0o755)
    return {"PATH": f"{folder}:{lockwarden.environment['PATH']}"}


def test_a_docker_credential_helper_opens_the_registry_that_it_is_for(
    password_registry: Registry, folder: Path, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    address = password_registry.address
    asked = f'[ "$1 $(cat)" = "get https://{address}" ] && echo \'{ANSWER}\''
    path = with_docker_helper(lockwarden, address, tmp_path / "bin", asked)
    done = lockwarden.run("check", *plain(password_registry), *EVERYTHING, folder=folder, expected=0, **path)
    assert {"vault" in chain["credentials"] for chain in said(done)["chains"]} == {True}
    assert_no_secret(done)


def test_a_docker_credential_helper_that_cannot_be_asked_leaves_the_registry_unasked_and_is_named(
    password_registry: Registry, folder: Path, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    path = with_docker_helper(lockwarden, password_registry.address, tmp_path / "bin")
    for line, reason in (
        (f"echo '{ANSWER}'; exit 1", "failed with exit code 1"),
        (f"echo '{PASSWORD}'", "answered something that is no JSON object"),
        (f"yes '{PASSWORD}'", "printed more than"),
    ):
        (tmp_path / "bin" / "docker-credential-vault").write_text(f"#!/bin/sh\n{line}\n")
        done = lockwarden.run("check", *plain(password_registry), *ON_LINUX, folder=folder, expected=3, **path)
        assert said(done)["outcome"] == "no answer"
        (problem,) = done.provider("one")["problems"]
        assert reason in problem["message"]
        assert "docker-credential-vault" in problem["message"]
        assert_no_secret(done)


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6, so registries at IPv6 addresses were NOT tested")
def test_a_registry_at_an_ipv6_address_is_spoken_to_without_tls_when_it_is_named(
    three_providers: ThreeProviders, folder: Path, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    place = tmp_path / "registry"
    place.mkdir()
    with running_registry(place, password=True, host="[::1]") as running:
        filled(running, three_providers)
        assert running.address.startswith("[::1]:")
        configured(lockwarden, running.address, PASSWORD)
        source = ("--source", f"oci://{running.address}/{PATTERN}", *EVERYTHING)
        for named in ("[::1]", running.address, running.address.replace("::", "0:0::")):
            done = lockwarden.run("check", *source, "--insecure-http", named, folder=folder, expected=0)
            assert said(done)["outcome"] == "answered"
            assert_no_secret(done)
        done = lockwarden.run("check", *source, "--insecure-http", "[::1]:1", folder=folder, expected=3)
        assert said(done)["outcome"] == "no answer"


def test_a_password_that_only_the_token_server_gets_and_an_index_repeats_is_in_no_bundle(
    https_server: HttpsServer, folder: Path, lockwarden: Lockwarden, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    one, bundle, shelf = three_providers.releases[0], tmp_path / "evidence.tar", Shelf()
    entries = [entry(shelf.target(package.archive), name) for name, package in one.packages.items()]
    shelf.manifest(index(entries) | {"annotations": {"repeated": PASSWORD}}, OCI_INDEX, one.version)
    behind = Scripted({"providers/acme/one": shelf})
    https_server.serve(TokenGate(behind=behind.respond, realm=f"https://{HOST}/token").respond)
    configured(lockwarden, HOST, PASSWORD)
    lockwarden.run("bundle", ".", "-o", bundle, *over_https(), *ON_LINUX[:2], folder=folder, expected=0)
    assert basic() in authorizations(https_server)
    assert PASSWORD.encode() not in bundle.read_bytes()
