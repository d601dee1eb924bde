"""Fixtures for the tests of the HTTP client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from contract.faulty_server import faulty_server
from contract.http_world import Run, World
from msgspec.structs import replace
from servers.authority import Authority

from lockwarden.core.http.host_tokens import CredentialsLookup, no_credentials
from lockwarden.core.http.settings import HttpSettings


@pytest.fixture
def settings(authority: Authority) -> HttpSettings:
    return HttpSettings(ca_file=str(authority.ca_file), user_agent="lockwarden/test", metadata_timeout=60.0)


@pytest.fixture
def run(authority: Authority, settings: HttpSettings) -> Run:
    """Runs a test's coroutine in a world."""

    def running(
        scenario: Callable[[World], Awaitable[None]],
        *,
        tls: bool = True,
        credentials: CredentialsLookup = no_credentials,
        **changes: Any,
    ) -> None:
        async def main() -> None:
            async with faulty_server(authority.server_context if tls else None) as server:
                world = World(server, replace(settings, **changes), credentials)
                async with world.client:
                    await scenario(world)

        asyncio.run(main())

    return running
