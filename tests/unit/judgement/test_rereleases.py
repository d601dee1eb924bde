"""What is told of a kept package that nobody gives out now."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from builders.audits import ADDRESS, DARWIN, FINGERPRINT, LINUX, VERSION, audit, h1, origin_with, package, zh
from builders.reviews import review
from msgspec.structs import replace

from lockwarden.core.modules.package_diff import PackageDiff, PackageFile, PackageTree
from lockwarden.core.reports.rerelease_lines import rerelease_lines
from lockwarden.core.review.locked_elsewhere import signers_of
from lockwarden.core.review.rereleases import (
    MOST_CANDIDATES,
    OriginState,
    PackageRelation,
    Rerelease,
    SameKey,
    given_out_today,
    most_like,
    nearest,
    wondered_at,
)
from lockwarden.core.values.hashes import Hash

OLD, NEW = zh("old"), zh("linux_amd64")
MAY, JUNE = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
KEY, OTHER = frozenset({"A" * 40}), frozenset({"B" * 40})
FOUND = Rerelease(address=ADDRESS, version=VERSION, locked=(OLD,), old=OLD, new=None, why_not="its bytes are gone")


def state(on: datetime, signers: frozenset[str] = KEY, *, had: bool) -> OriginState:
    return OriginState(on=on, had_the_old=had, signers=signers)


@pytest.mark.parametrize(
    ("after", "h1s", "relation"),
    [
        (OLD, (None, None), PackageRelation.SAME_BYTES),
        (NEW, (h1("x"), h1("x")), PackageRelation.SAME_CONTENT),
        (NEW, (h1("x"), h1("y")), PackageRelation.OTHER_CONTENT),
        (NEW, (None, None), PackageRelation.OTHER_CONTENT),
    ],
)
def test_packages_stand_to_each_other_by_their_bytes_and_then_by_their_files(
    after: Hash, h1s: tuple[Hash | None, Hash | None], relation: PackageRelation
) -> None:
    assert PackageRelation.of(OLD, after, *h1s) is relation


@pytest.mark.parametrize(
    ("states", "now", "key"),
    [
        ((), KEY, SameKey.UNKNOWN),
        ((state(MAY, had=True),), frozenset(), SameKey.UNKNOWN),
        ((state(MAY, frozenset(), had=True),), KEY, SameKey.UNKNOWN),
        ((state(MAY, OTHER, had=False),), KEY, SameKey.UNKNOWN),
        ((state(MAY, had=True),), KEY | OTHER, SameKey.SAME),
        ((state(MAY, had=True), state(JUNE, OTHER, had=False)), OTHER, SameKey.OTHER),
    ],
)
def test_the_key_is_told_only_where_both_are_known(
    states: tuple[OriginState, ...], now: frozenset[str], key: SameKey
) -> None:
    assert replace(FOUND, states=states, signers_now=now).same_key is key


def test_when_it_was_there_and_since_when_not_is_what_earlier_runs_saw() -> None:
    assert (FOUND.had_until, FOUND.gone_since) == (None, None)
    there = replace(FOUND, states=(state(MAY, had=True),))
    assert (there.had_until, there.gone_since) == (MAY, None)
    gone = replace(FOUND, states=(state(MAY, had=False), state(MAY, had=True), state(JUNE, had=False)))
    assert (gone.had_until, gone.gone_since) == (MAY, JUNE)


def test_what_is_wondered_at_is_what_something_speaks_against() -> None:
    made = audit(origin_with(LINUX))
    (provider,) = review([NEW, OLD, h1("nobody"), Hash("h1:bad")], made).providers
    wondered = wondered_at(provider)
    assert wondered is not None
    assert set(wondered.hashes) == {OLD, h1("nobody")}
    assert {zh_: each.platform for zh_, each in given_out_today(provider).items()} == {NEW: LINUX}
    assert signers_of(made) == {FINGERPRINT}
    (well,) = review([NEW], made).providers
    assert wondered_at(well) is None
    (alone,) = review([NEW], audit()).providers
    assert (given_out_today(alone), signers_of(audit())) == ({}, frozenset())
    (waiting,) = review([OLD]).providers
    assert (wondered_at(waiting), given_out_today(waiting)) == (None, {})


def test_of_a_large_release_only_the_archives_of_about_the_size_are_looked_into() -> None:
    packages = {zh(str(size)): replace(package(LINUX, zh=zh(str(size))), size=size) for size in range(0, 200, 10)}
    packages[zh("unknown")] = package(LINUX, zh=zh("unknown"))
    found = nearest(101, packages)
    assert len(found) == MOST_CANDIDATES
    assert found[:3] == (zh("100"), zh("110"), zh("90"))
    assert zh("unknown") not in found


def tree(*, program: str = "", **files: str) -> PackageTree:
    made = {name: PackageFile.of(text.encode()) for name, text in files.items()}
    made["run"] = replace(PackageFile.of(b"program"), program=program)
    return PackageTree(name="package", files=made)


def test_the_most_alike_is_for_the_same_machine_first_and_then_has_the_same_files() -> None:
    before = tree(program="ELF x86-64", a="1", b="2")
    same_machine = (zh("c"), tree(program="ELF x86-64", x="9"))
    same_files = (zh("b"), tree(program="PE x86-64", a="1", b="2"))
    fewer_files = (zh("a"), tree(program="PE x86-64", a="1", b="other"))
    assert most_like(before, [fewer_files, same_files, same_machine]) == zh("c")
    assert most_like(before, [fewer_files, same_files]) == zh("b")
    assert most_like(before, [fewer_files]) == zh("a")
    assert most_like(before, []) is None


def test_the_lines_never_say_more_than_was_seen() -> None:
    assert list(rerelease_lines([])) == []
    told = "\n".join(rerelease_lines([FOUND]))
    assert "? no earlier run saw that it was this version's" in told
    assert "signed by nobody today; who signed then is not known" in told
    assert "? what is other today is not known: its bytes are gone" in told
    made = replace(
        FOUND,
        states=(state(MAY, had=True), state(JUNE, OTHER, had=False)),
        signers_now=OTHER,
        given_out=(("registry x", MAY), ("", JUNE)),
        new=NEW,
        platform=DARWIN,
        relation=PackageRelation.SAME_CONTENT,
        diff=PackageDiff(before="old", after="new", files=(), alike=3),
    )
    told = "\n".join(rerelease_lines([made]))
    assert "it when it was asked on 2026-05-01, and first without it on 2026-06-01" in told
    assert f"signed by another key than then: {'B' * 40} today, {'A' * 40} then" in told
    assert "seen at some place, last on 2026-06-01" in told
    assert "▲ another archive with the same files, beside the darwin_arm64 package of today" in told
