"""One answer of a web server, as a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final, Self

JSON_TYPE: Final = "application/json"
BYTES_TYPE: Final = "application/octet-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """Status, headers and body of one answer. Who serves it adds the length of the body where no header states it."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @classmethod
    def of_json(cls, document: Any, *, status: int = 200) -> Self:
        """A JSON document, indented for people who look at it."""
        body = json.dumps(document, indent=1).encode()
        return cls(status=status, headers=(("Content-Type", JSON_TYPE),), body=body)

    @classmethod
    def of_bytes(cls, body: bytes) -> Self:
        """A file as it lies on a release server: a package, a list of checksums, a signature."""
        return cls(headers=(("Content-Type", BYTES_TYPE),), body=body)

    @classmethod
    def of_status(cls, status: int, *, text: str = "", headers: tuple[tuple[str, str], ...] = ()) -> Self:
        """A bare status with a short plain text."""
        return cls(status=status, headers=(("Content-Type", "text/plain; charset=utf-8"), *headers), body=text.encode())

    @property
    def headers_with_length(self) -> tuple[tuple[str, str], ...]:
        """The headers to send: as they are when they say how the body ends, else with its true length."""
        if any(name.lower() in {"content-length", "transfer-encoding"} for name, _ in self.headers):
            return self.headers
        return (*self.headers, ("Content-Length", str(len(self.body))))
