"""Audits that are recorded and answered again, in this process; and bundles that somebody has changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import msgspec
from msgspec.structs import replace

from builders.reading import parse
from lockwarden.core.bundles.archive import read_bundle, written
from lockwarden.core.bundles.model import Bundle, BundleRecord
from lockwarden.core.bundles.replaying import Replayer
from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.evidence_recording import made_bundle, recorder_for
from lockwarden.core.engine.lock_files import Loaded
from lockwarden.core.engine.many_files import audit_files
from lockwarden.core.engine.opened_evidence import OpenedEvidence
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.engine.source_spelling import SourceSpec
from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.recorded import RecordedEvidence
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.result import RunResult
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.platforms import Platform

LINUX = Platform("linux", "amd64")
MADE = datetime(2026, 11, 1, 12, tzinfo=UTC)
_COMPUTED = re.compile(r"computed on \S+ from (.*?) by whoever made the evidence, and not here")
_MATCHED = re.compile(
    r"\bmatch(?:es)? bytes of \S+ with the digest that the source promises, which were not fetched again"
)
_PLACE = re.compile(r"(?<![\w:/.-])/[^\s“”]+")
_OF_AGE = frozenset({"computed_on", "recorded", "evidence", "configuration", "location", "credentials", "token_hosts"})
"""Members that say when, where folders lie, and which secrets were sent to whom: none is."""


def loaded_of(text: str, standards: Standards = NO_STANDARDS, path: str = "infra/.terraform.lock.hcl") -> Loaded:
    return Loaded(path=path, lock_file=parse(text.encode(), path=path), problems=(), standards=standards)


@dataclass(frozen=True, kw_only=True)
class Case:
    """Lock files, and the runtime that they are audited in."""

    loaded: tuple[Loaded, ...]
    options: AuditOptions
    runtime: Runtime

    @classmethod
    def of(
        cls,
        loaded: Iterable[Loaded],
        transport: httpx.AsyncBaseTransport,
        *sources: SourceSpec,
        platforms: PlatformChoice | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> Case:
        options = AuditOptions(
            sources=sources,
            platforms=platforms or PlatformChoice(wanted=frozenset({LINUX}), explain=True),
            keep_cache=False,
        )
        runtime = Runtime(environ={"PATH": os.environ["PATH"]}, now=now, cache_folder=None, transport=transport)
        return cls(loaded=tuple(loaded), options=options, runtime=runtime)

    def held_against(self, standards: Standards) -> Case:
        """The same lock files under another policy."""
        loaded = tuple(replace(each, standards=standards) for each in self.loaded)
        return Case(loaded=loaded, options=self.options, runtime=self.runtime)

    def recorded(self) -> tuple[RunResult, bytes]:
        """The audit over the network, and the bundle of it."""
        recorder = recorder_for(self.options, self.runtime, Path.cwd())
        result = asyncio.run(audit_files(self.loaded, self.options, replace(self.runtime, recorder=recorder), ignore))
        return result, made_bundle(recorder, self.loaded, self.options.platforms, self.runtime, tool="1.2.3")

    def answered(self, data: bytes, *, signer: str = "", fingerprint: str = "") -> RunResult:
        """The audit that a bundle answers, which `signer` vouches for."""
        evidence = opened(data, signer=signer, fingerprint=fingerprint)
        # Nothing may be asked: whatever reached the transport would fail.
        place = replace(self.runtime, transport=None).answered_by(evidence)
        options = evidence.options(self.options, platforms_named=False)
        return asyncio.run(audit_files(self.loaded, options, place, ignore))


def opened(data: bytes, *, signer: str = "", fingerprint: str = "") -> OpenedEvidence:
    replayer = Replayer(read_bundle(data, "evidence.tar"), "evidence.tar")
    recorded = RecordedEvidence(
        digest=replayer.digest,
        made=replayer.made,
        age=timedelta(days=3),
        tool=replayer.tool,
        signer=signer,
        fingerprint=fingerprint,
        doubt="" if signer else "nobody has signed it",
    )
    return OpenedEvidence(name="evidence.tar", replayer=replayer, recorded=recorded)


def but_for_age(result: RunResult) -> Any:
    """The JSON report without what tells that, and when, it was recorded, and where folders lie."""
    return ageless(json.loads(json_report(result)))


def ageless(value: Any) -> Any:
    """A JSON report without the same."""
    match value:
        case dict():
            return {name: ageless(each) for name, each in value.items() if name not in _OF_AGE}
        case list():
            told = (each for each in value if not (isinstance(each, str) and each.startswith("recorded on ")))
            return [ageless(each) for each in told]
        case str():
            same = _MATCHED.sub("match", _COMPUTED.sub(r"computed here from \1", value)).replace("matches", "match")
            return _PLACE.sub("(a local path)", same)
        case _:
            return value


def verdicts(result: RunResult) -> dict[str, Verdict]:
    """Provider and hash to verdict, of all lock files."""
    return {
        f"{provider.address} {row.hash}": row.verdict
        for review in result.reviews
        for provider in review.providers
        for row in provider.rows
    }


def confirmed(result: RunResult) -> set[str]:
    return {name for name, verdict in verdicts(result).items() if verdict is Verdict.CONFIRMED}


def resealed(bundle: Bundle, change: Callable[[Any], None], *bodies: tuple[bytes, bytes]) -> bytes:
    """The bundle with its document changed as a value, and parts of its documents replaced, all digests made right."""
    raw = json.loads(msgspec.json.encode(bundle.record))
    change(raw)
    contents: dict[str, bytes] = {}
    for document in raw["documents"]:
        for heard in document["heard"]:
            if "answer" in heard:
                body = bundle.documents[heard["answer"]["body"]]
                for old, new in bodies:
                    body = body.replace(old, new)
                digest = hashlib.sha256(body).hexdigest()
                heard["answer"]["body"] = digest
                contents[digest] = body
    return written(msgspec.convert(raw, BundleRecord), contents)
