"""Decisions: what a key may say of a hash, and that undo restores the exact state."""

from __future__ import annotations

from builders.audits import ADDRESS, h1, zh
from builders.tables import table
from hypothesis import given
from hypothesis import strategies as st

from lockwarden.core.review.bulk_refusals import suggestion
from lockwarden.core.review.decisions import (
    Decision,
    Decisions,
    HashKey,
    choices,
    default_decision,
    next_choice,
)
from lockwarden.core.review.verdicts import Verdict

ONE = HashKey.of(ADDRESS, zh("one"))
TWO = HashKey.of(ADDRESS, h1("two"))


def test_a_decision_is_about_a_hash_of_a_provider() -> None:
    decided = Decisions().decide([(ONE, Decision.DROP)])
    assert decided.of(ONE) is Decision.DROP
    assert decided.of(TWO) is None


def test_one_step_may_decide_many_and_one_undo_takes_all_of_it_back() -> None:
    start = Decisions().decide([(ONE, Decision.KEEP)])
    both = start.decide([(ONE, Decision.DROP), (TWO, Decision.ADD)])
    assert both.undo().made == start.made
    assert both.undo().redo() == both


def test_deciding_what_is_decided_already_is_no_step() -> None:
    start = Decisions().decide([(ONE, Decision.DROP)])
    assert start.decide([(ONE, Decision.DROP)]) is start


def test_undo_at_the_start_and_redo_at_the_end_change_nothing() -> None:
    start = Decisions()
    assert start.undo() is start
    assert start.redo() is start


def test_a_new_decision_forgets_what_was_undone() -> None:
    forgotten = Decisions().decide([(ONE, Decision.DROP)]).undo().decide([(TWO, Decision.ADD)])
    assert forgotten.redo() is forgotten


_STEPS = st.lists(st.tuples(st.sampled_from([ONE, TWO]), st.sampled_from(Decision)), max_size=8)


@given(_STEPS, st.integers(0, 8))
def test_undo_then_redo_restores_the_exact_state(steps: list[tuple[HashKey, Decision]], back: int) -> None:
    states = [Decisions()]
    for step in steps:
        after = states[-1].decide([step])
        if after is not states[-1]:
            states.append(after)
    current = states[-1]
    undone = min(back, len(states) - 1)
    for _ in range(undone):
        current = current.undo()
    assert current.made == states[-1 - undone].made
    for _ in range(undone):
        current = current.redo()
    assert current == states[-1]


@table(
    ("verdict", "default", "advised", "allowed"),
    [
        (Verdict.CONFIRMED, Decision.KEEP, None, (Decision.DROP, Decision.KEEP)),
        (Verdict.UNCHECKED, Decision.KEEP, None, (Decision.DROP, Decision.KEEP)),
        (Verdict.DISOWNED, Decision.UNDECIDED, None, (Decision.DROP, Decision.KEEP, Decision.UNDECIDED)),
        (Verdict.UNEXPLAINED, Decision.UNDECIDED, None, (Decision.DROP, Decision.KEEP, Decision.UNDECIDED)),
        (Verdict.NEW, Decision.UNDECIDED, Decision.ADD, (Decision.ADD, Decision.UNDECIDED)),
        (Verdict.OFFERED, Decision.UNDECIDED, None, (Decision.ADD, Decision.UNDECIDED)),
    ],
)
def test_each_verdict_has_its_default_its_advice_and_its_choices(
    verdict: Verdict, default: Decision, advised: Decision | None, allowed: tuple[Decision, ...]
) -> None:
    assert default_decision(verdict) is default
    assert suggestion(verdict, usable=True, alarmed=False) is advised
    assert suggestion(verdict, usable=False, alarmed=False) is None
    assert suggestion(verdict, usable=True, alarmed=True) is None
    assert choices(verdict, usable=True) == allowed


def test_a_hash_that_can_never_match_cannot_be_added() -> None:
    assert choices(Verdict.OFFERED, usable=False) == (Decision.UNDECIDED,)


def test_one_key_drops_a_finding_and_goes_round_all_its_choices() -> None:
    allowed = choices(Verdict.DISOWNED, usable=True)
    seen = [Decision.UNDECIDED]
    for _ in range(3):
        seen.append(next_choice(seen[-1], allowed))
    assert seen == [Decision.UNDECIDED, Decision.DROP, Decision.KEEP, Decision.UNDECIDED]


def test_a_decision_that_no_longer_fits_starts_the_round_anew() -> None:
    assert next_choice(Decision.ADD, choices(Verdict.CONFIRMED, usable=True)) is Decision.DROP
