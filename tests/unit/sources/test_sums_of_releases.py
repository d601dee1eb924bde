"""Which release a list of checksums is of, by the names in it, and what its lines are told to be."""

from __future__ import annotations

import pytest
from builders.listed_sums import FOREIGN, MANIFEST, lines_problems, observations, vouching
from builders.registry_cases import (
    DARWIN_ZH,
    LINUX,
    LINUX_FILE,
    LINUX_ZH,
    OTHER_ZH,
    SUMS,
    WIDGET_ON_DEFAULT,
    signed_sums,
    unsigned_sums,
)
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import SignedBy
from lockwarden.core.sources.registry.sums_observations import (
    zh_list,
)
from lockwarden.core.sources.registry.sums_problems import unsigned_problems
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version


def test_a_list_of_another_release_only_is_refused_though_it_is_signed() -> None:
    listed = signed_sums(f"{LINUX_ZH.value}  {FOREIGN}\n")
    assert listed.refused == "it seems to be the list of other 1.0.0, and names no package of widget 1.0.0"
    assert vouching(listed) == []
    assert zh_list([listed], complete=True) is None
    (problem,) = lines_problems(listed)
    assert (problem.code, problem.severity) == ("sums-of-another-release", Severity.ERROR)
    assert FOREIGN in problem.message
    assert "the list of other 1.0.0" in problem.message


@table("neutral", ["README.md", "sbom.json", MANIFEST, f"{LINUX_FILE}.sbom.json", "widget.zip"])
def test_a_line_that_says_no_release_does_not_make_another_releases_list_this_ones(neutral: str) -> None:
    listed = signed_sums(f"{LINUX_ZH.value}  {FOREIGN}\n{OTHER_ZH.value}  {neutral}\n")
    assert listed.misplaced
    assert vouching(listed) == []
    assert [problem.code for problem in lines_problems(listed)] == ["sums-of-another-release"]


def test_a_list_of_several_other_releases_names_the_first() -> None:
    text = "".join(f"{n:064}  terraform-provider-widget_1.2.{n}_linux_amd64.zip\n" for n in range(5))
    assert "the list of widget 1.2.0, widget 1.2.1, widget 1.2.2 and 2 more, and" in signed_sums(text).refused


def test_companions_of_another_release_alone_are_not_this_releases_list_either() -> None:
    foreign = "terraform-provider-other_1.0.0_manifest.json"
    listed = signed_sums(f"{OTHER_ZH.value}  {foreign}\n")
    assert "the list of other 1.0.0" in listed.refused
    (problem,) = lines_problems(listed)
    assert foreign in problem.message


def test_of_packages_of_two_releases_in_one_list_those_of_the_other_one_do_not_count() -> None:
    listed = signed_sums(f"{SUMS}{OTHER_ZH.value}  {FOREIGN}\n")
    assert not listed.refused
    seen = {digit: observation for digit, observation in observations(listed) if isinstance(observation, SignedBy)}
    assert seen["f"].refused == "the line is for a package of other 1.0.0"
    assert seen["f"].platform is None
    assert {digit for digit, _ in vouching(listed)} == {"1", "2"}
    known = zh_list([listed], complete=True)
    assert known is not None
    assert known.hashes == {LINUX_ZH, DARWIN_ZH}
    (problem,) = lines_problems(listed)
    assert (problem.code, problem.severity) == ("sums-foreign-files", Severity.WARNING)
    assert FOREIGN in problem.message


def test_other_files_of_another_release_beside_this_ones_packages_are_named() -> None:
    foreign = "terraform-provider-other_1.0.0_manifest.json"
    listed = signed_sums(f"{SUMS}{OTHER_ZH.value}  {foreign}\n")
    assert ("f", "signed by") in vouching(listed)
    (problem,) = lines_problems(listed)
    assert (problem.code, problem.severity) == ("sums-foreign-files", Severity.WARNING)
    assert foreign in problem.message


def test_a_list_that_names_no_package_counts_with_a_warning() -> None:
    listed = signed_sums(f"{LINUX_ZH.value}  widget-linux.zip\n{OTHER_ZH.value}  LICENSE\n")
    assert ("1", "signed by") in vouching(listed)
    (problem,) = lines_problems(listed)
    assert (problem.code, problem.severity) == ("sums-of-no-release", Severity.WARNING)
    assert "does not say that it is of widget 1.0.0: it names widget-linux.zip, LICENSE" in problem.message


