"""How drift is told: each provider, then each way in which it is locked, and by which files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from builders.audits import ADDRESS, h1, zh
from builders.run_results import locked, review_of, run_of
from builders.schema import violations

from lockwarden.core.reports.json_report import json_report
from lockwarden.core.reports.markdown import markdown_report
from lockwarden.core.reports.result import RunResult
from lockwarden.core.reports.text_report import text_report
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.versions import Version

SCHEMA: Any = json.loads((Path(__file__).parents[3] / "docs" / "report.schema.json").read_text(encoding="utf-8"))
OLDER = Version.parse("1.0.0")


def run(count: int = 5) -> RunResult:
    """One file with an older version, one with two hashes, and some with one of them."""
    return run_of(
        review_of([locked(zh("a"), version=OLDER)], path="old"),
        review_of([locked(zh("a"), zh("b"))], path="whole"),
        *(review_of([locked(zh("a"))], path=f"part{number}") for number in range(count)),
    )


def test_files_that_lock_the_same_have_no_section() -> None:
    same = run_of(review_of([locked(zh("a"))], path="one"), review_of([locked(zh("a"))], path="two"))
    assert "Drift" not in text_report(same)
    assert "Drift" not in markdown_report(same)
    assert json.loads(json_report(same))["drift"] == []


def test_each_way_is_a_line_with_what_it_lacks_and_the_first_files() -> None:
    lines = text_report(run()).splitlines()
    at = lines.index("Drift")
    assert lines[at + 1 : -2] == [
        f"  {ADDRESS}: other zh hashes for the same version and other versions",
        "    1.2.3 with 1 hash, lacks 1 that others have: part0, part1, part2 and 2 more files",
        "    1.2.3 with 2 hashes, other zh: whole",
        "    1.0.0 with 1 hash: old",
    ]
    assert "part0, part1, part2 and 1 more file\n" in text_report(run(4))
    assert "part0, part1, part2\n" in text_report(run(3))


def test_it_objects_to_nothing() -> None:
    assert run().drift
    assert run().exit_code is ExitCode.INCOMPLETE  # as of files that nobody has audited


def test_markdown_folds_it_away() -> None:
    page = markdown_report(run())
    section = page[page.index("<summary>Drift between the lock files: 1</summary>") :]
    assert "`1.0.0` with 1 hash: old" in section
    assert section.rstrip().endswith("</details>")


def test_json_names_every_file_and_every_hash() -> None:
    report = json.loads(json_report(run()))
    assert list(violations(report, SCHEMA)) == []
    (drift,) = report["drift"]
    assert drift["address"] == str(ADDRESS)
    assert drift["kinds"] == ["zh", "version"]
    part, whole, old = drift["forms"]
    assert (whole["kinds"], old["kinds"]) == (["zh"], ["version"])
    assert part == {
        "version": "1.2.3",
        "kinds": [],
        "hashes": [str(zh("a"))],
        "lacking": [str(zh("b"))],
        "paths": [f"part{number}" for number in range(5)],
    }
    assert (whole["hashes"], whole["lacking"]) == (sorted([str(zh("a")), str(zh("b"))]), [])
    assert (old["version"], old["lacking"]) == ("1.0.0", [])


def test_what_differs_on_other_platforms_only_comes_last_and_is_called_ordinary() -> None:
    other = ProviderAddress.parse("registry.opentofu.org/zeta/last")
    files = run_of(
        review_of([locked(zh("a"), h1("a")), locked(zh("a"), address=other)], path="one"),
        review_of([locked(zh("a"), h1("b")), locked(zh("b"), address=other)], path="two"),
    )
    text = text_report(files)
    assert text.index(f"  {other}: other zh hashes for the same version") < text.index(
        f"  {ADDRESS}: other h1 hashes, as of other platforms"
    )
    assert [each["kinds"] for each in json.loads(json_report(files))["drift"]] == [["zh"], ["h1"]]


def test_a_file_without_zh_hashes_is_said_to_have_none_and_not_others() -> None:
    files = run_of(
        review_of([locked(h1("a"))], path="one"),
        review_of([locked(zh("a"), h1("a"))], path="two"),
    )
    text = text_report(files)
    assert f"  {ADDRESS}: no zh hashes, where others have them\n" in text
    assert "other zh hashes" not in text
    assert "    1.2.3 with 1 hash, no zh, lacks 1 that others have: one\n" in text
    assert "    1.2.3 with 2 hashes: two\n" in text
    report = json.loads(json_report(files))
    assert list(violations(report, SCHEMA)) == []
    assert [each["kinds"] for each in report["drift"]] == [["no zh"]]


def test_a_provider_under_both_registries_is_told_with_the_files_of_each() -> None:
    there, here = (ProviderAddress.parse(f"registry.{host}/acme/one") for host in ("opentofu.org", "terraform.io"))
    files = run_of(
        review_of([locked(zh("a"), address=here)], path="old"),
        review_of([locked(zh("a"), address=here)], path="older"),
        review_of([locked(zh("a"), address=there)], path="new"),
    )
    assert "  acme/one: locked under both registries" in text_report(files)
    assert f"    {there}: new\n    {here}: old, older\n" in text_report(files)
    assert "locked under both registries" in markdown_report(files)
    report = json.loads(json_report(files))
    assert list(violations(report, SCHEMA)) == []
    (both,) = report["both_registries"]
    assert both["places"] == [
        {"address": str(there), "paths": ["new"]},
        {"address": str(here), "paths": ["old", "older"]},
    ]
