"""What lock files in conflict are resolved to, as text and as JSON."""

from __future__ import annotations

import pytest
from builders.audits import DARWIN, LINUX, audit, h1, origin_with, zh
from builders.conflicts import PATH, between, resolved_of
from builders.reported import ATTACK
from builders.reviews import HEADER, entry_text, review
from builders.run_results import run_of
from builders.schema import undescribed
from msgspec import json
from msgspec.structs import replace

from lockwarden.core.reports import json_resolution as json_resolution_module
from lockwarden.core.reports.json_resolution import ResolvedFileJson, json_resolution
from lockwarden.core.reports.resolution_lines import resolution_lines
from lockwarden.core.reports.result import FileProblem
from lockwarden.core.reports.text_report import shown
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

AMD, ARM = (zh("linux_amd64"), h1("linux_amd64")), (zh("darwin_arm64"), h1("darwin_arm64"))
STRANGE = h1("nobody made this")
NOW = audit(origin_with(LINUX, DARWIN))
TEXT = HEADER + between(entry_text(*AMD, STRANGE), entry_text(*ARM, constraints="~> 1.2"))


def test_the_text_tells_the_sides_what_is_taken_what_is_left_out_and_the_difference() -> None:
    made = replace(resolved_of(TEXT, NOW), review=review([*AMD, *ARM], NOW))
    told = list(resolution_lines(made))
    assert told[:9] == [
        f"{PATH}: conflict markers at lines 3-23",
        "  ours (HEAD): 1 provider",
        "  theirs (topic): 1 provider",
        "  1 provider in conflict, 0 alike",
        "",
        "registry.example.test/acme/widget",
        "  ours 1.2.3, line 5: ✗ 1 unexplained, ✓ 2 confirmed",
        "  theirs 1.2.3 (~> 1.2), line 15: ✓ 2 confirmed",
        "  → 1.2.3, the only version: 4 confirmed hashes",
    ]
    assert told[9] == f"    left out: ✗ unexplained {STRANGE} (line 8, platform unknown), of ours"
    assert "  -<<<<<<< HEAD" in told
    assert told[-1] == "As resolved: Nothing to object to: 4 confirmed"


def test_the_text_says_of_what_nothing_can_be_written() -> None:
    told = list(resolution_lines(resolved_of(HEADER + entry_text(STRANGE) + entry_text(), NOW)))
    assert told[0] == f"{PATH}: several blocks of one provider"
    assert "  block-2 1.2.3, line 11: no hash at all" in told
    assert "  ✗ 1.2.3, the only version: nothing of it is confirmed, so no entry can be made of it" in told
    assert told[-1] == "Nothing can be written: nothing is confirmed of registry.example.test/acme/widget"


def test_many_conflicts_and_other_versions_are_counted() -> None:
    later = entry_text(*AMD, version="1.2.3").replace("1.2.3", "1.3.0")
    text = HEADER + between(entry_text(*ARM), later) + "".join(between("# a\n", "# b\n") for _ in range(13))
    next_one = replace(audit(origin_with(LINUX)), version=resolved_of(TEXT, NOW).resolution.providers[0].version)
    made = resolved_of(text, NOW, replace(next_one, version=next_one.version.parse("1.3.0")))
    told = list(resolution_lines(made))
    assert told[0].endswith(" and 2 more")
    assert "    left out: 2 hashes of another version" in told
    assert any(each.startswith("    · no h1 of darwin_arm64 is locked any more") for each in told)


def test_json_has_all_of_it_and_its_schema_describes_it() -> None:
    made = resolved_of(TEXT, NOW)
    problem = FileProblem(code=ProblemCode.NOT_WRITTEN, severity=Severity.ERROR, message="no room")
    files = {
        "one": ResolvedFileJson.of(made, written=True),
        "two": ResolvedFileJson.of(
            resolved_of(HEADER + entry_text(STRANGE) + entry_text(), NOW), written=False, problems=[problem]
        ),
        "three": ResolvedFileJson.without("three", []),
        "four": ResolvedFileJson.without("four", [problem]),
    }
    told = json_resolution(run_of(), files, ExitCode.UNUSABLE_INPUT, version="1.0")
    assert undescribed(told) == ()
    report = json.decode(told)
    one, two, three, four = report["lock_files"]
    assert [each["exit_code"] for each in (one, two, three, four)] == [0, 2, 0, 2]
    assert (one["conflict"], three["conflict"], one["written"]) == ("conflict markers", None, True)
    (provider,) = one["providers"]
    assert provider["hashes"] == sorted(map(str, (*AMD, *ARM)))
    assert [each["hash"] for each in provider["left_out"]] == [str(STRANGE)]
    assert [each["side"] for each in provider["sides"]] == ["ours", "theirs"]
    assert one["difference"][0].startswith("@@ -1,")
    assert one["difference"][1].startswith(" # This file")
    assert two["difference"] == []
    assert not two["providers"][0]["resolved"]


def test_a_difference_beyond_all_measure_is_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_resolution_module, "_ROOM", 200)
    told = ResolvedFileJson.of(resolved_of(TEXT, NOW), written=False).difference
    assert 1 < len(told) < 8
    assert told[-1].endswith(" more lines)")


def test_what_markers_say_does_nothing_to_a_terminal() -> None:
    label = ATTACK.replace("\n", " ").replace("\r", " ").replace("\ud800", "")
    text = TEXT.replace("HEAD", label)
    told = shown(resolution_lines(resolved_of(text, NOW)))
    assert "\x1b" not in told
    assert "\u202e" not in told
