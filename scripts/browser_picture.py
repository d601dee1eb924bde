"""Takes a picture of the demo's review in a browser, with Chromium: browser_picture.py FOLDER"""

from __future__ import annotations

import asyncio
import base64
import itertools
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import which
from typing import Any, Final

from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType

_OVER: Final = b"11/11 providers"
"""What the review shows once everything was asked."""
_SIZE: Final = {"width": 1200, "height": 800, "deviceScaleFactor": 1, "mobile": False}


async def pictured(address: str, browser: str) -> bytes:
    """The page at an address as a PNG, once the review in it has asked everything."""
    numbers = itertools.count(1)
    async with ClientSession() as session:
        async with session.put(f"{browser}/json/new?about:blank") as opened:
            page = await opened.json()
        async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as tools:
            for method, words in (
                ("Network.enable", {}),
                ("Emulation.setDeviceMetricsOverride", _SIZE),
                ("Page.navigate", {"url": address}),
            ):
                await tools.send_json({"id": next(numbers), "method": method, "params": words})
            shown = b""
            while _OVER not in shown:
                heard = await tools.receive_json()
                if heard.get("method") == "Network.webSocketFrameReceived":
                    frame = heard["params"]["response"]
                    shown += base64.b64decode(frame["payloadData"]) if frame["opcode"] == WSMsgType.BINARY else b""
            await asyncio.sleep(2)
            return await _screenshot(tools, next(numbers))


async def _screenshot(tools: ClientWebSocketResponse, number: int) -> bytes:
    await tools.send_json({"id": number, "method": "Page.captureScreenshot", "params": {}})
    while True:
        heard: dict[str, Any] = await tools.receive_json()
        if heard.get("id") == number:
            return base64.b64decode(heard["result"]["data"])


def main(folder: Path) -> None:
    """Serve the demo, show it, and keep what is seen."""
    program = which("chromium")
    assert program is not None, "chromium is needed"  # noqa: S101
    command = Path(sys.executable).with_name("lockwarden")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        served = subprocess.Popen([command, "serve", "--demo"], stdout=subprocess.PIPE, text=True)
        words = ("--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0")
        browser = subprocess.Popen([program, *words, f"--user-data-dir={profile}"], stderr=subprocess.DEVNULL)
        try:
            assert served.stdout is not None  # noqa: S101
            address = served.stdout.readline().strip()
            port = Path(profile) / "DevToolsActivePort"
            while not port.exists() or not port.read_text():
                time.sleep(0.1)
            number = port.read_text().split()[0]
            (folder / "browser.png").write_bytes(asyncio.run(pictured(address, f"http://127.0.0.1:{number}")))
        finally:
            browser.terminate()
            browser.wait()
            served.send_signal(signal.SIGINT)
            served.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
