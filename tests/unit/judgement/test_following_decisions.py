"""What is decided of an entry in one lock file is decided in all that hold the same, and nowhere else."""

from __future__ import annotations

from datetime import date

from builders.reading import parse
from fakes.lock_files import EDGE, MADE_UP, NULL, RELAY
from fakes.many_files import AUDITS, EDGE_ENTRY, NULL_ENTRY, RELAY_ENTRY, of
from fakes.pull_request import KILN, POLICY, held, keeper, record
from fakes.reviews import SUSPECT, deciding

from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.core.review.following_decisions import followed, step_of
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.values.clients import ClientSettings

NEW = HashKey.of(NULL.address, NULL.zh("linux_arm64"))
DROPPED = (SUSPECT, Decision.DROP)


def review_of(*entries: str, audited: bool = True, standards: Standards = NO_STANDARDS) -> Review:
    lock_file = parse(of(*entries), path="x.hcl")
    review = Review.start(lock_file, settings=ClientSettings(), platforms=EDGE.platforms[:1], standards=standards)
    for audit in AUDITS if audited else ():
        entry = lock_file.provider(audit.address)
        review = review.with_audit(audit) if entry is not None and entry.version == audit.version else review
    return review


def following(other: Review, *choices: tuple[HashKey, Decision], before: Review | None = None) -> Decisions | None:
    """The decisions of `other` once it follows these."""
    here = before or review_of(NULL_ENTRY, EDGE_ENTRY)
    return followed(step_of(here, deciding(here, *choices)), other)


def test_a_decision_follows_as_far_as_the_other_file_holds_the_same() -> None:
    new = (NEW, Decision.ADD)
    alone, both = (
        following(review_of(EDGE_ENTRY), DROPPED, new),
        following(review_of(EDGE_ENTRY, NULL_ENTRY), DROPPED, new),
    )

    assert alone is not None
    assert both is not None
    assert dict(alone.made) == {SUSPECT: Decision.DROP}
    assert dict(both.made) == {SUSPECT: Decision.DROP, NEW: Decision.ADD}
    assert following(review_of(RELAY_ENTRY), DROPPED) is None


def test_a_decision_does_not_follow_where_hashes_version_or_audit_differ() -> None:
    fewer = EDGE_ENTRY.replace(f'    "{EDGE.h1("linux_amd64").text}",\n', "")

    assert following(review_of(fewer), DROPPED) is None
    assert following(review_of(EDGE_ENTRY.replace('"2.0.0"', '"2.0.1"')), DROPPED) is None
    assert following(review_of(EDGE_ENTRY, audited=False), DROPPED) is None


def test_a_decision_does_not_follow_where_the_hash_is_judged_otherwise() -> None:
    accepting = Standards(approvals=read_approvals(record(RELAY, MADE_UP), path="approvals"), today=date(2026, 6, 1))
    keep = (HashKey.of(RELAY.address, MADE_UP), Decision.KEEP)

    assert following(review_of(RELAY_ENTRY), keep, before=review_of(RELAY_ENTRY)) is not None
    assert following(review_of(RELAY_ENTRY, standards=accepting), keep, before=review_of(RELAY_ENTRY)) is None


def test_a_decision_does_not_follow_to_where_the_signing_key_has_changed() -> None:
    calm, alarmed = held(keeper(policy=b"")), held(keeper(policy=POLICY))
    row = next(row for row in calm.provider(KILN.address).rows if row.locked)
    dropped = (HashKey.of(KILN.address, row.hash), Decision.DROP)

    assert alarmed.provider(KILN.address).alarmed
    assert not calm.provider(KILN.address).alarmed
    assert following(alarmed, dropped, before=calm) is None


def test_a_provider_that_is_the_same_value_follows_whatever_its_rows_are() -> None:
    here = review_of(EDGE_ENTRY)
    gone = (HashKey.of(EDGE.address, MADE_UP), Decision.DROP)

    assert following(here, gone, before=here) is not None
    assert following(review_of(EDGE_ENTRY), gone, before=here) is None


def test_what_is_decided_there_already_is_nothing_to_follow() -> None:
    assert following(deciding(review_of(EDGE_ENTRY), DROPPED), DROPPED) is None


def test_undo_and_redo_are_taken_from_the_history_where_it_has_just_that_step() -> None:
    here, there = review_of(EDGE_ENTRY), deciding(review_of(EDGE_ENTRY), DROPPED)
    undone = followed(step_of(deciding(here, DROPPED), here), there)
    assert undone is not None
    assert (dict(undone.made), undone.past) == ({}, ())

    redone = followed(step_of(here, deciding(here, DROPPED)), there.with_decisions(undone))
    assert redone == there.decisions


def test_undo_takes_nothing_else_back_where_the_other_file_went_on() -> None:
    here = review_of(EDGE_ENTRY)
    went_on = deciding(deciding(review_of(EDGE_ENTRY, NULL_ENTRY), DROPPED), (NEW, Decision.ADD))
    undone = followed(step_of(deciding(here, DROPPED), here), went_on)

    assert undone is not None
    assert dict(undone.made) == {NEW: Decision.ADD}
    assert undone.past[-1] == went_on.decisions.made
