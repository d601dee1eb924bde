"""New signers: what is told when a version comes in that another key has signed than the one before, or none."""

from __future__ import annotations

import pytest
from builders.audits import (
    ADDRESS,
    FINGERPRINT,
    LINUX,
    MIRROR,
    ORIGIN,
    answer,
    audit,
    h1,
    reported,
    signed,
    zh,
)
from builders.policies import STRANGER, base, key, policy, signed_by, two_documents
from builders.reviews import entry, entry_text, lock_file, review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import ListShape
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.policy.model import NO_POLICY, Policy
from lockwarden.core.review.change_kinds import Change, ChangeKind
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.signers import signer_change
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signing_keys import SignatureState
from lockwarden.core.values.versions import Version

OLDER = Version.parse("1.2.2")
BEFORE = lock_file(entry_text(zh("older"), version="1.2.2"))
OWN = (h1("linux_amd64"), zh("linux_amd64"))


def older(origin: SourceAnswer) -> Audit:
    """The audit of the version that the base has."""
    return replace(audit(origin), version=OLDER)


def held(before: SourceAnswer | None, after: SourceAnswer, rules: Policy = NO_POLICY) -> Review:
    side = base(BEFORE, *([] if before is None else [older(before)]))
    return review(OWN, audit(after), standards=Standards(policy=rules, sides=(side,)))


def told(done: Review) -> list[Change]:
    return [each for each in done.providers[0].changes if each.kind is not ChangeKind.UPGRADE]


class TestAnotherKey:
    def test_every_hash_is_confirmed_and_the_new_signer_is_a_warning_with_both_whole_fingerprints(self) -> None:
        done = held(signed_by(FINGERPRINT, listed_too=[LINUX]), signed_by(STRANGER, downloaded=[LINUX]))
        (change,) = told(done)
        assert (change.kind, change.severity) == (ChangeKind.NEW_SIGNER, Severity.WARNING)
        assert change.message == (f"1.2.2 is signed by {FINGERPRINT}, and the version that comes in by {STRANGER}")
        assert "compare the fingerprints" in change.hint
        assert done.exit_code is ExitCode.NOTHING_TO_OBJECT

    def test_a_policy_that_names_the_new_key_makes_it_a_note(self) -> None:
        rules = policy(key(STRANGER))
        done = held(signed_by(FINGERPRINT, listed_too=[LINUX]), signed_by(STRANGER, downloaded=[LINUX]), rules)
        (change,) = told(done)
        assert (change.severity, change.hint) == (Severity.NOTE, "")

    def test_so_does_one_that_names_one_of_two_new_keys_behind_one_document(self) -> None:
        done = held(
            signed_by(FINGERPRINT, listed_too=[LINUX]),
            signed_by(STRANGER, "A" * 40, downloaded=[LINUX]),
            policy(key(STRANGER)),
        )
        assert [each.severity for each in told(done)] == [Severity.NOTE]
        assert done.exit_code is ExitCode.NOTHING_TO_OBJECT

    def test_a_policy_that_names_the_old_key_makes_it_the_alarm_which_comes_first(self) -> None:
        done = held(signed_by(FINGERPRINT, listed_too=[LINUX]), signed_by(STRANGER, downloaded=[LINUX]), policy(key()))
        assert [each.code for each in done.providers[0].problems[:2]] == ["key-changed", "change-new-signer"]
        assert done.exit_code is ExitCode.FINDINGS

    def test_one_key_that_stays_is_enough(self) -> None:
        one, both = (signed_by(*signers, listed_too=[LINUX]) for signers in ([FINGERPRINT], [STRANGER, FINGERPRINT]))
        assert told(held(one, both)) == []
        assert told(held(both, one)) == []

    def test_one_document_by_a_stranger_is_told_though_another_is_by_the_old_key(self) -> None:
        (change,) = told(held(signed_by(FINGERPRINT, listed_too=[LINUX]), two_documents([FINGERPRINT], [STRANGER])))
        assert change.message.endswith(f"and the version that comes in by {STRANGER}")

    def test_the_same_version_needs_no_comparison(self) -> None:
        side = base(lock_file(entry_text(*OWN)), audit(signed_by(FINGERPRINT, listed_too=[LINUX])))
        done = review(OWN[:1], audit(signed_by(STRANGER, downloaded=[LINUX])), standards=Standards(sides=(side,)))
        assert ChangeKind.NEW_SIGNER not in {each.kind for each in done.providers[0].changes}


