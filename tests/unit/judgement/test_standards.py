"""Reviews held against policy, approvals and base: what comes first, what objects, what stays open."""

from __future__ import annotations

from builders.audits import (
    DARWIN,
    FINGERPRINT,
    LINUX,
    MIRROR,
    ORIGIN,
    answer,
    audit,
    computed,
    h1,
    origin_with,
    reported,
    zh,
    zh_list,
)
from builders.policies import STRANGER, TODAY, approval, base, key, mirror, policy, requirement, signed_by
from builders.reviews import entry_text, lock_file, review
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.source_answers import Outcome, Problem
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.standards import evidence_under as under
from lockwarden.core.review.verdicts import Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

OWN = (h1("linux_amd64"), zh("linux_amd64"))
GOOD = audit(origin_with(LINUX))
OTHER = "registry.example.test/acme/other"


def provider(*locked: object, **held: object) -> ProviderReview:
    return review(locked, GOOD, **held).providers[0]  # type: ignore[arg-type]


class TestRank:
    def test_the_alarm_then_loud_changes_then_findings_then_what_is_open_then_what_moved(self) -> None:
        alarmed = review(
            OWN, audit(signed_by(STRANGER, downloaded=[LINUX])), standards=Standards(policy=policy(key()))
        ).providers[0]
        swapped = provider(h1("x"), OWN[1], standards=Standards(sides=(base(lock_file(entry_text(*OWN))),)))
        lost = provider(OWN[1], standards=Standards(sides=(base(lock_file(entry_text(*OWN))),)))
        disowned = provider(*OWN, zh("planted"))
        unexplained = provider(*OWN, h1("planted"))
        objected = provider(*OWN, standards=Standards(policy=policy(requirement(namespaces=[]))))
        warned = provider(*OWN, standards=Standards(sides=(base(lock_file(entry_text(*OWN, version="2.0.0"))),)))
        down = audit(answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="503", platforms=None))
        open_ = review(OWN, down).providers[0]
        new = provider(OWN[0])
        changed = provider(*OWN, standards=Standards(sides=(base(lock_file(entry_text(*OWN, version="1.0.0"))),)))
        waiting = review(OWN).providers[0]
        quiet = provider(*OWN)
        ranked = [
            alarmed, swapped, lost, disowned, unexplained, objected, warned, open_, new, changed, waiting, quiet,
        ]  # fmt: skip
        weights = [each.weight for each in ranked]
        assert weights == sorted(weights)
        assert len(set(weights)) == len(weights)

    def test_a_change_does_not_move_a_provider_that_is_still_waiting(self) -> None:
        older = Standards(sides=(base(lock_file(entry_text(zh("older"), version="1.0.0"))),))
        newer = Standards(sides=(base(lock_file(entry_text(zh("older"), version="2.0.0"))),))
        ranks = {review(OWN, standards=each).providers[0].weight[0] for each in (NO_STANDARDS, older, newer)}
        assert len(ranks) == 1

    def test_a_swap_is_loud_before_the_audit_has_ended(self) -> None:
        swapped = Standards(sides=(base(lock_file(entry_text(*OWN))),))
        waiting = review((h1("x"), OWN[1]), standards=swapped).providers[0]
        assert waiting.weight == provider(h1("x"), OWN[1], standards=swapped).weight
        assert waiting.problems[0].code == "change-hashes-swapped"

    def test_an_approved_finding_weighs_no_more_than_none(self) -> None:
        standards = Standards(approvals=Approvals(records=(approval(h1("planted")),)), today=TODAY)
        approved, quiet = provider(*OWN, h1("planted"), standards=standards), provider(*OWN)
        assert approved.weight == quiet.weight
        assert (approved.approved, quiet.approved) == (1, 0)


