"""The review: the answer, the exit code, what may be accepted in bulk, and the next lock file."""

from __future__ import annotations

import pytest
from builders.audits import (
    ADDRESS,
    DARWIN,
    LINUX,
    MIRROR,
    ORIGIN,
    VERSION,
    answer,
    audit,
    computed,
    h1,
    origin_with,
    package,
    reported,
    zh,
)
from builders.reading import SECOND_READER
from builders.reviews import HEADER, entry_text, lock_file, review
from fakes.reviews import audited, not_audited
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.source_answers import Audit, Outcome, Problem
from lockwarden.core.review.answers import Answer
from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

OWN = (h1("linux_amd64"), zh("linux_amd64"))


def decided(started: Review, *choices: tuple[Hash, Decision]) -> Review:
    return started.with_decisions(
        Decisions().decide([(HashKey.of(ADDRESS, hash_), choice) for hash_, choice in choices])
    )


class TestAnswer:
    def test_all_confirmed_is_nothing_to_object_to(self) -> None:
        done = review(OWN, audit(origin_with(LINUX)))
        assert (done.exit_code, done.answer) == (ExitCode.NOTHING_TO_OBJECT, "Nothing to object to")
        assert done.counts == {Verdict.CONFIRMED: 2}

    def test_hashes_that_could_be_added_are_no_objection(self) -> None:
        done = review(OWN[:1], audit(origin_with(LINUX)))
        assert done.counts == {Verdict.CONFIRMED: 1, Verdict.NEW: 1}
        assert done.exit_code == 0

    @pytest.mark.parametrize("planted", [zh("planted"), h1("planted")])
    def test_a_planted_hash_is_a_finding(self, planted: Hash) -> None:
        done = review((*OWN, planted), audit(origin_with(LINUX)))
        assert (done.exit_code, done.answer) == (ExitCode.FINDINGS, "Do not commit yet")

    def test_an_origin_that_is_down_is_incomplete(self) -> None:
        down = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="refused", platforms=None)
        done = review(OWN, audit(down))
        assert (done.exit_code, done.answer) == (ExitCode.INCOMPLETE, "Not everything was checked")

    def test_a_second_source_that_is_down_is_incomplete_even_when_all_is_confirmed(self) -> None:
        down = answer(MIRROR, outcome=Outcome.NO_ANSWER, detail="refused", platforms=None)
        assert review(OWN, audit(origin_with(LINUX), down)).exit_code is ExitCode.INCOMPLETE

    def test_a_wanted_package_that_could_not_be_had_is_incomplete(self) -> None:
        known = origin_with(LINUX, listed_too=[DARWIN])
        lost = replace(known, packages=(*known.packages, package(DARWIN, outcome=Outcome.NO_ANSWER)))
        assert review(OWN, audit(lost)).exit_code is ExitCode.INCOMPLETE

    def test_a_source_that_does_not_have_the_release_is_an_answer(self) -> None:
        absent = answer(MIRROR, outcome=Outcome.NOT_THERE, platforms=None)
        assert review(OWN, audit(origin_with(LINUX), absent)).exit_code is ExitCode.NOTHING_TO_OBJECT

    def test_findings_weigh_more_than_incompleteness(self) -> None:
        down = answer(MIRROR, outcome=Outcome.NO_ANSWER, detail="refused", platforms=None)
        assert review((zh("planted"),), audit(origin_with(LINUX), down)).exit_code is ExitCode.FINDINGS

    def test_before_the_audits_have_ended_nothing_is_counted_and_nothing_is_promised(self) -> None:
        begun = review(OWN)
        assert (begun.exit_code, begun.answer, begun.counts) == (ExitCode.INCOMPLETE, "Still checking", {})

    def test_an_empty_lock_file_has_nothing_to_object_to(self) -> None:
        empty = Review.start(lock_file(), settings=ClientSettings(), platforms=[LINUX])
        assert empty.exit_code is ExitCode.NOTHING_TO_OBJECT