class TestNoSignatureAnyMore:
    @pytest.mark.parametrize(
        "after",
        [
            signed_by(downloaded=[LINUX]),
            answer(ORIGIN, (zh("linux_amd64"), signed(LINUX, state=SignatureState.BAD)), platforms=[LINUX]),
            answer(ORIGIN, (zh("linux_amd64"), reported(LINUX, refused="none of the keys made it")), platforms=[LINUX]),
        ],
        ids=["keys dropped", "bad", "unknown issuer"],
    )
    def test_it_is_an_error_that_does_not_claim_more_than_that_none_counts(self, after: SourceAnswer) -> None:
        done = held(signed_by(FINGERPRINT, listed_too=[LINUX]), after)
        (change,) = told(done)
        assert (change.kind, change.severity) == (ChangeKind.PROTECTION_REMOVED, Severity.ERROR)
        assert change.message == (
            f"1.2.2 is signed by {FINGERPRINT}, and no signature that counts covers what comes in"
        )
        assert done.exit_code is ExitCode.FINDINGS


class TestNothingIsKnown:
    SIGNED = signed_by(FINGERPRINT, listed_too=[LINUX])

    @table(
        "after",
        [
            answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="503", platforms=None),
            answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404", platforms=None),
            answer(ORIGIN, (h1("a"), reported(LINUX, shape=ListShape.PACKAGES)), platforms=[LINUX]),
            answer(MIRROR, platforms=[LINUX]),
        ],
        ids=["down", "gone", "list not had", "not among the sources"],
    )
    def test_a_later_version_whose_list_was_not_had_is_not_called_unsigned(self, after: SourceAnswer) -> None:
        assert told(held(self.SIGNED, after)) == []
        assert signer_change(older(self.SIGNED), audit(after)) is None

    def test_without_an_audit_of_the_earlier_version_nothing_is_compared(self) -> None:
        assert told(held(None, signed_by(STRANGER, downloaded=[LINUX]))) == []

    @pytest.mark.parametrize(
        "before",
        [signed_by(listed_too=[LINUX]), answer(MIRROR, platforms=[LINUX])],
        ids=["unsigned", "mirror only"],
    )
    def test_an_earlier_version_that_nobody_signed_has_no_signer_to_change(self, before: SourceAnswer) -> None:
        assert told(held(before, signed_by(STRANGER, downloaded=[LINUX]))) == []

    def test_before_the_audit_nothing_is_compared(self) -> None:
        standards = Standards(sides=(base(BEFORE, older(self.SIGNED)),))
        assert told(review(OWN, standards=standards)) == []


class TestAuditsOfEarlierVersions:
    def test_each_goes_to_the_sides_that_locked_its_version(self) -> None:
        known = older(signed_by(FINGERPRINT, listed_too=[LINUX]))
        sides = (base(BEFORE, name="HEAD"), base(lock_file(entry_text(*OWN)), name="MERGE_HEAD"), base(None, name="x"))
        standards = Standards(sides=sides).with_audits([known])
        assert [side.audits for side in standards.sides] == [(known,), (), ()]
        assert Standards(sides=sides).with_audits_of(standards) == standards

    def test_an_entry_finds_its_own(self) -> None:
        known = older(signed_by(FINGERPRINT, listed_too=[LINUX]))
        side: BaseSide = Standards(sides=(base(BEFORE),)).with_audits([known]).sides[0]
        assert side.audit(entry(zh("older"), version="1.2.2")) is known
        assert known.address == ADDRESS
