"""A real headless Chromium (Debian's chromium), driven by its DevTools protocol over two pipes, without any network."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_SCRIPT = Path(__file__).parents[2] / "scripts" / "need.sh"
_PATIENCE = 60.0
_WORDS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"),
    *("--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-pipe"),
)


def chromium_or_skip() -> str:
    """The program's path; installs it where that may be done, else skips the test and says so."""
    for attempt in range(2):
        for name in ("chromium", "chromium-browser", "google-chrome"):
            if (program := shutil.which(name)) is not None:
                return program
        if attempt == 0:
            subprocess.run(["sh", str(_SCRIPT), "chromium=chromium"], capture_output=True)
    pytest.skip("chromium is not installed, so the page was NOT tested in a browser")


class Browser:
    """One page of a running Chromium."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._number = 0
        self._buffer = b""
        self._session = ""
        self.events: list[dict[str, Any]] = []
        self.url = ""

    def begin(self) -> None:
        """Open an empty page, and hear of everything that it does."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> Any:
        """Ask for one thing, and wait for the answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._number:
                assert "error" not in heard, heard
                return heard["result"]
            self.events.append(heard)

    def open(self, url: str) -> None:
        """Load a page to its end."""
        self.url = url
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(each["method"] == "Page.loadEventFired" for each in self.events):
            self.events.append(self._hear())

    def value(self, expression: str) -> Any:
        """What an expression is in the page, or what its promise comes to."""
        how = {"returnByValue": True, "userGesture": True, "awaitPromise": True}
        answer = self.call("Runtime.evaluate", expression=expression, **how)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press one key."""
        pressed = {"key": key, "windowsVirtualKeyCode": code, **({"text": text} if text else {})}
        self.call("Input.dispatchKeyEvent", type="keyDown", **pressed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def type(self, text: str) -> None:
        """Write into what has the focus."""
        self.call("Input.insertText", text=text)

    @property
    def asked_for(self) -> list[str]:
        """Everything that the page has asked for since it was opened."""
        return [each["params"]["request"]["url"] for each in self._named("Network.requestWillBeSent")]

    @property
    def complaints(self) -> list[str]:
        """What stands in the console, and what was thrown."""
        names = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [json.dumps(each["params"]) for name in names for each in self._named(name)]

    def _named(self, method: str) -> list[dict[str, Any]]:
        return [each for each in self.events if each["method"] == method]

    def _hear(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, "chromium does not answer"
            chunk = os.read(self._read, 1 << 20)
            assert chunk, "chromium has ended"
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        heard: dict[str, Any] = json.loads(message)
        return heard


@contextlib.contextmanager
def browsing() -> Iterator[Browser]:
    """A browser with a profile of its own, which is gone afterwards with all that it started."""
    program = chromium_or_skip()
    with contextlib.ExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        stack.callback(os.close, ours_out)
        stack.callback(os.close, ours_in)
        # Above the two numbers that it knows the pipes by.
        high = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 20) for each in (theirs_in, theirs_out)]
        os.close(theirs_in)
        os.close(theirs_out)
        quiet = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, quiet, number) for number in range(3)]
        actions += [(os.POSIX_SPAWN_DUP2, each, number) for number, each in enumerate(high, start=3)]
        words = [program, *_WORDS, f"--user-data-dir={profile}", "about:blank"]
        process = os.posix_spawn(program, words, os.environ, file_actions=actions, setsid=True)
        for each in (*high, quiet):
            os.close(each)
        try:
            browser = Browser(ours_out, ours_in)
            browser.begin()
            yield browser
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process, signal.SIGKILL)
            os.waitpid(process, 0)
