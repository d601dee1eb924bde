"""What the tests' servers have in common: a thread a connection on the loopback interface, until the block ends."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import threading
from collections.abc import Iterator
from typing import Any


class Listener(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Waits for connections without looking up again and again whether to end, which hundreds of servers would pay."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, handler: type[socketserver.BaseRequestHandler]) -> None:
        self._ending = False
        super().__init__(("127.0.0.1", 0), handler)

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        host, port = self.server_address[:2]
        return str(host), int(port)

    def serve_forever(self, poll_interval: float = 0) -> None:
        """Take connections until `shutdown`."""
        while True:
            try:
                request, client = self.get_request()
            except OSError:
                continue  # whoever knocked is gone already
            if self._ending:
                self.shutdown_request(request)
                return
            self.process_request(request, client)

    def shutdown(self) -> None:
        """Have `serve_forever` end: it is woken by a connection."""
        self._ending = True
        with contextlib.suppress(OSError):
            socket.create_connection(self.address).close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away in the middle are part of many tests; what matters they see on their own side."""

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Serve in a thread until the block ends."""
        with self:
            thread = threading.Thread(target=self.serve_forever, daemon=True)
            thread.start()
            try:
                yield
            finally:
                self.shutdown()
                thread.join()
