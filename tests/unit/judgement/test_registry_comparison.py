"""The same version at two registries: what is the same bytes, who signed, and which locked hashes hold at both."""

from __future__ import annotations

import pytest
from builders.audits import (
    ADDRESS,
    DARWIN,
    FINGERPRINT,
    LINUX,
    ORIGIN,
    WINDOWS,
    answer,
    audit,
    computed,
    h1,
    origin_with,
    package,
    reported,
    signed,
    zh,
    zh_list,
)
from builders.run_results import locked
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Observation
from lockwarden.core.evidence.source_answers import Outcome, SourceAnswer
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.provider_judging import review_provider
from lockwarden.core.review.registry_comparison import (
    ComparedFile,
    Likeness,
    PackageComparison,
    RegistryComparison,
    compare_registries,
)
from lockwarden.core.values.addresses import Hostname
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

OTHER = replace(ADDRESS, hostname=Hostname.parse("other.example.test"))
AMD = (zh("linux_amd64"), h1("linux_amd64"))
BOTH = origin_with(LINUX, DARWIN)


def one(platform: Platform, zh_seed: str, h1_seed: str = "", *, fingerprint: str = FINGERPRINT) -> SourceAnswer:
    """A registry with one package of these hashes, downloaded where there is an `h1`."""
    name = zh(zh_seed)
    seen: list[tuple[Hash, Observation]] = [
        (name, signed(platform, fingerprint=fingerprint)),
        (name, reported(platform)),
    ]
    if h1_seed:
        seen += [(each, computed(platform, package_zh=name)) for each in (name, h1(h1_seed))]
    packages = [package(platform, zh=name, h1=h1(h1_seed), promised=[name])] if h1_seed else []
    return answer(ORIGIN, *seen, platforms=[platform], lists=[zh_list(name)], packages=packages)


def compared(first: SourceAnswer, second: SourceAnswer, *hashes: Hash) -> RegistryComparison:
    reviews = [
        review_provider(
            locked(*hashes, address=address),
            audit(said, address=address),
            settings=ClientSettings(),
            platforms=frozenset({LINUX}),
        )
        for address, said in ((ADDRESS, first), (OTHER, second))
    ]
    return compare_registries(reviews[0], reviews[1], ADDRESS)


def standings(made: RegistryComparison) -> dict[str, PackageComparison]:
    return {str(each.platform): each.standing for each in made.packages}


def test_the_same_bytes_signed_by_the_same_key_are_the_same() -> None:
    made = compared(BOTH, BOTH, *AMD)
    assert (made.there, made.platforms, made.signers) == (Likeness.SAME,) * 3
    assert set(standings(made).values()) == {PackageComparison.SAME_BYTES}
    assert [each.standing for each in made.hashes] == [Likeness.SAME, Likeness.SAME]
    assert made.exit_code is ExitCode.NOTHING_TO_OBJECT
    assert (made.first.host, made.second.host) == ("registry.example.test", "other.example.test")
    assert str(made.version) == "1.2.3"


@table(
    ("first", "second", "standing"),
    [
        (one(LINUX, "a", "x"), one(LINUX, "b", "x"), PackageComparison.SAME_CONTENT),
        (one(LINUX, "a", "x"), one(LINUX, "b", "y"), PackageComparison.OTHER_CONTENT),
        (one(LINUX, "a", "x"), one(LINUX, "b"), PackageComparison.OTHER_ARCHIVE),
        (one(LINUX, "a"), one(LINUX, "b", "x"), PackageComparison.OTHER_ARCHIVE),
    ],
)
def test_other_archives_are_told_apart_by_their_content(
    first: SourceAnswer, second: SourceAnswer, standing: PackageComparison
) -> None:
    made = compared(first, second)
    assert standings(made) == {"linux_amd64": standing}
    assert made.exit_code is ExitCode.FINDINGS


def test_other_platforms_and_other_signers_differ() -> None:
    made = compared(one(LINUX, "a"), one(DARWIN, "a", fingerprint="F" * 40))
    assert (made.platforms, made.signers) == (Likeness.OTHER, Likeness.OTHER)
    assert standings(made) == {
        "darwin_arm64": PackageComparison.ONLY_SECOND,
        "linux_amd64": PackageComparison.ONLY_FIRST,
    }
    assert made.exit_code is ExitCode.FINDINGS


