"""Several policies count: each is judged by alone, and the strictest outcome stands."""

from __future__ import annotations

from builders.audits import LINUX, MIRROR, answer, audit, computed, h1, listed, origin_with, zh
from builders.policies import STRANGER, TODAY, approval, base, key, mirror, policy, requirement, signed_by
from builders.reviews import entry_text, lock_file, review
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.policy.model import NO_POLICY, Policy, together
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.standards import Standards
from lockwarden.core.review.strictest import strictest
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.values.severity import Severity

OWN = (h1("linux_amd64"), zh("linux_amd64"))
GOOD = audit(origin_with(LINUX))
STRANGE = audit(signed_by(STRANGER, downloaded=[LINUX]))
PINNED = policy(key())


def under(*policies: Policy) -> Standards:
    return Standards(policy=together(policies))


class TestSeveral:
    def test_a_key_that_one_of_them_pins_is_pinned(self) -> None:
        for standards in (under(PINNED, NO_POLICY), under(NO_POLICY, PINNED)):
            (judged,) = review(OWN, STRANGE, standards=standards).providers
            (alone,) = review(OWN, STRANGE, standards=under(PINNED)).providers
            assert judged.alarmed
            assert judged.rows == alone.rows
            assert judged.counts == alone.counts
            assert "key-changed" in {each.code for each in judged.problems}

    def test_keys_that_they_pin_apart_leave_none_that_counts(self) -> None:
        done = review(OWN, STRANGE, standards=under(PINNED, policy(key(STRANGER))))
        assert done.exit_code is ExitCode.FINDINGS
        assert Verdict.CONFIRMED not in done.counts

    def test_a_mirror_is_trusted_where_each_of_them_trusts_it(self) -> None:
        own = computed(LINUX, source=MIRROR, package_zh=zh("rebuilt"))
        known = audit(
            origin_with(LINUX),
            answer(MIRROR, (zh("rebuilt"), own), (zh("rebuilt"), listed(LINUX)), platforms=[LINUX]),
        )
        locked = (zh("rebuilt"),)
        trusting = policy(mirror())
        both = review(locked, known, standards=under(trusting, policy(mirror(), requirement(schemes=["zh"]))))
        assert both.counts[Verdict.CONFIRMED] == 1
        one = review(locked, known, standards=under(trusting, policy(requirement(schemes=["zh"]))))
        assert one.counts[Verdict.CONFIRMED] == 0
        assert one.exit_code is ExitCode.FINDINGS

    def test_what_either_requires_is_required_and_what_both_require_is_told_once(self) -> None:
        hosts, names = (policy(requirement(**{what: []})) for what in ("hosts", "namespaces"))  # type: ignore[arg-type]
        told = review(OWN, GOOD, standards=under(hosts, names)).providers[0].problems
        assert [each.code for each in told] == ["host-not-allowed", "namespace-not-allowed"]
        same = policy(requirement(hosts=[]), requirement(schemes=["h1"]))
        assert len(review(OWN, GOOD, standards=under(hosts, same)).providers[0].problems) == 1

    def test_before_the_audit_every_row_waits_and_the_place_is_objected_to(self) -> None:
        waiting = review(OWN, standards=under(PINNED, policy(requirement(hosts=[])))).providers[0]
        assert [row.hash for row in waiting.rows] == list(OWN)
        assert waiting.objected

    def test_a_finding_that_a_record_accepts_hides_nothing_that_another_leaves_open(self) -> None:
        records = Standards(approvals=Approvals(records=(approval(h1("planted")),)), today=TODAY)
        (accepted,) = review((h1("planted"),), GOOD, standards=records).providers
        assert accepted.rows[0].verdict is Verdict.UNEXPLAINED
        assert not accepted.objected
        rows = (replace(accepted.rows[0], verdict=Verdict.UNCHECKED), *accepted.rows[1:])
        for pair in ((accepted, replace(accepted, rows=rows)), (replace(accepted, rows=rows), accepted)):
            assert strictest(pair).counts[Verdict.UNCHECKED] == 1

    def test_changes_against_the_base_stand_once(self) -> None:
        sides = (base(lock_file(entry_text(*OWN, version="2.0.0"))),)
        (judged,) = review(OWN, GOOD, standards=Standards(policy=together([PINNED, NO_POLICY]), sides=sides)).providers
        assert len({each.kind for each in judged.changes}) == len(judged.changes) > 0


class TestProposed:
    def test_it_is_judged_beside_and_decides_nothing(self) -> None:
        standards = Standards(proposed=under(PINNED))
        done = review(OWN, STRANGE, standards=standards)
        assert done.exit_code is review(OWN, STRANGE).exit_code
        (told,) = done.problems
        assert (told.code, told.severity) == ("proposed-standards", Severity.NOTE)
        assert f"exit code 1, not {int(done.exit_code)}" in told.message
        assert done.providers[0].proposed is not None
        assert done.providers[0].proposed.alarmed

    def test_that_it_would_say_the_same_is_told_too(self) -> None:
        done = review(OWN, GOOD, standards=Standards(proposed=under(policy(requirement(schemes=["h1"])))))
        assert [each.message[-16:] for each in done.problems] == ["exit code 0, too"]

    def test_before_the_audit_has_ended_nothing_is_told(self) -> None:
        assert review(OWN, standards=Standards(proposed=under(PINNED))).problems == ()

    def test_a_record_that_only_the_change_brings_is_told_at_its_hash(self) -> None:
        records = Approvals(path="approvals.hcl", records=(approval(h1("planted")),))
        standards = Standards(today=TODAY, proposed=Standards(today=TODAY, approvals=records))
        done = review((*OWN, h1("planted")), GOOD, standards=standards)
        row = next(row for row in done.providers[0].rows if row.hash == h1("planted"))
        assert (row.verdict, row.objects, row.approval) == (Verdict.UNEXPLAINED, True, None)
        assert "comes with this change and does not count" in row.reasons[-1].text
        assert "exit code 0, not 1" in done.problems[0].message

    def test_audits_of_earlier_versions_reach_it(self) -> None:
        sides = (base(lock_file(entry_text(*OWN, version="1.2.3"))),)
        held = Standards(sides=sides, proposed=Standards(sides=sides)).with_audits([GOOD])
        assert held.proposed is not None
        assert held.proposed.sides == held.sides
        assert held.sides[0].audits == (GOOD,)

    def test_people_edit_what_lies_on_disk(self) -> None:
        records = Approvals(path="approvals.hcl")
        held = Standards(policy_on_disk=PINNED, approvals_on_disk=records)
        assert (held.own_policy, held.own_approvals) == (PINNED, records)
        alone = Standards(policy=PINNED, approvals=records)
        assert (alone.own_policy, alone.own_approvals) == (PINNED, records)
