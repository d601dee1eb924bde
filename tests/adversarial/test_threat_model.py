"""The table of scenarios names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
DOCUMENT = TESTS.parent / "docs" / "threat-model.md"


def test_every_test_that_the_threat_model_names_exists() -> None:
    named = re.findall(r"`(?:(\w+): )?(test_\w+)`", DOCUMENT.read_text(encoding="utf-8"))
    assert len(named) > 50
    there = {
        folder: "".join(path.read_text(encoding="utf-8") for path in (TESTS / folder).rglob("test_*.py"))
        for folder in {folder or "adversarial" for folder, _ in named}
    }
    defined = {folder: set(re.findall(r"def (test_\w+)\(", text)) for folder, text in there.items()}
    assert [name for folder, name in named if name not in defined[folder or "adversarial"]] == []


def test_every_scenario_has_a_row_of_its_own() -> None:
    ids = re.findall(r"^\| ([A-Z]\d+) \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(ids) == len(set(ids)) >= 44