class TestLoudest:
    def two(self, standards: Standards) -> Review:
        text = (entry_text(*OWN, address=OTHER), entry_text(h1("x"), OWN[1]))
        begun = Review.start(lock_file(*text), settings=ClientSettings(), platforms=[LINUX], standards=standards)
        return begun.with_audit(GOOD)

    def test_it_is_of_the_provider_that_weighs_most_not_of_the_first(self) -> None:
        before = lock_file(entry_text(address=OTHER), entry_text(*OWN))
        done = self.two(Standards(policy=policy(requirement(namespaces=[])), sides=(base(before),)))
        assert done.loudest is not None
        assert (done.loudest[0].address.type, done.loudest[1].code) == ("widget", "change-hashes-swapped")

    def test_a_finding_that_is_no_problem_is_told_by_its_row(self) -> None:
        assert review((*OWN, zh("planted")), GOOD).loudest is None

    def test_warnings_are_not_loud(self) -> None:
        standards = Standards(sides=(base(lock_file(entry_text(*OWN, version="2.0.0"))),))
        assert review(OWN, GOOD, standards=standards).loudest is None


class TestExitCode:
    WRONG = Problem(code=ProblemCode.APPROVALS_CHANGED, severity=Severity.ERROR, message="the policy changed, too")

    def test_an_error_of_the_standards_themselves_objects(self) -> None:
        done = review(OWN, GOOD, standards=Standards(problems=(self.WRONG,)))
        assert done.problems == (self.WRONG,)
        assert done.exit_code is ExitCode.FINDINGS

    def test_a_warning_of_theirs_does_not(self) -> None:
        warning = replace(self.WRONG, severity=Severity.WARNING)
        assert review(OWN, GOOD, standards=Standards(problems=(warning,))).exit_code is ExitCode.NOTHING_TO_OBJECT

    def test_a_policy_that_does_not_count_for_its_owner_leaves_it_open(self) -> None:
        left_out = replace(self.WRONG, code="policy-of-another-user", severity=Severity.WARNING)
        assert review(OWN, GOOD, standards=Standards(problems=(left_out,))).exit_code is ExitCode.INCOMPLETE


class TestOtherStandards:
    def test_they_judge_every_audit_anew_and_keep_the_decisions(self) -> None:
        begun = Review.start(
            lock_file(entry_text(*OWN), entry_text(*OWN, address=OTHER)), settings=ClientSettings(), platforms=[LINUX]
        ).with_audit(audit(signed_by(STRANGER, downloaded=[LINUX])))
        decided = begun.with_decisions(
            begun.decisions.decide([(HashKey.of(begun.providers[0].address, OWN[0]), Decision.DROP)])
        )
        held = decided.with_standards(Standards(policy=policy(key())))
        assert (held.exit_code, decided.exit_code) == (ExitCode.FINDINGS, ExitCode.INCOMPLETE)
        assert held.providers[0].alarmed
        assert held.providers[1].waiting
        assert held.decisions is decided.decisions
        assert held.with_standards(NO_STANDARDS) == decided

    def test_bulk_approval_passes_over_an_alarmed_provider_and_no_other(self) -> None:
        text = (entry_text(OWN[1]), entry_text(OWN[1], address=OTHER))
        rules = policy(key(), key(STRANGER, providers=OTHER, line=5))
        begun = Review.start(
            lock_file(*text), settings=ClientSettings(), platforms=[LINUX], standards=Standards(policy=rules)
        )
        known = audit(signed_by(FINGERPRINT, downloaded=[LINUX]))
        other = replace(known, address=begun.providers[1].address)
        strange = replace(audit(signed_by("A" * 40, downloaded=[LINUX])), address=known.address)
        done = begun.with_audit(known).with_audit(other)
        assert [key_.address for key_, _ in done.suggested(done.providers)] == [str(known.address), OTHER]
        alarmed = begun.with_audit(strange).with_audit(other)
        assert [each.alarmed for each in alarmed.providers] == [True, False]
        assert [key_.address for key_, _ in alarmed.suggested(alarmed.providers)] == [OTHER]


