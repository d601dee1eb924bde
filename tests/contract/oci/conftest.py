"""Fixtures for the tests of OCI registries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from contract.oci.asking import Asking
from servers.authority import Authority
from servers.https import HttpsServer
from servers.oci_registry import Registry, running_registry
from servers.proxy import Proxy


@pytest.fixture(scope="session")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """A real registry that anyone may use."""
    with running_registry(tmp_path_factory.mktemp("registry")) as running:
        yield running


@pytest.fixture(scope="session")
def password_registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """A real registry that asks for a user name and a password."""
    with running_registry(tmp_path_factory.mktemp("password-registry"), password=True) as running:
        yield running


@pytest.fixture
def asking(https_server: HttpsServer, authority: Authority, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Asks over the tests' HTTPS server, under any of the tests' host names."""
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    return Asking(server=https_server, ca_file=str(authority.ca_file))
