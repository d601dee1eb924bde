"""What a filter means and what it lets through."""

from __future__ import annotations

import pytest
from fakes.lock_files import EDGE, MADE_UP, PLANTED, RELAY, every_verdict
from fakes.pull_request import ANVIL, GAUGE, KILN, NOBODYS, SIGNAL, held, keeper, record

from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.clients import ClientSettings
from lockwarden.tui.state.filters import Filter, matches_provider, matches_row, parse_filter


def review(*, audited: bool = True) -> Review:
    world = every_verdict()
    started = Review.start(world.lock_file(), settings=ClientSettings(), platforms=())
    for audit in world.audits if audited else ():
        started = started.with_audit(audit)
    return started


def shown(text: str, provider: ProviderReview) -> list[str]:
    chosen = parse_filter(text)
    return [row.hash.text for row in provider.rows if matches_row(chosen, provider, row)]


def test_an_empty_filter_hides_nothing() -> None:
    assert not parse_filter("  ").active
    provider = review().provider(EDGE.address)
    assert len(shown("", provider)) == len(provider.rows)


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        ("verdict:new", {Verdict.NEW}),
        ("verdict:disowned,unexplained", {Verdict.DISOWNED, Verdict.UNEXPLAINED}),
        ("VERDICT:New verdict:conf", {Verdict.NEW, Verdict.CONFIRMED}),
        ("verdict:finding", {Verdict.DISOWNED, Verdict.UNEXPLAINED}),
        ("verdict:findings", {Verdict.DISOWNED, Verdict.UNEXPLAINED}),
        ("verdict:un", {Verdict.UNEXPLAINED, Verdict.UNCHECKED}),
    ],
)
def test_verdicts_are_named_by_their_beginning(text: str, verdicts: set[Verdict]) -> None:
    chosen = parse_filter(text)

    assert chosen.verdicts == verdicts
    assert chosen.by_hash
    assert not chosen.problem


def test_a_verdict_that_does_not_exist_is_named_and_left_out() -> None:
    chosen = parse_filter("verdict:green,new verdict:blue")

    assert chosen.verdicts == {Verdict.NEW}
    assert "“blue”" in chosen.problem
    assert "confirmed" in chosen.problem


@pytest.mark.parametrize("name", ["verdict", "platform", "key", "change", "problem"])
def test_a_property_without_a_value_says_what_one_looks_like(name: str) -> None:
    chosen = parse_filter(f"{name}:")

    assert f"{name}:" in chosen.problem
    assert not chosen.active


def test_a_colon_after_another_word_is_text() -> None:
    assert parse_filter("zh:AB").words == ("zh:ab",)


def test_no_more_than_a_few_dozen_words_are_read() -> None:
    assert len(parse_filter("x " * 1000).words) == 32


def test_properties_must_all_hold_and_their_values_are_alternatives() -> None:
    provider = review().provider(EDGE.address)

    assert shown("verdict:disowned", provider) == [PLANTED.text]
    assert set(shown("platform:linux_amd64", provider)) == {EDGE.zh("linux_amd64").text, EDGE.h1("linux_amd64").text}
    assert shown("platform:linux_amd64 zh:", provider) == [EDGE.zh("linux_amd64").text]
    assert len(shown("platform:linux_amd64,windows", provider)) == 3
    assert shown("verdict:disowned platform:linux_amd64", provider) == []


def test_a_key_matches_any_part_of_its_fingerprint() -> None:
    provider = review().provider(EDGE.address)

    assert EDGE.zh("linux_amd64").text in shown("key:3f24", provider)
    assert EDGE.zh("linux_amd64").text in shown("key:6A1B5E0C", provider)
    assert EDGE.h1("linux_amd64").text not in shown("key:3f24", provider)
    assert shown("key:0000", provider) == []


def test_words_look_at_hash_platform_provider_and_signer() -> None:
    provider = review().provider(EDGE.address)

    assert len(shown("corp/edge", provider)) == len(provider.rows)
    assert shown(PLANTED.text[:12].upper(), provider) == [PLANTED.text]
    assert shown("not package", provider) == [EDGE.manifest.text]
    assert shown("corp nonsense", provider) == []


def test_a_provider_is_listed_for_its_rows_or_for_its_name() -> None:
    waiting, audited = review(audited=False), review()

    assert matches_provider(parse_filter("verdict:disowned"), audited.provider(EDGE.address))
    assert not matches_provider(parse_filter("verdict:disowned"), audited.provider(RELAY.address))
    assert not matches_provider(parse_filter("verdict:unchecked"), waiting.provider(EDGE.address))
    assert matches_provider(parse_filter("corp"), waiting.provider(EDGE.address))
    assert not matches_provider(parse_filter("corp"), waiting.provider(RELAY.address))
    assert matches_provider(Filter(), waiting.provider(RELAY.address))


def test_changes_and_problems_narrow_by_what_the_change_did_and_by_what_objects_or_warns() -> None:
    changed = held()
    gauge, kiln, signal = (changed.provider(each.address) for each in (GAUGE, KILN, SIGNAL))

    assert shown("change:in", gauge) == [NOBODYS.text]
    assert shown("change:out", gauge) == [GAUGE.h1("linux_amd64").text]
    assert len(shown("change:in,out", gauge)) == 2
    assert len(shown("problem:key-changed", kiln)) == len(kiln.rows)
    assert shown("problem:key-changed", signal) == []
    assert matches_provider(parse_filter("problem:new-signer"), signal)
    assert not matches_provider(parse_filter("problem:version-up"), signal), "a note is no problem"
    assert not matches_provider(parse_filter("problem:nonsense"), gauge)


@pytest.mark.parametrize(
    ("text", "problem"), [("change:sideways", "change: is in or out"), ("problem:", "problem: needs a value")]
)
def test_a_property_that_means_nothing_says_so(text: str, problem: str) -> None:
    assert problem in parse_filter(text).problem
    assert not parse_filter(text).active


def test_a_finding_that_a_record_accepts_is_approved_and_nothing_else() -> None:
    anvil = held(keeper(approvals=record(ANVIL, MADE_UP))).provider(ANVIL.address)

    assert shown("verdict:approved", anvil) == [MADE_UP.text]
    assert shown("verdict:unexplained", anvil) == []
    assert shown("verdict:unexplained,approved", anvil) == [MADE_UP.text]
    assert shown("verdict:approved", held().provider(ANVIL.address)) == []


def test_a_count_is_chosen_while_the_filter_shows_nothing_but_what_it_counts() -> None:
    source_answers, new = parse_filter("verdict:finding"), parse_filter("verdict:new")

    assert parse_filter("verdict:disowned").is_within(source_answers)
    assert parse_filter("verdict:approved").is_within(parse_filter("verdict:approved"))
    assert not parse_filter("verdict:disowned,new").is_within(new)
    assert not Filter().is_within(source_answers)
    assert parse_filter("problem:new-signer").is_within(parse_filter("problem:new-signer"))
    assert not parse_filter("verdict:new").is_within(parse_filter("problem:new-signer"))
