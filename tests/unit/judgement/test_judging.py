"""Entries of many lock files: those that lock the same are judged alike, each with its own lines."""

from __future__ import annotations

from datetime import date

import pytest
from builders.audits import LINUX, audit, h1, origin_with, zh
from builders.reviews import entry_text, lock_file
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.policy.model import Policy
from lockwarden.core.review import judging as module
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.judging import Judging
from lockwarden.core.review.locked_elsewhere import LockedElsewhere
from lockwarden.core.review.provider_judging import review_provider
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.clients import ClientSettings

SETTINGS = ClientSettings()
WANTED = frozenset({LINUX})
MADE = audit(origin_with(LINUX))
OWN = (h1("linux_amd64"), zh("linux_amd64"))


def entry(*hashes: object, before: int = 0, constraints: str = "") -> LockedProvider:
    """An entry that stands after some other blocks, so that its lines differ."""
    blocks = [entry_text(zh("x"), address=f"registry.example.test/acme/a{number}") for number in range(before)]
    text = entry_text(*hashes, constraints=constraints)  # type: ignore[arg-type]
    return lock_file(*blocks, text).providers[-1]


def alone(one: LockedProvider, standards: Standards = NO_STANDARDS) -> ProviderReview:
    return review_provider(one, MADE, settings=SETTINGS, platforms=WANTED, standards=standards)


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[LockedProvider]:
    """The entries that were really judged."""
    seen: list[LockedProvider] = []

    def counted(one: LockedProvider, *rest: object, **more: object) -> ProviderReview:
        seen.append(one)
        return review_provider(one, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "review_provider", counted)
    return seen


@given(st.lists(st.sampled_from([*OWN, zh("planted"), zh("other")]), unique=True), st.integers(0, 3))
def test_what_follows_another_is_what_it_would_be_by_itself(hashes: list[object], before: int) -> None:
    judging = Judging(SETTINGS)
    first, second = entry(*hashes), entry(*hashes, before=before, constraints="~> 1.0")
    for one in (first, second):
        assert judging.review(one, MADE, platforms=WANTED, standards=NO_STANDARDS) == alone(one)


def test_the_same_hashes_of_the_same_version_are_judged_once(judged: list[LockedProvider]) -> None:
    judging = Judging(SETTINGS)
    for before in range(5):
        judging.review(entry(*OWN, before=before), MADE, platforms=WANTED, standards=NO_STANDARDS)
    assert len(judged) == 1


def test_anything_else_that_counts_is_judged_anew(judged: list[LockedProvider]) -> None:
    judging = Judging(SETTINGS)
    one = entry(*OWN)
    standards = [
        NO_STANDARDS,
        replace(NO_STANDARDS, policy=Policy(path="p", data=b"p")),
        replace(NO_STANDARDS, approvals=Approvals(path="a", data=b"a")),
        replace(NO_STANDARDS, today=date(2026, 1, 1)),
    ]
    for each in standards:
        judging.review(one, MADE, platforms=WANTED, standards=each)
    judging.review(entry(*OWN[:1]), MADE, platforms=WANTED, standards=NO_STANDARDS)
    judging.review(replace(one, version=replace(one.version, patch=9)), MADE, platforms=WANTED, standards=NO_STANDARDS)
    judging.review(one, audit(origin_with(LINUX)), platforms=WANTED, standards=NO_STANDARDS)
    judging.review(one, MADE, platforms=frozenset(), standards=NO_STANDARDS)
    assert len(judged) == 8


def test_with_a_base_each_entry_has_its_own_past(judged: list[LockedProvider]) -> None:
    judging = Judging(SETTINGS)
    for locked in ((), OWN[:1]):
        side = BaseSide(name="main", commit="1" * 40, lock_file=lock_file(entry_text(*locked)))
        standards = replace(NO_STANDARDS, sides=(side,))
        one = entry(*OWN)
        assert judging.review(one, MADE, platforms=WANTED, standards=standards) == alone(one, standards)
    assert len(judged) == 4 - 2


def based(one: LockedProvider, **past: object) -> Standards:
    """Standards whose base has the entry as it is, but for what is said."""
    text = entry_text(*(each.hash for each in one.hashes), constraints=one.constraints)
    side = BaseSide(name="main", commit="1" * 40, lock_file=lock_file(text))
    return replace(NO_STANDARDS, sides=(replace(side, **past),))


@given(st.lists(st.sampled_from([*OWN, zh("planted"), zh("other")]), unique=True), st.integers(0, 3))
def test_what_a_base_has_as_well_is_what_it_would_be_by_itself(hashes: list[object], before: int) -> None:
    judging = Judging(SETTINGS)
    for one in (entry(*hashes), entry(*hashes, before=before, constraints="~> 1.0")):
        standards = based(one)
        assert judging.review(one, MADE, platforms=WANTED, standards=standards) == alone(one, standards)


def test_what_a_base_has_as_well_is_judged_once(judged: list[LockedProvider]) -> None:
    judging = Judging(SETTINGS)
    for before in range(5):
        one = entry(*OWN, before=before)
        judging.review(one, MADE, platforms=WANTED, standards=based(one))
    assert len(judged) == 1
    judging.review(one, MADE, platforms=WANTED, standards=NO_STANDARDS)
    judging.review(one, MADE, platforms=WANTED, standards=based(one, name="other"))
    assert len(judged) == 3


def test_an_entry_of_whose_past_there_is_something_to_say_is_judged_by_itself(judged: list[LockedProvider]) -> None:
    judging = Judging(SETTINGS)
    one = entry(*OWN)
    elsewhere = LockedElsewhere.of(one, "in the history of main")
    pasts = [
        based(one, lock_file=None),
        based(one, unreadable="it is damaged"),
        based(one, moved={one.address: one}),
        based(one, lock_file=lock_file(entry_text(*OWN, version="0.9.0"))),
        based(one, lock_file=lock_file(entry_text(*OWN, constraints="~> 1.0"))),
        based(one, lock_file=lock_file(entry_text(OWN[0]))),
        replace(based(one), before={one.address: (elsewhere,)}),
        replace(based(one), proposed=NO_STANDARDS),
    ]
    for standards in pasts:
        assert not standards.kept(one)
        for _ in range(2):
            assert judging.review(one, MADE, platforms=WANTED, standards=standards) == alone(one, standards)
    assert len(judged) == 2 * len(pasts)
