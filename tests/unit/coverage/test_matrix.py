"""The table: platforms by popularity, sources in their order, and one sentence that says the worst first."""

from __future__ import annotations

from builders.audits import (
    DARWIN,
    FOLDER,
    LINUX,
    MIRROR,
    ORIGIN,
    WINDOWS,
    answer,
    audit,
    h1,
    origin_with,
    package,
    zh,
)
from builders.coverage import CACHE, archive, folder
from builders.run_results import locked

from lockwarden.core.coverage.matrix import CoverageMatrix, named_platforms
from lockwarden.core.coverage.outcomes import CoverageOutcome, Installability
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

EVERY = (LINUX, DARWIN, WINDOWS)
SETTINGS = ClientSettings()


def matrix(*said: SourceAnswer, hashes: tuple[Hash, ...], platforms: tuple[Platform, ...] = EVERY) -> CoverageMatrix:
    return CoverageMatrix.of(locked(*hashes), audit(*said), settings=SETTINGS, platforms=platforms)


def hashes_of(*platforms: Platform) -> tuple[Hash, ...]:
    return tuple(make(str(platform)) for platform in platforms for make in (zh, h1))


def mirror(*platforms: Platform) -> SourceAnswer:
    return answer(MIRROR, packages=[archive(str(each), each) for each in platforms], platforms=platforms)


def test_rows_are_platforms_by_popularity_and_columns_sources_in_their_order() -> None:
    table = matrix(mirror(*EVERY), origin_with(*EVERY), hashes=hashes_of(*EVERY), platforms=(WINDOWS, LINUX, DARWIN))
    assert table.platforms == (LINUX, DARWIN, WINDOWS)
    assert table.sources == (MIRROR, ORIGIN)
    assert [[(cell.platform, cell.source) for cell in row] for row in table.rows] == [
        [(platform, "mirror"), (platform, "direct")] for platform in (LINUX, DARWIN, WINDOWS)
    ]
    assert table.cells[DARWIN, "direct"].outcome is CoverageOutcome.ACCEPTED
    assert len(table.cells) == 6


def test_when_all_is_well_it_says_so() -> None:
    table = matrix(origin_with(*EVERY), mirror(*EVERY), hashes=hashes_of(*EVERY))
    assert table.worst is Installability.WORKS
    assert table.summary == "init would work on every platform asked, from every source"


def test_a_cache_that_is_passed_over_takes_nothing_from_that() -> None:
    cached = answer(CACHE, packages=[folder("something else")], platforms=[LINUX])
    table = matrix(origin_with(LINUX), cached, hashes=hashes_of(LINUX), platforms=(LINUX,))
    assert table.summary == "init would work on every platform asked, from every source"
    assert table.worst is Installability.WORKS
    only = matrix(cached, hashes=hashes_of(LINUX), platforms=(LINUX,))
    assert only.summary == "no source that packages are installed from is among those asked"
    assert only.worst is Installability.UNUSED


def test_every_kind_of_trouble_is_named_with_its_place_the_worst_first() -> None:
    unpacked = answer(FOLDER, packages=[folder()], platforms=[LINUX])
    said = (origin_with(LINUX, listed_too=[DARWIN]), mirror(LINUX), unpacked)
    table = matrix(*said, hashes=(zh("linux_amd64"),), platforms=(LINUX, DARWIN))
    assert table.worst is Installability.FAILS
    assert table.summary == (
        "init would fail on darwin_arm64 from mirror and folder; would take any package on linux_amd64 from folder; "
        "init would have to add an h1 on linux_amd64 from direct and mirror; not known for darwin_arm64 from direct"
    )


def test_what_holds_everywhere_is_said_once() -> None:
    strange = (zh("x"), h1("x"))
    assert (
        matrix(origin_with(*EVERY), hashes=strange).summary
        == "init would fail on every platform asked, from every source"
    )
    assert matrix(origin_with(*EVERY), hashes=()).summary == (
        "would take any package, on every platform asked, from every source"
    )
    zips = tuple(zh(str(each)) for each in EVERY)
    assert matrix(origin_with(*EVERY), hashes=zips).summary == (
        "init would have to add an h1 on every platform asked, from every source"
    )
    silent = answer(ORIGIN, outcome=Outcome.NO_ANSWER, platforms=None)
    assert matrix(silent, hashes=strange).summary == "not known for any platform asked, from any source"


def test_many_places_are_named_in_part() -> None:
    many = tuple(Platform("os", str(number)) for number in range(5))
    table = matrix(origin_with(LINUX, *many), hashes=hashes_of(LINUX), platforms=(LINUX, *many))
    assert table.summary == ("init would fail on os_0 from direct, os_1 from direct, os_2 from direct, and 2 more")


def test_a_table_without_sources_or_platforms_is_empty() -> None:
    assert matrix(hashes=hashes_of(LINUX)).rows == ()
    assert matrix(origin_with(LINUX), hashes=(), platforms=()).rows == ()
    assert matrix(hashes=()).worst is Installability.UNUSED


def test_a_platform_is_named_by_who_asks_by_a_source_and_by_what_was_looked_at() -> None:
    said = audit(
        answer(ORIGIN, platforms=[DARWIN]),
        answer(MIRROR, platforms=None, packages=[package(WINDOWS, outcome=Outcome.NO_ANSWER)]),
    )
    assert named_platforms(said, [LINUX]) == {LINUX, DARWIN, WINDOWS}
