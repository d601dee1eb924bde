"""The review in a real headless Chromium: it opens, moves, decides and writes; and nobody else gets anything."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import http.client
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from servers.chromium import Browser, browsing
from servers.installed import PATIENCE, PROGRAM, Lockwarden
from servers.terraform import Workspace

if TYPE_CHECKING:
    from lockwarden.cli.serving import Gate

PLANTED = b"zh:" + b"5a" * 32
BINARY = 2
TOO_EARLY = b"nothing was decided"
KEYS = {
    " ": (" ", 32, " "),
    "down": ("ArrowDown", 40, ""),
    "enter": ("Enter", 13, "\r"),
    "right": ("ArrowRight", 39, ""),
    "up": ("ArrowUp", 38, ""),
    "w": ("w", 87, "w"),
}
DROPPED = (b"drop\x1b", b"drop zh:")


def planted(lock_file: Path) -> bytes:
    """Plant a hash that nobody vouches for in the first entry."""
    data = lock_file.read_bytes().replace(b"  ]\n", b'    "' + PLANTED + b'",\n  ]\n', 1)
    lock_file.write_bytes(data)
    return data


@contextlib.contextmanager
def serving(lockwarden: Lockwarden, folder: Path, *words: str) -> Iterator[str]:
    """The installed command, until it was told to end, at the address that it printed."""
    process = subprocess.Popen(
        [PROGRAM, "serve", *words],
        cwd=folder,
        env={**lockwarden.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


class Screen:
    """What the review has drawn in the browser, and the keys that it hears."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def shown(self) -> bytes:
        """All that was sent to the terminal in the page so far."""
        self._browser.value("1")
        heard = [each["params"] for each in self._browser.events if each["method"] == "Network.webSocketFrameReceived"]
        frames = [each["response"] for each in heard]
        return b"".join(base64.b64decode(each["payloadData"]) for each in frames if each["opcode"] == BINARY)

    def after(self, key: str, *texts: bytes) -> bytes:
        """Press a key, wait until one of the texts was drawn because of it, and give what was drawn."""
        begin = len(self.shown())
        if key:
            self._browser.press(*KEYS[key])
        deadline = time.monotonic() + PATIENCE
        while not any(text in self.shown()[begin:] for text in texts):
            assert time.monotonic() < deadline, self.shown()[begin:]
        return self.shown()[begin:]

    def drop(self) -> None:
        """Drop the selected hash; what was on the screen only for a moment nobody has seen.

        An earlier refusal may be drawn once more, which says nothing of this key. So it is taken off before the next.
        """
        while not self._dropped():
            self.after("down", b"confirmed")
            self.after("up", b"disowned")

    def _dropped(self) -> bool:
        drawn = self.after(" ", *DROPPED, b"keep zh:", TOO_EARLY)
        return any(text in drawn for text in DROPPED)


@contextlib.contextmanager
def opened(address: str) -> Iterator[Screen]:
    with browsing() as browser:
        browser.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False)
        browser.open(address)
        screen = Screen(browser)
        screen.after("", b"3/3 providers")
        browser.value("document.querySelector('textarea').focus()")
        yield screen
        own = urlsplit(address).netloc
        assert [
            each for each in browser.complaints if '"source": "security"' in each or "exceptionDetails" in each
        ] == []
        assert {urlsplit(each).netloc for each in browser.asked_for if not each.startswith("data:")} == {own}


def test_it_opens_and_decides_and_writes_where_it_may(workspace: Workspace, lockwarden: Lockwarden) -> None:
    before = planted(workspace.lock_file)
    with serving(lockwarden, workspace.folder, "--write") as address, opened(address) as screen:
        assert b"Do not commit yet" in screen.shown()
        screen.drop()
        screen.after("w", b"drops 1 in 1 provider")
        screen.after("right", b"\x1b[")
        screen.after("enter", b"written")
    assert workspace.lock_file.read_bytes() == before.replace(b'    "' + PLANTED + b'",\n', b"")


def answer(address: str, path: str, **headers: str) -> int:
    """The status that a request gets; underscores in names of headers stand for hyphens."""
    where = urlsplit(address)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        return connection.getresponse().status


