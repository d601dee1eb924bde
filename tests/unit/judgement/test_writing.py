"""What a person should think of before writing, what would be lost without it, and what is done with afterwards."""

from __future__ import annotations

from fakes.lock_files import EDGE, MADE_UP, NULL, RELAY
from fakes.pull_request import ANVIL, held, keeper, record
from fakes.reviews import SUSPECT, audited, deciding, edge, not_audited

from lockwarden.core.review.decisions import Decision, HashKey
from lockwarden.core.review.verdicts import Verdict
from lockwarden.core.review.writing import (
    LastWrite,
    Undo,
    after_going_back,
    after_writing,
    remaining,
    to_think_of,
    unwritten,
    what_undo_takes_back,
)

NEW = HashKey.of(NULL.address, NULL.zh("linux_arm64"))


def test_findings_that_stay_are_named_until_they_are_dropped() -> None:
    review = audited()
    first = {each.key: (each.decision, each.made) for each in remaining(review)}
    dropped = deciding(review, (SUSPECT, Decision.DROP))
    kept = deciding(review, (SUSPECT, Decision.KEEP))

    assert first == {
        SUSPECT: (Decision.UNDECIDED, False),
        HashKey.of(RELAY.address, MADE_UP): (Decision.UNDECIDED, False),
    }
    assert SUSPECT not in {each.key for each in remaining(dropped)}
    assert {each.key: each.made for each in remaining(kept)}[SUSPECT] is True
    assert (SUSPECT, Verdict.DISOWNED, Decision.KEEP) in to_think_of(kept)


def test_an_addition_that_no_rule_would_record_is_named() -> None:
    review = audited()
    offered = next(row for row in edge(review).rows if row.verdict is Verdict.OFFERED)
    key = HashKey.of(EDGE.address, offered.hash)
    added = deciding(review, (key, Decision.ADD))

    assert [each.verdict for each in remaining(added) if each.key == key] == [Verdict.OFFERED]


def test_what_waits_for_its_audit_is_no_finding_yet() -> None:
    assert remaining(not_audited()) == ()


def test_an_approved_finding_is_not_left_to_think_of() -> None:
    accepted_one = held(keeper(approvals=record(ANVIL, MADE_UP)))

    assert MADE_UP.text in {each.key.hash for each in remaining(held())}
    assert MADE_UP.text not in {each.key.hash for each in remaining(accepted_one)}


def test_only_decisions_that_change_the_file_would_be_lost() -> None:
    review, nobody = audited(), HashKey("nobody/a/b", "zh:x")
    decided = deciding(review, (SUSPECT, Decision.DROP), (NEW, Decision.ADD), (nobody, Decision.DROP))

    assert unwritten(review) == ()
    assert unwritten(deciding(review, (SUSPECT, Decision.KEEP))) == ()
    assert {(HashKey.of(each.address, row.hash), what) for each, row, what in unwritten(decided)} == {
        (SUSPECT, Decision.DROP),
        (NEW, Decision.ADD),
    }


def test_a_decision_that_fits_no_longer_is_not_lost() -> None:
    assert unwritten(deciding(audited(), (SUSPECT, Decision.ADD))) == ()


def test_after_writing_only_what_is_kept_stays_decided_and_undo_does_not_reach_back() -> None:
    kept = HashKey.of(RELAY.address, MADE_UP)
    after = after_writing(deciding(audited(), (SUSPECT, Decision.DROP), (kept, Decision.KEEP)).decisions)

    assert dict(after.made) == {kept: Decision.KEEP}
    assert after.past == ()
    assert after.future == ()


def test_undo_takes_decisions_back_first_and_then_a_write_that_still_stands() -> None:
    before = deciding(audited(), (SUSPECT, Decision.DROP))
    clean = audited()
    last = LastWrite.of(before, clean.lock_file)
    elsewhere = LastWrite(before=last.before, after=last.after + b"#", decisions=last.decisions)

    assert what_undo_takes_back(before, last) is Undo.DECISION
    assert what_undo_takes_back(clean, last) is Undo.WRITE
    assert what_undo_takes_back(clean, elsewhere) is Undo.NOTHING
    assert what_undo_takes_back(clean, None) is Undo.NOTHING
    assert after_going_back(last) == before.decisions
