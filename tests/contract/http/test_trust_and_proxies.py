"""The system's certificates, those that variables name, and a client's own, each behind a proxy and without one."""

from __future__ import annotations

import asyncio
import os
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import getproxies

import pytest
import trustme
import truststore
from contract.http_world import JSON
from servers.https import HttpsServer, serving
from servers.proxy import Proxy, proxying

from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.http.tls import tls_context
from lockwarden.core.values.errors import NoAnswerError, SourceError, Stage
from lockwarden.demo.world import Response

CORP = "mirror.corp.invalid"
"""A host that only the tests' proxy knows."""
Environment = Callable[[Path, Path, pytest.MonkeyPatch], dict[str, str]]


def by_system_store(ca_file: Path, folder: Path, patch: pytest.MonkeyPatch) -> dict[str, str]:
    """The system's own store, whose place OpenSSL lets the process's environment name."""
    patch.setenv("SSL_CERT_FILE", str(ca_file))
    return {}


def by_file(ca_file: Path, folder: Path, patch: pytest.MonkeyPatch) -> dict[str, str]:
    return {"SSL_CERT_FILE": str(ca_file)}


def by_folder(ca_file: Path, folder: Path, patch: pytest.MonkeyPatch) -> dict[str, str]:
    (folder / "corp").write_bytes(ca_file.read_bytes())
    return {"SSL_CERT_DIR": str(folder)}


def by_both(ca_file: Path, folder: Path, patch: pytest.MonkeyPatch) -> dict[str, str]:
    """The file knows another authority; the folder, the second of two, knows the right one."""
    other = folder / "other.pem"
    trustme.CA().cert_pem.write_to_path(str(other))
    (folder / "empty").mkdir()
    (folder / "right").mkdir()
    (folder / "right" / "corp.crt").write_bytes(ca_file.read_bytes())
    folders = os.pathsep.join([str(folder / "empty"), str(folder / "right")])
    return {"SSL_CERT_FILE": str(other), "SSL_CERT_DIR": folders}


TRUST = [by_system_store, by_file, by_folder, by_both]


@pytest.fixture(scope="module")
def corp() -> trustme.CA:
    return trustme.CA(organization_name="Corp Inc.")


@pytest.fixture
def ca_file(corp: trustme.CA, tmp_path: Path) -> Path:
    path = tmp_path / "corp-ca.pem"
    corp.cert_pem.write_to_path(str(path))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "certificates"
    made.mkdir()
    return made


def answer(host: str, path: str, headers: object) -> Response:
    return Response(headers=tuple(JSON.items()), body=b"{}")


@pytest.fixture
def server(corp: trustme.CA) -> Iterator[HttpsServer]:
    """A server that asks nobody for a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    corp.issue_cert(CORP, "localhost").configure_cert(context)
    with serving(answer, context=context) as running:
        yield running


@pytest.fixture(params=[ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3], ids=["TLS 1.2", "TLS 1.3"])
def demanding(corp: trustme.CA, request: pytest.FixtureRequest) -> Iterator[HttpsServer]:
    """A server that answers only those who show a certificate of the same authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    corp.issue_cert(CORP, "localhost").configure_cert(context)
    context.minimum_version = context.maximum_version = request.param
    corp.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    with serving(answer, context=context) as running:
        yield running


@pytest.fixture
def corp_proxy(server: HttpsServer) -> Iterator[Proxy]:
    with proxying(server.address, hosts=(CORP,)) as running:
        yield running


def get(environ: dict[str, str], url: str) -> int:
    async def main() -> int:
        async with HttpClient(HttpSettings.from_environment(environ, proxies=getproxies()), now=time.time) as client:
            return (await client.get_document(url, stage=Stage.INDEX, limit=1000, retries=0)).status

    return asyncio.run(main())


def refused(environ: dict[str, str], url: str) -> SourceError:
    with pytest.raises(NoAnswerError) as caught:
        get(environ, url)
    return caught.value


