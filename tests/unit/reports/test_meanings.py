"""Every class that a report can tell has a short name and an explanation; texts are cut with the number of the rest."""

from __future__ import annotations

import pytest

from lockwarden.core.policy.applied_policy import KEY_CHANGED
from lockwarden.core.reports.bounds import first_of, shortened
from lockwarden.core.reports.meanings import APPROVED, INCOMPLETE, MORE, PROVIDER_REMOVED, meaning_of
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.review.requirements import PLATFORM_OPEN
from lockwarden.core.review.verdicts import Verdict

GENERAL = meaning_of("never-heard-of-it").help
TOLD = [
    *(kind.code for kind in ChangeKind),
    *(Verdict.DISOWNED, Verdict.UNEXPLAINED, Verdict.UNCHECKED),
    *(APPROVED, INCOMPLETE, MORE, PROVIDER_REMOVED, KEY_CHANGED, PLATFORM_OPEN),
]


@pytest.mark.parametrize("code", TOLD)
def test_what_reports_tell_is_explained(code: str) -> None:
    meaning = meaning_of(code)
    assert meaning.name == meaning.name.lower()
    assert meaning.help != GENERAL
    assert meaning.help.endswith(".")


def test_names_of_changes_are_those_that_the_review_has_but_for_near_names() -> None:
    named = {kind: meaning_of(kind.code).name for kind in ChangeKind if kind is not ChangeKind.NEAR_NAME}
    assert named == {kind: kind.value for kind in named}
    assert meaning_of(ChangeKind.NEAR_NAME.code).name == "look-alike name"


def test_two_classes_never_share_a_name() -> None:
    assert len({meaning_of(code).name for code in TOLD}) == len(TOLD)


def test_a_code_without_an_entry_is_told_in_its_own_words() -> None:
    assert meaning_of("oci-tag-missing").name == "oci tag missing"


def test_a_text_is_cut_only_beyond_its_limit() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "abc… (1 more characters)"


def test_lines_are_cut_only_beyond_their_limit() -> None:
    assert first_of(["a", "b"], 2) == ("a", "b")
    assert first_of(["a", "b", "c"], 2) == ("a", "b", "… (1 more lines)")
