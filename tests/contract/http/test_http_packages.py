"""Packages through the HTTP client into a real package store, from a server that misbehaves half-way."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

import httpx
import pytest
from builders.zips import Entry, Zip, plain
from contract.faulty_server import Answer, End
from contract.http_world import Run, World

from lockwarden.core.evidence.events import BytesArrived, RequestEnded, RequestSent
from lockwarden.core.http.downloads import download
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError, SourceError, Stage
from lockwarden.core.values.hashes import Hash, zh_of_digest

NOISE = Entry(name="noise", content=hashlib.shake_256(b"seed").digest(300_000))
PACKAGE = Zip(entries=plain(NOISE)).bytes()
ZIP = Answer(headers={"Content-Type": "application/zip"}, body=PACKAGE)
HALF = len(PACKAGE) // 2


@asynccontextmanager
async def store_in(folder: Path) -> AsyncIterator[PackageStore]:
    async with PackageStore(folder, now=time.time) as store:
        yield store


async def fetch(world: World, folder: Path, url: str, received: list[int] | None = None) -> StoredPackage:
    async with PackageStore(folder, now=time.time) as store:
        return await download(
            world.client,
            url,
            store,
            on_bytes=(received if received is not None else []).append,
            promised=frozenset({zh_of_digest(hashlib.sha256(PACKAGE).digest())}).__contains__,
        )


async def fetch_fails(world: World, folder: Path, url: str) -> SourceError:
    with pytest.raises((NoAnswerError, BadAnswerError)) as caught:
        await fetch(world, folder, url)
    assert caught.value.stage is Stage.PACKAGE
    assert [path for path in folder.rglob("*") if not path.is_dir()] == []
    return caught.value


def test_a_package_is_fetched_hashed_and_stored(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        received: list[int] = []
        package = await fetch(world, tmp_path, world.server.on("/a.zip", ZIP), received)
        assert (package.zh.value, package.size) == (hashlib.sha256(PACKAGE).hexdigest(), len(PACKAGE))
        assert package.facts is not None
        assert package.facts.members == 3
        assert received == sorted(received)
        assert received[-1] == len(PACKAGE)
        (request,) = world.server.requests
        assert request.authorization is None
        assert request.headers["accept-encoding"] == "identity"

    run(scenario, credentials=lambda host: "s3cret")


@pytest.mark.parametrize(
    "answer",
    [
        replace(ZIP, chunked=True),
        replace(ZIP, length=-1, end=End.CLOSE),
        Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(PACKAGE)),
        Answer(headers={"Content-Encoding": "identity"}, body=PACKAGE),
        Answer(headers={"Content-Encoding": "aws-chunked"}, body=PACKAGE),
        Answer(headers={"Content-Encoding": "gzip\r\nContent-Encoding: identity"}, body=gzip.compress(PACKAGE)),
        replace(ZIP, headers={"Content-Length": "7"}, chunked=True),
        replace(ZIP, body=PACKAGE + b"more", length=len(PACKAGE), end=End.CLOSE),
    ],
    ids=[
        "chunked",
        "until the end",
        "gzip",
        "identity",
        "an encoding that nobody undoes",
        "gzip and another header",
        "chunked with a length",
        "more than announced",
    ],
)
def test_however_it_is_sent_the_package_is_the_same(answer: Answer, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, world.server.on("/a.zip", answer))
        assert package.zh.value == hashlib.sha256(PACKAGE).hexdigest()

    run(scenario)


@pytest.mark.parametrize("first", [Answer(status=503), Answer(status=429), Answer(raw=b"", end=End.RESET)])
def test_a_failure_before_the_package_begins_is_tried_again(first: Answer, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, world.server.on("/a.zip", first, first, ZIP))
        assert package.size == len(PACKAGE)
        assert world.waits == [1.0, 2.0]
        assert all(event.stage is Stage.PACKAGE for event in world.retries)

    run(scenario)


def test_every_request_is_told_with_its_host_until_it_has_ended_and_what_arrives(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        cut = replace(ZIP, body=PACKAGE[:HALF], length=len(PACKAGE), end=End.CLOSE)
        await fetch(world, tmp_path, world.server.on("/a.zip", Answer(status=503), cut, ZIP) + "?token=s3cret")
        sent = [event for event in world.events if isinstance(event, RequestSent)]
        ended = [event.number for event in world.events if isinstance(event, RequestEnded)]
        assert [event.number for event in sent] == ended == [1, 2, 3]
        assert {(event.host, event.stage) for event in sent} == {(world.retries[0].host, Stage.PACKAGE)}
        assert "s3cret" not in str(world.events)
        bytes_of = {
            number: [(each.received, each.total) for each in world.events if _are_of(each, number)] for number in ended
        }
        assert bytes_of[1] == []
        assert bytes_of[2][-1] == (HALF, len(PACKAGE))
        assert bytes_of[3][-1] == (len(PACKAGE), len(PACKAGE))
        assert bytes_of[3] == sorted(bytes_of[3])

    run(scenario)


def _are_of(event: object, number: int) -> TypeGuard[BytesArrived]:
    return isinstance(event, BytesArrived) and event.number == number


@pytest.mark.parametrize("end", [End.RESET, End.CLOSE])
def test_a_transfer_that_breaks_off_begins_anew(end: End, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        cut = replace(ZIP, body=PACKAGE[:HALF], length=len(PACKAGE), end=end)
        package = await fetch(world, tmp_path, world.server.on("/a.zip", cut, ZIP))
        assert package.zh.value == hashlib.sha256(PACKAGE).hexdigest()
        assert world.waits == [1.0]
        assert [path.name for path in (tmp_path / "packages").iterdir()] == [f"{package.zh.value}.zip"]

    run(scenario)


FAILING: dict[str, tuple[Answer, type[SourceError], str, int]] = {
    "always busy": (Answer(status=503), NoAnswerError, "http-status", 3),
    "always reset": (Answer(raw=b"", end=End.RESET), NoAnswerError, "connection-reset", 3),
    "always reset half-way": (replace(ZIP, length=10**6, end=End.RESET), NoAnswerError, "connection-reset", 3),
    "always cut": (replace(ZIP, length=10**6, end=End.CLOSE), BadAnswerError, "short-body", 3),
    "cut gzip": (
        Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(PACKAGE)[:-20]),
        BadAnswerError,
        "short-body",
        3,
    ),
    "not there": (Answer(status=404), BadAnswerError, "http-status", 1),
    "gone": (Answer(status=410), BadAnswerError, "http-status", 1),
    "a part": (replace(ZIP, status=206), BadAnswerError, "http-status", 1),
    "created": (replace(ZIP, status=201), BadAnswerError, "http-status", 1),
    "unauthorised": (Answer(status=401), NoAnswerError, "http-status", 1),
    "forbidden": (Answer(status=403), NoAnswerError, "http-status", 1),
    "not implemented": (Answer(status=501), NoAnswerError, "http-status", 1),
    "to plain http": (
        Answer(status=302, headers={"Location": "http://localhost/a.zip"}),
        NoAnswerError,
        "redirect-refused",
        1,
    ),
    "in a circle": (Answer(status=302, headers={"Location": "/a.zip"}), NoAnswerError, "too-many-redirects", 10),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_package_that_cannot_be_had_is_a_typed_error_and_leaves_nothing(name: str, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        answer, kind, code, requests = FAILING[name]
        error = await fetch_fails(world, tmp_path, world.server.on("/a.zip", answer) + "?signature=s3cret")
        assert (type(error), error.code, len(world.server.requests)) == (kind, code, requests)
        assert "s3cret" not in error.message
        assert ("(3 attempts)" in error.message) == (requests == 3)
        if code == "http-status":
            place = f"localhost:{world.server.port}" if requests == 3 else world.server.url("/a.zip")
            assert f"{place} answered {answer.status} " in error.message

    run(scenario)


def test_a_page_instead_of_a_package_has_its_hash_and_says_what_it_is(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        page = Answer(headers={"Content-Type": "text/html"}, body=b"<!doctype html>Sign in")
        package = await fetch(world, tmp_path, world.server.on("/a.zip", page))
        assert package.zh.value == hashlib.sha256(b"<!doctype html>Sign in").hexdigest()
        assert package.archive_error is not None
        assert package.archive_error.code == "html"

    run(scenario)


@pytest.mark.parametrize(
    "answer", [Answer(raw=b"", end=End.STALL), replace(ZIP, body=PACKAGE[:HALF], length=len(PACKAGE), end=End.STALL)]
)
def test_a_package_that_stalls_is_given_up(answer: Answer, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        error = await fetch_fails(world, tmp_path, world.server.on("/a.zip", answer))
        assert (type(error), error.code, world.waits) == (NoAnswerError, "timeout", [1.0])

    run(scenario, package_stall=0.4, package_retries=1)


def test_a_package_that_drips_runs_out_of_time_and_is_not_tried_again(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        error = await fetch_fails(world, tmp_path, world.server.on("/a.zip", Answer(length=10**6, end=End.DRIP)))
        assert (type(error), error.code, world.waits) == (NoAnswerError, "too-slow", [])
        assert "did not come to its end in 0.3 seconds" in error.message

    run(scenario, package_timeout=0.3)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(length=10**6, end=End.DRIP),
        Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(PACKAGE)[:4], length=10**6, end=End.STALL),
    ],
)
def test_a_package_that_comes_below_the_lowest_rate_is_given_up_at_once(
    answer: Answer, run: Run, tmp_path: Path
) -> None:
    async def scenario(world: World) -> None:
        error = await fetch_fails(world, tmp_path, world.server.on("/a.zip", answer))
        assert (type(error), error.code, world.waits) == (NoAnswerError, "too-slow", [])
        assert "sent fewer than 100000 bytes in 0.3 seconds, which is the lowest rate" in error.message

    run(scenario, package_window=0.3, package_least=100_000)


def test_what_no_document_promised_is_hashed_and_not_kept(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a.zip", ZIP)
        other = Hash(f"zh:{'0' * 64}")
        async with PackageStore(tmp_path, now=time.time) as store:
            assert (await download(world.client, url, store)).zh == (
                await download(world.client, url, store, expected=other)
            ).zh
            assert [*(tmp_path / "packages").iterdir()] == []
            kept = await download(world.client, url, store, expected=zh_of_digest(hashlib.sha256(PACKAGE).digest()))
            assert [*(tmp_path / "packages").iterdir()] == [kept.path]

    run(scenario)


def test_a_package_that_comes_compressed_is_cut_at_what_was_promised(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        packed = Answer(headers={"Content-Encoding": "gzip"}, body=gzip.compress(PACKAGE))
        url = world.server.on("/a.zip", packed)
        async with PackageStore(tmp_path, now=time.time) as store:
            assert (await download(world.client, url, store, promised_size=len(PACKAGE))).size == len(PACKAGE)
            with pytest.raises(BadAnswerError, match=f"more than {len(PACKAGE) - 1} bytes") as caught:
                await download(world.client, url, store, promised_size=len(PACKAGE) - 1)
        assert caught.value.code == "long-body"

    run(scenario)


def test_a_head_that_drips_runs_out_of_time(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        error = await fetch_fails(world, tmp_path, world.server.on("/a.zip", Answer(raw=b"HTTP", end=End.DRIP)))
        assert (type(error), error.code) == (NoAnswerError, "timeout")

    run(scenario, package_stall=0.5, package_retries=0)


def test_a_cancelled_download_leaves_nothing_and_frees_its_place(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        begun = asyncio.Event()
        slow = world.server.on("/slow.zip", replace(ZIP, length=10**6, end=End.STALL))
        async with PackageStore(tmp_path, now=time.time) as store:
            task = asyncio.ensure_future(download(world.client, slow, store, on_bytes=lambda _: begun.set()))
            await begun.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert list((tmp_path / "packages").iterdir()) == []
            assert (await download(world.client, world.server.on("/a.zip", ZIP), store)).size == len(PACKAGE)

    run(scenario, packages_per_host=1)


def test_a_stream_tells_its_status_size_and_way(run: Run) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/b.zip", ZIP)
        url = world.server.on("/a.zip", Answer(status=503), Answer(status=302, headers={"Location": "/b.zip?s=1"}))
        async with world.stream_package(url) as stream:
            assert (stream.status, stream.declared_size, stream.content_type) == (200, len(PACKAGE), "application/zip")
            assert (stream.url, stream.redirects) == (world.server.url("/b.zip"), (url,))
            assert b"".join([chunk async for chunk in stream.chunks]) == PACKAGE

    run(scenario)


def test_a_stream_that_is_left_early_closes_its_connection(run: Run) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a.zip", ZIP)
        for _ in range(3):
            async with world.stream_package(url) as stream:
                assert await anext(stream.chunks)
        assert len(world.server.requests) == 3

    run(scenario, packages_per_host=1)


def test_a_document_does_not_wait_for_packages_of_the_same_host(run: Run) -> None:
    async def scenario(world: World) -> None:
        slow = world.server.on("/slow.zip", replace(ZIP, length=10**6, end=End.STALL))
        async with world.stream_package(slow):
            assert (await world.get(world.server.on("/a", ZIP), limit=10**6)).status == 200

    run(scenario, packages_per_host=1, documents_per_host=1)


def test_no_header_of_thousands_is_looked_up_for_its_own_sake(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look-up goes through all of them, so that thousands would take minutes."""
    looked_up: list[str] = []
    usual = httpx.Headers.__getitem__

    def counted(headers: httpx.Headers, name: str) -> str:
        looked_up.append(name)
        return usual(headers, name)

    async def scenario(world: World) -> None:
        monkeypatch.setattr(httpx.Headers, "__getitem__", counted)
        many = {f"Many-{number}": "" for number in range(2_000)}
        url = world.server.on("/many.zip", replace(ZIP, headers={**ZIP.headers, **many}))
        assert (await fetch(world, tmp_path, url)).size == len(PACKAGE)
        assert (await world.get(world.server.on("/many", Answer(headers=many)))).headers["many-1999"] == ""

    run(scenario)
    assert not [name for name in looked_up if name.lower().startswith("many-")]
