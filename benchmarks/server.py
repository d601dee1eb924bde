"""The registry of the benchmarks: a process of its own that serves a world over HTTPS, as fast as Python can.

One thread a connection, kept alive; packages go out of mapped memory in one call, during which other threads run.
Started as `python -m benchmarks.server WORLD`, it prints its port. Each line on its standard input is answered with
what was served since the last one, as JSON; it ends when its input does.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import socket
import ssl
import sys
import threading
from pathlib import Path
from typing import Any, Final

from benchmarks.world import NAMESPACE, VERSION, archive

_SERVICE: Final = "/v1/providers/"
_JSON: Final = "application/json"
_LONGEST_REQUEST: Final = 64 * 1024
_PIECE: Final = 1024 * 1024


class Counts:
    """What was served since it was last taken."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = {"documents": 0, "packages": 0, "package_bytes": 0}

    def add(self, kind: str, number: int) -> None:
        """Count something."""
        with self._lock:
            self._now[kind] += number

    def take(self) -> dict[str, int]:
        """What was counted; begin anew."""
        with self._lock:
            taken, self._now = self._now, dict.fromkeys(self._now, 0)
        return taken


class Site:
    """All answers, made before the first question."""

    def __init__(self, folder: Path) -> None:
        self.documents: dict[str, bytes] = {"/.well-known/terraform.json": _json({"providers.v1": _SERVICE})}
        self.packages: dict[str, mmap.mmap] = {}
        for described in folder.glob("*/release.json"):
            self._add(described.parent, json.loads(described.read_text(encoding="utf-8")))

    def package(self, path: str) -> mmap.mmap | None:
        """The package at a path; what begins with `/copy/` and a number is the same as without."""
        return self.packages.get("/" + path.split("/", 3)[3] if path.startswith("/copy/") else path)

    def _add(self, folder: Path, release: dict[str, Any]) -> None:
        name = folder.name
        base = f"{_SERVICE}{NAMESPACE}/{name}/"
        files = f"/files/{name}/"
        targets = [tuple(platform.split("_")) for platform in release["digests"]]
        entry = {
            "version": VERSION,
            "protocols": ["5.0"],
            "platforms": [{"os": system, "arch": machine} for system, machine in targets],
        }
        self.documents[f"{base}versions"] = _json({"versions": [entry]})
        for document in ("SHA256SUMS", "SHA256SUMS.sig"):
            self.documents[files + document] = (
                _head((body := (folder / document).read_bytes()), "application/octet-stream") + body
            )
        keys = [{"key_id": release["key_id"], "ascii_armor": release["armor"]}]
        for (system, machine), (platform, digest) in zip(targets, release["digests"].items(), strict=True):
            file_name = archive(name, platform)
            with (folder / file_name).open("rb") as file:
                self.packages[files + file_name] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self.documents[f"{base}{VERSION}/download/{system}/{machine}"] = _json(
                {
                    "protocols": ["5.0"],
                    "os": system,
                    "arch": machine,
                    "filename": file_name,
                    "download_url": files + file_name,
                    "shasum": digest,
                    "shasums_url": f"{files}SHA256SUMS",
                    "shasums_signature_url": f"{files}SHA256SUMS.sig",
                    "signing_keys": {"gpg_public_keys": keys},
                }
            )


def _json(value: object) -> bytes:
    body = json.dumps(value).encode("utf-8")
    return _head(body, _JSON) + body


def _head(body: bytes | mmap.mmap, content_type: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n".encode("ascii")


def _serve(raw: socket.socket, context: ssl.SSLContext, site: Site, counts: Counts) -> None:
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with contextlib.suppress(OSError), context.wrap_socket(raw, server_side=True) as connection:
        waiting = b""
        while True:
            while b"\r\n\r\n" not in waiting:
                if not (got := connection.recv(_LONGEST_REQUEST)) or len(waiting) > _LONGEST_REQUEST:
                    return
                waiting += got
            request, _, waiting = waiting.partition(b"\r\n\r\n")
            method, path, _ = request.decode("latin-1").split(" ", 2)
            if (document := site.documents.get(path)) is not None:
                counts.add("documents", 1)
                connection.sendall(document if method == "GET" else document.partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
            elif (package := site.package(path)) is not None:
                connection.sendall(_head(package, "application/zip"))
                if method != "GET":
                    continue
                counts.add("packages", 1)
                with memoryview(package) as view:
                    for at in range(0, len(package), _PIECE):
                        piece = view[at : at + _PIECE]
                        connection.sendall(piece)
                        counts.add("package_bytes", len(piece))
                        piece.release()
            else:
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


def main(folder: Path) -> None:
    """Serve the world in `folder` until the standard input ends."""
    site, counts = Site(folder), Counts()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem")
    context.set_alpn_protocols(["http/1.1"])
    listening = socket.create_server(("127.0.0.1", 0), backlog=128)

    def accept() -> None:
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=_serve, args=(connection, context, site, counts), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    _say(str(listening.getsockname()[1]))
    for _ in sys.stdin:
        _say(json.dumps(counts.take()))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    os._exit(0)
