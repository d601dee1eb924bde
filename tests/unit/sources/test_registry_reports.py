"""The hashes that a registry reports beside the list of checksums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from builders.registry_cases import (
    DARWIN,
    DARWIN_H1,
    DARWIN_ZH,
    LINUX,
    LINUX_FILE,
    LINUX_H1,
    LINUX_ZH,
    OTHER_ZH,
    SUMS,
    answer,
    signed_sums,
)
from builders.tables import table

from lockwarden.core.evidence.observations import ListShape, ReportedByRegistry
from lockwarden.core.sources.protocols.registry_documents import ExtraHashes, PackageClaim, UnsignedPackages
from lockwarden.core.sources.registry.answer import PlatformAnswer
from lockwarden.core.sources.registry.reports import RegistryReports
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity

OTHER_H1 = Hash("h1:" + "A" * 43 + "=")
Seen = tuple[Hash, str | None, bool]


def claim(platform: Platform, *hashes: Hash) -> PackageClaim:
    return PackageClaim(platform=platform, hashes=hashes, size=1)


TRUE_CLAIMS = (claim(LINUX, LINUX_ZH, LINUX_H1), claim(DARWIN, DARWIN_ZH, DARWIN_H1))


def reports(
    *answers: PlatformAnswer, text: str = SUMS, complete: bool = True, refused: Mapping[Platform, str] | None = None
) -> RegistryReports:
    return RegistryReports(
        answers=answers, lists=[signed_sums(text)], complete=complete, refused=refused or {}, source="direct"
    )


def of_packages(*claims: PackageClaim, **changes: Any) -> PlatformAnswer:
    return answer(packages=UnsignedPackages(claims=claims), **changes)


def seen(known: RegistryReports) -> list[Seen]:
    found: list[Seen] = []
    for hash_, observation in known.observations():
        assert isinstance(observation, ReportedByRegistry)
        platform = None if observation.platform is None else str(observation.platform)
        found.append((hash_, platform, observation.vouches))
    return found


def test_packages_report_each_hash_with_its_platform() -> None:
    known = reports(of_packages(*TRUE_CLAIMS))
    assert seen(known) == [
        (LINUX_ZH, "linux_amd64", True),
        (LINUX_H1, "linux_amd64", True),
        (DARWIN_ZH, "darwin_arm64", True),
        (DARWIN_H1, "darwin_arm64", True),
    ]
    assert {observation.shape for _, observation in known.observations()} == {ListShape.PACKAGES}  # type: ignore[union-attr]
    assert not list(known.problems())
    assert known.claimed == {LINUX: {LINUX_ZH, LINUX_H1}, DARWIN: {DARWIN_ZH, DARWIN_H1}}


def test_the_same_report_in_several_answers_is_told_once() -> None:
    known = reports(of_packages(*TRUE_CLAIMS), answer(DARWIN, packages=UnsignedPackages(claims=TRUE_CLAIMS)))
    assert len(seen(known)) == 4


def test_an_archive_that_the_list_gives_another_hash_for_is_a_contradiction() -> None:
    known = reports(of_packages(claim(LINUX, OTHER_ZH, LINUX_H1), TRUE_CLAIMS[1]), complete=False)
    assert seen(known)[:2] == [(OTHER_ZH, "linux_amd64", False), (LINUX_H1, "linux_amd64", False)]
    assert all(vouches for _, _, vouches in seen(known)[2:])
    (problem,) = known.problems()
    assert (problem.code, problem.severity) == ("reported-hashes-contradict-sums", Severity.ERROR)
    assert str(OTHER_ZH) in problem.message
    assert "lists another archive for linux_amd64" in problem.message


@pytest.mark.parametrize("complete", [True, False])
def test_an_archive_that_the_list_does_not_name_never_counts_and_is_a_contradiction_once_the_list_is_complete(
    complete: bool,
) -> None:
    only_linux = f"{LINUX_ZH.value}  {LINUX_FILE}\n"
    known = reports(of_packages(*TRUE_CLAIMS), text=only_linux, complete=complete)
    assert seen(known)[2:] == [(DARWIN_ZH, "darwin_arm64", False), (DARWIN_H1, "darwin_arm64", False)]
    assert len(list(known.problems())) == complete


@table("complete", [True, False])
@table("hashes", [(DARWIN_H1,), (LINUX_ZH, DARWIN_H1), ()])
def test_nothing_counts_of_a_platform_that_the_list_does_not_name(hashes: tuple[Hash, ...], complete: bool) -> None:
    """Also where its archive is another platform's."""
    plan9 = Platform("plan9", "amd64")
    known = reports(of_packages(*TRUE_CLAIMS, claim(plan9, *hashes)), complete=complete)
    assert [vouches for _, platform, vouches in seen(known) if platform == "plan9_amd64"] == [False] * len(hashes)
    assert all(vouches for _, platform, vouches in seen(known) if platform != "plan9_amd64")
    told = [problem.message for problem in known.problems()]
    assert told == (
        [f"the registry reports {LINUX_ZH} in “packages”, but SHA256SUMS names no package for plan9_amd64"]
        if complete and LINUX_ZH in hashes
        else []
    )


