"""The tests' own servers do what the tests rely on: real TLS, real HTTP, a true journal, and no way out."""

from __future__ import annotations

import json
import socket
import ssl
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from servers.authority import Authority
from servers.faults import STAGES, with_fault
from servers.golden import RECORDINGS, GoldenWorld
from servers.https import Breakage, Broken, HttpsServer, serving
from servers.proxy import Proxy
from servers.terraform import Workspace, installation

from lockwarden.demo.responses import Response

REGISTRY = "https://registry.example.test"


@pytest.fixture
def client(authority: Authority, proxy: Proxy) -> httpx.Client:
    return httpx.Client(verify=authority.client_context(), proxy=proxy.url, trust_env=False, timeout=60)


def echo(host: str, path: str, headers: Mapping[str, str]) -> Response:
    return Response.of_json({"host": host, "path": path, "accept": headers.get("accept")})


def test_host_names_of_the_tests_are_reached_over_tls_through_the_proxy(
    client: httpx.Client, https_server: HttpsServer
) -> None:
    https_server.serve(echo)
    with client:
        for host in ("registry.opentofu.org", "registry.example.test", "mirror.example.test"):
            answer = client.get(f"https://{host}/some/path?x=1", headers={"Accept": "text/x"}).json()
            assert answer == {"host": host, "path": "/some/path?x=1", "accept": "text/x"}


def test_the_journal_has_method_host_path_user_agent_and_authorization(
    client: httpx.Client, https_server: HttpsServer
) -> None:
    https_server.serve(echo)
    with client:
        client.get(f"{REGISTRY}/a", headers={"Authorization": "Bearer secret", "User-Agent": "agent/1"})
        client.head(f"{REGISTRY}/b")
    first, second = https_server.journal.requests
    assert (first.scheme, first.method, first.host, first.path) == ("https", "GET", "registry.example.test", "/a")
    assert (first.authorization, first.user_agent) == ("Bearer secret", "agent/1")
    assert (second.method, second.authorization) == ("HEAD", None)
    assert https_server.journal.to("registry.example.test", "/b") == (second,)


def test_a_connection_is_kept_for_the_next_request(
    client: httpx.Client, proxy: Proxy, https_server: HttpsServer
) -> None:
    https_server.serve(echo)
    with client:
        for number in range(5):
            client.get(f"{REGISTRY}/{number}")
    assert len(https_server.journal.requests) == 5
    assert len(proxy.connects.requests) == 1


@pytest.mark.parametrize("url", ["https://example.com/", "https://registry.example.test:8443/"])
def test_the_proxy_refuses_other_hosts_and_ports(client: httpx.Client, proxy: Proxy, url: str) -> None:
    with client, pytest.raises(httpx.ProxyError):
        client.get(url)
    assert [request.path for request in proxy.refused.requests] == [
        f"{httpx.URL(url).host}:{httpx.URL(url).port or 443}"
    ]


def test_the_proxy_refuses_and_notes_plain_http(client: httpx.Client, proxy: Proxy, https_server: HttpsServer) -> None:
    with client:
        assert client.get("http://registry.example.test/x").status_code == 403
    assert [request.path for request in proxy.refused.requests] == ["http://registry.example.test/x"]
    assert https_server.journal.requests == ()


