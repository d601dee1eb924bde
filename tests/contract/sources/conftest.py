"""Fixtures for the tests of sources."""

from __future__ import annotations

import pytest
from builders.mirrors import Mirrors
from servers.authority import Authority
from servers.golden import GoldenWorld
from servers.https import HttpsServer
from servers.proxy import Proxy


@pytest.fixture
def mirrors(https_server: HttpsServer, authority: Authority, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> Mirrors:
    """Mirrors that serve the recorded world for every host name, and 404 for what it does not have."""
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    https_server.serve(GoldenWorld().respond)
    return Mirrors(server=https_server, ca_file=str(authority.ca_file))