class TestProblems:
    @pytest.mark.parametrize("locked", [(), (Hash("h9:unknown"),)])
    def test_an_entry_without_a_usable_hash_accepts_any_package_and_is_an_error(self, locked: tuple[Hash, ...]) -> None:
        done = review(locked, audit(origin_with(LINUX)))
        assert done.exit_code is ExitCode.FINDINGS
        assert done.providers[0].problems[0].code == "accepts-any-package"

    def test_an_entry_whose_hashes_can_never_match_refuses_every_archive(self) -> None:
        done = review((Hash("zh:ABC"),), audit(origin_with(LINUX)))
        assert [each.code for each in done.providers[0].problems] == ["refuses-every-archive"]
        assert done.exit_code is ExitCode.FINDINGS

    def test_a_host_with_foreign_letters_is_spelt_out_and_does_not_object(self) -> None:
        text = entry_text(*OWN, address="r\u0435gistry.example.test/acme/widget")
        done = Review.start(lock_file(text), settings=ClientSettings(), platforms=[LINUX])
        (problem,) = done.providers[0].problems
        assert (problem.code, problem.severity) == ("international-host", Severity.NOTE)
        assert "xn--rgistry-7gg.example.test" in problem.message
        assert "CYRILLIC SMALL LETTER IE" in problem.message

    @pytest.mark.parametrize("name", ["\u0430cme/widget", "acme/w\u0456dget"])
    def test_so_is_another_name_with_foreign_letters(self, name: str) -> None:
        text = entry_text(*OWN, address=f"registry.example.test/{name}")
        done = Review.start(lock_file(text), settings=ClientSettings(), platforms=[LINUX])
        (problem,) = done.providers[0].problems
        assert (problem.code, problem.severity) == ("international-name", Severity.NOTE)
        (letter,) = (each for each in name if not each.isascii())
        assert f"the name {name} has letters beyond ASCII: {letter} is CYRILLIC SMALL LETTER" in problem.message

    def test_it_is_said_before_the_audit_has_ended(self) -> None:
        assert review(()).exit_code is ExitCode.FINDINGS

    def test_problems_of_the_sources_are_kept_and_errors_object(self) -> None:
        problem = Problem(code=ProblemCode.SIGNATURE_BAD, severity=Severity.ERROR, message="bad", source=ORIGIN.id)
        done = review(OWN, audit(replace(origin_with(LINUX), problems=(problem,))))
        assert problem in done.providers[0].problems
        assert done.exit_code is ExitCode.FINDINGS

    def test_warnings_do_not_object(self) -> None:
        problem = Problem(
            code=ProblemCode.SIGNING_SKIPPED, severity=Severity.WARNING, message="no key", source=ORIGIN.id
        )
        assert review(OWN, audit(replace(origin_with(LINUX), problems=(problem,)))).exit_code == 0

    def test_a_registry_h1_that_its_package_does_not_have_is_an_error_with_both_values(self) -> None:
        known = origin_with(LINUX)
        lie = (h1("lie"), reported(LINUX, shape=ListShape.PACKAGES))
        done = review(OWN, audit(replace(known, observations=(*known.observations, lie))))
        (problem,) = done.providers[0].problems
        assert problem.code == "registry-h1-differs"
        assert str(h1("lie")) in problem.message
        assert str(h1("linux_amd64")) in problem.message
        assert done.exit_code is ExitCode.FINDINGS

    def test_a_mirror_with_other_bytes_is_an_error_said_once(self) -> None:
        other = answer(
            MIRROR,
            (zh("other"), computed(LINUX, source=MIRROR, package_zh=zh("other"))),
            (h1("other"), computed(LINUX, source=MIRROR, package_zh=zh("other"))),
        )
        done = review(OWN, audit(origin_with(LINUX), other))
        assert [problem.code for problem in done.providers[0].problems] == ["other-bytes"]
        assert done.exit_code is ExitCode.FINDINGS

    def test_a_release_that_the_origin_does_not_know_is_said(self) -> None:
        gone = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404 Not Found", platforms=None)
        codes = [problem.code for problem in review(OWN, audit(gone)).providers[0].problems]
        assert codes == ["not-at-origin"]

    def test_a_wanted_platform_that_the_origin_lacks_is_said(self) -> None:
        known = origin_with(LINUX)
        lacking = replace(known, packages=(*known.packages, package(DARWIN, outcome=Outcome.NOT_THERE)))
        done = review(OWN, audit(lacking), platforms=[LINUX, DARWIN])
        assert [problem.code for problem in done.providers[0].problems] == ["platform-missing"]

    def test_a_wanted_platform_that_was_not_looked_at_is_not_called_missing(self) -> None:
        assert review(OWN, audit(origin_with(LINUX)), platforms=[LINUX, DARWIN]).providers[0].problems == ()

    def test_a_platform_that_the_origin_announces_is_left_to_the_source_to_tell_of(self) -> None:
        known = origin_with(LINUX, listed_too=[DARWIN])
        lacking = replace(known, packages=(*known.packages, package(DARWIN, outcome=Outcome.NOT_THERE)))
        assert review(OWN, audit(lacking), platforms=[LINUX, DARWIN]).providers[0].problems == ()


