"""Makes a server misbehave at one stage of the protocol, in the ways of `tests/conformance/recorded_faults.json`."""

from __future__ import annotations

import gzip
import itertools
import json
import re
from collections.abc import Mapping
from typing import Any

from lockwarden.demo.world import Response
from servers.https import Breakage, Broken, Respond

STAGES: Mapping[str, re.Pattern[str]] = {
    "versions": re.compile(r"^/v1/.*/versions$"),
    "metadata": re.compile(r"^/v1/.*/download/"),
    "sums": re.compile(r"SHA256SUMS$"),
    "signature": re.compile(r"SHA256SUMS\.sig$"),
    "package": re.compile(r"\.zip$"),
    "index": re.compile(r"/index\.json$"),
    "archives": re.compile(r"/\d+\.\d+\.\d+\.json$"),
    "mirrorpackage": re.compile(r"\.zip$"),
}
"""Stage → the paths (without a query) that belong to it."""
OTHER_HOST = "elsewhere.example.test"
"""Where redirects to another host lead; it serves the same files."""
_MOVED = "/moved"


def with_fault(respond: Respond, *, stage: str, fault: str) -> Respond:
    """The same server with one fault at one stage; everything else is answered as before.

    A redirect's target answers rightly, so that who follows it succeeds; a loop leads to the same path again. A
    redirect to plain HTTP leads to the same host name, which through the tests' proxy is refused and noted there.
    """
    count = itertools.count()

    def answer(host: str, path: str, headers: Mapping[str, str]) -> Response:
        bare = path.partition("?")[0]
        if bare.startswith(_MOVED):
            return respond(host, bare.removeprefix(_MOVED), headers)
        right = respond(host, path, headers)
        return _faulty(fault, right, host, bare, next(count)) if STAGES[stage].search(bare) else right

    return answer


def _faulty(fault: str, right: Response, host: str, path: str, before: int) -> Response:
    """The faulty answer; `before` is how often this stage was asked before."""
    if match := re.fullmatch(r"s(\d{3})", fault):
        return Response(status=int(match[1]), headers=right.headers, body=b"" if match[1] == "204" else right.body)
    if match := re.fullmatch(r"s?(\d{3})once", fault):
        return right if before else Response(status=int(match[1]), headers=(("Retry-After", "0"),))
    if fault.startswith("redirect"):
        return Response(status=302, headers=(("Location", _location(fault, host, path)),))
    match fault:
        case "html":
            return Response(headers=(("Content-Type", "text/html"),), body=b"<html><body>Sign in</body></html>")
        case "texttype":
            return Response(headers=(("Content-Type", "text/plain"),), body=right.body)
        case "notype":
            return Response(body=right.body)
        case "typewithcharset":
            return Response(headers=(("Content-Type", "application/json; charset=utf-8"),), body=right.body)
        case "truncated":
            raise Broken(Breakage.CLOSE, response=right, after=len(right.body) // 2)
        case "reset":
            raise Broken(Breakage.RESET)
        case "gzip":
            return Response(headers=(*right.headers, ("Content-Encoding", "gzip")), body=gzip.compress(right.body))
    return Response(headers=right.headers, body=_body(fault, right))


def _location(fault: str, host: str, path: str) -> str:
    match fault:
        case "redirect":
            return f"{_MOVED}{path}"
        case "redirectother":
            return f"https://{OTHER_HOST}{_MOVED}{path}"
        case "redirecthttp":
            return f"http://{host}{_MOVED}{path}"
        case "redirectloop":
            return path
        case "redirectnowhere":
            return "file:///etc/hostname"
    raise ValueError(f"no such fault: {fault}")


def _body(fault: str, right: Response) -> bytes:
    match fault:
        case "empty":
            return b""
        case "badjson":
            return b'{"versions": ['
        case "array":
            return b"[]"
        case "trailing":
            return right.body + b"trailing"
        case "longer":
            return right.body + bytes(10)
        case "uppercasekeys":
            return _in_upper_case(right)
    raise ValueError(f"no such fault: {fault}")


def _in_upper_case(right: Response) -> bytes:
    """The same JSON with its property names in upper case; names that are data stay, and other bodies too."""
    if ("Content-Type", "application/json") not in right.headers:
        return right.body

    def raised(value: Any) -> Any:
        if isinstance(value, list):
            return [raised(item) for item in value]
        if isinstance(value, dict):
            return {name if _is_data(name) else name.upper(): raised(item) for name, item in value.items()}
        return value

    return json.dumps(raised(json.loads(right.body))).encode()


def _is_data(name: str) -> bool:
    """Whether a property's name is a version, a platform or a hash, not a word of the protocol."""
    return bool(re.fullmatch(r"\d+\.\d+\.\d+|(linux|darwin|windows)_\w+|zh:[0-9a-f]+", name))