def test_where_no_name_says_a_platform_an_archive_of_the_list_may_be_its_own() -> None:
    asked = of_packages(*TRUE_CLAIMS, filename="linux.zip")
    known = reports(asked, text=f"{LINUX_ZH.value}  linux.zip\n{DARWIN_ZH.value}  mac.zip\n")
    assert all(vouches for _, _, vouches in seen(known))
    other = of_packages(TRUE_CLAIMS[0], claim(DARWIN, LINUX_ZH, DARWIN_H1), filename="linux.zip")
    known = reports(other, text=f"{LINUX_ZH.value}  linux.zip\n{DARWIN_ZH.value}  mac.zip\n")
    assert [vouches for _, _, vouches in seen(known)] == [True, True, False, False]


def test_where_names_say_platforms_no_other_file_of_the_list_is_a_platforms_package() -> None:
    plan9 = Platform("plan9", "amd64")
    asked = of_packages(*TRUE_CLAIMS, claim(plan9, OTHER_ZH, OTHER_H1))
    own = answer(plan9, filename="LICENSE", shasum=OTHER_ZH.value)
    known = reports(asked, own, text=f"{SUMS}{OTHER_ZH.value}  LICENSE\n")
    assert [vouches for hash_, _, vouches in seen(known) if hash_ == OTHER_H1] == [False]


def test_a_line_for_another_release_lists_nothing() -> None:
    foreign = f"{OTHER_ZH.value}  terraform-provider-other_1.0.0_linux_amd64.zip\n"
    known = reports(
        of_packages(*TRUE_CLAIMS), answer(filename="x", extra=ExtraHashes(flat=(OTHER_ZH,))), text=SUMS + foreign
    )
    assert known.listed == {LINUX_ZH, DARWIN_ZH}
    assert seen(known)[-1] == (OTHER_ZH, None, False)


def test_one_archive_may_stand_for_two_platforms() -> None:
    darwin_file = LINUX_FILE.replace("linux_amd64", "darwin_arm64")
    text = f"{LINUX_ZH.value}  {LINUX_FILE}\n{LINUX_ZH.value}  {darwin_file}\n"
    known = reports(of_packages(claim(LINUX, LINUX_ZH), claim(DARWIN, LINUX_ZH)), text=text)
    assert seen(known) == [(LINUX_ZH, "linux_amd64", True), (LINUX_ZH, "darwin_arm64", True)]
    assert not list(known.problems())


def test_an_unusual_file_name_has_the_platform_of_the_answer_that_gives_it() -> None:
    asked = answer(filename="widget.zip", extra=ExtraHashes(by_zh=((LINUX_ZH, (LINUX_H1,)),)))
    known = reports(asked, text=f"{LINUX_ZH.value}  widget.zip\n")
    assert seen(known) == [(LINUX_ZH, "linux_amd64", True), (LINUX_H1, "linux_amd64", True)]
    wrong_target = answer(filename="widget.zip", os="plan9")
    assert reports(wrong_target, text=f"{LINUX_ZH.value}  widget.zip\n").claimed == {}


def test_hashes_by_zh_have_the_platform_of_the_archive() -> None:
    known = reports(answer(extra=ExtraHashes(by_zh=((DARWIN_ZH, (DARWIN_H1,)), (OTHER_ZH, (LINUX_H1,))))))
    assert seen(known) == [
        (DARWIN_ZH, "darwin_arm64", True),
        (DARWIN_H1, "darwin_arm64", True),
        (OTHER_ZH, None, False),
        (LINUX_H1, None, False),
    ]
    assert known.claimed[DARWIN] == {DARWIN_ZH, DARWIN_H1}
    (problem,) = known.problems()
    assert "does not list such an archive" in problem.message


def test_a_flat_list_names_no_platform() -> None:
    known = reports(answer(extra=ExtraHashes(flat=(LINUX_ZH, LINUX_H1, OTHER_ZH))))
    assert seen(known) == [(LINUX_ZH, None, True), (LINUX_H1, None, True), (OTHER_ZH, None, False)]
    assert len(list(known.problems())) == 1


def test_nothing_counts_in_an_answer_whose_list_is_not_used() -> None:
    known = reports(of_packages(*TRUE_CLAIMS), refused={LINUX: "its signature is bad"})
    assert not any(vouches for _, _, vouches in seen(known))
    both = reports(
        of_packages(*TRUE_CLAIMS),
        answer(DARWIN, packages=UnsignedPackages(claims=TRUE_CLAIMS)),
        refused={LINUX: "its signature is bad"},
    )
    assert [vouches for _, _, vouches in seen(both)] == [False] * 4 + [True] * 4


def test_what_cannot_be_read_is_told_once() -> None:
    flawed = answer(packages=UnsignedPackages(flaw="is odd"), extra=ExtraHashes(flaw="is odder"))
    known = reports(flawed, flawed)
    assert [(problem.code, problem.message) for problem in known.problems()] == [
        ("reported-hashes-unreadable", "the registry's answer is odd"),
        ("reported-hashes-unreadable", "the registry's answer is odder"),
    ]
    assert seen(known) == []
