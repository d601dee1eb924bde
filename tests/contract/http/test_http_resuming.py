"""A package that breaks off goes on where it stopped, but never with the bytes of another one."""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from pathlib import Path

import pytest
from builders.registry_metadata import h1_by_hand
from builders.zips import Zip, plain
from contract.faulty_server import Answer, End
from contract.http_world import Run, World

from lockwarden.core.http.downloads import download
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.packages_on_disk import StoredPackage
from lockwarden.core.values.errors import BadAnswerError, NoAnswerError
from lockwarden.core.values.hashes import Hash

PACKAGE = Zip(entries=plain()).bytes()
HALF = len(PACKAGE) // 2
OTHER = bytes(len(PACKAGE))
TAG = '"a1"'
WHOLE = Answer(headers={"ETag": TAG, "Content-Type": "application/zip"}, body=PACKAGE)
BROKEN = replace(WHOLE, body=PACKAGE[:HALF], length=len(PACKAGE), end=End.CLOSE)


def zh(data: bytes) -> Hash:
    return Hash(f"zh:{hashlib.sha256(data).hexdigest()}")


def rest(data: bytes = PACKAGE, *, tag: str = TAG, said: str = "", start: int = HALF) -> Answer:
    place = said or f"bytes {start}-{len(data) - 1}/{len(data)}"
    return Answer(status=206, headers={"ETag": tag, "Content-Range": place}, body=data[start:])


async def fetch(world: World, folder: Path, *answers: Answer, expected: Hash | None = None) -> StoredPackage:
    async with PackageStore(folder, now=time.time) as store:
        return await download(world.client, world.server.on("/a.zip", *answers), store, expected=expected)


def ranges(world: World) -> list[tuple[str | None, str | None]]:
    return [(each.headers.get("range"), each.headers.get("if-range")) for each in world.server.requests]


@pytest.mark.parametrize("end", [End.CLOSE, End.RESET, End.STALL])
def test_a_broken_transfer_goes_on_where_it_stopped(end: End, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, replace(BROKEN, end=end), rest(), expected=zh(PACKAGE))
        assert package.zh == zh(PACKAGE)
        assert package.facts is not None
        (_, second) = ranges(world)
        assert second[1] == TAG
        assert second[0] == f"bytes={HALF}-"

    run(scenario, package_stall=2.0)


