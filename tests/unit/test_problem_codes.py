"""Problem codes are one closed set: each is used, whatever is made of other words is a member, and the page has all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Final

import pytest

from lockwarden.core.archives.oddities import OddityCode
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.reports.meanings import meaning_of
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.values.archive_faults import ArchiveFault, image_code, package_code
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "problem-codes.md"
Nodes = tuple[ast.AST, ...]
TEXTS: Final = ROOT / "core" / "reports" / "meaning_tables"
OF_GIT: Final = frozenset({"GitError", "UnknownRevisionError", "RegistryError", "_error"})
"""What has a code of another kind, which no report tells."""

OF_IMAGES: Final = ("core/oci", "core/archives/tar.py", "core/archives/compression.py")
"""Where the layers of images are read."""


def sources(word: str, *folders: str) -> Iterator[tuple[Path, Nodes]]:
    """Every module of some folders, or files, with a word in its text, but for the tables of texts."""
    for folder in folders:
        place = ROOT / folder
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            if not path.is_relative_to(TEXTS) and word in (text := text_of(path)):
                yield path, parsed(text)


@cache
def text_of(path: Path) -> str:
    """One module, read once."""
    return path.read_text(encoding="utf-8")


@cache
def parsed(text: str) -> Nodes:
    """What is looked for in a module, found once."""
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute | ast.Call | ast.Tuple))


def members(enum: str, *folders: str) -> set[str]:
    """The names of an enum's members that modules of some folders use."""
    return {
        node.attr
        for _, nodes in sources(enum, *folders)
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == enum
    }


def made_of_others() -> set[ProblemCode]:
    """The codes that are not written down where they are used."""
    return {
        *(summary.code for summary in LockFileSummary),
        *(kind.code for kind in ChangeKind),
        *(ProblemCode(f"archive-{each}") for each in OddityCode if each is not OddityCode.NO_EXECUTABLE),
        *(package_code(ArchiveFault[each]) for each in members("ArchiveFault", "core/store")),
        *(image_code(ArchiveFault[each]) for each in members("ArchiveFault", *OF_IMAGES)),
    }


def test_every_code_is_used() -> None:
    used = {ProblemCode[each] for each in members("ProblemCode", "core", "cli", "tui")} | made_of_others()
    assert sorted(set(ProblemCode) - used) == []


@pytest.mark.parametrize(("prefix", "places"), [("package", ("core/store",)), ("image", OF_IMAGES)])
def test_every_fault_that_can_be_met_has_a_code_of_its_own(prefix: str, places: tuple[str, ...]) -> None:
    code_of = {"package": package_code, "image": image_code}[prefix]
    met = {ArchiveFault[each] for each in members("ArchiveFault", *places)}
    assert {each: code_of(each).value for each in met} == {each: f"{prefix}-{each}" for each in met}


def test_a_fault_that_is_never_met_there_is_told_as_a_failure() -> None:
    assert package_code(ArchiveFault.BROKEN_TAR) is image_code(ArchiveFault.NOT_ZIP) is ProblemCode.PACKAGE_FAILED


def test_every_fault_of_an_archive_is_used() -> None:
    assert members("ArchiveFault", "core", "cli") == set(ArchiveFault.__members__)


def test_every_summary_of_a_lock_file_is_used_and_has_a_code_of_its_own() -> None:
    assert members("LockFileSummary", "core/lockfile") == set(LockFileSummary.__members__)
    assert len({each.code for each in LockFileSummary}) == len(LockFileSummary)
    assert LockFileSummary.MISSING_SOURCE_ADDR_FOR_PROVIDER.code.value == "missing-source-addr-for-provider"


def severities() -> dict[ProblemCode, set[Severity]]:
    """The severities that are written down beside a code: of problems, findings and rows of four."""
    found: dict[ProblemCode, set[Severity]] = {}
    for _, nodes in sources("ProblemCode", "core", "cli"):
        for node in nodes:
            pair: list[ast.expr] = []
            if isinstance(node, ast.Call):
                pair = [each.value for name in ("code", "severity") for each in node.keywords if each.arg == name]
            elif isinstance(node, ast.Tuple) and len(node.elts) == 4:
                pair = node.elts[:2]
            if len(pair) < 2:
                continue
            code, severity = (each.attr if isinstance(each, ast.Attribute) else "" for each in pair)
            if code in ProblemCode.__members__ and severity in Severity.__members__:
                found.setdefault(ProblemCode[code], set()).add(Severity[severity])
    return found


def test_the_usual_severity_is_one_that_the_code_has_and_others_are_told() -> None:
    written = severities()
    assert len(written) > 80
    for code, has in written.items():
        meaning = meaning_of(code)
        assert meaning.severity in has or meaning.otherwise, code
        assert has == {meaning.severity} or meaning.otherwise, code


def test_no_code_is_written_as_a_string() -> None:
    written = {
        f"{path.relative_to(ROOT)}:{keyword.value.lineno}"
        for path, nodes in sources("code=", "core", "cli", "tui")
        for call in nodes
        if isinstance(call, ast.Call) and _name(call) not in OF_GIT
        for keyword in call.keywords
        if keyword.arg == "code" and isinstance(keyword.value, ast.Constant | ast.JoinedStr)
    }
    assert written == set()


def test_the_page_is_what_the_tables_say() -> None:
    spec = spec_from_file_location("problem_codes_page", ROOT / "scripts" / "problem_codes.py")
    assert spec is not None
    assert spec.loader is not None
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    assert PAGE.read_text(encoding="utf-8") == script.page(), "run make problem-codes"


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
