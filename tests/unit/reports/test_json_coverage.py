"""Coverage in the JSON report: every platform that is named anywhere, every source, in the published form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from builders.audits import DARWIN, FOLDER, LINUX, MIRROR, answer, audit, h1, origin_with, zh
from builders.coverage import archive, folder
from builders.run_results import locked, review_of, run_of
from builders.schema import violations

from lockwarden.core.evidence.source_answers import SourceAnswer
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.values.hashes import Hash

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "report.schema.json").read_text(encoding="utf-8"))


def coverage(*said: SourceAnswer, hashes: tuple[Hash, ...]) -> list[dict[str, Any]]:
    review = review_of([locked(*hashes)], *([audit(*said)] if said else []), platforms=[LINUX])
    report = json.loads(json_report(run_of(review)))
    told: list[dict[str, Any]] = report["lock_files"][0]["providers"][0]["coverage"]
    for each in told:
        assert list(violations(each, SCHEMA["$defs"]["coverage"], SCHEMA)) == []
    return told


def test_a_cell_says_everything_that_is_known_of_it() -> None:
    (said,) = coverage(origin_with(LINUX), hashes=(zh("linux_amd64"),))
    assert said["reason"].startswith("the locked zh matches; a run compares the unpacked folder's h1")
    assert said["remedy"].startswith("review the package")
    assert said | {"reason": "", "remedy": ""} == {
        "platform": "linux_amd64",
        "source": "direct",
        "outcome": "accepted",
        "runtime": "refused",
        "expected": None,
        "completing_h1": h1("linux_amd64").text,
        "reason": "",
        "remedy": "",
    }


def test_every_named_platform_is_there_by_popularity_and_for_each_every_source() -> None:
    mirror = answer(MIRROR, packages=[archive("linux_amd64")], platforms=[LINUX])
    said = coverage(origin_with(LINUX, listed_too=[DARWIN]), mirror, hashes=(zh("linux_amd64"), h1("linux_amd64")))
    assert [(each["platform"], each["source"], each["outcome"], each["expected"]) for each in said] == [
        ("linux_amd64", "direct", "accepted", None),
        ("linux_amd64", "mirror", "accepted", None),
        ("darwin_arm64", "direct", "unknown", None),
        ("darwin_arm64", "mirror", "not there", None),
    ]


def test_what_takes_anything_and_what_is_only_expected_are_told_apart_from_what_is_accepted() -> None:
    unpacked = answer(FOLDER, packages=[folder()], platforms=[LINUX])
    said = coverage(unpacked, origin_with(listed_too=[LINUX]), hashes=(zh("linux_amd64"),))
    assert [(each["outcome"], each["runtime"], each["expected"]) for each in said] == [
        ("accepts anything", "refused", None),
        ("unknown", "refused", "accepted"),
    ]


def test_before_the_audit_has_ended_there_is_none() -> None:
    assert coverage(hashes=(zh("linux_amd64"),)) == []
