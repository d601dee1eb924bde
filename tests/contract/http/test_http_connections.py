"""Proxies and trusted certificates of the HTTP client, from environment variables, against real servers."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from urllib.request import getproxies

import pytest
from contract.faulty_server import Answer
from contract.http_world import OK, Run, World
from servers.authority import Authority
from servers.https import HttpsServer
from servers.proxy import Proxy

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.documents import HttpDocument
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tls import tls_context
from lockwarden.core.values.errors import InputError, NoAnswerError, Stage

DISCOVERY = "https://example.test/.well-known/terraform.json"


async def get(environ: dict[str, str], url: str) -> HttpDocument:
    async with HttpClient(HttpSettings.from_environment(environ, proxies=getproxies()), now=time.time) as client:
        return await client.get_document(url, stage=Stage.DISCOVERY, limit=10_000, retries=0)


def test_a_proxy_and_a_certificate_file_from_the_environment_are_used(
    proxy: Proxy, https_server: HttpsServer, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    document = asyncio.run(get({"SSL_CERT_FILE": str(authority.ca_file)}, "https://registry.opentofu.org/nothing"))
    assert document.status == 404


def test_a_proxy_that_refuses_is_no_answer(proxy: Proxy, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    with pytest.raises(NoAnswerError) as caught:
        asyncio.run(get({"SSL_CERT_FILE": str(authority.ca_file)}, "https://elsewhere.invalid/"))
    assert caught.value.code == "proxy-refused"


def test_this_machine_is_never_asked_through_a_proxy(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(world: World) -> None:
        for host in ("localhost", "127.0.0.1"):
            world.server.on("/a", OK)
            assert (await world.get(world.server.url("/a", host=host))).status == 200

    for name in ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    run(scenario)


@pytest.mark.parametrize("value", ["socks5://127.0.0.1:1080", "gopher://proxy.example.test"])
def test_a_proxy_variable_that_cannot_be_used_is_wrong_usage(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", value)
    with pytest.raises(InputError, match="proxy variable"):
        asyncio.run(get({}, DISCOVERY))


def test_a_stranger_behind_a_proxy_is_not_asked_for_its_name(
    proxy: Proxy, https_server: HttpsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    with pytest.raises(NoAnswerError) as caught:
        asyncio.run(get({}, DISCOVERY))
    assert caught.value.code == "tls-certificate"
    assert "issued it" not in caught.value.message


def test_a_folder_of_certificates_is_read_whatever_its_files_are_called(
    run: Run, authority: Authority, tmp_path: Path
) -> None:
    async def scenario(world: World) -> None:
        assert (await world.get(world.server.on("/a", OK))).status == 200

    (tmp_path / "ca").mkdir()
    (tmp_path / "empty").mkdir()
    (tmp_path / "ca" / "company").write_bytes(authority.ca_file.read_bytes())
    (tmp_path / "ca" / "readme.txt").write_text("not a certificate")
    (tmp_path / "ca" / "folder").mkdir()
    run(scenario, ca_file="", ca_folders=os.pathsep.join([str(tmp_path / "empty"), str(tmp_path / "ca")]))


def test_file_and_folder_may_be_given_together(run: Run, authority: Authority, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        assert (await world.get(world.server.on("/a", Answer(status=404)))).status == 404

    run(scenario, ca_folders=str(tmp_path))


@pytest.mark.parametrize("content", [None, b"no certificate"])
def test_a_certificate_file_that_cannot_be_used_is_wrong_usage(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match="SSL_CERT_FILE"):
        asyncio.run(get({"SSL_CERT_FILE": str(path)}, DISCOVERY))


def test_a_certificate_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="SSL_CERT_DIR"):
        tls_context(ca_folders=str(tmp_path / "nothing"))
