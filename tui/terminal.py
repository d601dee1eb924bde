"""The terminal beneath the app: what arrives from it never ends the review, and losing it ends it at once.

Textual decodes what a terminal sends strictly, and each of its threads ends with the first error. One byte that is no
UTF-8 then ends the app, an impossible key does, and a terminal that is gone makes the app wait for ever.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
import threading
from collections.abc import Callable
from queue import Queue
from typing import Any, Final

from textual import events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

_PIECE: Final = 4096
"""Bytes that are read at a time."""
_AT_ONCE: Final = 30
"""Pieces that wait for the terminal before whoever draws has to wait, too."""
_LOOK: Final = 0.1
"""Seconds from one look at whether reading is to end to the next."""
_REST_OF_REPORT: Final = 0.05
"""Seconds within which the rest of a mouse report comes; a person who presses escape does not notice them."""
_OLD_REPORT: Final = re.compile(rb"\x1b\[M[\x00-\xff]{3}")
"""An X10 mouse report. Its three bytes may be any; taken for keys, the first is the space bar, which decides."""
_CODES: Final = re.compile(rb"\x1b\[([\d:;]+)[A-Za-z~]")
"""A key or a report as numbers. Textual makes characters of them, and gives up all that came with what is none."""
_BACKGROUND: Final = re.compile(rb"\x1b\]11;[^\x07\x1b]{0,64}(?:\x07|\x1b\\)")
"""What the terminal's background is, told too late: it was asked before the app began."""
_BEGUN: Final = re.compile(
    rb"\x1b(?:\[(?:M[\x00-\xff]{0,2}|[\d:;]{0,32})?|\](?:1(?:1(?:;[^\x07\x1b]{0,64}\x1b?)?)?)?)?\Z"
)
_PASTE_BEGINS: Final = b"\x1b[200~"
_PASTE_ENDS: Final = b"\x1b[201~"
_WIDEST: Final = 4_000
"""Columns, and lines, of the largest terminal that a report of its size is believed."""


class TerminalLost(Message):
    """Nobody can see the app any more, nor press a key."""


class InputFilter:
    """Makes UTF-8 of what a terminal sends: what is none is replaced, old mouse reports and impossible keys go.

    So do escapes in what is pasted: Textual takes what follows one for keys, such as the rest of a line with colours.
    """

    def __init__(self) -> None:
        self._decode: Callable[..., str] = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._held = b""
        self._pasted = False
        """Whether what comes next is pasted."""

    @property
    def holds(self) -> bool:
        """Whether something was kept back that may be the begin of a report."""
        return bool(self._held)

    def feed(self, data: bytes, *, final: bool = False) -> bytes:
        """What can be passed on; with `final` also what was kept back, unless it may be the end of what is pasted."""
        rest, self._held = self._held + data, b""
        told = b""
        while True:
            mark = _PASTE_ENDS if self._pasted else _PASTE_BEGINS
            text, found, rest = rest.partition(mark)
            told += (
                self._pasted_part(text, whole=bool(found))
                if self._pasted
                else self._typed_part(text, whole=final or bool(found))
            )
            if not found:
                return self._decode(told, final and not self._pasted).encode()
            told += mark
            self._pasted = not self._pasted

    def _typed_part(self, text: bytes, *, whole: bool) -> bytes:
        """What is typed without what is no key; unless it is whole, what may be the begin of something is kept back."""
        text = _CODES.sub(_possible, _OLD_REPORT.sub(b"", _BACKGROUND.sub(b"", text)))
        begun = None if whole else _BEGUN.search(text)
        if begun is None:
            return text
        self._held = begun.group()
        return text[: begun.start()]

    def _pasted_part(self, text: bytes, *, whole: bool) -> bytes:
        """What is pasted without escapes; unless it is whole, what may be the begin of its end is kept back."""
        begun = next((size for size in range(len(_PASTE_ENDS) - 1, 0, -1) if text.endswith(_PASTE_ENDS[:size])), 0)
        if begun and not whole:
            text, self._held = text[:-begun], text[-begun:]
        return text.replace(b"\x1b", b"")


def _possible(found: re.Match[bytes]) -> bytes:
    """The same, or nothing where a number is no character's."""
    numbers = [int(each) for each in re.split(rb"[:;]", found[1]) if each]
    impossible = any(each > sys.maxunicode or 0xD800 <= each <= 0xDFFF for each in numbers)
    return b"" if impossible else found[0]


