"""Connections that are opened before they are asked for: how many, for whom, and that none is left behind."""

from __future__ import annotations

import asyncio
import socket

import pytest
from contract.faulty_server import faulty_server
from contract.http_world import OK, Run, World
from servers.authority import Authority

from lockwarden.core.http.early_connections import EarlyConnections

MOST = 8
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, what was opened in a test is fresh."""
    monkeypatch.setattr("lockwarden.core.http.early_connections._FRESH", PATIENCE)


def test_as_many_connections_are_open_as_there_will_be_requests_at_once_and_they_are_used(run: Run) -> None:
    async def scenario(world: World) -> None:
        urls = [world.server.on(f"/{number}", OK) for number in range(MOST)]
        world.server.release.clear()
        for _ in range(5):
            world.client.foresee(urls[0], 4)
        first = asyncio.create_task(world.get(urls[0]))
        await world.server.until(lambda: world.server.connections == MOST)
        assert len(world.server.requests) <= 1  # nothing is sent on those that only wait
        others = [asyncio.create_task(world.get(url)) for url in urls[1:]]
        await world.server.until(lambda: len(world.server.requests) == MOST)
        world.server.release.set()
        assert {(await each).status for each in (first, *others)} == {200}
        assert world.server.connections == MOST

    run(scenario, documents_per_host=MOST)


def test_one_request_more_needs_no_further_connection(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", OK)
        world.client.foresee(url, 1)
        assert (await world.get(url)).status == 200
        assert world.server.connections == 1

    run(scenario)


def test_what_nobody_asked_for_is_closed_with_the_client(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.client.foresee(world.server.url("/a"), 4)
        await world.server.until(lambda: world.server.connections == 4)
        await world.client.__aexit__()
        await world.server.until(lambda: world.server.closed == 4)
        assert world.server.requests == []
        world.client.foresee(world.server.url("/a"), 9)  # a closed client foresees nothing

    run(scenario)


def test_a_host_that_is_asked_in_plain_http_gets_no_tls(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", OK)
        place = url.replace("http://", "https://")
        world.client.foresee(place, 4)
        assert (await world.get(url)).status == 200
        opened = world.server.connections
        world.client.foresee(place, 8)
        assert (await world.get(url)).status == 200
        assert world.server.connections == opened

    run(scenario, tls=False)


@pytest.mark.parametrize("changes", [{"offline": True}, {}])
def test_nothing_is_opened_early_offline_or_where_a_proxy_stands_between(
    changes: dict[str, bool], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(world: World) -> None:
        world.client.foresee(world.server.url("/a"), 4)
        assert [each for each in asyncio.all_tasks() if "_open" in repr(each.get_coro())] == []

    if not changes:
        monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    run(scenario, **changes)


def test_a_stranger_is_refused_early_as_late(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a", OK)
        world.client.foresee(url, 4)
        error = await world.fails(url, retries=0)
        assert error.code == "tls-certificate"
        assert world.server.requests == []

    run(scenario, ca_file="")


async def _failed(early: EarlyConnections, port: int) -> None:
    """Foresee a connection where nobody listens, and wait until that has failed."""
    early.foresee("127.0.0.1", port, connections=1, timeout=PATIENCE)
    await asyncio.wait(early._opening["127.0.0.1", port])


def test_what_failed_before_says_nothing_of_now(authority: Authority) -> None:
    async def scenario() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
        early = EarlyConnections(authority.client_context())
        await _failed(early, port)
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
        async with server:
            stream = await early.connect_tcp("127.0.0.1", port, PATIENCE)
            await stream.aclose()
        await early.aclose()

    asyncio.run(scenario())


def test_a_connection_that_has_waited_long_is_not_given_out(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with faulty_server(authority.server_context) as server:
            early = EarlyConnections(authority.client_context())
            early.foresee("localhost", server.port, connections=1, timeout=PATIENCE)
            await asyncio.wait(early._opening["localhost", server.port])
            stream = await early.connect_tcp("localhost", server.port, PATIENCE)
            await server.until(lambda: server.closed == 1)
            await stream.aclose()
            await early.aclose()

    monkeypatch.setattr("lockwarden.core.http.early_connections._FRESH", -1.0)
    asyncio.run(scenario())
