"""The layers: the contract leaves nothing out, an arrow that is turned round breaks it, and the documents show it."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import grimp
import pytest
from grimp import ImportGraph

ROOT: Final = Path(__file__).parents[2]
ARCHITECTURE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
TOP: Final = ("cli", "core", "demo", "tui")
Layers = Sequence[frozenset[str]]


def contract(name: str) -> tuple[str, Layers]:
    """The package that a contract is about, and its layers from the top down; those of one layer stand together."""
    read = configparser.ConfigParser(interpolation=None)
    read.read(ROOT / ".importlinter", encoding="utf-8")
    section = read[f"importlinter:contract:{name}"]
    container = section.get("containers", "").strip()
    lines = section["layers"].split("\n")
    return container, [frozenset(map(str.strip, line.split("|"))) for line in lines if line.strip()]


@pytest.fixture(scope="module")
def graph() -> ImportGraph:
    return grimp.build_graph(*(f"lockwarden.{name}" for name in TOP), cache_dir=None)


def broken(graph: ImportGraph, container: str, layers: Layers) -> set[tuple[str, str]]:
    found = graph.find_illegal_dependencies_for_layers(
        layers=[set(each) for each in layers], containers={container} if container else None
    )
    return {(each.importer, each.imported) for each in found}


@pytest.mark.parametrize("name", ["house", "core", "sources", "terminal-house"])
def test_an_arrow_that_is_turned_round_breaks_the_contract(graph: ImportGraph, name: str) -> None:
    container, layers = contract(name)
    assert broken(graph, container, layers) == set()
    prefix = f"{container}." if container else ""
    turned = 0
    for above, below in pairwise(layers):
        for high, low in ((f"{prefix}{one}", f"{prefix}{other}") for one in above for other in below):
            arrows = graph.find_shortest_chains(importer=high, imported=low, as_packages=True)
            importer, imported = next(((each[0], each[-1]) for each in sorted(arrows) if len(each) == 2), ("", ""))
            if not importer:
                continue
            graph.add_import(importer=imported, imported=importer)
            try:
                assert (low, high) in broken(graph, container, layers)
            finally:
                graph.remove_import(importer=imported, imported=importer)
            turned += 1
    assert turned >= len(layers) // 2


def test_no_module_is_outside_of_the_contract(graph: ImportGraph) -> None:
    _, house = contract("house")
    assert frozenset().union(*house) == {f"lockwarden.{name}" for name in TOP}
    for name in ("core", "terminal-house"):
        container, layers = contract(name)
        folder = ROOT.joinpath(*container.split(".")[1:])
        there = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/*.py")}
        assert frozenset().union(*layers) == there - {"__init__"}, "a package that no layer holds"
    modules = {
        ".".join(("lockwarden", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
        for name in TOP
        for path in (ROOT / name).rglob("*.py")
    }
    assert modules == graph.modules, "a file that the contract does not see"


def test_no_package_is_left_out_of_the_installation() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    folders = {path.parent.relative_to(ROOT) for name in TOP for path in (ROOT / name).rglob("*.py")}
    assert packages == sorted({"lockwarden", *(".".join(("lockwarden", *each.parts)) for each in folders)})


def test_the_picture_is_the_contract() -> None:
    (picture,) = re.findall(r"^## Layers\n\n```\n(.*?)^```", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    drawn = [frozenset(re.split(r" │ ", re.split(r"\s{2,}", line)[0])) for line in picture.splitlines()]
    _, house = contract("house")
    _, core = contract("core")
    above = [frozenset(each.removeprefix("lockwarden.") for each in layer) for layer in house[:-1]]
    named = [frozenset(each.removeprefix("core/") for each in layer) for layer in drawn]
    assert named == [*above, *core]
    assert house[-1] == {"lockwarden.core"}


def test_the_files_that_hold_a_rule_are_there() -> None:
    tables = re.findall(r"^\| rule \| file \|\n\| --- \| --- \|\n((?:\|.*\n)+)", ARCHITECTURE, re.MULTILINE)
    rows = [row.strip("| ").split(" | ") for row in "".join(tables).splitlines()]
    assert len(rows) >= 50
    assert len({rule for rule, _ in rows}) == len(rows)
    for rule, files in rows:
        named = re.findall(r"`([^`]+)`", files)
        assert 1 <= len(named) <= 3, rule
        assert all((ROOT / each).is_file() for each in named), rule
    others = set(re.findall(r"`((?:core|cli|tui|demo|tests|docs)/[\w./]+\.\w+)`", ARCHITECTURE))
    assert {each for each in others if not (ROOT / each).is_file()} == set()
