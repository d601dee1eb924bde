"""Serves the review to one browser of this machine: who is let in, the page, and the way to the review's process.

Everything on this machine, and every page that its browser shows, may be hostile. What is let in has the token of an
address that was printed, which counts once; the page that it leads to knows a path that nobody else does, and which
leads to the review. No cookie is set, since a browser sends one to every port of a host.
"""

from __future__ import annotations

import asyncio
import hmac
import html
import secrets
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import textual_serve
from aiohttp import WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

_STATIC: Final = Path(textual_serve.__file__).resolve().parent / "static"
_LONGEST_MESSAGE: Final = 4 * 1024 * 1024
_CELLS: Final = range(1, 1000)
_BYTES: Final = 32
"""Of a token: nobody guesses it."""
_PAGES: Final = 64
"""So many pages may be open at once, and so many tokens unused."""
_ENDING: Final = 3.0
"""Seconds for a review's process to end once nobody hears it any more; fewer than the server waits for at its end."""
_CHUNK: Final = 64 * 1024
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Gate:
    """Who is let in: tokens that count once, and the paths of pages that were given out."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._token = secrets.token_urlsafe(_BYTES)
        self._pages: dict[str, bool] = {}

    @property
    def address(self) -> str:
        """Where the review is. It counts once."""
        return f"http://{self._host}/?token={self._token}"

    @property
    def origin(self) -> str:
        """The origin of our own page, as a browser names it."""
        return f"http://{self._host}"

    @property
    def _host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def expects(self, request: web.Request) -> bool:
        """Whether a request is one of our own page, or of a person who opened an address.

        A page of another origin says so in `Origin` or `Sec-Fetch-Site`; one whose name was led to this machine has its
        own name in `Host`.
        """
        headers = request.headers
        return (
            headers.get("Host") == self._host
            and headers.get("Origin") in {None, self.origin}
            and headers.get("Sec-Fetch-Site") in {None, "same-origin", "none"}
        )

    def enter(self, token: str) -> str | None:
        """The path of a new page for a token that was not used yet; another token is waited for from then on."""
        if not hmac.compare_digest(token.encode(), self._token.encode()) or len(self._pages) >= _PAGES:
            return None
        self._token = secrets.token_urlsafe(_BYTES)
        page = secrets.token_urlsafe(_BYTES)
        self._pages[page] = False
        return page

    def knows(self, page: str) -> bool:
        """Whether a page was given out."""
        return page in self._pages

    def begin(self, page: str) -> bool:
        """Begin the one review of a page; False where it has had it."""
        if self._pages.get(page, True):
            return False
        self._pages[page] = True
        return True

    def end(self, page: str) -> None:
        """The review of a page is over, and so is the page."""
        self._pages.pop(page, None)


def application(gate: Gate, command: str, *, announce: Callable[[str], None]) -> web.Application:
    """The server; `announce` hears each address that counts from then on."""

    @web.middleware
    async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not gate.expects(request):
            raise web.HTTPForbidden(text="this is for a page of this very server alone\n")
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response

    async def index(request: web.Request) -> web.Response:
        page = gate.enter(request.query.get("token", ""))
        if page is None:
            raise web.HTTPForbidden(text="this address counts once; the next one is where lockwarden serve runs\n")
        announce(gate.address)
        return web.Response(
            text=_PAGE.format(page=html.escape(page), port=gate.port),
            content_type="text/html",
            headers={"Content-Security-Policy": _policy(gate.port)},
        )

    async def static(request: web.Request) -> web.StreamResponse:
        path = (_STATIC / request.match_info["name"]).resolve()
        if not gate.knows(request.match_info["page"]) or not path.is_relative_to(_STATIC) or not path.is_file():
            raise web.HTTPForbidden
        return web.FileResponse(path)

    async def websocket(request: web.Request) -> web.StreamResponse:
        page = request.match_info["page"]
        if request.headers.get("Origin") != gate.origin or not gate.begin(page):
            raise web.HTTPForbidden
        try:
            return await _review(request, command)
        finally:
            gate.end(page)

    app = web.Application(middlewares=[guarded])
    app.add_routes(
        [
            web.get("/", index),
            web.get("/{page}/static/{name:.+}", static),
            web.get("/{page}/ws", websocket),
        ]
    )
    return app


def run(gate: Gate, listener: socket.socket, *, command: str) -> int:
    """Serve until a signal ends it, and return the exit code."""

    def announce(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    async def served() -> None:
        over = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(number, over.set)
        runner = web.AppRunner(application(gate, command, announce=announce), access_log=None, shutdown_timeout=5)
        await runner.setup()
        await web.SockSite(runner, listener).start()
        announce(gate.address)
        await over.wait()
        await runner.cleanup()

    asyncio.run(served())
    return 0


class _Review(AppService):
    """A review's process, which has ended when this has; the library waits for the end of its words alone."""

    async def run(self) -> None:
        """Pass on what it says, and wait for its end. Whoever does not end in time is killed."""
        try:
            await super().run()
        finally:
            await self._end()

    async def _end(self) -> None:
        process = self._process
        if process is None or process.stdout is None:
            return
        try:
            async with asyncio.timeout(_ENDING):
                while await process.stdout.read(_CHUNK):
                    pass  # the browser is gone: nobody hears it
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


