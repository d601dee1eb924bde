"""The recorded runs of `init` with several installation methods, and the same servers and folder for an audit."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from builders.run_results import locked
from conformance.recordings import FOLDER

from lockwarden.core.coverage.chain import ChainVerdict, chain_of
from lockwarden.core.engine.audit import AuditPlan, PlatformChoice, ReleasePlan, run_audit
from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.http.client import HttpClient
from lockwarden.core.http.settings import HttpSettings
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.network_mirror.source import NetworkMirrorSource
from lockwarden.core.sources.port import SignatureVerifierPort, Source
from lockwarden.core.sources.registry.source import RegistrySource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.versions import Version
from lockwarden.demo.mirrors import Mirrored, network_mirror_site, write_packed
from lockwarden.demo.releases import DISCOVERY, Release, registry_sites
from lockwarden.demo.responses import Response
from lockwarden.demo.transport import WorldTransport
from lockwarden.demo.world import World

ADDRESS: Final = ProviderAddress.parse("example.test/acme/widget")
MIRROR_HOST: Final = "mirror.example.test"
LINUX: Final = Platform("linux", "amd64")
RECORDED: Final[Mapping[str, Any]] = json.loads((FOLDER / "recorded_chain.json").read_bytes())
_FORM: Final = re.compile(r"(?P<methods>\S+) (?P<what>.+) lock=(?P<lock>\S+)(?P<flags>.*)")
_HAS: Final = re.compile(r"mirror has (?P<mirror>\S+) direct has (?P<direct>\S+) folder has (?P<fs>\S+) .*")
_FAULT: Final = re.compile(r"(?P<method>mirror|direct|folder) (?P<document>\S+) ?(?P<answer>.*)")
_VERSIONS: Final = ("1.2.2", "1.2.3")


@dataclass(frozen=True, kw_only=True)
class ChainRun:
    """One recorded run, by its name."""

    name: str

    def __str__(self) -> str:
        return self.name

    @cached_property
    def _parts(self) -> re.Match[str]:
        match = _FORM.fullmatch(self.name)
        assert match is not None
        return match

    @property
    def parts(self) -> tuple[str, ...]:
        """The methods, what is there or goes wrong, the locked version and the flags, in words."""
        return self._parts.groups()

    @property
    def methods(self) -> tuple[str, ...]:
        """`direct`, `mirror` and `fs` in their order."""
        return tuple(self._parts["methods"].split("+"))

    @cached_property
    def versions(self) -> Mapping[str, tuple[str, ...]]:
        """The versions that each method has."""
        if match := _HAS.fullmatch(self._parts["what"]):
            return {each: () if match[each] == "none" else (match[each],) for each in ("mirror", "direct", "fs")}
        return dict.fromkeys(("mirror", "direct", "fs"), ("1.2.3",))

    @property
    def version(self) -> str:
        """The version that `init` wants: the locked one unless it may upgrade, else the newest of any method."""
        if self._parts["lock"] != "-" and "-upgrade" not in self._parts["flags"]:
            return self._parts["lock"]
        return max(version for method in self.methods for version in self.versions[method] or _VERSIONS[:1])

    @property
    def fault(self) -> re.Match[str] | None:
        """Which document of which method is answered otherwise, and how; None where all are as they should be."""
        return None if _HAS.fullmatch(self._parts["what"]) else _FAULT.fullmatch(self._parts["what"])

    def recorded(self, client: Client) -> tuple[bool, str | None]:
        """Whether `init` succeeded, and which method the package came from."""
        said = RECORDED[self.name][client.value]
        return said["exit"] == 0, said["from"]


RUNS: Final = tuple(ChainRun(name=name) for name in RECORDED)


class ChainWorld:
    """The servers and the folder of a run."""

    def __init__(self, releases: Sequence[Release], verifier: SignatureVerifierPort) -> None:
        self.releases = {release.version: release for release in releases}
        self._verifier = verifier

    def verdicts(self, runs: Iterable[ChainRun], client: Client, folder: Path) -> dict[ChainRun, ChainVerdict]:
        """What is said of each run's chain on linux_amd64; `folder` is for a folder of each run."""

        async def all_of_them() -> dict[ChainRun, ChainVerdict]:
            return {run: await self._verdict(run, client, folder / str(at)) for at, run in enumerate(runs)}

        return asyncio.run(all_of_them())

    async def _verdict(self, run: ChainRun, client: Client, folder: Path) -> ChainVerdict:
        entry = locked(
            *(Hash(text) for package in self.releases[run.version].packages.values() for text in package.hashes)
        )
        audit = await self._audit(run, client, folder)
        (said,) = chain_of(entry, audit, settings=ClientSettings(client=client), platforms=[LINUX])
        return said

    async def _audit(self, run: ChainRun, client: Client, folder: Path) -> Audit:
        """Ask every method of the run."""
        settings = ClientSettings(client=client)
        self._write_folder(run, folder)
        transport = WorldTransport(self._world(run))
        async with (
            HttpClient(HttpSettings(), transport=transport, sleep=_no_wait, now=time.time) as http,
            PackageStore(None, now=time.time) as store,
        ):
            made: dict[str, Source] = {
                "direct": RegistrySource(http, store, self._verifier, settings),
                "mirror": NetworkMirrorSource(http, store, f"https://{MIRROR_HOST}/", settings, id="mirror"),
                "fs": FilesystemMirrorSource(folder, store, id="fs"),
            }
            release = ReleasePlan(
                address=ADDRESS, version=Version.parse(run.version), locked=frozenset(), chain=run.methods
            )
            plan = AuditPlan(
                releases=(release,),
                sources=tuple(made[each] for each in run.methods),
                platforms=PlatformChoice(wanted=frozenset({LINUX})),
            )
            (audit,) = await run_audit(plan, ignore)
            return audit

    def _world(self, run: ChainRun) -> World:
        direct = tuple(self.releases[each] for each in run.versions["direct"])
        mirror = [_mirrored(self.releases[each]) for each in run.versions["mirror"]]
        site = network_mirror_site(f"https://{MIRROR_HOST}/", mirror) if mirror else (MIRROR_HOST, {})
        world = World.of([*registry_sites(direct), site])
        fault = run.fault
        if fault is None or fault["method"] == "folder":
            return world
        host = MIRROR_HOST if fault["method"] == "mirror" else ADDRESS.hostname.ascii
        return world.with_answers(host, self._answers(fault))

    def _answers(self, fault: re.Match[str]) -> Mapping[str, Response]:
        release = self.releases["1.2.3"]
        below = f"/{ADDRESS}/"
        paths: dict[tuple[str, str], Iterable[str]] = {
            ("direct", "discovery"): [DISCOVERY],
            ("direct", "versions"): [release.versions_path],
            ("direct", "no"): [release.versions_path],
            ("direct", "download"): [release.metadata_path("linux_amd64")],
            ("direct", "sums"): [release.sums_path],
            ("direct", "signature"): [release.signature_path],
            ("direct", "package"): [release.package_path("linux_amd64")],
            ("mirror", "index"): [f"{below}index.json"],
            ("mirror", "version"): [f"{below}1.2.3.json"],
            ("mirror", "package"): [f"{below}terraform-provider-widget_1.2.3_linux_amd64.zip"],
        }
        return dict.fromkeys(paths[fault["method"], fault["document"]], _answer(fault["answer"]))

    def _write_folder(self, run: ChainRun, folder: Path) -> None:
        fault = run.fault
        answer = fault["document"] if fault is not None and fault["method"] == "folder" else ""
        if answer == "empty":
            return
        folder.mkdir()
        versions = ("1.2.2",) if answer == "older" else run.versions["fs"]
        for version in versions:
            mirrored = _mirrored(self.releases[version])
            kept = {name: each for name, each in mirrored.packages.items() if answer != "other" or name != str(LINUX)}
            write_packed(folder, [Mirrored(address=str(ADDRESS), version=version, packages=kept)])
        if answer == "junk":
            for archive in folder.rglob("*.zip"):
                archive.write_bytes(b"this is no archive")


def _answer(text: str) -> Response:
    match text:
        case "html":
            return Response(headers=(("Content-Type", "text/html"),), body=b"<html>Please log in</html>")
        case "junk":
            return Response.of_bytes(b"this is no archive")
        case "no versions":
            # A registry lists releases, a mirror gives an object of them.
            return Response.of_json({"versions": None})
        case "no archives":
            return Response.of_json({"archives": {}})
        case _:
            return Response.of_status(int(text), text="no\n")


def _mirrored(release: Release) -> Mirrored:
    return Mirrored(address=release.address, version=release.version, packages=release.packages)


async def _no_wait(seconds: float) -> None:
    await asyncio.sleep(0)