class TestContradictions:
    def test_a_policy_hides_no_contradiction_between_the_sources(self) -> None:
        origin = signed_by(STRANGER, downloaded=[LINUX])
        lie = (h1("lie"), reported(LINUX, shape=ListShape.PACKAGES))
        known = audit(replace(origin, observations=(*origin.observations, lie)))
        done = review(OWN, known, standards=Standards(policy=policy(key())))
        assert "registry-h1-differs" in {each.code for each in done.providers[0].problems}

    def test_two_differences_one_of_a_trusted_mirror(self) -> None:
        other = computed(LINUX, source=MIRROR, package_zh=zh("other"))
        known = audit(origin_with(LINUX), answer(MIRROR, (zh("other"), other), platforms=[LINUX]))
        trusting, bare = (
            review(OWN, known, standards=each) for each in (Standards(policy=policy(mirror())), NO_STANDARDS)
        )
        assert [each.severity for each in trusting.providers[0].problems] == [Severity.WARNING]
        assert [each.severity for each in bare.providers[0].problems] == [Severity.ERROR]

    def test_a_list_that_does_not_cover_every_platform_contradicts_no_archive(self) -> None:
        origin = answer(ORIGIN, platforms=[LINUX, DARWIN], lists=[zh_list(zh("linux_amd64"), complete=False)])
        other = computed(DARWIN, source=MIRROR, package_zh=zh("other"))
        known = audit(origin, answer(MIRROR, (zh("other"), other), platforms=[DARWIN]))
        assert review(OWN, known).providers[0].problems == ()

    def test_a_mirrors_package_objects_to_no_hash_that_the_registry_reports(self) -> None:
        """Else the mirror's silence would make the hash a better one."""
        origin = origin_with(DARWIN, listed_too=[LINUX])
        report = (h1("claimed"), reported(LINUX, shape=ListShape.PACKAGES))
        known = replace(origin, observations=(*origin.observations, report))
        other = (h1("claimed"), computed(DARWIN, source=MIRROR, package_zh=zh("other")))
        for source_answers in ([known], [known, answer(MIRROR, other, platforms=[DARWIN])]):
            evidence = Evidence(audit(*source_answers), frozenset({DARWIN}))
            assert judge_unlocked(h1("claimed"), evidence, recorded="reported").verdict is Verdict.NEW


class TestSentences:
    def test_a_refused_hash_that_is_not_locked_says_why_it_is_only_offered(self) -> None:
        known = audit(signed_by(STRANGER, downloaded=[LINUX]))
        rows = review((), known, standards=Standards(policy=policy(key()))).providers[0].rows
        row = next(row for row in rows if row.hash == OWN[0])
        assert row.verdict is Verdict.OFFERED
        assert row.reasons[0].text.startswith(
            "a client would record it, but what speaks for it does not count: no signature of a key that"
        )

    def test_what_a_pinned_key_does_not_cover_at_an_unknown_release(self) -> None:
        gone = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404", platforms=None)
        evidence = under(
            apply_policy(policy(key()), audit(gone, answer(MIRROR, platforms=[LINUX]))), frozenset({LINUX})
        )
        judgement = judge_locked(zh("a"), evidence)
        assert judgement.verdict is Verdict.UNEXPLAINED
        assert "does not know acme/widget 1.2.3" in judgement.reasons[0].text

    def test_what_settles_a_question_at_a_mirror_of_a_release_that_the_origin_does_not_know(self) -> None:
        gone = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404", platforms=None)
        half = answer(MIRROR, platforms=[LINUX, DARWIN])
        silent = answer(MIRROR, outcome=Outcome.NO_ANSWER, detail="timed out", platforms=None)
        for hash_ in OWN:
            assert "downloading the package of linux_amd64 or darwin_arm64 would settle it" in (
                judge_locked(hash_, under(apply_policy(policy(), audit(gone, half)), frozenset())).reasons[-1].text
            )
            assert "ask again when the source answers" in (
                judge_locked(hash_, under(apply_policy(policy(), audit(gone, silent)), frozenset())).reasons[-1].text
            )
