"""The laws of coverage: what is accepted was compared, one more hash never closes an open door, silence opens none."""

from __future__ import annotations

from typing import Final

from builders.audits import FOLDER, LINUX, MIRROR, ORIGIN, answer, audit, h1, listed, package, reported, zh
from builders.coverage import CACHE, INSTALLED, MALFORMED_H1, MALFORMED_ZH, OCI, UNKNOWN_SCHEME
from builders.run_results import locked
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.outcomes import Coverage, CoverageOutcome, Installability
from lockwarden.core.evidence.observations import Basis
from lockwarden.core.evidence.source_answers import Outcome, PackageFacts, SourceAnswer, SourceRef
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash

SEEDS: Final = ("one", "two")
HASHES: Final = [
    *(make(seed) for make in (zh, h1) for seed in SEEDS),
    h1("one archive"),
    UNKNOWN_SCHEME,
    MALFORMED_ZH,
    MALFORMED_H1,
]
CLIENTS = st.sampled_from(Client)
LOCKED = st.frozensets(st.sampled_from(HASHES))
ZIP_SOURCES: Final = (ORIGIN, MIRROR, OCI)
SOURCES: Final = (*ZIP_SOURCES, FOLDER, CACHE, INSTALLED)
TAKEN: Final = frozenset({CoverageOutcome.ACCEPTED, CoverageOutcome.ACCEPTS_ANYTHING})
OPEN: Final = frozenset({CoverageOutcome.UNKNOWN, CoverageOutcome.NO_ANSWER, CoverageOutcome.NOT_ASKED})


@st.composite
def facts_of(draw: st.DrawFn, source: SourceRef) -> PackageFacts:
    """What is known of a package, by the kind of the source: hashed in whole, in part or not at all."""
    outcome = draw(st.sampled_from([Outcome.ANSWERED] * 3 + [Outcome.NOT_THERE, Outcome.NO_ANSWER, Outcome.NOT_ASKED]))
    refusal = draw(st.sampled_from(["", "", "", "refused"]))
    if outcome is not Outcome.ANSWERED:
        return package(LINUX, outcome=outcome, client_refusal=refusal if outcome is Outcome.NO_ANSWER else "")
    seed, whole = draw(st.sampled_from(SEEDS)), draw(st.booleans())
    unpacked = source in (CACHE, INSTALLED) or (source is FOLDER and draw(st.booleans()))
    known = replace(package(LINUX, client_refusal=refusal), basis=Basis.DIRECTORY if unpacked else Basis.ARCHIVE)
    if whole:
        known = replace(known, h1_directory=h1(seed))
    if unpacked:
        return known
    archive_h1 = draw(st.sampled_from([h1(seed), h1(f"{seed} archive")])) if whole else None
    return replace(known, zh=zh(seed), h1_archive=archive_h1)


@st.composite
def findings_of(draw: st.DrawFn, sources: tuple[SourceRef, ...] = SOURCES) -> SourceAnswer:
    """What a source says of one platform's package, if it answers."""
    source = draw(st.sampled_from(sources))
    outcome = draw(st.sampled_from([Outcome.ANSWERED] * 5 + [Outcome.NOT_THERE, Outcome.NO_ANSWER, Outcome.NOT_ASKED]))
    if outcome is not Outcome.ANSWERED:
        return answer(source, outcome=outcome, platforms=None)
    claim = reported if source is ORIGIN else listed
    seen = [(hash_, claim(LINUX)) for hash_ in draw(st.lists(st.sampled_from(HASHES), max_size=2))]
    packages = draw(st.lists(facts_of(source), max_size=1))
    return answer(source, *seen, packages=packages, platforms=[LINUX])


def cell(
    said: SourceAnswer, hashes: frozenset[Hash], client: Client = Client.OPENTOFU, *beside: SourceAnswer
) -> Coverage:
    rule = ClientSettings(client=client)
    return coverage_of(locked(*sorted(hashes)), audit(said, *beside), settings=rule, platforms=[LINUX])[0]


def hashed(said: SourceAnswer) -> frozenset[Hash]:
    facts = said.package(LINUX)
    return frozenset() if facts is None or said.outcome is not Outcome.ANSWERED else facts.hashes


@given(findings_of(), LOCKED, CLIENTS)
def test_what_is_accepted_has_a_locked_hash_and_was_looked_at(
    said: SourceAnswer, hashes: frozenset[Hash], client: Client
) -> None:
    found, true = cell(said, hashes, client), hashed(said)
    if found.outcome is CoverageOutcome.ACCEPTED:
        assert true & hashes
    if found.runtime is CoverageOutcome.ACCEPTED:
        assert {each for each in true if each.scheme == "h1"} & hashes
    if found.outcome in TAKEN:
        assert any(each.scheme == "h1" for each in true)
        assert found.runtime is not None
    if found.outcome is CoverageOutcome.ACCEPTS_ANYTHING:
        assert not {each.scheme for each in hashes} & {"h1"}
    if found.completing_h1 is not None:
        assert found.completing_h1 in true - hashes


