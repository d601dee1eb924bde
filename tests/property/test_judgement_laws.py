"""The laws of the judgement: evidence only adds, one observation more never harms its hash, silence never helps."""

from __future__ import annotations

from builders.audits import LINUX, reported
from builders.strategies import PLATFORMS, audits, dispositions, hashes, observations_by, worlds
from builders.thorough import with_fewer_examples
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.evidence.dispositions import NOTHING, HashDisposition, fold
from lockwarden.core.evidence.observations import ComputedLocally, ListShape
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.verdicts import Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import H1, Hash

_BETTER = (Verdict.DISOWNED, Verdict.UNEXPLAINED, Verdict.UNCHECKED, Verdict.CONFIRMED)
_SETTINGS = st.sampled_from(
    [ClientSettings(), ClientSettings(enforce_validation=True), ClientSettings(client=Client.TERRAFORM)]
)
_WANTED = st.frozensets(st.sampled_from(PLATFORMS))


def locked(hash_: Hash, audit: Audit, wanted: frozenset[object]) -> Verdict:
    return judge_locked(hash_, Evidence(audit, wanted)).verdict  # type: ignore[arg-type]


def unlocked(hash_: Hash, audit: Audit, rule: ClientSettings, wanted: frozenset[object]) -> Verdict:
    reasons = recorded(audit, settings=rule, platforms=wanted)  # type: ignore[arg-type]
    evidence = Evidence(audit, wanted)  # type: ignore[arg-type]
    return judge_unlocked(hash_, evidence, recorded=reasons.get(hash_, "")).verdict


@given(dispositions, dispositions, dispositions)
def test_merging_is_commutative_associative_and_idempotent(
    one: HashDisposition, two: HashDisposition, three: HashDisposition
) -> None:
    assert one.merge(two) == two.merge(one)
    assert one.merge(two).merge(three) == one.merge(two.merge(three))
    assert one.merge(one) == one
    assert one.merge(NOTHING) == one


@with_fewer_examples
@given(audits())
def test_a_disposition_is_the_merge_of_its_observations_whatever_their_order(audit: Audit) -> None:
    for seen in audit.observations.values():
        assert fold(seen) == fold(reversed(seen))


@with_fewer_examples
@given(st.data(), audits(), hashes)
def test_one_observation_more_never_makes_the_verdict_on_its_hash_worse(
    data: st.DataObject, audit: Audit, hash_: Hash
) -> None:
    answered = [index for index, answer in enumerate(audit.source_answers) if answer.outcome is Outcome.ANSWERED]
    if not answered:
        return
    index = data.draw(st.sampled_from(answered))
    answer = audit.source_answers[index]
    more = data.draw(observations_by(answer.source))
    source_answers = list(audit.source_answers)
    source_answers[index] = replace(answer, observations=(*answer.observations, (hash_, more)))
    before = locked(hash_, audit, frozenset({LINUX}))
    after = locked(hash_, replace(audit, source_answers=tuple(source_answers)), frozenset({LINUX}))
    assert _BETTER.index(after) >= _BETTER.index(before)


@with_fewer_examples
@given(st.data(), worlds(), hashes, _SETTINGS, _WANTED)
def test_a_source_that_falls_silent_never_confirms_a_hash_nor_makes_one_new(
    data: st.DataObject, audit: Audit, hash_: Hash, rule: ClientSettings, wanted: frozenset[object]
) -> None:
    index = data.draw(st.integers(0, len(audit.source_answers) - 1))
    silent = replace(
        audit.source_answers[index],
        outcome=Outcome.NO_ANSWER,
        detail="silent",
        observations=(),
        packages=(),
        platforms=None,
        lists=(),
    )
    quieter = replace(audit, source_answers=(*audit.source_answers[:index], silent, *audit.source_answers[index + 1 :]))
    if locked(hash_, quieter, wanted) is Verdict.CONFIRMED:
        assert locked(hash_, audit, wanted) is Verdict.CONFIRMED
    if unlocked(hash_, quieter, rule, wanted) is Verdict.NEW:
        assert unlocked(hash_, audit, rule, wanted) is Verdict.NEW


@with_fewer_examples
@given(st.data(), worlds(), hashes, _SETTINGS, _WANTED)
def test_a_package_that_cannot_be_had_never_confirms_a_hash_nor_makes_one_new(
    data: st.DataObject, audit: Audit, hash_: Hash, rule: ClientSettings, wanted: frozenset[object]
) -> None:
    index = data.draw(st.integers(0, len(audit.source_answers) - 1))
    platform = data.draw(st.sampled_from(PLATFORMS))
    answer = audit.source_answers[index]
    if answer.outcome is not Outcome.ANSWERED:
        return
    without = replace(
        answer,
        observations=tuple(
            (about, seen)
            for about, seen in answer.observations
            if not (isinstance(seen, ComputedLocally) and seen.platform == platform)
        ),
        packages=tuple(
            replace(each, outcome=Outcome.NO_ANSWER, zh=None, h1_archive=None, h1_directory=None, promised=frozenset())
            if each.platform == platform
            else each
            for each in answer.packages
        ),
    )
    quieter = replace(
        audit, source_answers=(*audit.source_answers[:index], without, *audit.source_answers[index + 1 :])
    )
    if locked(hash_, quieter, wanted) is Verdict.CONFIRMED:
        assert locked(hash_, audit, wanted) is Verdict.CONFIRMED
    if unlocked(hash_, quieter, rule, wanted) is Verdict.NEW:
        assert unlocked(hash_, audit, rule, wanted) is Verdict.NEW


@with_fewer_examples
@given(st.data(), worlds(), hashes, _SETTINGS, _WANTED)
def test_an_unsigned_claim_of_the_origin_confirms_nothing_and_makes_no_zh_new(
    data: st.DataObject, audit: Audit, hash_: Hash, rule: ClientSettings, wanted: frozenset[object]
) -> None:
    """Whether or not its lists are signed: what is reported beside them adds nothing to them."""
    if audit.origin is None or audit.origin.outcome is not Outcome.ANSWERED:
        return
    shape = data.draw(st.sampled_from([ListShape.PACKAGES, ListShape.HASHES_BY_ZH, ListShape.HASHES]))
    claim = reported(data.draw(st.sampled_from((None, *PLATFORMS))), shape=shape)
    claiming = replace(audit.origin, observations=(*audit.origin.observations, (hash_, claim)))
    source_answers = tuple(claiming if each is audit.origin else each for each in audit.source_answers)
    more = replace(audit, source_answers=source_answers)
    assert locked(hash_, more, wanted) is locked(hash_, audit, wanted)
    if hash_.scheme != H1 and unlocked(hash_, more, rule, wanted) is Verdict.NEW:
        assert unlocked(hash_, audit, rule, wanted) is Verdict.NEW
