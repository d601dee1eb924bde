"""Runs a command's function in this process as in one of its own: environment, folder, streams, signals, no waits."""

from __future__ import annotations

import asyncio
import contextlib
import io
import locale
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from lockwarden.core.http.client import HttpClient
from servers.no_connections import without_connections
from servers.remembered_gpg import asking_gpg_once

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def in_process(run: Callable[[], int], *, folder: Path, environment: Mapping[str, str]) -> tuple[int, str, str]:
    """Call a command's function as if a new process did; the exit code, and all that went to stdout and stderr.

    What it starts writes there, too. What only a process has is not tested: its end by a signal, what it imports, how
    it uses a terminal, its arguments; nor are connections to the tests' own servers, nor what gpg says of the same once
    more. Errors that the function raises are raised here.
    """
    with contextlib.ExitStack() as stack:
        out, err = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(2))
        for each in (_process_state, _locale_and_logging, _signals, *SPARING):
            stack.enter_context(each())
        stack.enter_context(_environment(environment))
        stack.enter_context(contextlib.chdir(folder))
        stack.enter_context(_streams(out.fileno(), err.fileno()))
        try:
            code = run()
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 1
        sys.stdout.flush()
        sys.stderr.flush()
        said = [os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode() for file in (out, err)]
    return code, said[0], said[1]


@contextlib.contextmanager
def asking_again_at_once() -> Iterator[None]:
    """Meanwhile, let every client ask again without waiting before; how long it would wait has tests of its own."""

    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    defaults = HttpClient.__init__.__kwdefaults__
    assert defaults is not None
    before = defaults["sleep"]
    defaults["sleep"] = at_once
    try:
        yield
    finally:
        defaults["sleep"] = before


SPARING: Final = (asking_again_at_once, asking_gpg_once, without_connections)
"""What spares tests time that shows nothing new in them."""


@contextlib.contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before, folder = dict(os.environ), tempfile.tempdir
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None  # it is looked for once a process
    try:
        yield
    finally:
        tempfile.tempdir = folder
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _streams(out: int, err: int) -> Iterator[None]:
    """Lead the three descriptors and Python's streams elsewhere: nothing to read, and two files to write to."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    streams, kept = (sys.stdin, sys.stdout, sys.stderr), [os.dup(number) for number in range(3)]
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        for number, file in enumerate((nothing, out, err)):
            os.dup2(file, number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout, sys.stderr = _writer(1, errors="strict"), _writer(2, errors="backslashreplace")
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
        for number, file in enumerate(kept):
            os.dup2(file, number)
            os.close(file)
        os.close(nothing)


def _writer(number: int, *, errors: str) -> io.TextIOWrapper:
    return open(number, "w", encoding="utf-8", errors=errors, closefd=False)


@contextlib.contextmanager
def _process_state() -> Iterator[None]:
    mask, arguments = os.umask(0o022), sys.argv
    try:
        yield
    finally:
        os.umask(mask)
        sys.argv = arguments


@contextlib.contextmanager
def _locale_and_logging() -> Iterator[None]:
    language, root = locale.setlocale(locale.LC_ALL), logging.getLogger()
    level, handlers, disabled = root.level, root.handlers[:], logging.root.manager.disable
    try:
        yield
    finally:
        locale.setlocale(locale.LC_ALL, language)
        root.setLevel(level)
        root.handlers[:] = handlers
        logging.disable(disabled)


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