class TestWeight:
    def test_providers_weigh_by_the_worst_that_was_found(self) -> None:
        confirmed = audit(origin_with(LINUX))
        down = audit(answer(ORIGIN, outcome=Outcome.NO_ANSWER, platforms=None))
        weights = [
            review((zh("planted"),), confirmed),
            review((h1("planted"),), confirmed),
            review((), confirmed),
            review(OWN, down),
            review(OWN[:1], confirmed),
            review(OWN),
            review(OWN, confirmed),
        ]
        order = [each.providers[0].weight for each in weights]
        assert order == sorted(order)
        assert len(set(order)) == len(order)


class TestDecisions:
    def test_what_nothing_objects_to_is_kept_and_the_rest_waits(self) -> None:
        done = review((*OWN, zh("planted")), audit(origin_with(LINUX, DARWIN)), platforms=[LINUX, DARWIN])
        (provider,) = done.providers
        assert {row.verdict: done.decision(provider, row) for row in provider.rows} == {
            Verdict.DISOWNED: Decision.UNDECIDED,
            Verdict.CONFIRMED: Decision.KEEP,
            Verdict.NEW: Decision.UNDECIDED,
        }

    def test_undecided_changes_nothing(self) -> None:
        done = review((*OWN, zh("planted")), audit(origin_with(LINUX, DARWIN)), platforms=[LINUX, DARWIN])
        assert done.changes == {}
        assert done.next_lock_file(SECOND_READER) == done.lock_file.data

    def test_only_new_hashes_are_suggested_and_a_finding_never_is(self) -> None:
        done = review((*OWN, zh("planted")), audit(origin_with(LINUX, DARWIN)), platforms=[LINUX, DARWIN])
        assert dict(done.suggested(done.providers)) == {
            HashKey.of(ADDRESS, h1("darwin_arm64")): Decision.ADD,
            HashKey.of(ADDRESS, zh("darwin_arm64")): Decision.ADD,
        }

    def test_what_a_person_has_decided_is_not_suggested_again(self) -> None:
        done = review(OWN, audit(origin_with(LINUX, DARWIN)), platforms=[LINUX, DARWIN])
        added = decided(done, (h1("darwin_arm64"), Decision.ADD))
        assert HashKey.of(ADDRESS, h1("darwin_arm64")) not in dict(added.suggested(added.providers))

    def test_the_next_lock_file_has_exactly_what_was_decided(self) -> None:
        done = review((*OWN, zh("planted")), audit(origin_with(LINUX, DARWIN)), platforms=[LINUX, DARWIN])
        after = decided(done, (zh("planted"), Decision.DROP), (h1("darwin_arm64"), Decision.ADD))
        assert after.next_lock_file(SECOND_READER).decode() == HEADER + entry_text(*OWN, h1("darwin_arm64"))

    def test_approving_a_mirrors_hash_adds_that_hash_and_nothing_else(self) -> None:
        other = answer(MIRROR, (zh("other"), computed(LINUX, source=MIRROR, package_zh=zh("other"))))
        done = review(OWN, audit(origin_with(LINUX, DARWIN), other), platforms=[LINUX, DARWIN])
        row = next(row for row in done.providers[0].rows if row.hash == zh("other"))
        assert row.verdict is Verdict.OFFERED
        after = decided(done, (zh("other"), Decision.ADD))
        assert after.next_lock_file(SECOND_READER).decode() == HEADER + entry_text(*OWN, zh("other"))

    def test_a_decision_that_no_longer_fits_falls_back_to_how_the_hash_stands(self) -> None:
        done = review(OWN, audit(origin_with(LINUX)))
        stale = decided(done, (OWN[0], Decision.ADD))
        (provider,) = stale.providers
        row = next(row for row in provider.rows if row.hash == OWN[0])
        assert stale.decision(provider, row) is Decision.KEEP
        assert stale.changes == {}

    def test_dropping_a_hash_that_is_not_locked_says_nothing(self) -> None:
        done = review(OWN, audit(origin_with(LINUX, DARWIN)))
        assert decided(done, (zh("darwin_arm64"), Decision.DROP)).changes == {}


