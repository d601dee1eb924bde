"""What the listed hashes of a mirror are worth against the package that it gives out."""

from __future__ import annotations

from builders.tables import table

from lockwarden.core.sources.network_mirror.judgement import (
    GivenOut,
    Promise,
    list_problems,
    match_problems,
    wrongly_listed,
)
from lockwarden.core.sources.protocols.mirror_documents import MirrorArchive
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity

ZH = Hash("zh:" + "a" * 64)
H1 = Hash("h1:" + "A" * 43 + "=")
H1_FOLDER = Hash("h1:" + "B" * 42 + "A=")
OTHER_ZH = Hash("zh:" + "b" * 64)
OTHER_H1 = Hash("h1:" + "C" * 42 + "A=")
UPPER_ZH = Hash("zh:" + "A" * 64)
UNKNOWN = Hash("h9:x")
GIVEN = GivenOut(zh=ZH, h1_archive=H1, h1_directory=H1_FOLDER)
NO_ARCHIVE = GivenOut(zh=ZH, h1_archive=None, h1_directory=None, unhashable="it is not a zip archive")


def archive(*hashes: Hash, key: str = "linux_amd64", malformed: tuple[str, ...] = ()) -> MirrorArchive:
    platform = Platform.parse(key) if "_" in key else None
    return MirrorArchive(key=key, platform=platform, url="a.zip", hashes=hashes, malformed=malformed)


def promise(*hashes: Hash, malformed: tuple[str, ...] = ()) -> Promise:
    return Promise(hashes=hashes, malformed=malformed)


@table(
    ("listed", "kept"),
    [
        ([ZH, H1], {ZH, H1}),
        ([ZH], {ZH}),
        ([OTHER_ZH, H1], {H1}),
        ([ZH, OTHER_H1, UNKNOWN], {ZH}),
        ([], set()),
    ],
)
def test_one_match_is_enough_for_a_client(listed: list[Hash], kept: set[Hash]) -> None:
    assert promise(*listed).kept(GIVEN) == kept
    assert promise(*listed).refusal(GIVEN) == ""


@table(
    ("listed", "reason"),
    [
        ([UNKNOWN], "supports none of the checksum formats"),
        ([OTHER_ZH], f"does not match the listed hash {OTHER_ZH}"),
        ([UPPER_ZH], f"does not match the listed hash {UPPER_ZH}"),
        ([OTHER_ZH, UNKNOWN], f"does not match the listed hash {OTHER_ZH}"),
        ([OTHER_ZH, OTHER_H1], "matches none of the listed hashes"),
        ([H1_FOLDER], f"does not match the listed hash {H1_FOLDER}"),
    ],
)
def test_without_a_match_a_client_refuses(listed: list[Hash], reason: str) -> None:
    assert promise(*listed).kept(GIVEN) == frozenset()
    assert reason in promise(*listed).refusal(GIVEN)


def test_a_hash_without_a_scheme_is_refused_whatever_else_matches() -> None:
    assert "“abc”, which is not a hash" in promise(ZH, malformed=("abc",)).refusal(GIVEN)
    assert "…" in promise(ZH, malformed=("x" * 500,)).refusal(GIVEN)


def test_bytes_that_are_no_archive_pass_by_their_zh_alone() -> None:
    assert promise(ZH).refusal(NO_ARCHIVE) == ""
    assert promise(ZH).kept(NO_ARCHIVE) == {ZH}
    assert "it is not a zip archive" in promise(ZH, H1).refusal(NO_ARCHIVE)
    assert f"does not match the listed hash {OTHER_ZH}" in promise(OTHER_ZH).refusal(NO_ARCHIVE)


def test_a_client_looks_at_one_platform_and_at_a_trusted_mirror_at_all() -> None:
    linux, darwin = archive(H1), archive(ZH, key="darwin_arm64", malformed=("abc",))
    weird = archive(OTHER_ZH, H1, key="weird")
    archives = (linux, darwin, weird)
    assert Promise.of(linux, archives, trust_all=False) == promise(H1)
    assert Promise.of(linux, archives, trust_all=True) == promise(H1, ZH, OTHER_ZH, malformed=("abc",))


