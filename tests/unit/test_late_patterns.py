"""Patterns that are compiled when they are first used answer as others do."""

from __future__ import annotations

import re

import pytest

from lockwarden.core.values.late_patterns import LatePattern


def test_they_answer_as_others_do() -> None:
    late, text = LatePattern(r"([a-z])(\d+)"), "a1 b22"
    found = late.match(text, 3)
    assert found is not None
    assert found.groups() == ("b", "22")
    assert late.fullmatch(text) is None
    searched = late.search("- c3")
    assert searched is not None
    assert searched[0] == "c3"
    assert [each[0] for each in late.finditer(text)] == ["a1", "b22"]
    assert late.sub(lambda match: match[2], text) == "1 22"
    assert LatePattern(rb"(?i)x").sub(b"y", b"aX") == b"ay"
    assert LatePattern("X", re.IGNORECASE).match("x") is not None


def test_they_are_compiled_when_they_are_used() -> None:
    broken = LatePattern("(")
    with pytest.raises(re.error):
        broken.match("")
