"""A right provider in a scripted registry, and what became of it in an audit."""

from __future__ import annotations

from typing import Any

from builders.mirrors import LINUX, h1, zh
from contract.oci.asking import Asking
from contract.oci.kinds import Shelf
from servers.https import Respond

from lockwarden.core.evidence.source_answers import SourceAnswer

NAME = "mirror/plain"
TAG = f"/v2/{NAME}/manifests/1.2.3"


def provider_shelf() -> Shelf:
    shelf = Shelf()
    shelf.provider()
    return shelf


def codes(answer: SourceAnswer) -> list[str]:
    return [problem.code for problem in answer.problems]


def hashed(answer: SourceAnswer) -> bool:
    package = answer.package(LINUX)
    return package is not None and package.hashes == frozenset({zh(LINUX), h1(LINUX)})


def served(asking: Asking, respond: Respond, **options: Any) -> SourceAnswer:
    asking.server.serve(respond)
    return asking.ask(**options)