def test_a_platform_that_is_announced_without_any_list_is_not_known() -> None:
    announced = replace(one(LINUX, "a"), platforms=frozenset({LINUX, WINDOWS}))
    made = compared(announced, announced)
    assert standings(made)["windows_amd64"] is PackageComparison.UNKNOWN
    assert made.exit_code is ExitCode.INCOMPLETE
    silent = replace(announced, platforms=None)
    made = compared(silent, announced)
    assert made.platforms is Likeness.UNKNOWN
    assert standings(made)["windows_amd64"] is PackageComparison.UNKNOWN
    assert standings(compared(announced, silent))["windows_amd64"] is PackageComparison.UNKNOWN


@pytest.mark.parametrize(
    ("outcome", "there", "code"),
    [
        (Outcome.NOT_THERE, Likeness.OTHER, ExitCode.FINDINGS),
        (Outcome.NO_ANSWER, Likeness.UNKNOWN, ExitCode.INCOMPLETE),
        (Outcome.NOT_ASKED, Likeness.UNKNOWN, ExitCode.INCOMPLETE),
    ],
)
def test_a_registry_without_an_answer_is_no_other_answer(outcome: Outcome, there: Likeness, code: ExitCode) -> None:
    made = compared(BOTH, answer(ORIGIN, outcome=outcome, detail="so it is", platforms=None), *AMD)
    assert made.there is there
    assert made.exit_code is code
    assert made.packages == ()
    assert (made.second.outcome, made.second.detail) == (outcome, "so it is")


def test_a_registry_that_is_not_among_the_sources_was_not_asked() -> None:
    reviews = [
        review_provider(locked(*AMD, address=address), made, settings=ClientSettings(), platforms=frozenset({LINUX}))
        for address, made in ((ADDRESS, None), (OTHER, audit(address=OTHER)))
    ]
    made = compare_registries(reviews[0], reviews[1], ADDRESS)
    for each in (made.first, made.second):
        assert (each.outcome, each.detail) == (Outcome.NOT_ASKED, "it is not among the sources")
        assert (each.platforms, each.signers, each.zh) == (None, frozenset(), {})
    assert made.exit_code is ExitCode.INCOMPLETE


def test_a_locked_hash_holds_where_it_is_confirmed_at_both() -> None:
    rebuilt = one(LINUX, "rebuilt", "rebuilt")
    made = compared(BOTH, rebuilt, *AMD, zh("rebuilt"), zh("darwin_arm64"))
    assert [each.standing for each in made.hashes] == [Likeness.OTHER] * 4
    unlooked = compared(one(LINUX, "a", "linux_amd64"), one(LINUX, "b"), h1("linux_amd64"))
    assert [each.standing for each in unlooked.hashes] == [Likeness.UNKNOWN]
    assert unlooked.exit_code is ExitCode.FINDINGS


@pytest.mark.parametrize("turned", [False, True])
def test_an_h1_holds_where_its_package_is_listed_at_the_other_without_a_second_download(turned: bool) -> None:
    sides = [one(LINUX, "a", "x"), one(LINUX, "a")]
    made = compared(*reversed(sides) if turned else sides, h1("x"))
    assert [(each.same_package, each.standing) for each in made.hashes] == [(True, Likeness.SAME)]
    assert made.exit_code is ExitCode.NOTHING_TO_OBJECT


def test_a_file_is_as_its_worst_provider_and_never_the_same_where_nothing_was_compared() -> None:
    same, other = compared(BOTH, BOTH), compared(one(LINUX, "a"), one(LINUX, "b"))
    file = ComparedFile(path="lock", comparisons=(same, other), passed_over=())
    assert file.exit_code is ExitCode.FINDINGS
    assert replace(file, comparisons=(same,)).exit_code is ExitCode.NOTHING_TO_OBJECT
    assert replace(file, comparisons=()).exit_code is ExitCode.INCOMPLETE
