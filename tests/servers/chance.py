"""Makes a server fail by chance, the same way each time for the same seed."""

from __future__ import annotations

import random
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import StrEnum

from lockwarden.demo.world import JSON_TYPE, Response
from servers.https import Breakage, Broken, Respond

_OTHER_JSON = (b"[]", b"{}", b"null", b'"a"', b"[" * 2_000, b'{"versions":[{"version":"1.0.0"')


class Mishap(StrEnum):
    """What becomes of one answer."""

    CLOSED = "the connection is closed before a status"
    RESET = "the connection is reset before a status"
    RESET_HALFWAY = "the connection is reset in the middle of the body"
    CUT = "the body ends before its announced length"
    LONGER = "the body is longer than announced"
    TRAILING = "bytes follow what the body should be"
    BROKEN = "500"
    BURST = "503, and for the next two requests for the same thing as well"
    BUSY = "429 with Retry-After: 0"
    EMPTY = "200 with an empty body"
    HTML = "200 with a log-in page"
    OTHER_JSON = "200 with JSON of another shape"
    FLIPPED = "one bit of the body is another"


@dataclass(slots=True, kw_only=True)
class Chance:
    """Makes each answer of a server fail with a probability.

    What becomes of the n-th answer to a path depends on the seed, the path and n only, not on the order in which
    requests come.
    """

    seed: int
    probability: float
    happened: Counter[Mishap] = field(default_factory=Counter)
    _answered: Counter[str] = field(default_factory=Counter)
    _still_down: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def of(self, respond: Respond) -> Respond:
        """The same server, failing by chance."""
        return lambda host, path, headers: self._answer(path, respond(host, path, headers))

    def _answer(self, path: str, right: Response) -> Response:
        with self._one_at_a_time:
            chance = random.Random(f"{self.seed} {path} {self._answered[path]}")
            self._answered[path] += 1
            mishap = self._drawn(path, chance)
            if mishap is None:
                return right
            self.happened[mishap] += 1
        return _spoilt(right, mishap, chance)

    def _drawn(self, path: str, chance: random.Random) -> Mishap | None:
        if self._still_down[path]:
            self._still_down[path] -= 1
            return Mishap.BURST
        if chance.random() >= self.probability:
            return None
        mishap = chance.choice(tuple(Mishap))
        if mishap is Mishap.BURST:
            self._still_down[path] = 2
        return mishap


def _spoilt(right: Response, mishap: Mishap, chance: random.Random) -> Response:
    body = right.body
    match mishap:
        case Mishap.CLOSED:
            raise Broken(Breakage.CLOSE)
        case Mishap.RESET:
            raise Broken(Breakage.RESET)
        case Mishap.RESET_HALFWAY:
            raise Broken(Breakage.RESET, response=_announced(right, len(body)), after=len(body) // 2)
        case Mishap.CUT:
            raise Broken(Breakage.CLOSE, response=_announced(right, len(body)), after=chance.randrange(len(body)))
        case Mishap.LONGER:
            return _announced(right, max(len(body) - 3, 0))
        case Mishap.TRAILING:
            return Response(status=right.status, headers=right.headers, body=body + b"x" * 10)
        case Mishap.BROKEN:
            return Response.of_status(500)
        case Mishap.BURST:
            return Response.of_status(503)
        case Mishap.BUSY:
            return Response.of_status(429, headers=(("Retry-After", "0"),))
        case Mishap.EMPTY:
            return Response(headers=right.headers)
        case Mishap.HTML:
            return Response(headers=(("Content-Type", "text/html"),), body=b"<html>Log in</html>")
        case Mishap.OTHER_JSON:
            return Response(headers=(("Content-Type", JSON_TYPE),), body=chance.choice(_OTHER_JSON))
        case Mishap.FLIPPED:
            return Response(status=right.status, headers=right.headers, body=_flipped(right, chance))


def _announced(right: Response, length: int) -> Response:
    return Response(status=right.status, headers=(*right.headers, ("Content-Length", str(length))), body=right.body)


def _flipped(right: Response, chance: random.Random) -> bytes:
    body = bytearray(right.body)
    at = chance.randrange(len(body))
    body[at] ^= 1 << chance.randrange(8)
    return bytes(body)
