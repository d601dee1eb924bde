"""Every recorded fault as a host of its own on one server, and an audit over each of them."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from conformance.recordings import FOLDER, Result, Run
from conformance.site import LINUX, Auditing, Tools, lock_file, reviewed
from servers.faults import OTHER_HOST, STAGES, with_fault
from servers.golden import GoldenWorld
from servers.https import Respond
from servers.journal import Request

from lockwarden.core.review.review import Review
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.port import Source
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.demo.responses import Response

MIRROR_STAGES: Final = frozenset({"index", "archives", "mirrorpackage"})
"""The stages of a network mirror; the others are an origin registry's."""
SETTINGS: Final = ClientSettings(client=Client.OPENTOFU)
ON_THE_WIRE: Final = frozenset({"truncated", "reset", "redirectother", "redirecthttp", "s500"})
"""What is about connections, and one answer; of the others the answer alone is odd, however it comes."""
_DOMAIN: Final = "example.test"
_ELSEWHERE: Final = "elsewhere-"
_MOVED: Final = "/moved"
_AT_ONCE: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One recorded fault, and what OpenTofu did in its face."""

    stage: str
    fault: str
    succeeded: bool
    requests: int
    """How often the stage was asked."""
    token_sent_to: frozenset[str]
    """Scheme and host of every server that saw a bearer token."""

    def __str__(self) -> str:
        return f"{self.stage}, {self.fault}"

    @property
    def host(self) -> str:
        """The host that misbehaves in this way. `localhost` was the client's name for it."""
        return f"{self.stage}-{self.fault}.{_DOMAIN}"

    @property
    def elsewhere(self) -> str:
        """The other host that redirects lead to."""
        return f"{_ELSEWHERE}{self.host}"

    @property
    def address(self) -> str:
        """The provider that is audited."""
        return f"{_DOMAIN if self.at_mirror else self.host}/acme/plain"

    @property
    def at_mirror(self) -> bool:
        """Whether a network mirror misbehaves, not the origin registry."""
        return self.stage in MIRROR_STAGES

    @property
    def run(self) -> Run:
        """The fault as the table of differences knows it."""
        result = Result(
            succeeded=self.succeeded, hashes=(), summary="", key_id="", crashed=False, changed=self.succeeded
        )
        return Run(client=Client.OPENTOFU, case=self.stage, name=self.fault, result=result)


FAULTS: Final = tuple(
    Fault(
        stage=stage,
        fault=fault,
        succeeded=result["exit"] == 0,
        requests=result["requests"],
        token_sent_to=frozenset(result["token_sent_to"]),
    )
    for stage, faults in json.loads((FOLDER / "recorded_faults.json").read_bytes())["faults"].items()
    for fault, result in faults.items()
)


def faulty_world() -> Respond:
    """A server that misbehaves by the name of the host that is asked for."""
    right = GoldenWorld().respond
    faulty = {fault.host: with_fault(right, stage=fault.stage, fault=fault.fault) for fault in FAULTS}

    def respond(host: str, path: str, headers: Mapping[str, str]) -> Response:
        home = host.removeprefix(_ELSEWHERE)
        answer = faulty[home](host, path, headers)
        moved = tuple((name, value.replace(OTHER_HOST, f"{_ELSEWHERE}{home}")) for name, value in answer.headers)
        return dataclasses.replace(answer, headers=moved)

    return respond


def token_of(host: str) -> str:
    """A token for every host, told apart by it."""
    return f"token-of-{host}"


async def face_all(world: Auditing, faults: Iterable[Fault]) -> dict[Fault, Review]:
    """Audit over each fault, several at the same time: a lock file whose one entry has no hashes."""
    slots = asyncio.Semaphore(_AT_ONCE)

    async def face(fault: Fault) -> Review:
        empty = lock_file({fault.address: ()}, client=SETTINGS.client)

        def source(tools: Tools) -> Source:
            if fault.at_mirror:
                return NetworkMirrorSource(tools.http, tools.store, f"https://{fault.host}/mirror/both/", SETTINGS)
            return RegistrySource(tools.http, tools.store, tools.verifier, SETTINGS)

        async with slots:
            audits = await world.audits(empty, source, settings=SETTINGS, credentials=token_of)
        return reviewed(empty, audits, settings=SETTINGS, platforms=[LINUX])

    async with asyncio.TaskGroup() as group:
        tasks = {fault: group.create_task(face(fault)) for fault in faults}
    return {fault: task.result() for fault, task in tasks.items()}


def by_fault(journal: Iterable[Request]) -> dict[Fault, tuple[Request, ...]]:
    """What each fault's audit asked, at its host and elsewhere. Raises KeyError for any other host."""
    whose = {host: fault for fault in FAULTS for host in (fault.host, fault.elsewhere)}
    asked: dict[Fault, list[Request]] = {fault: [] for fault in FAULTS}
    for request in journal:
        asked[whose[request.host]].append(request)
    return {fault: tuple(requests) for fault, requests in asked.items()}


def asked_at_stage(fault: Fault, requests: tuple[Request, ...]) -> int:
    """How often the stage was asked, for the platform that the client asked for."""
    paths = [request.path.partition("?")[0].removeprefix(_MOVED) for request in requests]
    return sum(bool(STAGES[fault.stage].search(path)) for path in paths if not _of_another_platform(path))


def _of_another_platform(path: str) -> bool:
    return "/download/" in path and not path.endswith("/linux/amd64")
