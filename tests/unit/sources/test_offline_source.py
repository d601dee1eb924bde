"""What is not asked because nothing may be asked, and what is fetched again although it is there."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
from builders.audits import ADDRESS, LINUX, MIRROR, ORIGIN, VERSION, audit, zh
from builders.stored_packages import receive

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.engine.network import opened_network
from lockwarden.core.engine.options import AuditOptions
from lockwarden.core.engine.runtime import Runtime
from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer, SourceRef
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.verdicts import Verdict, judge_locked
from lockwarden.core.sources.offline import OfflineSource
from lockwarden.core.store.fresh_packages import FreshPackageStore
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.clients import ClientSettings


def finding_of(ref: SourceRef) -> SourceAnswer:
    async def run() -> SourceAnswer:
        release = await OfflineSource(ref).open(ADDRESS, VERSION, platforms=[LINUX], report=ignore)
        await release.check(LINUX)
        return release.source_answer()

    return asyncio.run(run())


def test_a_source_that_may_not_be_asked_says_so_and_has_no_problem() -> None:
    answer = finding_of(MIRROR)
    assert (answer.source, answer.outcome, answer.problems) == (MIRROR, Outcome.NOT_ASKED, ())
    assert "offline" in answer.detail


def test_nor_is_anything_asked_where_the_network_was_opened_all_the_same() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError(f"{request.url} was asked")

    options = AuditOptions(sources=(), platforms=PlatformChoice(wanted=frozenset({LINUX})), offline=True)
    runtime = Runtime(
        environ=dict(os.environ),
        cache_folder=None,
        transport=httpx.MockTransport(answer),
        now=lambda: datetime.now(UTC),
    )

    async def run() -> SourceAnswer:
        async with (
            PackageStore(None, now=time.time) as store,
            opened_network(options, runtime, store, ignore) as network,
        ):
            mirror = network.network_mirror(MIRROR, None, ClientSettings())
            return (await mirror.open(ADDRESS, VERSION, platforms=[LINUX], report=ignore)).source_answer()

    found = asyncio.run(run())
    assert (found.outcome, "--offline" in found.detail) == (Outcome.NO_ANSWER, True)


def test_what_the_origin_could_settle_stays_unchecked() -> None:
    judgement = judge_locked(zh("a"), Evidence(audit(finding_of(ORIGIN))))
    assert judgement.verdict is Verdict.UNCHECKED


def test_a_fresh_store_gives_out_what_arrived_in_its_own_time_and_nothing_older(tmp_path: Path) -> None:
    async def bytes_of_a_package() -> AsyncIterator[bytes]:
        yield b"not even an archive"

    async def run() -> tuple[bool, bool, bool]:
        async with FreshPackageStore(tmp_path, now=time.time) as fresh:
            stored = await receive(fresh, bytes_of_a_package(), declared_size=None)
            own = await fresh.find(stored.zh) is not None
        async with FreshPackageStore(tmp_path, now=time.time) as next_one:
            older = await next_one.find(stored.zh) is not None
        async with PackageStore(tmp_path, now=time.time) as later:
            return own, older, await later.find(stored.zh) is not None

    assert asyncio.run(run()) == (True, False, True)
