"""The lines on coverage: only what stands in the way, on the platforms that were asked for, sources together."""

from __future__ import annotations

from builders.audits import DARWIN, FOLDER, LINUX, MIRROR, ORIGIN, WINDOWS, answer, audit, h1, origin_with, zh
from builders.coverage import archive, folder
from builders.run_results import locked, review_of

from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.reports.coverage_lines import coverage_lines
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

LINUX_HASHES = (zh("linux_amd64"), h1("linux_amd64"))


def lines(
    *said: SourceAnswer, hashes: tuple[Hash, ...], platforms: tuple[Platform, ...] = (LINUX, DARWIN)
) -> list[str]:
    review = review_of([locked(*hashes)], *([audit(*said)] if said else []), platforms=platforms)
    return list(coverage_lines(review, review.providers[0]))


def mirror(*platforms: Platform) -> SourceAnswer:
    return answer(MIRROR, packages=[archive(str(each), each) for each in platforms], platforms=platforms)


def test_nothing_is_said_where_nothing_stands_in_the_way() -> None:
    assert lines(origin_with(LINUX), mirror(LINUX), hashes=LINUX_HASHES, platforms=(LINUX,)) == []
    assert lines(hashes=LINUX_HASHES) == []


def test_what_is_not_known_is_told_elsewhere() -> None:
    silent = answer(MIRROR, outcome=Outcome.NO_ANSWER, platforms=None)
    assert lines(origin_with(LINUX), silent, hashes=LINUX_HASHES, platforms=(LINUX,)) == []


def test_only_platforms_that_were_asked_for_are_told_of() -> None:
    assert lines(origin_with(LINUX, DARWIN, WINDOWS), hashes=LINUX_HASHES, platforms=(LINUX,)) == []


def test_sources_with_one_reason_share_a_line_with_its_remedy() -> None:
    assert lines(origin_with(LINUX, DARWIN), mirror(LINUX, DARWIN), hashes=LINUX_HASHES) == [
        "✗ darwin_arm64 from direct, mirror: refused: only hashes of other platforms are locked: linux_amd64",
        "  → review the package and add its hashes with “lockwarden lock --platform darwin_arm64”",
    ]


def test_sources_with_different_reasons_have_lines_of_their_own() -> None:
    unpacked = answer(FOLDER, packages=[folder("linux_amd64")], platforms=[LINUX])
    told = lines(origin_with(LINUX), unpacked, hashes=(zh("linux_amd64"),), platforms=(LINUX,))
    assert [line.partition(": ")[0] for line in told if not line.startswith("  ")] == [
        "▲ linux_amd64 from direct",
        "▲ linux_amd64 from folder",
    ]
    assert told[0].startswith("▲ linux_amd64 from direct: accepted at install only: the locked zh matches")
    assert told[2].startswith("▲ linux_amd64 from folder: accepts anything: an unpacked package is not compared")


def test_a_version_that_is_not_there_is_a_failure() -> None:
    gone = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="1.2.3 was withdrawn", platforms=None)
    told = lines(gone, hashes=LINUX_HASHES, platforms=(LINUX,))
    assert told[0] == "✗ linux_amd64 from direct: not there: 1.2.3 was withdrawn"
    assert told[1].startswith("  → install from another source")