def test_each_listed_hash_is_judged_on_its_own() -> None:
    listed = archive(ZH, OTHER_H1, UPPER_ZH, UNKNOWN, H1_FOLDER, OTHER_ZH)
    wrong = wrongly_listed(listed, GIVEN)
    assert set(wrong) == {OTHER_H1, UPPER_ZH, UNKNOWN, OTHER_ZH}
    assert "can never match" in wrong[UPPER_ZH]
    assert "another one" in wrong[OTHER_ZH]


def test_an_h1_is_not_called_wrong_while_the_package_has_none() -> None:
    assert set(wrongly_listed(archive(H1, OTHER_ZH), NO_ARCHIVE)) == {OTHER_ZH}


def test_a_hash_that_does_not_match_is_a_problem_that_names_it_and_its_platform() -> None:
    (problem,) = match_problems(archive(ZH, OTHER_H1), GIVEN, "mirror.example.test")
    assert (problem.code, problem.severity) == ("mirror-hash-mismatch", Severity.ERROR)
    assert str(OTHER_H1) in problem.message
    assert "linux_amd64" in problem.message
    assert problem.source == "mirror.example.test"
    assert problem.hint


@table(
    ("hash_", "given", "code", "severity"),
    [
        (UPPER_ZH, GIVEN, "mirror-hash-mismatch", Severity.ERROR),
        (UNKNOWN, GIVEN, "mirror-hash-scheme", Severity.NOTE),
        (H1_FOLDER, GIVEN, "mirror-hash-of-folder", Severity.WARNING),
        (H1, NO_ARCHIVE, "mirror-hash-unchecked", Severity.WARNING),
    ],
)
def test_other_differences_have_words_of_their_own(hash_: Hash, given: GivenOut, code: str, severity: Severity) -> None:
    (problem,) = match_problems(archive(hash_), given, "m")
    assert (problem.code, problem.severity) == (code, severity)


def test_matching_hashes_are_no_problem() -> None:
    same = GivenOut(zh=ZH, h1_archive=H1, h1_directory=H1)
    assert list(match_problems(archive(ZH, H1), same, "m")) == []


def test_problems_with_many_hashes_are_summed_up() -> None:
    many = [Hash(f"zh:{number:064x}") for number in range(30)]
    problems = list(match_problems(archive(*many), GIVEN, "m"))
    assert len(problems) == 21
    assert "10 more hashes" in problems[-1].message


def test_lists_without_hashes_are_told_once() -> None:
    bare = [archive(key=f"os{number}_arch") for number in range(7)]
    (problem,) = list_problems([archive(ZH), *bare], "m")
    assert (problem.code, problem.severity) == ("mirror-offers-no-hash", Severity.WARNING)
    assert "os0_arch, os1_arch, os2_arch, os3_arch, os4_arch, and 2 more" in problem.message


def test_a_list_with_hashes_is_no_problem() -> None:
    assert list(list_problems([archive(ZH)], "m")) == []


def test_texts_without_a_scheme_and_keys_that_are_no_platforms_are_told_once() -> None:
    archives = [archive(malformed=("abc", "d")), archive(ZH, key="darwin_arm64", malformed=("e",))]
    (malformed,) = list_problems(archives, "m")
    assert (malformed.code, malformed.severity) == ("mirror-hash-malformed", Severity.ERROR)
    assert "“abc” for linux_amd64, “e” for darwin_arm64" in malformed.message
    (nowhere,) = list_problems([archive(ZH, key="weird"), archive(key="other")], "m")
    assert (nowhere.code, nowhere.severity) == ("mirror-platform-malformed", Severity.NOTE)
    assert "“weird”, “other”" in nowhere.message