@pytest.mark.parametrize(
    ("version", "written", "code", "severity"),
    [
        ("1.0.0", "Widget_1.0.0", "sums-release-spelled-otherwise", Severity.NOTE),
        ("1.0.0+b.1", "widget_1.0.0.b.1", "sums-release-spelled-otherwise", Severity.NOTE),
        ("1.0.0-rc+1", "widget_1.0.0-rc.1", "sums-release-ambiguous", Severity.WARNING),
    ],
)
def test_an_honest_list_in_another_spelling_counts_with_a_note(
    version: str, written: str, code: str, severity: Severity
) -> None:
    listed = replace(
        signed_sums(f"{LINUX_ZH.value}  terraform-provider-{written}_linux_amd64.zip\n"), version=Version.parse(version)
    )
    assert ("1", "signed by") in vouching(listed)
    assert listed.platforms == {LINUX}
    (problem,) = lines_problems(listed)
    assert (problem.code, problem.severity) == (code, severity)
    assert written in problem.message


class TestUnsignedBesideSigned:
    def test_it_adds_nothing(self) -> None:
        signed, unsigned = (
            signed_sums(f"{LINUX_ZH.value}  {LINUX_FILE}\n"),
            unsigned_sums(f"{SUMS}{'9' * 64}  LICENSE\n"),
        )
        assert vouching(signed, unsigned) == [
            ("1", "signed by"),
            ("1", "reported by registry"),
            ("1", "reported by registry"),
        ]
        known = zh_list([signed, unsigned], complete=True)
        assert known is not None
        assert known.authenticated
        assert known.hashes == {LINUX_ZH}
        assert known.documents == (signed.document,)
        (problem,) = unsigned_problems([signed, unsigned], source="direct")
        assert (problem.code, problem.severity) == ("sums-unsigned-beside-signed", Severity.ERROR)
        assert "with 2 hashes that the signed one of widget 1.0.0 does not have" in problem.message

    def test_it_contradicts_nothing(self) -> None:
        unsigned = unsigned_sums(f"{OTHER_ZH.value}  {LINUX_FILE}\n")
        assert ("1", "signed by") in vouching(signed_sums(), unsigned)
        (problem,) = unsigned_problems([signed_sums(), unsigned], source="direct")
        assert "with 1 hash that" in problem.message

    def test_the_same_list_without_its_keys_is_no_problem(self) -> None:
        assert not list(unsigned_problems([signed_sums(), unsigned_sums()], source="direct"))
        assert not list(unsigned_problems([unsigned_sums()], source="direct"))


@table(
    ("text", "code", "told"),
    [
        (f"# checksums\n{SUMS}", "sums-bad-line", "line 1 does not start with a SHA-256 digest"),
        (f"<html>\n{SUMS}", "sums-bad-line", "line 1 does not start with a SHA-256 digest"),
        (f"\ufeff{SUMS}", "sums-byte-order-mark", "byte order mark"),
        (f"{SUMS}\n", "sums-empty-line", "line 3"),
        (f"{LINUX_ZH.value} *{LINUX_FILE}\n", "sums-binary-marker", LINUX_FILE),
        (f"{LINUX_ZH.value}  {LINUX_FILE} x\n", "sums-extra-words", "line 1"),
    ],
)
def test_lines_that_the_clients_stumble_over_are_told_once_a_document(text: str, code: str, told: str) -> None:
    listed = signed_sums(text)
    (problem,) = lines_problems(listed)
    assert problem.code == code
    assert told in problem.message
    assert ("1", "signed by") in vouching(listed)


def test_a_web_page_in_the_place_of_a_list_is_told_as_that() -> None:
    (problem,) = lines_problems(signed_sums("\n<!DOCTYPE html>\n<p>Log in</p>\n"))
    assert problem.message == "SHA256SUMS is a web page (HTML) and no list of checksums"
    assert "a proxy or a log-in page" in problem.hint


def test_many_bad_lines_and_long_names_are_summed_up() -> None:
    (problem,) = lines_problems(signed_sums("x\n" * 9))
    assert problem.message.endswith("and 4 more")
    names = "".join(f"{number:064}  terraform-provider-{'x' * 200}{number}\n" for number in range(8))
    (problem,) = lines_problems(signed_sums(names))
    assert problem.message.endswith("and 3 more")
    assert len(problem.message) < 800
    (_, problem) = lines_problems(signed_sums("".join(f"{number:064}  a b\n" for number in range(1))))
    assert "line 1;" in problem.message
    (_, _, words) = lines_problems(signed_sums("".join(f"{number:064} *f{number} b\n" for number in range(8))))
    assert "lines 1, 2, 3, 4, 5, …" in words.message


def test_the_default_registry_is_told_by_its_address() -> None:
    listed = signed_sums(address=WIDGET_ON_DEFAULT)
    assert listed.conclusion.key_id == "A" * 16