class TestAudits:
    def test_an_audit_changes_its_own_provider_alone(self) -> None:
        other = ProviderAddress.parse("registry.example.test/acme/other")
        begun = Review.start(
            lock_file(entry_text(*OWN), entry_text(zh("x"), address=str(other))),
            settings=ClientSettings(),
            platforms=[LINUX],
        )
        done = begun.with_audit(audit(origin_with(LINUX)))
        assert [each.waiting for each in done.providers] == [False, True]
        assert done.provider(other) is begun.provider(other)

    def test_a_provider_that_the_lock_file_does_not_have_is_a_key_error(self) -> None:
        with pytest.raises(KeyError, match="acme/other"):
            review(OWN).provider(ProviderAddress.parse("registry.example.test/acme/other"))

    def test_a_hash_listed_twice_is_one_row_at_its_first_line(self) -> None:
        text = f'\nprovider "{ADDRESS}" {{\n  version = "1.2.3"\n  hashes = ["{OWN[0]}",\n    "{OWN[0]}"]\n}}\n'
        begun = Review.start(lock_file(text), settings=ClientSettings(), platforms=[LINUX])
        assert [(row.hash, row.line) for row in begun.providers[0].rows] == [(OWN[0], 6)]

    def test_the_audit_of_a_release_has_its_summary_and_its_origin(self) -> None:
        known = Audit(address=ADDRESS, version=VERSION, source_answers=(answer(MIRROR), origin_with(LINUX)))
        assert known.origin is known.source_answers[1]
        assert known.summary == "signed"
        assert known.source_answers[1].package(LINUX) is not None
        assert known.source_answers[1].package(DARWIN) is None
        assert audit(answer(MIRROR)).origin is None

    def test_where_no_source_answered_there_is_no_summary(self) -> None:
        silent = [
            answer(source, outcome=outcome)
            for source in (ORIGIN, MIRROR)
            for outcome in Outcome
            if outcome != "answered"
        ]
        assert audit(*silent).summary is None
        assert audit(*silent, answer(MIRROR)).summary == "unauthenticated"
        assert audit().summary is None


def test_what_waits_for_an_audit_that_never_comes_was_not_checked() -> None:
    begun = not_audited()

    assert begun.answer_while(running=True) is Answer.CHECKING
    assert begun.answer_while(running=False) is Answer.INCOMPLETE
    assert audited().answer_while(running=True) is Answer.FINDINGS


def test_what_a_person_has_to_see_to() -> None:
    assert {each for each in Answer if each.objects} == {Answer.UNREADABLE, Answer.UNWRITTEN, Answer.FINDINGS}