def test_it_goes_on_more_than_once(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        again = rest()
        broken = replace(again, body=again.body[:10], length=len(again.body), end=End.CLOSE)
        package = await fetch(world, tmp_path, BROKEN, broken, rest(start=HALF + 10), expected=zh(PACKAGE))
        assert package.zh == zh(PACKAGE)
        assert [each[0] for each in ranges(world)] == [None, f"bytes={HALF}-", f"bytes={HALF + 10}-"]

    run(scenario)


@pytest.mark.parametrize("tag", ["", 'W/"a1"', "a1", '"a\tb"'])
def test_without_a_strong_tag_it_begins_anew(tag: str, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, replace(BROKEN, headers={"ETag": tag} if tag else {}), WHOLE)
        assert package.zh == zh(PACKAGE)
        assert ranges(world) == [(None, None), (None, None)]

    run(scenario)


def test_where_the_server_does_not_know_how_long_it_is_it_begins_anew(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        broken = replace(WHOLE, body=PACKAGE[:HALF], chunked=True, end=End.CLOSE)
        assert (await fetch(world, tmp_path, broken, WHOLE)).zh == zh(PACKAGE)
        assert ranges(world) == [(None, None), (None, None)]

    run(scenario)


def test_a_server_that_has_another_package_by_now_gives_all_of_it(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, BROKEN, replace(WHOLE, headers={"ETag": '"b2"'}, body=OTHER))
        assert package.zh == zh(OTHER)

    run(scenario)


@pytest.mark.parametrize(
    "answer",
    [
        rest(tag='"b2"'),
        rest(tag=""),
        rest(said=f"bytes 0-{len(PACKAGE) - 1}/{len(PACKAGE)}"),
        rest(said=f"bytes {HALF}-{len(PACKAGE)}/{len(PACKAGE) + 1}"),
        rest(said=f"bytes {HALF}-{len(PACKAGE) - 1}/*"),
        rest(said="none"),
        replace(rest(), body=b"short"),
        Answer(status=416),
    ],
)
def test_an_answer_that_is_not_the_rest_is_never_glued_on(answer: Answer, run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, BROKEN, answer, WHOLE)
        assert package.zh == zh(PACKAGE)
        assert [each[0] for each in ranges(world)] == [None, f"bytes={HALF}-", None]

    run(scenario)


def test_the_rest_from_another_place_is_never_glued_on(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        world.server.on("/first.zip", BROKEN)
        world.server.on("/second.zip", rest(OTHER), replace(WHOLE, body=OTHER))
        to_first, to_second = (Answer(status=302, headers={"Location": f"/{name}.zip"}) for name in ("first", "second"))
        package = await fetch(world, tmp_path, to_first, to_second)
        assert package.zh == zh(OTHER)

    run(scenario)


def test_a_whole_that_nobody_promised_is_fetched_in_one_piece(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, BROKEN, rest(OTHER), WHOLE, expected=zh(PACKAGE))
        assert package.zh == zh(PACKAGE)
        assert [each[0] for each in ranges(world)] == [None, f"bytes={HALF}-", None]

    run(scenario)


@pytest.mark.parametrize("listed", ["nothing", "zh", "h1"])
def test_so_is_one_where_only_hashes_beside_it_are_listed(listed: str, run: Run, tmp_path: Path) -> None:
    h1 = Hash(h1_by_hand({each.raw_name.decode(): each.content for each in plain()}))
    promised = {"nothing": frozenset[Hash](), "zh": frozenset({zh(PACKAGE)}), "h1": frozenset({h1})}[listed]

    async def scenario(world: World) -> None:
        url = world.server.on("/a.zip", BROKEN, rest(OTHER), WHOLE)
        async with PackageStore(tmp_path, now=time.time) as store:
            mixed = await download(world.client, url, store, promised=promised.__contains__)
        assert mixed.zh == zh(PACKAGE)
        assert [each[0] for each in ranges(world)] == [None, f"bytes={HALF}-", None]
        world.server.requests.clear()
        url = world.server.on("/a.zip", BROKEN, rest(), WHOLE)
        async with PackageStore(tmp_path, now=time.time) as store:
            assert (await download(world.client, url, store, promised=promised.__contains__)).zh == zh(PACKAGE)
        assert len(world.server.requests) == (3 if listed == "nothing" else 2)

    run(scenario)


def test_other_bytes_that_came_in_one_piece_are_fetched_once(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        package = await fetch(world, tmp_path, replace(WHOLE, body=OTHER), expected=zh(PACKAGE))
        assert package.zh == zh(OTHER)
        assert len(world.server.requests) == 1

    run(scenario)


def test_resuming_ends_with_the_budget_and_leaves_nothing(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        with pytest.raises((NoAnswerError, BadAnswerError), match="2 attempts"):
            await fetch(world, tmp_path, BROKEN, Answer(status=416))
        assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == []

    run(scenario, package_retries=1)


def test_a_partial_answer_that_nobody_asked_for_is_refused(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        with pytest.raises(BadAnswerError, match="206"):
            await fetch(world, tmp_path, rest(start=0))

    run(scenario)


def test_a_connection_is_given_back_before_the_package_is_looked_into(run: Run, tmp_path: Path) -> None:
    async def scenario(world: World) -> None:
        url = world.server.on("/a.zip", WHOLE)

        class Waiting(PackageStore):
            async def keep(self, arriving: object, size: int, **given: object) -> StoredPackage:
                async with world.stream_package(url) as other:  # would wait for ever for a place
                    assert other.status == 200
                return await super().keep(arriving, size, **given)  # type: ignore[arg-type]  # passed on as it came

        async with Waiting(tmp_path, now=time.time) as store:
            assert (await download(world.client, url, store)).zh == zh(PACKAGE)

    run(scenario, packages_per_host=1)
