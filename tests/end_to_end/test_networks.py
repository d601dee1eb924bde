"""The installed command and networks as they are: client certificates, and hosts that speak another protocol."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
import trustme
from builders.three_providers import ThreeProviders
from servers.authority import NAMES
from servers.https import HttpsServer, of_world, serving
from servers.installed import Lockwarden
from servers.proxy import proxying

from lockwarden.demo.world import Response

LOCK_FILE = 'provider "registry.example.test/acme/one" {\n  version = "1.4.0"\n  hashes = [\n    "zh:' + "ab" * 32
LOCK_FILE += '",\n  ]\n}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "configuration"
    made.mkdir()
    (made / ".terraform.lock.hcl").write_text(LOCK_FILE)
    return made


@pytest.mark.parametrize("command", ["check", "lock", "keys"])
@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_client_certificate_that_cannot_be_used_is_wrong_usage_and_names_the_path(
    lockwarden: Lockwarden, folder: Path, tmp_path: Path, command: str, content: str | None
) -> None:
    path = tmp_path / "client.pem"
    if content is not None:
        path.write_text(content)
    done = lockwarden.run(command, folder=folder, expected=2, LOCKWARDEN_CLIENT_CERT=str(path))
    assert f"LOCKWARDEN_CLIENT_CERT names “{path}”" in done.err
    assert "hint: " in done.err
    assert (folder / ".terraform.lock.hcl").read_text() == LOCK_FILE


def test_a_registry_that_asks_for_a_client_certificate_is_audited_with_one(
    lockwarden: Lockwarden, three_providers: ThreeProviders, folder: Path, tmp_path: Path
) -> None:
    authority = trustme.CA(organization_name="Corp Inc.")
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    client = tmp_path / "client.pem"
    authority.issue_cert("someone@example.test").private_key_and_cert_chain_pem.write_to_path(str(client))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*NAMES).configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    with (
        serving(of_world(three_providers.world()), context=context) as server,
        proxying(server.address, hosts=NAMES) as proxy,
    ):
        names = {"HTTPS_PROXY": proxy.url, "SSL_CERT_FILE": str(tmp_path / "ca.pem")}
        without = lockwarden.run("check", folder=folder, expected=3, **names)
        assert server.journal.requests == ()
        assert "LOCKWARDEN_CLIENT_CERT" in without.out
        shown = lockwarden.run("check", folder=folder, expected=1, **names, LOCKWARDEN_CLIENT_CERT=str(client))
        assert "disowned" in shown.out
        assert server.journal.requests


def test_all_sources_of_an_audit_together_probe_a_host_once(
    lockwarden: Lockwarden, https_server: HttpsServer, folder: Path
) -> None:
    https_server.serve(lambda host, path, headers: Response.of_status(404))
    mirrors = [word for name in "abc" for word in ("--source", f"https://mirror.example.test/{name}/")]
    done = lockwarden.run("check", *mirrors, "--format", "json", folder=folder, expected=3)
    outcomes = {finding["outcome"] for finding in done.provider("one")["findings"]}
    assert outcomes == {"not there"}
    asked = [request.path for request in https_server.journal.requests]
    assert len([path for path in asked if path.endswith("/index.json")]) == 3
    assert [path for path in asked if not path.endswith(("/index.json", "/1.4.0.json"))] == [
        "/.well-known/terraform.json"
    ]


def test_a_registry_that_refuses_is_told_once_in_its_own_words_and_offline_nobody_is_blamed(
    lockwarden: Lockwarden, https_server: HttpsServer, folder: Path
) -> None:
    body = b'{"errors": ["slow \\u001b[31mdown, ::error::friend"]}'
    answer = Response(status=429, headers=(("Retry-After", "7"), ("Content-Type", "application/json")), body=body)
    https_server.serve(lambda host, path, headers: answer)
    file = folder / ".terraform.lock.hcl"
    file.write_text(LOCK_FILE + LOCK_FILE.replace("acme/one", "acme/two"))
    done = lockwarden.run("check", folder=folder, expected=3)
    assert done.out.count("answered 429 Too Many Requests and asks to wait 7 seconds; the server says “slow ") == 1
    assert "\x1b" not in done.out
    assert "ask less at once with --jobs" in done.out
    one, two = (f"registry.example.test/acme/{name} 1.4.0" for name in ("one", "two"))
    assert f"2 providers wait for it: {one}, {two}\n" in done.out
    offline = lockwarden.run("check", "--offline", folder=folder, expected=3)
    assert "was not asked: with --offline, nobody is asked over the network" in offline.out
    assert "answer" not in offline.out
