"""The rows of a review: which hashes, in which order, and what they are called."""

from __future__ import annotations

from builders.audits import (
    DARWIN,
    LINUX,
    MIRROR,
    ORIGIN,
    WINDOWS,
    answer,
    audit,
    computed,
    h1,
    listed,
    origin_with,
    reported,
    zh,
    zh_list,
)

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.rows import NOT_A_PACKAGE, UNKNOWN_PLATFORM, HashRow, rows_of, waiting_rows
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.hashes import Hash


def rows(known: Audit, *locked: Hash) -> tuple[HashRow, ...]:
    return rows_of({hash_: line for line, hash_ in enumerate(locked, start=7)}, Evidence(known, frozenset({LINUX})), {})


def test_every_hash_that_is_locked_or_seen_has_one_row() -> None:
    found = rows(audit(origin_with(LINUX)), h1("linux_amd64"), zh("planted"))
    assert {row.hash for row in found} == {h1("linux_amd64"), zh("linux_amd64"), zh("planted")}
    assert {row.hash: row.line for row in found if row.locked} == {h1("linux_amd64"): 7, zh("planted"): 8}


def test_findings_stand_on_top_and_then_each_package_with_its_h1_before_its_zh() -> None:
    known = audit(origin_with(DARWIN, LINUX))
    locked = (
        zh("linux_amd64"),
        h1("darwin_arm64"),
        zh("planted"),
        h1("linux_amd64"),
        h1("planted"),
        zh("darwin_arm64"),
    )
    assert [(row.verdict, row.hash) for row in rows(known, *locked)] == [
        (Verdict.DISOWNED, zh("planted")),
        (Verdict.UNEXPLAINED, h1("planted")),
        (Verdict.CONFIRMED, h1("linux_amd64")),
        (Verdict.CONFIRMED, zh("linux_amd64")),
        (Verdict.CONFIRMED, h1("darwin_arm64")),
        (Verdict.CONFIRMED, zh("darwin_arm64")),
    ]


def test_two_packages_of_one_platform_are_not_mixed() -> None:
    given_out = [
        (hash_, computed(LINUX, source=MIRROR, package_zh=zh(seed))) for seed in "ab" for hash_ in (zh(seed), h1(seed))
    ]
    both = answer(MIRROR, *given_out)
    assert [row.package for row in rows(audit(both))] == sorted([zh("a").text] * 2 + [zh("b").text] * 2)
    assert [row.hash.scheme for row in rows(audit(both))] == ["h1", "zh", "h1", "zh"]


def test_the_package_of_locked_hashes_stands_before_another_of_its_platform() -> None:
    last = max(zh("a").text, zh("b").text)
    given_out = [(zh(seed), computed(LINUX, source=MIRROR, package_zh=zh(seed))) for seed in "ab"]
    assert rows(audit(answer(MIRROR, *given_out)), Hash(last))[0].hash.text == last


def test_hashes_of_one_package_share_its_name() -> None:
    found = {row.hash: row.package for row in rows(audit(origin_with(LINUX)), h1("linux_amd64"), h1("planted"))}
    assert found[h1("linux_amd64")] == found[zh("linux_amd64")] == zh("linux_amd64").text
    assert found[h1("planted")] == ""


def test_a_hash_that_nobody_names_a_platform_for_is_of_an_unknown_one() -> None:
    (row,) = rows(audit(answer(MIRROR, platforms=[LINUX])), h1("planted"))
    assert row.label == UNKNOWN_PLATFORM
    assert not row.computed


def test_a_listed_file_that_is_no_package_is_called_so_and_stands_last() -> None:
    manifest = reported(file_name="terraform-provider-widget_1.2.3_manifest.json")
    known = audit(
        answer(
            ORIGIN,
            (zh("manifest"), manifest),
            (zh("l"), reported(LINUX)),
            (zh("strange"), reported()),
            lists=[zh_list(zh("manifest"), zh("l"), zh("strange"))],
        )
    )
    found = rows(known)
    assert [(row.hash, row.label) for row in found] == [
        (zh("strange"), UNKNOWN_PLATFORM),
        (zh("l"), "linux_amd64"),
        (zh("manifest"), NOT_A_PACKAGE),
    ]


def test_a_package_of_two_platforms_names_both_the_popular_one_first() -> None:
    known = audit(
        answer(MIRROR, (zh("u"), computed(WINDOWS, source=MIRROR)), (zh("u"), computed(LINUX, source=MIRROR)))
    )
    (row,) = rows(known, zh("u"))
    assert row.label == "linux_amd64, windows_amd64"


def test_platforms_that_only_a_mirror_claims_give_way_to_those_that_are_known() -> None:
    known = origin_with(LINUX)
    claimed = answer(MIRROR, (zh("linux_amd64"), listed(WINDOWS)))
    found = {row.hash: row.platforms for row in rows(audit(known, claimed))}
    assert found[zh("linux_amd64")] == {LINUX}


def test_rows_before_the_audit_has_ended_say_that_nothing_is_known_yet() -> None:
    (row,) = waiting_rows({zh("l"): 9})
    assert (row.verdict, row.line, row.locked, row.observations) == (Verdict.UNCHECKED, 9, True, ())
    assert "has not ended yet" in row.reasons[0].text
