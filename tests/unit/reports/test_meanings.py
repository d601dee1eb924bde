"""Every class that a report can tell has a short name and an explanation; texts are cut with the number of the rest."""

from __future__ import annotations

import re

from builders.tables import table

from lockwarden.core.reports.bounds import first_of, shortened
from lockwarden.core.reports.meanings import SUBJECTS, meaning_of
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.values.problem_codes import ProblemCode

_SENTENCES = re.compile(r"\S[^\n|]*[.]")


@table("code", ProblemCode)
def test_every_code_has_a_name_a_sense_and_an_advice(code: ProblemCode) -> None:
    meaning = meaning_of(code)
    assert re.fullmatch(r"(?:[a-z0-9]|[A-Z]{3})[^|.\n]*", meaning.name)
    assert _SENTENCES.fullmatch(meaning.sense)
    assert _SENTENCES.fullmatch(meaning.advice)
    assert _SENTENCES.fullmatch(meaning.otherwise) or not meaning.otherwise
    assert meaning.help == f"{meaning.sense} {meaning.advice}"


def test_two_codes_never_share_a_name() -> None:
    names = [meaning_of(code).name.lower() for code in ProblemCode]
    assert sorted({each for each in names if names.count(each) > 1}) == []


def test_every_code_is_explained_under_one_subject() -> None:
    assert sorted(code for table in SUBJECTS.values() for code in table) == sorted(ProblemCode)


def test_a_code_is_spelt_as_its_member_is_called() -> None:
    assert [each.name for each in ProblemCode] == [each.value.upper().replace("-", "_") for each in ProblemCode]


def test_names_of_changes_are_those_that_the_review_has_but_for_near_names() -> None:
    named = {kind: meaning_of(kind.code).name for kind in ChangeKind if kind is not ChangeKind.NEAR_NAME}
    assert named == {kind: kind.value for kind in named}
    assert meaning_of(ChangeKind.NEAR_NAME.code).name == "look-alike name"


def test_a_text_is_cut_only_beyond_its_limit() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "abc… (1 more characters)"


def test_lines_are_cut_only_beyond_their_limit() -> None:
    assert first_of(["a", "b"], 2) == ("a", "b")
    assert first_of(["a", "b", "c"], 2) == ("a", "b", "… (1 more lines)")
