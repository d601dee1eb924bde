"""What a filter means and what it lets through."""

from __future__ import annotations

import pytest
from fakes.lock_files import EDGE, MADE_UP, PLANTED, RELAY, every_verdict
from fakes.pull_request import ANVIL, GAUGE, KILN, NOBODYS, SIGNAL, held, keeper, record

from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.clients import ClientSettings
from lockwarden.tui.state.filters import Filter, matches_provider, matches_row, parse_filter, what_there_is


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


def test_a_word_with_an_exclamation_mark_hides_what_it_would_show() -> None:
    provider = review().provider(EDGE.address)
    everything = [row.hash.text for row in provider.rows]

    for text in ("verdict:confirmed", "platform:linux_amd64", "zh:", "verdict:new,disowned"):
        hidden = shown(text, provider)
        assert hidden
        assert shown(f"!{text}", provider) == [each for each in everything if each not in hidden]
    assert shown("zh: !verdict:confirmed", provider) == [
        each for each in shown("zh:", provider) if each not in shown("verdict:confirmed", provider)
    ]
    assert parse_filter("!verdict:confirmed").active
    assert not parse_filter("!").active


def test_what_is_hidden_by_a_word_is_not_listed_as_a_provider() -> None:
    edge, relay = (review().provider(each.address) for each in (EDGE, RELAY))

    chosen = parse_filter(f"!{EDGE.address.type}")
    assert (matches_provider(chosen, edge), matches_provider(chosen, relay)) == (False, True)
    assert not parse_filter("!verdict:confirmed").is_within(parse_filter("verdict:confirmed"))


def test_what_waits_is_found_while_it_does() -> None:
    chosen = parse_filter("is:waiting")

    assert matches_provider(chosen, review(audited=False).provider(EDGE.address))
    assert not matches_provider(chosen, review().provider(EDGE.address))
    assert chosen.is_within(parse_filter("is:waiting"))
    assert "is: there is waiting" in parse_filter("is:late").problem


@pytest.mark.parametrize("text", ["verdit:new", "!verdit:new", "plattform:linux"])
def test_a_property_that_does_not_exist_is_named_with_those_that_do(text: str) -> None:
    chosen = parse_filter(text)

    assert "verdict, platform, key, change, problem, is" in chosen.problem
    assert not chosen.active


@pytest.mark.parametrize("text", ["https://mirror.example.test/", "example.test:8443/acme", "md5:abc"])
def test_what_only_looks_like_a_property_is_text(text: str) -> None:
    assert parse_filter(text).words == (text,)
    assert not parse_filter(text).problem


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("platform:linux", ""),
        ("platform:plan9", "no platform here has “plan9”; there are "),
        ("!platform:plan9", "no platform here has “plan9”; there are "),
        ("key:0000", "no key here has “0000”; there are "),
        ("problem:new-signer", "no problem here has “new-signer”; there are other-bytes"),
    ],
)
def test_a_value_that_nothing_has_is_named_with_those_that_there_are(text: str, told: str) -> None:
    assert what_there_is(parse_filter(text), review().providers).startswith(told)
    assert bool(what_there_is(parse_filter(text), review().providers)) is bool(told)
