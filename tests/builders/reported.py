"""Runs that the tests of every report format share: a swapped hash, all well, silence, and texts that attack."""

from __future__ import annotations

from fakes.hostile import EVERYTHING, hostile
from msgspec.structs import replace

from builders.audits import ADDRESS, DARWIN, LINUX, ORIGIN, answer, audit, h1, origin_with, package, zh
from builders.reading import parse
from builders.run_results import KEY, SIGNATURE, locked, review_of, run_of
from builders.standards import approval, side, standards
from lockwarden.core.evidence.source_answers import Outcome, Problem, SourceAnswer
from lockwarden.core.reports.result import FileProblem, FileResult, RunResult
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

GADGET = ProviderAddress.parse("registry.example.test/acme/gadget")
RIGHT = (zh("linux_amd64"), h1("linux_amd64"))
"""Every hash of the only package of the release that `origin_with(LINUX)` knows."""
STRANGE = h1("nobody made this")
ATTACKS = (
    "@everyone",
    "#123",
    "GH-123",
    "owner/name#7",
    "1234567890abcdef1234567890abcdef12345678",
    "deadbeef",
    "https://evil.example.test/",
    "www.evil.example.test",
    "someone@evil.example.test",
    "[text](https://evil.example.test)",
    "![image](https://evil.example.test/pixel.png)",
    "<img src=x onerror=alert(1)>",
    "</details><script>alert(1)</script>",
    "<!-- hidden -->",
    "a | b | c",
    "`code`",
    "``` fence",
    "**bold** _so_ ~~gone~~",
    "$x$ :tada: &amp; &#64;",
    "- item",
    "1. item",
    "# heading",
    "--- ===",
    "\\",
    "\\\\](https://evil.example.test/)",
    "[a](b)",
    "##vso[task.setvariable variable=x]y ##[error]no ##teamcity[message text='x']",
    ":: ::error::no",
    "{0} {{1}}",
    "]]></failure><testcase/>",
    "line\nbreak\r\n\x00\x1b[31m\x7f\u202e\u2028\ufffe\ud800",
)
ATTACK = " ".join(ATTACKS)


def origin() -> SourceAnswer:
    """An origin that knows one package, offers a key, and signs."""
    return replace(origin_with(LINUX), keys=(KEY,), signatures=(SIGNATURE,))


def well(held: Standards = NO_STANDARDS) -> Review:
    """A lock file to which there is nothing to object."""
    return review_of([locked(*RIGHT)], audit(origin()), standards=held)


def swapped(line: int = 1) -> Review:
    """One `h1` at the same version came for another; a second provider is well."""
    before = side(locked(*RIGHT), locked(*RIGHT, address=GADGET))
    entries = [locked(*RIGHT, address=GADGET, line=line + 20), locked(RIGHT[0], STRANGE, line=line)]
    return review_of(
        entries,
        audit(origin(), address=GADGET),
        audit(origin()),
        standards=standards(before),
        path="a b/.terraform.lock.hcl",
    )


def silent() -> Review:
    """The origin did not answer, so that nothing is known."""
    down = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="connection refused", platforms=None)
    return review_of([locked(*RIGHT)], audit(down))


def half_answered() -> Review:
    """Every locked hash is confirmed, and one more package that was asked for did not come."""
    said = origin_with(LINUX)
    missing = package(DARWIN, outcome=Outcome.NO_ANSWER, detail="status 503")
    return review_of([locked(*RIGHT)], audit(replace(said, packages=(*said.packages, missing))))


def unreadable(path: str = "broken/.terraform.lock.hcl") -> FileResult:
    """A lock file that cannot be read."""
    problem = FileProblem(
        code=ProblemCode.UNSUPPORTED_ARGUMENT, severity=Severity.ERROR, message="no such thing", hint="go", line=7
    )
    return FileResult(path=path, problems=(problem,))


def attacked(attack: str = ATTACK) -> RunResult:
    """Texts that attack terminals, Markdown, XML, SARIF and logs in every place where text comes from outside."""
    world = hostile()
    review = Review.start(
        parse(world.data, path=f"{EVERYTHING}.hcl"),
        settings=ClientSettings(),
        platforms=[LINUX],
        standards=standards(
            side(name=attack, renamed_from=attack),
            problems=[
                Problem(
                    code=ProblemCode.APPROVALS_CHANGED,
                    severity=Severity.ERROR,
                    message=attack,
                    hint=attack,
                    source=attack,
                )
            ],
        ),
    )
    for each in world.audits:
        review = review.with_audit(each)
    problem = Problem(
        code=ProblemCode.REGISTRY_WARNING, severity=Severity.ERROR, message=attack, hint=attack, source=attack
    )
    said = replace(origin(), problems=(problem, replace(problem, severity=Severity.NOTE)))
    mute = answer(
        replace(ORIGIN, id=attack), outcome=Outcome.NO_ANSWER, detail=f"{attack} {EVERYTHING}", platforms=None
    )
    other = review_of([locked(STRANGE)], audit(said, mute), path=attack)
    record = approval(STRANGE, by=attack, reason=attack)
    accepted = review_of(
        [locked(*RIGHT, STRANGE)], audit(origin()), path=attack, standards=standards(approvals=[record])
    )
    broken = FileResult(
        path=attack,
        problems=(
            FileProblem(
                code=ProblemCode.LOCK_FILE_UNREADABLE, severity=Severity.ERROR, message=attack, hint=attack, line=1
            ),
        ),
    )
    return RunResult(
        sources=(ORIGIN,),
        files=(FileResult(path=review.lock_file.path, review=review), *run_of(other, accepted).files, broken),
    )


def of_widget(result: Review) -> str:
    """How reports call the provider of most tests."""
    return f"{ADDRESS} {result.provider(ADDRESS).entry.version}"
