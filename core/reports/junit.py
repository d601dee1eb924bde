"""The report as JUnit XML, in the form that Ant began and Jenkins and others read: a suite for each lock file.

A test case stands for a provider. It fails where something speaks against committing, and is skipped where something
was not checked and nothing is worse; many readers look at the first failure of a case only, so there is one, which
begins with the loudest and tells all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from msgspec import Struct

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.reports.bounds import first_of, shortened
from lockwarden.core.reports.configuration_lines import configuration_line
from lockwarden.core.reports.failures import FindingsOnce, findings_once
from lockwarden.core.reports.findings import Finding, findings_of_run
from lockwarden.core.reports.headline import headline
from lockwarden.core.reports.located_module_findings import (
    LocatedModuleFinding,
    findings_of_listing,
    findings_of_lock,
    listing_headline,
    lock_line,
)
from lockwarden.core.reports.module_report import call_name
from lockwarden.core.reports.result import FileResult, RunResult, UsedConfiguration
from lockwarden.core.reports.standards_lines import standards_line
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.module_review import ModuleReview
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.printable import inert, reveal
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_ByProvider = dict[ProviderAddress, list[Finding]]

MODULES_CASE: Final = "the configuration and the module lock"
FILE_CASE: Final = "the lock file itself"
CHECKED_CASE: Final = "the file itself"
"""Of what is no lock file."""
_MAX_MESSAGE: Final = 2_000
_MAX_LINE: Final = 8_000
_MAX_LINES: Final = 2_000
_MAX_SIZE: Final = 6_000_000
"""Characters of all texts together, each of which may need six bytes."""
_FEWEST: Final = 500


class _Case(Struct, frozen=True, kw_only=True):
    name: str
    findings: Sequence[Finding]
    broken: bool = False
    """The lock file cannot be read: an error of the test rather than a failure."""

    @property
    def loud(self) -> Sequence[Finding]:
        """What makes it fail, the loudest first."""
        return [each for each in self.findings if each.severity is Severity.ERROR]

    @property
    def open(self) -> Sequence[Finding]:
        """What was not checked."""
        return [each for each in self.findings if each.is_open]


def junit_report(result: RunResult) -> str:
    """The whole report as XML, with a line feed at the end.

    It is ASCII: other letters are character references, as is a character of what a job's log takes for a command.
    """
    root = ET.Element("testsuites", {"name": "lockwarden"})
    providers = sum(1 + len(each.review.providers) for each in result.files if each.review is not None)
    room = max(_FEWEST, _MAX_SIZE // max(1, providers))
    told = findings_once(findings_of_run(result), result.files)
    for file in result.files:
        _suite(root, file, told, result.configuration, room)
    if result.modules is not None:
        _module_suites(root, result.modules)
    if result.left_out:
        properties = ET.SubElement(root, "properties")
        for each in result.left_out:
            ET.SubElement(properties, "property", {"name": "left out", "value": reveal(each.message)})
    _count(root, root.iter("testcase"))
    ET.indent(root)
    text = ET.tostring(root, encoding="us-ascii", xml_declaration=True).decode("ascii")
    return f"{inert(text, spell=_reference)}\n"


def _reference(char: str) -> str:
    return f"&#{ord(char)};"


def _suite(root: ET.Element, file: FileResult, told: FindingsOnce, used: UsedConfiguration | None, room: int) -> None:
    suite = ET.SubElement(root, "testsuite", {"name": reveal(file.path)})
    if used is not None:
        properties = ET.SubElement(suite, "properties")
        value = reveal(configuration_line(used)).removeprefix("Configuration: ")
        ET.SubElement(properties, "property", {"name": "configuration", "value": value})
    for case in _cases(file, told):
        _write(
            ET.SubElement(suite, "testcase", {"classname": reveal(file.path), "name": reveal(case.name)}), case, room
        )
    _count(suite, suite.iter("testcase"))
    if file.review is None and file.checked:
        ET.SubElement(suite, "system-out").text = reveal(headline(file))
    if file.review is not None:
        held = f"held against: {standards_line(file.review.standards)}"
        ET.SubElement(suite, "system-out").text = f"{reveal(headline(file))}\n{reveal(held)}"


def _module_suites(root: ET.Element, review: ModuleReview) -> None:
    """A suite for the modules of each configuration, with a case for each call, and one for each module lock."""
    locks = [(each.path, headed(findings_of_lock(each))) for each in review.locks]
    suites = [(f"module lock {path}", path, cases, "") for path, cases in locks if cases]
    for listing in review.listings:
        quiet: dict[str, list[Finding]] = {call_name(each): [] for each in listing.calls}
        cases = quiet | headed(findings_of_listing(listing))
        suites.append((f"modules of {listing.path}", listing.path, cases, listing_headline(listing)))
    room = max(_FEWEST, _MAX_SIZE // max(1, sum(len(cases) for _, _, cases, _ in suites)))
    for name, classname, cases, said in suites:
        suite = ET.SubElement(root, "testsuite", {"name": reveal(name)})
        for case, findings in cases.items():
            attributes = {"classname": reveal(classname), "name": reveal(f"module {case}" if case else MODULES_CASE)}
            _write(ET.SubElement(suite, "testcase", attributes), _Case(name=case, findings=findings), room)
        _count(suite, suite.iter("testcase"))
        held = [f"held against: module lock {lock_line(each)}" for each in review.locks]
        ET.SubElement(suite, "system-out").text = "\n".join(map(reveal, [*([said] if said else []), *held]))


def headed(told: Iterable[LocatedModuleFinding]) -> dict[str, list[Finding]]:
    """The findings of each call by its name, the loudest first; those of no call below an empty name."""
    found: dict[str, list[Finding]] = {}
    for each in told:
        found.setdefault(each.name, []).append(each.finding)
    return found


def _count(element: ET.Element, found: Iterable[ET.Element]) -> None:
    cases = list(found)
    element.set("tests", str(len(cases)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(attribute, str(sum(case.find(tag) is not None for case in cases)))
    # Nothing is timed; readers that want the attribute get one.
    element.set("time", "0")


def _cases(file: FileResult, told: FindingsOnce) -> Iterator[_Case]:
    """The providers with the loudest first, then the lock file itself where there is something to tell of it."""
    own, by_provider = _grouped(file, told)
    if file.review is None:
        yield _Case(name=CHECKED_CASE if file.checked else FILE_CASE, findings=own, broken=not file.checked)
        return
    versions = {each.address: each.entry.version for each in file.review.providers}
    quiet: _ByProvider = {address: [] for address in versions if address not in by_provider}
    for address, findings in (by_provider | quiet).items():
        yield _Case(name=f"{address} {versions[address]}", findings=findings)
    if own or not file.review.providers:
        yield _Case(name=FILE_CASE, findings=own)


def _grouped(file: FileResult, told: FindingsOnce) -> tuple[list[Finding], _ByProvider]:
    """What is told of the file itself, and of each provider that there is something to tell of, the loudest first."""
    own: list[Finding] = []
    by_provider: _ByProvider = {}
    for each in (one for one in told.told if one.file.path == file.path):
        group = own if each.provider is None else by_provider.setdefault(each.provider.address, [])
        group.append(each.finding)
    for provider in () if file.review is None else file.review.providers:
        for problem in told.waiting.get((file.path, str(provider.address)), ()):
            by_provider.setdefault(provider.address, []).append(_pointer(problem))
    return own, by_provider


def _pointer(problem: Problem) -> Finding:
    """That a provider waits for a failure that is told of a lock file itself."""
    source = f" of {problem.source}" if problem.source else ""
    message = f"it waits for the answer{source}: see “{FILE_CASE}” of the first file that met the failure"
    return Finding(code=ProblemCode.INCOMPLETE, severity=Severity.WARNING, message=message)


def _write(element: ET.Element, case: _Case, room: int) -> None:
    """`room` is how many characters each of its texts may have."""
    element.set("time", "0")
    loud, open_ = case.loud, case.open
    if case.broken:
        _outcome(element, "error", case.findings, room, otherwise=Answer.UNREADABLE)
    elif loud:
        _outcome(element, "failure", loud, room)
    elif open_:
        _outcome(element, "skipped", open_, room, typed=False)
    quiet = (each for each in case.findings if each.severity is not Severity.ERROR and not each.is_open)
    rest = [] if case.broken else [*quiet, *(open_ if loud else ())]
    if rest:
        ET.SubElement(element, "system-out").text = _text(rest, room)


def _outcome(
    element: ET.Element,
    tag: str,
    findings: Sequence[Finding],
    room: int,
    *,
    typed: bool = True,
    otherwise: str = "",
) -> None:
    first = findings[0] if findings else None
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    message = otherwise if first is None else f"{first.name}: {first.message}"
    child = ET.SubElement(element, tag, {"message": f"{shortened(reveal(message), _MAX_MESSAGE)}{more}"})
    if typed:
        child.set("type", reveal(first.code) if first is not None else tag)
    child.text = _text(findings, room)


def _text(findings: Iterable[Finding], room: int) -> str:
    lines = [line for each in findings for line in _told(each)]
    text = "\n".join(shortened(reveal(line), _MAX_LINE) for line in first_of(lines, _MAX_LINES))
    return shortened(text, room)


def _told(finding: Finding) -> Iterator[str]:
    place = "" if finding.line is None else f" (line {finding.line})"
    yield f"{finding.severity}: {finding.name}: {finding.message}{place}"
    yield from (f"  {line}" for line in finding.lines)