class TerminalDriver(LinuxDriver):
    """Textual's driver, with a filter before it and errors of the terminal heard.

    Only public names of Textual's driver are used: `fileno`, `run_input_thread`, `process_message`, `write`, `close`.
    """

    def __init__(self, app: App[Any], **said: Any) -> None:
        self._reading: dict[int, int] = {}
        """By the thread that reads keys, from where it does."""
        self._gone = threading.Event()
        self._pieces: Queue[str | None] = Queue(_AT_ONCE)
        self._drawing: threading.Thread | None = None
        self._typed_ahead = typed_ahead(app)
        super().__init__(app, **said)

    @property
    def fileno(self) -> int:
        """The terminal; for the thread that reads keys what was made of its bytes."""
        return self._reading.get(threading.get_ident(), self._terminal)

    @fileno.setter
    def fileno(self, number: int) -> None:
        self._terminal = number

    # What the terminal sends

    def run_input_thread(self) -> None:
        """Read keys from the filter until the app wants no more; a key that cannot be understood is passed over."""
        here, there = os.pipe()
        ending = threading.Event()
        filtering = threading.Thread(target=self._filter, args=(there, ending), name="lockwarden-input", daemon=True)
        me = threading.get_ident()
        self._reading[me] = here
        filtering.start()
        try:
            while not self._read_keys():
                pass
        finally:
            ending.set()
            del self._reading[me]
            os.close(here)
            filtering.join()

    def _read_keys(self) -> bool:
        """Let Textual read keys to the end; False when it gave up because of one of them, and goes on after it."""
        try:
            super().run_input_thread()
        except (ValueError, ArithmeticError, LookupError):  # such as a code that is no character's
            return False
        return True

    def _filter(self, there: int, ending: threading.Event) -> None:
        """Pass on what arrives from the terminal until the reading ends or the terminal is gone."""
        filtered = InputFilter()
        try:
            ahead, self._typed_ahead = self._typed_ahead, b""
            _write_all(there, filtered.feed(ahead))
            while not ending.is_set():
                ready, _, _ = select.select([self._terminal], [], [], _REST_OF_REPORT if filtered.holds else _LOOK)
                data = os.read(self._terminal, _PIECE) if ready else b""
                if ready and not data:
                    self._lose()
                    return
                _write_all(there, filtered.feed(data, final=not ready))
        except BrokenPipeError:
            return  # nobody reads keys any more
        except OSError:
            self._lose()
        finally:
            ending.wait()  # whoever reads would turn round and round at the end of a pipe
            os.close(there)

    def process_message(self, message: Message) -> None:
        """Pass a message on, unless nothing good can come of it."""
        if isinstance(message, events.Resize) and not all(0 < each <= _WIDEST for each in message.size):
            return
        if isinstance(message, events.Key) and message.character is not None:
            message.character = _without_halves(message.character)
        super().process_message(message)

    # What the terminal is sent

    def start_application_mode(self) -> None:
        """Begin, at first or after the program was stopped for a while.

        A terminal that goes away is told as a program that goes on, too, though nothing had stopped it: beginning twice
        would leave threads behind that nobody ends.
        """
        if self._drawing is not None:
            return
        self._drawing = threading.Thread(target=self._draw, name="lockwarden-output", daemon=True)
        self._drawing.start()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def write(self, data: str) -> None:
        """Write to the terminal, unless it is gone, or another program has it."""
        if self._drawing is not None and not self._gone.is_set():
            self._pieces.put(data)

    def _draw(self) -> None:
        """Write what is to be drawn; after an error go on taking it, since whoever draws would wait for ever."""
        while (piece := self._pieces.get()) is not None:
            if self._gone.is_set() or sys.__stderr__ is None:
                continue
            try:
                sys.__stderr__.write(piece)
                if self._pieces.empty():
                    sys.__stderr__.flush()
            except (OSError, ValueError):
                self._lose()

    def close(self) -> None:
        """Write what is left, and end."""
        if self._drawing is not None:
            self._pieces.put(None)
            self._drawing.join()
            self._drawing = None
        super().close()

    def _lose(self) -> None:
        """The terminal is gone: tell the app, once."""
        if not self._gone.is_set():
            self._gone.set()
            super().process_message(TerminalLost())


def typed_ahead(app: App[Any]) -> bytes:
    """What was typed before the app began; it is given to the app once."""
    setup = getattr(app, "setup", None)
    return b"" if setup is None else bytes(setup.look.typed_ahead)


def _write_all(there: int, data: bytes) -> None:
    while data:
        data = data[os.write(there, data) :]


def _without_halves(text: str) -> str:
    """A text in which half a character, which nothing can be written with, is replaced."""
    return text.encode("utf-8", "replace").decode()
