"""A registry that may do what it likes, over real HTTPS on this machine: each path has an answer or a way to answer."""

from __future__ import annotations

import contextlib
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import trustme

Send = Callable[[bytes], object]
Answer = bytes | Callable[[Send], None]
"""A body, or what writes one to the open connection."""
SERVICE: Final = "/v1/providers/"


@dataclass(kw_only=True)
class HostileRegistry:
    """What is answered; paths may be added while it runs."""

    host: str
    ca_file: Path
    answers: dict[str, tuple[Mapping[str, str], Answer]] = field(default_factory=dict)

    def on(self, path: str, body: Answer | object, **headers: str) -> str:
        """Answer a path; anything but bytes and functions is sent as JSON. The path."""
        answer = body if isinstance(body, bytes) or callable(body) else json.dumps(body).encode("utf-8")
        self.answers[path] = ({"Content-Type": "application/json", **headers}, answer)
        return path

    def release(self, name: str, version: str, platforms: int, metadata: Callable[[int], dict[str, Any]]) -> None:
        """A release with made-up platforms, whose answers are those of a registry but for `metadata`."""
        named = [{"os": f"os{number}", "arch": "arch"} for number in range(platforms)]
        base = f"{SERVICE}acme/{name}/"
        entry = {"version": version, "protocols": ["5.0"], "platforms": named}
        self.on(f"{base}versions", {"versions": [entry]})
        for number, platform in enumerate(named):
            answer = {"protocols": ["5.0"], **platform, "filename": f"{name}{number}.zip", "shasum": "0" * 64}
            self.on(f"{base}{version}/download/{platform['os']}/{platform['arch']}", {**answer, **metadata(number)})


@contextlib.contextmanager
def hostile_registry(folder: Path) -> Iterator[HostileRegistry]:
    """Serve until the block ends; the certificate of its authority is put into `folder`."""
    authority = trustme.CA()
    ca_file = folder / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    registry = HostileRegistry(host="", ca_file=ca_file)
    registry.on("/.well-known/terraform.json", {"providers.v1": SERVICE})

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers, answer = registry.answers.get(self.path, ({}, b""))
            with contextlib.suppress(OSError):
                self.send_response(200 if self.path in registry.answers else 404)
                for name, value in headers.items():
                    self.send_header(name, value)
                if isinstance(answer, bytes):
                    self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)
                else:
                    self.end_headers()
                    answer(self.wfile.write)

        def log_message(self, *_: object) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: object) -> None:
            return

    server = Server(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    registry.host = f"localhost:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield registry
    finally:
        server.shutdown()


def a_byte_every(seconds: float, length: int) -> Answer:
    """A body that comes a byte at a time; the headers have to announce its length."""

    def drip(send: Send) -> None:
        for _ in range(length):
            send(b"P")
            time.sleep(seconds)

    return drip
