"""What the machine could do at best, as a program: no metadata, no keys, no cache, no checks, nothing kept.

`python -m benchmarks.bare limit FILE…` hashes archives and their contents. `python -m benchmarks.bare pipeline URL…`
fetches them first, six at a time, hashing what arrives. Both inflate with ISA-L, and both use every core.
`python -m benchmarks.bare link URL…` only fetches: what a line takes for these bytes.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import ssl
import struct
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from isal import isal_zlib

_READ: Final = 256 * 1024
_WRITE: Final = 1024 * 1024
_AT_ONCE: Final = 6
_LOCAL: Final = struct.Struct("<4s5H3I2H")


def hash_contents(archive: memoryview) -> list[bytes]:
    """The digests of an archive's contents. It walks the local headers, as the benchmarks' own archives allow."""
    at = 0
    digests = []
    while bytes(archive[at : at + 4]) == b"PK\x03\x04":
        _, _, _, _, _, _, _, packed, _, name, extra = _LOCAL.unpack_from(archive, at)
        start = at + _LOCAL.size + name + extra
        at = start + packed
        digest = hashlib.sha256()
        inflate = isal_zlib.decompressobj(wbits=-15)
        while not inflate.eof and start < at:
            waiting: memoryview | bytes = archive[start : min(start + _READ, at)]
            start += len(waiting)
            while waiting:
                digest.update(inflate.decompress(waiting, _WRITE))
                waiting = inflate.unconsumed_tail
        digests.append(digest.digest())
    return digests


def _hash_file(path: str) -> list[bytes]:
    archive = memoryview(Path(path).read_bytes())
    return [hashlib.sha256(archive).digest(), *hash_contents(archive)]


def limit(paths: Sequence[str]) -> None:
    """Hash archives and their contents on every core; the largest comes first."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_hash_file, paths))


class Connections(threading.local):
    """A kept-alive connection for each thread."""

    def __init__(self) -> None:
        self.open: http.client.HTTPSConnection | None = None

    def get(self, url: str, context: ssl.SSLContext) -> http.client.HTTPResponse:
        """Ask for a URL."""
        parts = urlsplit(url)
        if self.open is None:
            self.open = http.client.HTTPSConnection(parts.netloc, context=context)
        self.open.request("GET", parts.path)
        return self.open.getresponse()


def pipeline(urls: Sequence[str]) -> None:
    """Fetch archives and hash them and their contents. Threads that wait in C are the least that Python can do."""
    context = ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])
    connections = Connections()

    def one(url: str) -> None:
        response = connections.get(url, context)
        if response.status != http.HTTPStatus.OK or response.length is None:
            raise SystemExit(f"{url} cannot be had")
        archive = memoryview(bytearray(response.length))
        digest = hashlib.sha256()
        at = 0
        while at < len(archive):
            count = response.readinto(archive[at : at + _READ])
            if not count:
                raise SystemExit(f"{url} ends too early")
            digest.update(archive[at : at + count])
            at += count
        digest.digest()
        hash_contents(archive)

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(one, urls))


def link(urls: Sequence[str]) -> None:
    """Fetch everything in the given order, six at a time, and look at nothing. Every URL is known beforehand."""
    context = ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])
    connections = Connections()

    def one(url: str) -> None:
        response = connections.get(url, context)
        if response.status != http.HTTPStatus.OK:
            raise SystemExit(f"{url} cannot be had")
        while response.read(_READ):
            pass

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        list(pool.map(one, urls))


if __name__ == "__main__":
    {"limit": limit, "pipeline": pipeline, "link": link}[sys.argv[1]](sys.argv[2:])