@pytest.mark.parametrize("trust", TRUST)
@pytest.mark.parametrize("proxied", [False, True], ids=["directly", "through a proxy"])
def test_a_private_authority_is_trusted_wherever_it_is_named(
    server: HttpsServer,
    corp_proxy: Proxy,
    ca_file: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    trust: Environment,
    proxied: bool,
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", corp_proxy.url)
    url = f"https://{CORP}/" if proxied else server.url
    assert refused({}, url).code == "tls-certificate"
    before = len(corp_proxy.connects.requests)
    assert get(trust(ca_file, folder, monkeypatch), url) == 200
    assert len(corp_proxy.connects.requests) == before + proxied


def test_without_variables_the_systems_store_is_asked() -> None:
    assert isinstance(tls_context(), truststore.SSLContext)


@pytest.mark.parametrize("trust", TRUST)
@pytest.mark.parametrize("together", [False, True], ids=["two files", "one file"])
def test_a_server_that_asks_is_shown_the_client_certificate(
    corp: trustme.CA,
    demanding: HttpsServer,
    ca_file: Path,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    trust: Environment,
    together: bool,
) -> None:
    environ = trust(ca_file, folder, monkeypatch) | client_files(corp, tmp_path, together=together)
    assert get(environ, demanding.url) == 200


def test_a_server_that_asks_nobody_is_not_shown_it(corp: trustme.CA, server: HttpsServer, tmp_path: Path) -> None:
    environ = {"SSL_CERT_FILE": str(tmp_path / "corp-ca.pem")} | client_files(corp, tmp_path)
    corp.cert_pem.write_to_path(environ["SSL_CERT_FILE"])
    assert get(environ, server.url) == 200


def test_the_client_certificate_goes_through_a_proxy(
    corp: trustme.CA, demanding: HttpsServer, ca_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with proxying(demanding.address, hosts=(CORP,)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        environ = {"SSL_CERT_FILE": str(ca_file)} | client_files(corp, tmp_path)
        assert get(environ, f"https://{CORP}/") == 200
        assert [request.host for request in proxy.connects.requests] == [CORP]


def client_files(authority: trustme.CA, folder: Path, *, together: bool = False) -> dict[str, str]:
    """A client certificate, and the variables that name it."""
    issued = authority.issue_cert("someone@corp.invalid")
    if together:
        issued.private_key_and_cert_chain_pem.write_to_path(str(folder / "client.pem"))
        return {"LOCKWARDEN_CLIENT_CERT": str(folder / "client.pem")}
    issued.cert_chain_pems[0].write_to_path(str(folder / "client.crt"))
    issued.private_key_pem.write_to_path(str(folder / "client.key"))
    return {
        "LOCKWARDEN_CLIENT_CERT": str(folder / "client.crt"),
        "LOCKWARDEN_CLIENT_KEY": str(folder / "client.key"),
    }


@pytest.mark.parametrize("no_proxy", ["invalid", ".corp.invalid", CORP, "*", f"elsewhere.invalid,{CORP}"])
def test_hosts_that_no_proxy_names_are_asked_directly(
    corp_proxy: Proxy, ca_file: Path, monkeypatch: pytest.MonkeyPatch, no_proxy: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", corp_proxy.url)
    monkeypatch.setenv("NO_PROXY", no_proxy)
    assert refused({"SSL_CERT_FILE": str(ca_file)}, f"https://{CORP}/").code == "dns-failure"
    assert corp_proxy.connects.requests == ()
    assert corp_proxy.refused.requests == ()


def test_hosts_that_no_proxy_does_not_name_are_asked_through_the_proxy(
    corp_proxy: Proxy, ca_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", corp_proxy.url)
    monkeypatch.setenv("NO_PROXY", "corp.test,other.corp.invalid")
    assert get({"SSL_CERT_FILE": str(ca_file)}, f"https://{CORP}/") == 200
    assert [request.host for request in corp_proxy.connects.requests] == [CORP]


@pytest.mark.parametrize("variable", ["https_proxy", "ALL_PROXY", "all_proxy"])
def test_every_spelling_of_the_proxy_variable_counts(
    corp_proxy: Proxy, ca_file: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, corp_proxy.url)
    assert get({"SSL_CERT_FILE": str(ca_file)}, f"https://{CORP}/") == 200