def test_who_has_no_token_or_comes_from_elsewhere_gets_nothing(lockwarden: Lockwarden, workspace: Workspace) -> None:
    with serving(lockwarden, workspace.folder) as address:
        with_token = address.partition(urlsplit(address).netloc)[2]
        for headers in (
            {"Host": "attacker.example"},
            {"Host": f"localhost:{urlsplit(address).port}"},
            {"Origin": "https://attacker.example"},
            {"Origin": "null"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
        ):
            assert answer(address, with_token, **headers) == 403, headers
        for path in (
            "/",
            "/?token=",
            with_token[:-1],
            "/static/js/textual.js",
            "/x/static/js/textual.js",
            "/x/ws",
            "/ws",
        ):
            assert answer(address, path) in {403, 404}, path
        assert answer(address, with_token) == 200
        assert answer(address, with_token) == 403, "an address counts once"


async def handshake(gate: Gate, page: str, origin: str | None) -> int:
    """What opening the way to the review comes to: 101, or the status of the refusal."""
    import aiohttp  # here because every worker reads this module, and few use it

    headers = {} if origin is None else {"Origin": origin}
    async with aiohttp.ClientSession() as session:
        try:
            async with session.ws_connect(f"{gate.origin}/{page}/ws", headers=headers):
                return 101
        except aiohttp.WSServerHandshakeError as refused:
            return refused.status


def test_the_server_ends_when_the_process_of_its_review_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from aiohttp import web

    from lockwarden.cli.serve import listening
    from lockwarden.cli.serving import Gate, application

    monkeypatch.setattr("lockwarden.cli.serving._ENDING", PATIENCE)
    ended = tmp_path / "ended"
    slow = f"exec >&-; sleep 0.5; echo done >{shlex.quote(str(ended))}"  # its last word is not its end

    async def scenario() -> None:
        with listening(0) as listener:
            gate = Gate(listener.getsockname()[1])
            runner = web.AppRunner(application(gate, slow, announce=lambda _: None), access_log=None)
            await runner.setup()
            await web.SockSite(runner, listener).start()
            page = gate.enter(gate.address.partition("token=")[2])
            assert await handshake(gate, str(page), gate.origin) == 101
            await runner.cleanup()
            assert ended.exists()

    asyncio.run(scenario())


def test_a_page_has_one_review_and_only_of_its_own_origin() -> None:
    import aiohttp
    from aiohttp import web

    from lockwarden.cli.serve import listening
    from lockwarden.cli.serving import Gate, application

    async def scenario() -> None:
        announced: list[str] = []
        with listening(0) as listener:
            gate = Gate(listener.getsockname()[1])
            runner = web.AppRunner(application(gate, "true", announce=announced.append), access_log=None)
            await runner.setup()
            await web.SockSite(runner, listener).start()
            try:
                token = gate.address.partition("token=")[2]
                page = gate.enter(token)
                assert page is not None
                assert gate.enter(token) is None
                for origin in (None, "null", "https://attacker.example", gate.origin.replace("127.0.0.1", "localhost")):
                    assert await handshake(gate, page, origin) == 403, origin
                assert await handshake(gate, "x" * len(page), gate.origin) == 403
                assert await handshake(gate, page, gate.origin) == 101
                assert await handshake(gate, page, gate.origin) == 403, "it was this page's one review"
                async with aiohttp.ClientSession() as session:
                    for name in ("../server.py", "..%2fserver.py", "%2e%2e/server.py", "js"):
                        second = gate.enter(gate.address.partition("token=")[2])
                        async with session.get(f"{gate.origin}/{second}/static/{name}") as response:
                            assert response.status in {403, 404}, name
            finally:
                await runner.cleanup()

    asyncio.run(scenario())


def test_what_is_wrong_usage_is_said_before_anything_is_served(lockwarden: Lockwarden, tmp_path: Path) -> None:
    assert "--bsae" in lockwarden.run("serve", "--bsae", "main", folder=tmp_path, expected=2).err
    assert "--demo stands alone" in lockwarden.run("serve", "--demo", "--write", folder=tmp_path, expected=2).err
    assert "port" in lockwarden.run("serve", "--port", "70000", folder=tmp_path, expected=2).err
