"""What drives the app in the tests: a scenario that no test names would never run, and nobody would see it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[2]
FILES = sorted((TESTS / "tui").rglob("test_*.py")) + sorted((TESTS / "snapshots").rglob("test_*.py"))


def unnamed(source: str) -> Iterator[str]:
    """The scenarios that are defined, in the file or in a function, and named nowhere."""
    tree = ast.parse(source)
    for each in ast.walk(tree):
        if isinstance(each, ast.Module | ast.FunctionDef):
            named = {node.id for node in ast.walk(each) if isinstance(node, ast.Name)}
            yield from (
                one.name for one in each.body if isinstance(one, ast.AsyncFunctionDef) and one.name not in named
            )


def test_every_scenario_is_named_by_a_test() -> None:
    assert len(FILES) > 30
    assert {path.name: left for path in FILES if (left := list(unnamed(path.read_text(encoding="utf-8"))))} == {}


def test_one_that_is_not_is_found() -> None:
    assert list(unnamed("async def one(d): ...\nasync def two(d): ...\ndef test(): drive(app, one)\n")) == ["two"]
    assert list(unnamed("def test():\n    async def scenario(d): ...\n    drive(app)\n")) == ["scenario"]
