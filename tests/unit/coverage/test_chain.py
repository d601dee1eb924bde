"""One verdict for several methods: lists first, then the first package, and what ends init on the way."""

from __future__ import annotations

from builders.audits import DARWIN, FOLDER, LINUX, MIRROR, ORIGIN, answer, audit, h1, origin_with, package, zh
from builders.coverage import OCI, archive
from builders.run_results import locked
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.coverage.chain import ChainVerdict, chain_of
from lockwarden.core.coverage.matrix import CoverageMatrix
from lockwarden.core.coverage.outcomes import Installability
from lockwarden.core.evidence.source_answers import Outcome, Problem, SourceAnswer, SourceRef, Unlisted
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.errors import Stage
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

LOCKED = tuple(make(str(platform)) for platform in (LINUX, DARWIN) for make in (zh, h1))
DIRECT = origin_with(LINUX, DARWIN)
OURS = Problem(code=ProblemCode.REDIRECT_REFUSED, severity=Severity.WARNING, message="it led to plain http")
FAILS, OPEN, WORKS = Installability.FAILS, Installability.OPEN, Installability.WORKS


def has(source: SourceRef) -> SourceAnswer:
    return answer(source, packages=[archive(str(LINUX))], platforms=[LINUX])


def silent(source: SourceRef, stage: Stage, *problems: Problem) -> SourceAnswer:
    said = answer(source, outcome=Outcome.NO_ANSWER, detail="it answered 500", platforms=None)
    return replace(said, ended_at=stage, problems=problems)


def lacks(source: SourceRef, *, stage: Stage | None = None, unlisted: Unlisted | None = None) -> SourceAnswer:
    said = answer(source, outcome=Outcome.NOT_THERE, detail="not there", platforms=None)
    return replace(said, ended_at=stage, unlisted=unlisted)


def chain(*said: SourceAnswer, client: Client = Client.OPENTOFU) -> ChainVerdict:
    together = replace(audit(*said), chain=tuple(each.source.id for each in said))
    (verdict,) = chain_of(locked(*LOCKED), together, settings=ClientSettings(client=client), platforms=[LINUX])
    return verdict


def test_sources_that_were_named_one_by_one_are_no_chain() -> None:
    assert chain_of(locked(*LOCKED), audit(has(MIRROR), DIRECT), settings=ClientSettings(), platforms=[LINUX]) == ()


