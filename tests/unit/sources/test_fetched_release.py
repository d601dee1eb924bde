"""The finding that follows from what was fetched of a release."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from builders.registry_cases import (
    DARWIN,
    DARWIN_FILE,
    DARWIN_H1,
    DARWIN_ZH,
    LINUX,
    LINUX_FILE,
    LINUX_H1,
    LINUX_ZH,
    SUMS,
    VERSION,
    WIDGET,
    answer,
    archive_facts,
    judgement,
    signed_sums,
    unsigned_sums,
)

from lockwarden.core.evidence.observations import ReportedByRegistry
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer, SourceKind, SourceRef
from lockwarden.core.sources.package_work import PackageEvidence
from lockwarden.core.sources.protocols.registry_documents import MAX_PLATFORMS, PackageClaim, UnsignedPackages
from lockwarden.core.sources.registry.fetched_release import FetchedRelease
from lockwarden.core.store.packages_on_disk import StoredPackage
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.errors import ArchiveError, BadAnswerError, NoAnswerError, NotThereError, Stage
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import SignatureState

BOTH = frozenset({LINUX, DARWIN})
WINDOWS = Platform("windows", "amd64")
ONLY_LINUX = f"{LINUX_ZH.value}  {LINUX_FILE}\n"
ONLY_DARWIN = f"{DARWIN_ZH.value}  {DARWIN_FILE}\n"
DOWN = NoAnswerError("it is down", stage=Stage.METADATA, code=ProblemCode.HTTP_STATUS, hint="try later")
ABSENT = NotThereError("there is none", stage=Stage.METADATA)


def known(**parts: Any) -> FetchedRelease:
    values: dict[str, Any] = {
        "ref": SourceRef(id="direct", kind=SourceKind.DIRECT, location="origin registries"),
        "address": WIDGET,
        "version": VERSION,
        "settings": ClientSettings(),
        "announced": BOTH,
    }
    return FetchedRelease(**(values | parts))


def downloaded(zh: Hash = LINUX_ZH, error: ArchiveError | None = None) -> PackageEvidence:
    facts = archive_facts() if error is None else None
    package = StoredPackage(zh=zh, size=7, path=Path("package.zip"), facts=facts, archive_error=error)
    return PackageEvidence(package=package, location="https://example.test/package.zip")


def test_lists_that_name_every_platform_are_complete() -> None:
    release = known(answers={LINUX: answer()}, lists={LINUX: signed_sums()})
    assert release.complete
    assert release.source_answer().lists[0].complete


def test_lists_are_complete_together() -> None:
    half = known(answers={LINUX: answer()}, lists={LINUX: signed_sums(ONLY_LINUX)})
    assert half.uncovered == {DARWIN}
    assert not half.source_answer().lists[0].complete
    whole = known(
        answers={LINUX: answer(), DARWIN: answer(DARWIN)},
        lists={LINUX: signed_sums(ONLY_LINUX), DARWIN: signed_sums(ONLY_DARWIN)},
    )
    assert whole.source_answer().lists[0].complete
    assert len(whole.source_answer().lists[0].documents) == 2


def test_a_platform_that_is_announced_and_denied_is_not_covered_by_a_list_for_another() -> None:
    """Who may not see a package is told that there is none, and each platform may have a list of its own."""
    lists = {LINUX: signed_sums(ONLY_LINUX)}
    for nothing in (ABSENT, DOWN):
        release = known(answers={LINUX: answer(), DARWIN: nothing}, lists=lists)
        assert not release.complete
        assert not release.absent


def test_a_denied_platform_is_absent_where_no_list_names_it() -> None:
    answers = {LINUX: answer(), WINDOWS: ABSENT, DARWIN: ABSENT}
    every = known(announced=BOTH | {WINDOWS}, answers=answers, lists={LINUX: signed_sums()})
    assert every.complete
    assert every.source_answer().absent == {WINDOWS}
    alone = known(announced=frozenset({LINUX}), answers=answers, lists={LINUX: signed_sums(ONLY_LINUX)})
    assert alone.complete
    assert alone.absent == {WINDOWS, DARWIN}


def test_a_platform_is_covered_by_the_unusual_name_that_its_answer_gives() -> None:
    release = known(
        announced=frozenset({LINUX}),
        answers={LINUX: answer(filename="widget.zip")},
        lists={LINUX: signed_sums(f"{LINUX_ZH.value}  widget.zip\n")},
    )
    assert release.complete


def test_a_list_that_is_not_used_makes_nothing_complete() -> None:
    bad = signed_sums(SUMS, judgement(SignatureState.BAD))
    release = known(
        answers={LINUX: answer(), DARWIN: answer(DARWIN)}, lists={LINUX: signed_sums(ONLY_LINUX), DARWIN: bad}
    )
    assert not release.complete
    assert release.source_answer().lists[0].hashes == {LINUX_ZH}


def test_a_list_that_is_unsigned_among_signed_ones_adds_nothing_and_takes_nothing_away() -> None:
    release = known(
        answers={LINUX: answer(), DARWIN: answer(DARWIN)},
        lists={LINUX: signed_sums(ONLY_LINUX), DARWIN: unsigned_sums(ONLY_DARWIN)},
        downloads={DARWIN: downloaded(DARWIN_ZH)},
        checked={DARWIN: None},
    )
    source_answer = release.source_answer()
    assert source_answer.lists[0].complete
    assert source_answer.lists[0].authenticated
    assert source_answer.lists[0].hashes == {LINUX_ZH}
    assert not any(seen.vouches for hash_, seen in source_answer.observations if hash_ != LINUX_ZH)
    assert "sums-unsigned-beside-signed" in {problem.code for problem in source_answer.problems}
    assert source_answer.packages[0].detail.startswith("the list is not signed")


def test_platforms_are_all_that_the_registry_names_anywhere() -> None:
    plan9 = Platform("plan9", "386")
    claims = UnsignedPackages(claims=(PackageClaim(platform=plan9, hashes=(), size=1),))
    release = known(
        announced=frozenset({LINUX}), answers={LINUX: answer(packages=claims)}, lists={LINUX: signed_sums()}
    )
    assert release.platforms == frozenset({LINUX, DARWIN, plan9})
    unsaid = known(announced=None, answers={LINUX: answer()}, lists={LINUX: signed_sums()})
    assert unsaid.platforms == BOTH
    assert unsaid.complete
    assert known(announced=None, answers={LINUX: answer(packages=claims)}).platforms == frozenset({plan9})


def test_a_list_with_more_platforms_than_any_release_has_adds_none() -> None:
    text = "".join(
        f"{number:064}  terraform-provider-widget_1.0.0_linux_a{number}.zip\n" for number in range(MAX_PLATFORMS)
    )
    release = known(answers={LINUX: answer()}, lists={LINUX: signed_sums(text)})
    assert release.platforms == BOTH


def test_where_nothing_says_which_platforms_there_are_a_list_that_names_one_does_not_tell_of_all() -> None:
    """Some registries have a list for each platform."""
    one = known(announced=None, answers={LINUX: answer()}, lists={LINUX: signed_sums(ONLY_LINUX)})
    assert one.platforms is None
    assert not one.complete
    named = f"{LINUX_ZH.value}  widget.zip\n"
    none = known(announced=None, answers={LINUX: answer(filename="widget.zip")}, lists={LINUX: signed_sums(named)})
    assert none.platforms is None
    assert not none.complete


class TestUnsignedClaims:
    """A made-up platform in `packages`; what it is worth by what its own document answers."""

    PLAN9 = Platform("plan9", "amd64")
    PLANTED = Hash(f"zh:{'e' * 64}")

    def release(self, answered: Any = None, led_to: Any = None) -> FetchedRelease:
        claims = [
            PackageClaim(platform=platform, hashes=(zh,), size=7)
            for platform, zh in ((LINUX, LINUX_ZH), (DARWIN, DARWIN_ZH), (self.PLAN9, self.PLANTED))
        ]
        asked = answer(packages=UnsignedPackages(claims=tuple(claims)))
        return known(
            answers={LINUX: asked} | ({} if answered is None else {self.PLAN9: answered}),
            lists={LINUX: signed_sums()} | ({} if led_to is None else {self.PLAN9: led_to}),
        )

    def refusals(self, release: FetchedRelease) -> list[str]:
        return [seen.refused for hash_, seen in release.source_answer().observations if hash_ == self.PLANTED]

    def test_while_its_document_does_not_answer_the_list_is_open_and_the_claim_does_not_count(self) -> None:
        for open_ in (
            self.release(),
            self.release(DOWN),
            self.release(answer(self.PLAN9), DOWN),
            self.release(answer(self.PLAN9, os="linux")),
        ):
            assert open_.open == {self.PLAN9}
            assert not open_.complete
            assert self.refusals(open_) == ["no list of checksums that could be read names such a package"]

    def test_once_it_answered_or_is_absent_the_list_is_complete_and_the_claim_a_contradiction(self) -> None:
        for closed in (
            self.release(ABSENT),
            self.release(answer(self.PLAN9, filename="plan9.zip"), signed_sums()),
            self.release(answer(self.PLAN9), unsigned_sums(f"{'e' * 64}  plan9.zip\n")),
        ):
            assert closed.complete
            assert self.refusals(closed)[0].startswith(("SHA256SUMS does not list", "the list is not signed"))
            assert all(self.refusals(closed))
            assert "reported-hashes-contradict-sums" in {problem.code for problem in closed.source_answer().problems}

    def test_a_list_of_its_own_that_cannot_be_used_leaves_the_others_open(self) -> None:
        bad = signed_sums(f"{'e' * 64}  plan9.zip\n", judgement(SignatureState.BAD))
        release = self.release(answer(self.PLAN9), bad)
        assert not release.complete
        assert not any(seen.vouches for hash_, seen in release.source_answer().observations if hash_ == self.PLANTED)

    def test_claims_do_not_complete_a_list_that_names_one_platform(self) -> None:
        claims = UnsignedPackages(claims=(PackageClaim(platform=LINUX, hashes=(LINUX_ZH,), size=7),))
        release = known(
            announced=None, answers={LINUX: answer(packages=claims)}, lists={LINUX: signed_sums(ONLY_LINUX)}
        )
        assert release.platforms == {LINUX}
        assert not release.complete


def test_an_answer_for_another_release_is_not_used_and_told() -> None:
    claims = UnsignedPackages(claims=(PackageClaim(platform=LINUX, hashes=(LINUX_H1,), size=1),))
    astray = answer(filename="terraform-provider-widget_1.0.1_linux_amd64.zip", packages=claims)
    source_answer = known(answers={LINUX: astray}, checked={LINUX: None}).source_answer()
    assert source_answer.observations == ()
    assert source_answer.packages[0].outcome is Outcome.NO_ANSWER
    assert source_answer.packages[0].detail == "the registry answers with a file of widget 1.0.1"
    (problem,) = source_answer.problems
    assert (problem.code, problem.severity) == ("answer-for-other-release", Severity.ERROR)
    assert "asked for widget 1.0.0 for linux_amd64" in problem.message
    assert not astray.usable


def test_an_answer_with_the_file_of_another_platform_is_not_used() -> None:
    name = "terraform-provider-widget_1.0.0_darwin_arm64.zip"
    release = known(answers={LINUX: answer(filename=name)}, checked={LINUX: None}, lists={DARWIN: signed_sums()})
    assert release.package_facts(LINUX).detail == "the registry answers with a file of darwin_arm64"
    assert not release.good_answers


def test_an_answer_for_another_platform_is_not_used_and_told() -> None:
    claims = UnsignedPackages(claims=(PackageClaim(platform=LINUX, hashes=(LINUX_H1,), size=1),))
    release = known(answers={LINUX: answer(os="plan9", packages=claims)}, checked={LINUX: None})
    source_answer = release.source_answer()
    assert source_answer.observations == ()
    assert source_answer.packages[0].outcome is Outcome.NO_ANSWER
    assert "instead of linux_amd64" in source_answer.packages[0].client_refusal
    assert {problem.code for problem in source_answer.problems} == {"answer-for-other-platform"}


def test_what_a_registry_reports_does_not_count_when_its_list_could_not_be_had() -> None:
    claims = UnsignedPackages(claims=(PackageClaim(platform=DARWIN, hashes=(DARWIN_H1,), size=1),))
    release = known(
        answers={LINUX: answer(), DARWIN: answer(DARWIN, packages=claims)},
        lists={LINUX: signed_sums(ONLY_LINUX), DARWIN: DOWN},
    )
    reports = [seen for hash_, seen in release.source_answer().observations if hash_ == DARWIN_H1]
    assert [isinstance(seen, ReportedByRegistry) and seen.refused for seen in reports] == [
        "its list of checksums could not be checked"
    ]


def test_a_package_that_was_hashed_is_told_with_its_list() -> None:
    release = known(
        answers={LINUX: answer()},
        lists={LINUX: signed_sums()},
        downloads={LINUX: downloaded()},
        checked={LINUX: None},
    )
    source_answer = release.source_answer()
    assert source_answer.packages[0].hashes == {LINUX_ZH, LINUX_H1}
    assert not source_answer.packages[0].client_refusal
    assert not source_answer.problems


def test_bytes_that_are_no_archive_say_why() -> None:
    release = known(
        answers={LINUX: answer()},
        lists={LINUX: signed_sums()},
        downloads={LINUX: downloaded(error=ArchiveError("it is a web page", code=ArchiveFault.HTML))},
        checked={LINUX: None},
    )
    assert release.source_answer().packages[0].client_refusal == "it is no archive: it is a web page"


def test_the_first_thing_that_went_wrong_is_why_there_is_no_package() -> None:
    later = BadAnswerError("another", stage=Stage.SUMS, code=ProblemCode.NO_ANSWER)
    checked = dict.fromkeys((LINUX, DARWIN))
    release = known(
        answers={LINUX: DOWN, DARWIN: answer(DARWIN)},
        lists={DARWIN: signed_sums()},
        downloads={DARWIN: later},
        checked=checked,
    )
    source_answer = release.source_answer()
    assert [(package.outcome, package.detail) for package in source_answer.packages] == [
        (Outcome.NO_ANSWER, "it is down"),
        (Outcome.NO_ANSWER, "another"),
    ]
    assert [package.client_refusal for package in source_answer.packages] == ["", "another"]
    assert [(problem.code, problem.hint, problem.severity) for problem in source_answer.problems] == [
        ("http-status", "try later", Severity.WARNING),
        ("no-answer", "", Severity.WARNING),
    ]


def test_a_platform_without_a_package_is_not_there() -> None:
    (package,) = known(answers={LINUX: ABSENT}, checked={LINUX: None}).source_answer().packages
    assert (package.outcome, package.detail) == (Outcome.NOT_THERE, "there is none")


def test_only_what_could_not_be_had_is_a_failure_of_the_release() -> None:
    assert known(answers={LINUX: ABSENT}).first_failure is None
    assert known(answers={LINUX: ABSENT, DARWIN: DOWN}).first_failure is DOWN
    assert known(answers={LINUX: answer()}, lists={LINUX: DOWN}).first_failure is DOWN
    missing_list = NotThereError("no list", stage=Stage.SUMS)
    assert known(answers={LINUX: answer()}, lists={LINUX: missing_list}).first_failure is missing_list


def test_a_refusal_of_every_package_comes_before_all_others() -> None:
    release = known(
        refusal="the list of versions is odd",
        answers={LINUX: answer()},
        lists={LINUX: signed_sums()},
        downloads={LINUX: downloaded()},
        checked={LINUX: None},
    )
    assert release.source_answer().packages[0].client_refusal == "the list of versions is odd"


def test_one_document_behind_several_answers_is_told_once() -> None:
    listed = signed_sums(f"{SUMS}\n")
    release = known(
        answers={LINUX: answer(), DARWIN: answer(DARWIN)}, lists={LINUX: listed, DARWIN: signed_sums(f"{SUMS}\n")}
    )
    source_answer = release.source_answer()
    assert len(source_answer.signatures) == 1
    assert len(source_answer.keys) == 1
    assert [problem.code for problem in source_answer.problems] == ["sums-empty-line"]
    assert len(source_answer.observations) == 4


def test_a_finding_is_the_same_whatever_came_first() -> None:
    answers: dict[Platform, Any] = {LINUX: answer(), DARWIN: answer(DARWIN), WINDOWS: DOWN}
    lists: dict[Platform, Any] = {LINUX: signed_sums(ONLY_LINUX), DARWIN: signed_sums(ONLY_DARWIN)}
    downloads = {LINUX: downloaded(), DARWIN: downloaded(DARWIN_ZH)}

    def made(order: list[Platform]) -> SourceAnswer:
        return known(
            answers={each: answers[each] for each in order},
            lists={each: lists[each] for each in order if each in lists},
            downloads={each: downloads[each] for each in order if each in downloads},
            checked=dict.fromkeys(order),
        ).source_answer()

    assert made([LINUX, DARWIN, WINDOWS]) == made([WINDOWS, DARWIN, LINUX]) == made([DARWIN, WINDOWS, LINUX])
