"""Reports stay below a size, and say what they left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders.audits import ADDRESS, LINUX, VERSION, audit, h1, origin_with, package, zh, zh_list
from builders.run_results import locked, review_of, run_of
from builders.schema import violations
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.reports import junit, sarif, text_report
from lockwarden.core.reports.bounds import Room, bounded_text
from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.result import RunResult
from lockwarden.core.values.addresses import ProviderAddress

DOCS = Path(__file__).parents[3] / "docs"
OTHER = ProviderAddress.parse("registry.example.test/acme/other")
KNOWN = [zh(f"known {number}") for number in range(50)]
STRANGE = zh("nobody made this")


def crowded() -> RunResult:
    """A provider with fifty good hashes and one that is disowned, and another with one good hash."""
    found = replace(origin_with(), packages=(package(LINUX, zh=KNOWN[0], h1=h1("a")),), lists=(zh_list(*KNOWN),))
    entries = [locked(*KNOWN, STRANGE), locked(KNOWN[0], address=OTHER, line=200)]
    other = Audit(address=OTHER, version=VERSION, source_answers=(found,))
    return run_of(review_of(entries, audit(found), other))


def providers(report: dict[str, Any]) -> dict[str, Any]:
    return {each["address"]: each for each in report["lock_files"][0]["providers"]}


def test_a_report_with_room_leaves_nothing_out() -> None:
    report = json.loads(json_report(crowded()))
    assert "omitted" not in report
    assert all("omitted" not in each for each in providers(report).values())


def test_a_json_report_leaves_out_first_what_nothing_speaks_against_and_says_how_much() -> None:
    whole = json.loads(json_report(crowded()))
    report = json.loads(json_report(crowded(), limit=12_000))
    schema = json.loads((DOCS / "report.schema.json").read_text(encoding="utf-8"))
    assert list(violations(report, schema)) == []
    assert (report["exit_code"], report["answer"]) == (whole["exit_code"], whole["answer"])
    crowd, other = providers(report)[str(ADDRESS)], providers(report)[str(OTHER)]
    told = [row["hash"] for row in crowd["hashes"]]
    assert STRANGE.text in told
    assert crowd["omitted"]["hashes"] + len(told) == len(providers(whole)[str(ADDRESS)]["hashes"])
    assert told == [row["hash"] for row in providers(whole)[str(ADDRESS)]["hashes"] if row["hash"] in told]
    assert [row["hash"] for row in other["hashes"]][:1] == [KNOWN[0].text]
    assert report["omitted"] >= crowd["omitted"]["hashes"]


def test_what_has_no_room_is_counted_by_its_name() -> None:
    room = Room(20)
    items: list[dict[str, Any]] = [{"a": 1}, {"a": "much more than there is room for"}, {"a": 2}]
    assert room.taken("things", items) == [{"a": 1}]
    assert room.omitted == {"things": 2}
    assert room.taken("others", [{"b": 1}]) == [{"b": 1}]


def test_a_text_says_how_many_lines_are_left_out() -> None:
    assert bounded_text(["one", "two"], 8) == "one\ntwo\n"
    assert bounded_text(["é" * 500_000, "two", "three"], 1_000_010) == (
        "é" * 500_000 + "\ntwo\n… 1 more lines are left out: a report has at most 1 MB\n"
    )


def test_every_form_is_cut_where_there_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_report, "MAX_SIZE", 400)
    monkeypatch.setattr(junit, "_MAX_SIZE", 2_400)
    monkeypatch.setattr(sarif, "MAX_SIZE", 300)
    assert "more lines are left out" in text_report.text_report(crowded(), every_hash=True)
    assert "more characters)" in junit.junit_report(crowded())
    assert "more characters)" in sarif.sarif_report(crowded(), version="1")


def test_a_sarif_log_has_so_many_notifications_and_counts_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_NOTIFICATIONS", 1)
    waiting = run_of(review_of([locked(KNOWN[0]), locked(KNOWN[0], address=OTHER, line=200)]))
    (run,) = json.loads(sarif.sarif_report(waiting, version="1"))["runs"]
    told = [each["message"]["text"] for each in run["invocations"][0]["toolExecutionNotifications"]]
    assert len(told) == 2
    assert told[1] == "1 more notifications are left out here"