async def _review(request: web.Request, command: str) -> web.WebSocketResponse:
    """One review: what the browser says goes to its process, and back."""
    browser = web.WebSocketResponse(heartbeat=15, max_msg_size=_LONGEST_MESSAGE)
    await browser.prepare(request)

    async def close() -> None:
        await browser.close()

    service = _Review(
        command,
        write_bytes=browser.send_bytes,
        write_str=browser.send_str,
        close=close,
        download_manager=DownloadManager(),
    )
    await service.start(*_size(request.query.get("width", ""), request.query.get("height", "")))
    try:
        async for message in browser:
            if message.type is WSMsgType.TEXT and not await _passed_on(message, service, browser):
                break
    finally:
        await service.stop()
    return browser


async def _passed_on(message: Any, service: AppService, browser: web.WebSocketResponse) -> bool:
    """Pass on one message of our page; False where it is none."""
    try:
        match message.json():
            case ["stdin", str() as typed]:
                await service.send_bytes(typed.encode("utf-8", "replace"))
            case ["resize", {"width": int() as width, "height": int() as height}]:
                await service.set_terminal_size(*_size(str(width), str(height)))
            case ["ping", data]:
                await browser.send_json(["pong", data])
            case ["blur", *_]:
                await service.blur()
            case ["focus", *_]:
                await service.focus()
            case _:
                return False
    except ValueError:
        return False
    return True


def _size(width: str, height: str) -> tuple[int, int]:
    """Columns and rows, those of a small terminal where they are no numbers of a screen."""
    return _cells(width, 80), _cells(height, 24)


def _cells(text: str, default: int) -> int:
    cells = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    return cells if cells in _CELLS else default


def _policy(port: int) -> str:
    """Nothing but our own script, and what it makes: styles, a font of ours, the way to the review."""
    ours = f"http://127.0.0.1:{port}"
    return (
        f"default-src 'none'; script-src {ours}; style-src {ours} 'unsafe-inline'; font-src {ours} data:; "
        f"img-src {ours} data:; connect-src ws://127.0.0.1:{port}; frame-ancestors 'none'; base-uri 'none'; "
        "form-action 'none'"
    )


_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Lockwarden</title>
<link rel="stylesheet" href="/{page}/static/css/xterm.css">
<style>
@font-face {{ font-family: "Roboto Mono"; src: url("/{page}/static/fonts/RobotoMono-VariableFont_wght.ttf"); }}
html, body {{ margin: 0; height: 100%; background: #0c181f; color: #eee; font-family: monospace; }}
#terminal {{ width: 100vw; height: 100vh; }}
.over {{ display: none; }}
body.-closed .over {{ display: block; padding: 2em; }}
body.-closed #terminal {{ display: none; }}
</style>
</head>
<body>
<p class="over">The review is over. The next address is where lockwarden serve runs.</p>
<div id="terminal" class="textual-terminal" data-session-websocket-url="ws://127.0.0.1:{port}/{page}/ws"
 data-font-size="16"></div>
<script src="/{page}/static/js/textual.js"></script>
</body>
</html>
"""
