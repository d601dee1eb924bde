"""Names of hosts whose name servers keep silent, beside one that answers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from typing import Any

import pytest
from contract.faulty_server import Answer
from contract.http_world import Run, World

from lockwarden.core.values.errors import NoAnswerError

SILENT = 40
"""More than a pool of threads has that is made for the processors of a machine."""


class SilentNameServer:
    """Keeps whoever looks up a name below `silent.test` waiting until it is told to answer that there is none."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.begun = threading.Event()
        self._answers = threading.Event()
        self._ask = socket.getaddrinfo

    def __call__(self, host: Any, *arguments: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if not name.endswith(".silent.test"):
            return self._ask(host, *arguments, **options)
        self.asked.append(name)
        self.begun.set()
        self._answers.wait()
        raise socket.gaierror(socket.EAI_AGAIN, "no answer")

    def answer(self) -> None:
        self._answers.set()


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> SilentNameServer:
    server = SilentNameServer()
    monkeypatch.setattr(socket, "getaddrinfo", server)
    return server


def test_names_that_nobody_answers_for_hold_up_no_other_host(run: Run, silent: SilentNameServer) -> None:
    async def scenario(world: World) -> None:
        try:
            names = [f"host{number}.silent.test" for number in range(SILENT)]
            waiting = [asyncio.create_task(world.fails(f"https://{name}/a", retries=0)) for name in names]
            async with asyncio.timeout(20):
                assert (await world.get(world.server.on("/a", Answer(body=b"here")))).body == b"here"
                assert await asyncio.to_thread(lambda: "work") == "work"
            assert not [task for task in waiting if task.done()]
        finally:
            silent.answer()
        failures = await asyncio.gather(*waiting)
        assert {failure.code for failure in failures} == {"dns-failure"}
        assert sorted(silent.asked) == sorted(names)

    run(scenario)


def test_a_name_is_looked_up_once_for_all_who_wait_and_again_for_who_comes_later(
    run: Run, silent: SilentNameServer
) -> None:
    async def scenario(world: World) -> None:
        url = "https://one.silent.test/a"
        try:
            (impatient, *waiting) = [asyncio.create_task(world.fails(url, retries=0)) for _ in range(3)]
            await asyncio.to_thread(silent.begun.wait)
            impatient.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await impatient
        finally:
            silent.answer()
        assert {type(each) for each in await asyncio.gather(*waiting)} == {NoAnswerError}
        assert len(silent.asked) == 1
        await world.fails(url, retries=0)
        assert len(silent.asked) == 2

    run(scenario)


def test_a_host_is_reached_by_whichever_of_its_addresses_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(world: World) -> None:
        stream = (socket.SOCK_STREAM, 6, "")
        addresses: list[Any] = [
            (socket.AF_INET6, *stream, ("::1", world.server.port, 0, 0)),  # it listens on none of these two
            (socket.AF_INET, *stream, ("127.0.0.2", world.server.port)),
            (socket.AF_INET, *stream, ("127.0.0.1", world.server.port)),
        ]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: addresses)
        url, last = world.server.on("/a", Answer(body=b"here")), addresses.pop()
        assert (await world.fails(url, retries=0)).code == "connection-refused"
        addresses.append(last)
        assert (await world.get(url)).body == b"here"

    run(scenario)