def test_a_client_without_the_authority_does_not_trust_the_server(proxy: Proxy, https_server: HttpsServer) -> None:
    with (
        httpx.Client(verify=ssl.create_default_context(), proxy=proxy.url, trust_env=False) as stranger,
        pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        stranger.get(f"{REGISTRY}/x")
    assert https_server.journal.requests == ()


def test_a_stated_length_beyond_the_body_ends_in_a_short_body(client: httpx.Client, https_server: HttpsServer) -> None:
    https_server.serve(lambda host, path, headers: Response(headers=(("Content-Length", "100"),), body=b"short"))
    with client, pytest.raises(httpx.RemoteProtocolError):
        client.get(f"{REGISTRY}/x")


def test_a_chunked_body_has_no_length(client: httpx.Client, https_server: HttpsServer) -> None:
    https_server.serve(lambda host, path, headers: Response(headers=(("Transfer-Encoding", "chunked"),), body=b"whole"))
    with client:
        answer = client.get(f"{REGISTRY}/x")
        assert (answer.content, "content-length" in answer.headers) == (b"whole", False)
        assert client.get(f"{REGISTRY}/y").content == b"whole"


@pytest.mark.parametrize("how", [Breakage.CLOSE, Breakage.RESET])
@pytest.mark.parametrize("after", [None, 3])
def test_a_broken_answer_breaks_the_connection(
    client: httpx.Client, https_server: HttpsServer, how: Breakage, after: int | None
) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        if after is None:
            raise Broken(how)
        stated = Response(headers=(("Content-Length", "6"),), body=b"abcdef")
        raise Broken(how, response=stated, after=after)

    https_server.serve(respond)
    with client, pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        client.get(f"{REGISTRY}/x")


def test_a_stalled_answer_lets_the_client_wait_until_it_gives_up(
    client: httpx.Client, https_server: HttpsServer
) -> None:
    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        raise Broken(Breakage.STALL)

    https_server.serve(respond)
    with client, pytest.raises(httpx.ReadTimeout):
        client.get(f"{REGISTRY}/x", timeout=0.2)


def test_without_a_context_the_server_speaks_plain_http() -> None:
    with serving(echo, context=None) as server, httpx.Client(trust_env=False) as client:
        assert client.get(f"{server.url}x").json()["host"] == "localhost"
        assert server.journal.requests[0].scheme == "http"


def test_a_stopped_server_leaves_no_listener_and_no_open_connection(authority: Authority) -> None:
    with serving(echo, context=authority.server_context) as server:
        raw = socket.create_connection(server.address)
        connection = authority.client_context().wrap_socket(raw, server_hostname="localhost")
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")
    with connection:
        connection.settimeout(10)
        left = b""
        while piece := connection.recv(4096):
            left += piece
    assert left == b"" or left.startswith(b"{")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(server.address)


def test_a_program_gets_only_the_tests_servers_and_home(
    program_environment: Callable[..., dict[str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TF_LOG", "trace")
    monkeypatch.setenv("SSL_CERT_DIR", "/etc/ssl/certs")
    done = subprocess.run(["env"], env=program_environment(EXTRA="yes"), capture_output=True, text=True, check=True)
    seen = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert "TF_LOG" not in seen
    assert "SSL_CERT_DIR" not in seen
    assert seen["HOME"] == str(tmp_path / "home")
    assert seen["EXTRA"] == "yes"
    assert Path(seen["TF_CLI_CONFIG_FILE"]).read_bytes() == b""


def recorded(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((RECORDINGS / name).read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize("case", ["plain", "ed", "subkey", "zip-folders", "sums-twice-right-first"])
def test_terraform_locks_over_the_recorded_world_what_was_recorded(
    https_server: HttpsServer, program_environment: Callable[..., dict[str, str]], tmp_path: Path, case: str
) -> None:
    https_server.serve(GoldenWorld().respond)
    workspace = Workspace.make(tmp_path / "w", program_environment(), {f"example.test/acme/{case}": "1.2.3"})
    told = workspace.run("providers", "lock", "-platform=linux_amd64")
    result = recorded("recorded_terraform.json")["registry"][case]["example.test"]
    assert list(workspace.locked_hashes) == result["hashes"]
    assert f"({result['summary']}, key ID {result['key_id']})" in told


def test_terraform_installs_from_the_recorded_mirror_s_list(
    https_server: HttpsServer, program_environment: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    https_server.serve(GoldenWorld().respond)
    environment = program_environment()
    mirror = installation("network_mirror", "https://mirror.example.test/mirror/both/")
    Path(environment["TF_CLI_CONFIG_FILE"]).write_text(mirror, encoding="utf-8")
    workspace = Workspace.make(tmp_path / "w", environment, {"example.test/acme/plain": "1.2.3"})
    workspace.run("init")
    result = recorded("recorded_terraform.json")["network_mirror"]["both"]["example.test init"]
    assert list(workspace.locked_hashes) == result["hashes"]


@pytest.mark.parametrize(
    ("stage", "fault"),
    [
        ("versions", "s404"),
        pytest.param("versions", "trailing", marks=pytest.mark.thorough),
        ("metadata", "html"),
        ("metadata", "uppercasekeys"),
        ("sums", "truncated"),
        pytest.param("sums", "gzip", marks=pytest.mark.thorough),
        ("signature", "redirect"),
        pytest.param("signature", "redirectloop", marks=pytest.mark.thorough),
        pytest.param("package", "longer", marks=pytest.mark.thorough),
        ("package", "redirectother"),
        ("package", "reset"),
    ],
)
def test_a_fault_ends_for_terraform_as_it_was_recorded_for_opentofu(
    https_server: HttpsServer,
    program_environment: Callable[..., dict[str, str]],
    tmp_path: Path,
    stage: str,
    fault: str,
) -> None:
    https_server.serve(with_fault(GoldenWorld().respond, stage=stage, fault=fault))
    workspace = Workspace.make(
        tmp_path / "w",
        program_environment(TF_PROVIDER_DOWNLOAD_RETRY="1"),
        {"example.test/acme/plain": "1.2.3"},
    )
    workspace.run("init", expected=recorded("recorded_faults.json")["faults"][stage][fault]["exit"])


def test_every_recorded_fault_can_be_made() -> None:
    faults = recorded("recorded_faults.json")["faults"]
    assert {stage: len(results) for stage, results in faults.items()} == dict.fromkeys(STAGES, 32)
    right = Response.of_json({"versions": []})
    for fault in faults["versions"]:
        respond = with_fault(lambda host, path, headers: right, stage="versions", fault=fault)
        try:
            answer = respond("example.test", "/v1/providers/acme/plain/versions", {})
        except Broken:
            continue
        assert answer != right
        assert respond("example.test", "/.well-known/terraform.json", {}) == right


def test_the_recorded_world_gives_nothing_from_outside_of_it() -> None:
    world = GoldenWorld()
    assert world.respond("example.test", "/.well-known/terraform.json?x", {}).status == 200
    for path in ("/mirror/../cases.json", "/../cases.json", "/v1", "/nothing"):
        assert world.respond("example.test", path, {}).status == 404
