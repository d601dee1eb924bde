"""The counts behind the answer, and which of them stay where there is little room."""

from __future__ import annotations

from fakes.lock_files import MADE_UP
from fakes.pull_request import ANVIL, BASE, GAUGE, KILN, LENS, SIGNAL, base, held, keeper, record
from fakes.sessions import audited, begun, review_of
from msgspec.structs import replace

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.review.review import Review
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.tui.render.counts import Form, counts_of, forms
from lockwarden.tui.state.filters import matches_provider, parse_filter

POLICY_CHANGED = Problem(
    code=ProblemCode.APPROVALS_CHANGED, severity=Severity.ERROR, message="the policy changes with it"
)


def texts(form: Form) -> list[str]:
    return [each.text for each in form]


def test_changes_and_alarms_are_counted_by_provider_before_the_verdicts() -> None:
    assert texts(counts_of(held())) == [
        "✗ 1 signing key changed",
        "✗ 1 hashes swapped",
        "✗ 9 unexplained",
        "▲ 1 protection removed",
        "▲ 1 new signer",
        "▲ 1 look-alike name",
        "+ 1 new",
        "− 1 provider removed",
        "✓ 31 confirmed",
        "· 5 offered",
    ]


def test_without_a_base_the_verdicts_are_counted_alone_beside_what_objects() -> None:
    assert texts(counts_of(review_of(audited()))) == [
        "✗ 1 disowned",
        "✗ 1 unexplained",
        "✗ 1 other bytes",
        "? 1 unchecked",
        "+ 7 new",
        "✓ 33 confirmed",
        "· 3 offered",
    ]


def test_what_is_not_audited_yet_is_waiting() -> None:
    assert texts(counts_of(review_of(begun()))) == ["… 6 waiting"]


def test_an_approved_finding_is_counted_apart() -> None:
    told = texts(counts_of(held(keeper(approvals=record(ANVIL, MADE_UP)))))

    assert "✗ 8 unexplained" in told
    assert "✓ 1 approved" in told


def test_what_no_provider_is_to_blame_for_is_counted_too() -> None:
    told = texts(counts_of(held(keeper(problems=(POLICY_CHANGED,)))))
    warned = texts(counts_of(held(keeper(problems=(replace(POLICY_CHANGED, severity=Severity.WARNING),)))))

    assert "✗ 1 approvals changed" in told
    assert "▲ 1 approvals changed" in warned


def test_each_count_of_providers_filters_by_what_it_counts() -> None:
    review = held()
    shown = {
        each.word: {p.address for p in review.providers if matches_provider(parse_filter(each.filter), p)}
        for each in counts_of(review)
        if each.filter.startswith("problem:")
    }

    assert shown == {
        "signing key changed": {KILN.address},
        "hashes swapped": {GAUGE.address},
        "new signer": {SIGNAL.address},
        "protection removed": {GAUGE.address},
        "look-alike name": {LENS.address},
    }


def every_form(review: Review) -> tuple[Form, ...]:
    return forms(counts_of(review))


def test_forms_get_shorter_and_the_loudest_count_is_in_all_of_them() -> None:
    lengths = [sum(len(text) + 2 for text in texts(form)) for form in every_form(held())]
    assert lengths == sorted(lengths, reverse=True)
    assert {texts(form)[0] for form in every_form(held())} == {"✗ 1 signing key changed"}


def test_findings_of_several_verdicts_are_told_as_one_count_where_there_is_little_room() -> None:
    merged = every_form(review_of(audited()))[2]

    assert texts(merged)[0] == "✗ 2 findings"
    assert merged[0].filter == "verdict:finding"


def test_several_providers_that_are_gone_are_told_in_the_plural() -> None:
    lock_file = base()
    two = replace(lock_file, providers=(*lock_file.providers, replace(lock_file.providers[0], address=LENS.address)))
    gone = replace(held().lock_file, providers=held().lock_file.providers[1:])
    review = Review.start(
        gone, settings=held().settings, platforms=(), standards=keeper(bases={BASE: two}).standards(gone, base=BASE)
    )

    assert "− 2 providers removed" in texts(counts_of(review))