@given(findings_of(ZIP_SOURCES), LOCKED, st.sampled_from(HASHES), CLIENTS)
def test_one_hash_more_never_refuses_an_archive_that_a_locked_hash_matched(
    said: SourceAnswer, hashes: frozenset[Hash], more: Hash, client: Client
) -> None:
    before, after = cell(said, hashes, client), cell(said, hashes | {more}, client)
    if before.outcome is CoverageOutcome.ACCEPTED:
        assert after.outcome is CoverageOutcome.ACCEPTED
    if before.runtime is CoverageOutcome.ACCEPTED:
        assert after.runtime is CoverageOutcome.ACCEPTED


@given(findings_of((FOLDER, CACHE, INSTALLED)), LOCKED, st.sampled_from(HASHES))
def test_in_folders_one_hash_more_never_refuses_what_a_locked_hash_matched(
    said: SourceAnswer, hashes: frozenset[Hash], more: Hash
) -> None:
    if cell(said, hashes).outcome is CoverageOutcome.ACCEPTED:
        assert cell(said, hashes | {more}).outcome is CoverageOutcome.ACCEPTED


@given(findings_of(), LOCKED, st.sampled_from(HASHES))
@example(
    answer(
        OCI,
        packages=[replace(package(LINUX), zh=zh("one"), h1_archive=h1("one"), h1_directory=h1("one"))],
        platforms=[LINUX],
    ),
    frozenset(),
    h1("one"),
)
def test_only_a_hash_that_brings_a_comparison_turns_anything_into_something(
    said: SourceAnswer, hashes: frozenset[Hash], more: Hash
) -> None:
    before, after = cell(said, hashes), cell(said, hashes | {more})
    if before.outcome is CoverageOutcome.ACCEPTS_ANYTHING and after.outcome is not before.outcome:
        assert more.scheme in {"h1", "zh"} - {each.scheme for each in hashes}
        # A client compares the package of an OCI mirror by its zh alone.
        matches = more in hashed(said) and (said.source != OCI or more.scheme == "zh")
        assert after.outcome is (CoverageOutcome.ACCEPTED if matches else CoverageOutcome.REFUSED)


@given(findings_of(), LOCKED, CLIENTS, st.sampled_from([Outcome.NO_ANSWER, Outcome.NOT_ASKED]))
def test_a_source_that_falls_silent_never_makes_a_cell_better(
    said: SourceAnswer, hashes: frozenset[Hash], client: Client, outcome: Outcome
) -> None:
    silent = answer(said.source, outcome=outcome, platforms=None)
    found = cell(silent, hashes, client)
    assert found.outcome not in TAKEN
    if found.outcome is CoverageOutcome.REFUSED and said.outcome is not Outcome.NOT_THERE:
        # What is certain without any answer stays so with one, unless there is no package at all.
        assert cell(said, hashes, client).standing is Installability.FAILS


@given(findings_of(), LOCKED, CLIENTS, st.sampled_from([Outcome.NO_ANSWER, Outcome.NOT_ASKED, None]))
def test_a_package_that_was_not_looked_at_is_never_taken(
    said: SourceAnswer, hashes: frozenset[Hash], client: Client, outcome: Outcome | None
) -> None:
    packages = [] if outcome is None else [package(LINUX, outcome=outcome)]
    found = cell(answer(said.source, *said.observations, packages=packages, platforms=[LINUX]), hashes, client)
    assert found.outcome not in TAKEN
    assert (found.expected is None) or found.outcome in OPEN


@given(findings_of(), findings_of(), LOCKED, CLIENTS)
def test_what_other_sources_say_changes_the_words_and_never_the_outcome(
    said: SourceAnswer, other: SourceAnswer, hashes: frozenset[Hash], client: Client
) -> None:
    beside = replace(other, source=replace(other.source, id="another"))
    alone, together = cell(said, hashes, client), cell(said, hashes, client, beside)
    assert replace(together, reason="", remedy="") == replace(alone, reason="", remedy="")


@given(findings_of(), LOCKED, CLIENTS)
def test_every_cell_has_a_reason_and_every_failure_a_remedy(
    said: SourceAnswer, hashes: frozenset[Hash], client: Client
) -> None:
    found = cell(said, hashes, client)
    assert found.reason
    assert not found.reason.endswith(".")
    if found.standing not in {Installability.WORKS, Installability.UNUSED}:
        assert found.remedy