@table(
    ("said", "standing", "source", "words"),
    [
        ((has(MIRROR), DIRECT), WORKS, "mirror", "mirror is the first method that has the package"),
        ((has(MIRROR), silent(ORIGIN, Stage.VERSIONS)), FAILS, "direct", "that of direct ends init"),
        ((has(MIRROR), lacks(ORIGIN, stage=Stage.DISCOVERY)), FAILS, "direct", "not there"),
        ((has(MIRROR), replace(DIRECT, problems=(replace(OURS, code="versions-invalid"),))), FAILS, "direct", "plain"),
        ((has(MIRROR), lacks(ORIGIN, stage=Stage.VERSIONS)), WORKS, "mirror", "first method"),
        ((has(MIRROR), silent(ORIGIN, Stage.SUMS)), WORKS, "mirror", "first method"),
        (
            (silent(ORIGIN, Stage.SUMS), has(MIRROR)),
            FAILS,
            "direct",
            "SHA256SUMS of direct ends init: it answered 500",
        ),
        # What failed belongs to the packages of other platforms, and the client asks for none of it.
        (
            (replace(silent(ORIGIN, Stage.SUMS), packages=(package(LINUX, outcome=Outcome.NOT_THERE),)), has(MIRROR)),
            WORKS,
            "mirror",
            "first method",
        ),
        ((has(MIRROR), silent(ORIGIN, Stage.VERSIONS, OURS)), OPEN, "direct", "not known"),
        ((silent(ORIGIN, Stage.SUMS, OURS), has(MIRROR)), OPEN, "direct", "not known"),
        (
            (has(MIRROR), answer(ORIGIN, outcome=Outcome.NOT_ASKED, platforms=None)),
            OPEN,
            "direct",
            "no usable answer",
        ),
        ((answer(ORIGIN, outcome=Outcome.NOT_ASKED, platforms=None), has(MIRROR)), OPEN, "direct", "not known"),
        (
            (lacks(FOLDER), answer(ORIGIN, outcome=Outcome.NOT_ASKED, platforms=None)),
            OPEN,
            "direct",
            "not known",
        ),
        (
            (silent(ORIGIN, Stage.SUMS), answer(MIRROR, outcome=Outcome.NOT_ASKED, platforms=None)),
            FAILS,
            "direct",
            "the SHA256SUMS of direct ends init",
        ),
        (
            (
                answer(FOLDER, platforms=[DARWIN]),
                answer(MIRROR, outcome=Outcome.NOT_ASKED, platforms=None),
            ),
            OPEN,
            "mirror",
            "not known",
        ),
        ((silent(FOLDER, Stage.FOLDER), DIRECT), FAILS, "folder", "that of folder ends init"),
        ((lacks(FOLDER), DIRECT), WORKS, "direct", "first method"),
        ((answer(FOLDER, platforms=[DARWIN]), DIRECT), WORKS, "direct", "first method"),
        (
            (answer(FOLDER, platforms=[DARWIN]), answer(MIRROR, platforms=[DARWIN])),
            FAILS,
            "",
            "for this platform",
        ),
        ((lacks(FOLDER), lacks(MIRROR)), FAILS, "", "no method has version 1.2.3; not there; not there"),
        ((lacks(MIRROR, unlisted=Unlisted(failure="404")), DIRECT), FAILS, "mirror", "asks for it here first: 404"),
        ((lacks(MIRROR, unlisted=Unlisted(platforms=frozenset({DARWIN}))), DIRECT), WORKS, "direct", "first method"),
        ((lacks(MIRROR, unlisted=Unlisted(platforms=frozenset({LINUX}))), DIRECT), OPEN, "mirror", "not looked at"),
        ((lacks(MIRROR), DIRECT), OPEN, "mirror", "not looked at"),
        ((lacks(ORIGIN), has(MIRROR)), OPEN, "direct", "not looked at"),
        ((lacks(OCI, stage=Stage.VERSIONS), DIRECT), FAILS, "oci", "has no tag for 1.2.3"),
        ((silent(OCI, Stage.VERSIONS), DIRECT), FAILS, "oci", "that of oci ends init"),
        ((silent(OCI, Stage.INDEX), DIRECT), FAILS, "oci", "the mirror index of oci ends init"),
        ((DIRECT, silent(OCI, Stage.INDEX)), WORKS, "direct", "first method"),
        ((DIRECT, lacks(OCI, stage=Stage.VERSIONS)), WORKS, "direct", "first method"),
        ((answer(OCI, platforms=[DARWIN]), DIRECT), WORKS, "direct", "first method"),
        (
            (answer(MIRROR, packages=[package(LINUX, outcome=Outcome.NO_ANSWER, detail="503")]), DIRECT),
            FAILS,
            "mirror",
            "what belongs to the package of mirror ends init: 503",
        ),
        (
            (answer(MIRROR, packages=[archive("other")], platforms=[LINUX]), DIRECT),
            FAILS,
            "mirror",
            "its archive is another than the one",
        ),
    ],
)
def test_the_method_that_decides_and_how(
    said: tuple[SourceAnswer, ...], standing: Installability, source: str, words: str
) -> None:
    verdict = chain(*said)
    assert (verdict.standing, verdict.source) == (standing, source), verdict
    assert words in verdict.reason
    assert bool(verdict.remedy) is (standing is not WORKS)


def test_terraform_drops_an_oci_mirror_and_goes_on_with_the_others() -> None:
    assert chain(silent(OCI, Stage.VERSIONS), DIRECT, client=Client.TERRAFORM).standing is WORKS


def test_a_table_of_a_chain_says_what_the_chain_comes_to() -> None:
    said = (has(MIRROR), silent(ORIGIN, Stage.VERSIONS))
    together = replace(audit(*said), chain=("mirror", "direct"))
    table = CoverageMatrix.of(locked(*LOCKED), together, settings=ClientSettings(), platforms=[LINUX])
    assert table.worst is FAILS
    assert table.summary.startswith("linux_amd64 by the configured methods: init ends, every method has to give its")
