"""What a server or a proxy was asked, in the order in which it came."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it arrived."""

    scheme: str
    method: str
    host: str
    """The name from the Host header, without a port."""
    path: str
    """The request target as sent, with its query."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""

    @property
    def authorization(self) -> str | None:
        """The value of the Authorization header, or None when there was none."""
        return self.headers.get("authorization")

    @property
    def user_agent(self) -> str:
        """The value of the User-Agent header, or the empty string."""
        return self.headers.get("user-agent", "")

    @property
    def url(self) -> str:
        """Scheme, host and target together."""
        return f"{self.scheme}://{self.host}{self.path}"


@dataclass(slots=True)
class Journal:
    """A list of requests that several threads write to."""

    _requests: list[Request] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, request: Request) -> None:
        """Note one request."""
        with self._lock:
            self._requests.append(request)

    @property
    def requests(self) -> tuple[Request, ...]:
        """Everything so far."""
        with self._lock:
            return tuple(self._requests)

    def clear(self) -> None:
        """Forget everything so far."""
        with self._lock:
            self._requests.clear()

    def to(self, host: str, path: str = "/") -> tuple[Request, ...]:
        """The requests to `host` whose target starts with `path`."""
        return tuple(request for request in self.requests if request.host == host and request.path.startswith(path))
