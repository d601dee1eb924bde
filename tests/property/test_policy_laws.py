"""The laws of judging under a policy: keys narrow, mirrors speak for their own, silence and records never help."""

from __future__ import annotations

from datetime import timedelta

from builders.audits import LINUX
from builders.policies import TODAY, approval, base, key, policy
from builders.policy_strategies import (
    keys,
    mirror_policies,
    mirrors,
    one_more,
    policies,
    signed_worlds,
)
from builders.reviews import entry_text, lock_file
from builders.strategies import PLATFORMS, audits, hashes, observations_by
from builders.thorough import with_fewer_examples
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approval, Approvals
from lockwarden.core.evidence.observations import OtherSignature
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.policy.model import NO_POLICY, Policy, TrustedKey, TrustedMirror
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.review.standards import evidence_under as under_policy
from lockwarden.core.review.verdicts import Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform

_BETTER = (Verdict.DISOWNED, Verdict.UNEXPLAINED, Verdict.UNCHECKED, Verdict.CONFIRMED)
_WORSE = (ExitCode.NOTHING_TO_OBJECT, ExitCode.INCOMPLETE, ExitCode.FINDINGS)
_SETTINGS = st.sampled_from(
    [ClientSettings(), ClientSettings(enforce_validation=True), ClientSettings(client=Client.TERRAFORM)]
)
_WANTED = st.frozensets(st.sampled_from(PLATFORMS))
_LOCKED = st.lists(hashes, max_size=4, unique=True)


def read(audit: Audit, rules: Policy, wanted: frozenset[Platform]) -> Evidence:
    return under_policy(apply_policy(rules, audit), wanted)


def locked(hash_: Hash, audit: Audit, rules: Policy, wanted: frozenset[Platform] = frozenset({LINUX})) -> Verdict:
    return judge_locked(hash_, read(audit, rules, wanted)).verdict


def unlocked(hash_: Hash, audit: Audit, rules: Policy, rule: ClientSettings, wanted: frozenset[Platform]) -> Verdict:
    judged = apply_policy(rules, audit).audit
    reasons = recorded(judged, settings=rule, platforms=wanted)
    return judge_unlocked(hash_, read(audit, rules, wanted), recorded=reasons.get(hash_, "")).verdict


def with_finding(audit: Audit, index: int, answer: SourceAnswer) -> Audit:
    return replace(audit, source_answers=(*audit.source_answers[:index], answer, *audit.source_answers[index + 1 :]))


def never_better(
    hash_: Hash, before: Audit, after: Audit, rules: Policy, rule: ClientSettings, wanted: frozenset[Platform]
) -> None:
    if locked(hash_, after, rules, wanted) is Verdict.CONFIRMED:
        assert locked(hash_, before, rules, wanted) is Verdict.CONFIRMED
    if unlocked(hash_, after, rules, rule, wanted) is Verdict.NEW:
        assert unlocked(hash_, before, rules, rule, wanted) is Verdict.NEW


def review(
    known: Audit,
    rules: Policy,
    hashes_: list[Hash],
    records: tuple[Approval, ...] = (),
    before: list[Hash] | None = None,
) -> Review:
    address = str(known.address)
    sides = () if before is None else (base(lock_file(entry_text(*before, address=address))),)
    standards = Standards(policy=rules, approvals=Approvals(records=records), today=TODAY, sides=sides)
    begun = Review.start(
        lock_file(entry_text(*hashes_, address=address)),
        settings=ClientSettings(),
        platforms=[LINUX],
        standards=standards,
    )
    return begun.with_audit(known)


@with_fewer_examples
@given(st.data(), signed_worlds(), policies)
def test_one_observation_more_never_makes_the_verdict_on_its_hash_worse_under_any_policy(
    data: st.DataObject, audit: Audit, rules: Policy
) -> None:
    answered = [index for index, answer in enumerate(audit.source_answers) if answer.outcome is Outcome.ANSWERED]
    assume(answered)
    index = data.draw(st.sampled_from(answered))
    more = data.draw(one_more(audit.source_answers[index]))
    hash_ = more.observations[-1][0]
    before, after = locked(hash_, audit, rules), locked(hash_, with_finding(audit, index, more), rules)
    assert _BETTER.index(after) >= _BETTER.index(before)


@with_fewer_examples
@given(st.data(), audits(), mirror_policies, hashes)
def test_nor_does_it_in_any_world_however_odd_while_no_key_is_pinned(
    data: st.DataObject, audit: Audit, rules: Policy, hash_: Hash
) -> None:
    answered = [index for index, answer in enumerate(audit.source_answers) if answer.outcome is Outcome.ANSWERED]
    assume(answered)
    index = data.draw(st.sampled_from(answered))
    answer = audit.source_answers[index]
    more = replace(
        answer,
        observations=(*answer.observations, (hash_, data.draw(observations_by(answer.source)))),
    )
    before, after = locked(hash_, audit, rules), locked(hash_, with_finding(audit, index, more), rules)
    assert _BETTER.index(after) >= _BETTER.index(before)


@with_fewer_examples
@given(st.data(), signed_worlds(), policies, hashes, _SETTINGS, _WANTED)
def test_a_source_that_falls_silent_never_makes_anything_better_under_any_policy(
    data: st.DataObject, audit: Audit, rules: Policy, hash_: Hash, rule: ClientSettings, wanted: frozenset[Platform]
) -> None:
    index = data.draw(st.integers(0, len(audit.source_answers) - 1))
    silent = SourceAnswer(source=audit.source_answers[index].source, outcome=Outcome.NO_ANSWER, detail="silent")
    never_better(hash_, audit, with_finding(audit, index, silent), rules, rule, wanted)


@with_fewer_examples
@given(st.data(), signed_worlds(), policies, hashes, _SETTINGS, _WANTED)
def test_a_mirror_that_is_missing_from_the_sources_never_makes_anything_better(
    data: st.DataObject, audit: Audit, rules: Policy, hash_: Hash, rule: ClientSettings, wanted: frozenset[Platform]
) -> None:
    present = [answer for answer in audit.source_answers if not answer.source.is_origin]
    assume(present)
    gone = data.draw(st.sampled_from(present))
    fewer = replace(
        audit,
        source_answers=tuple(answer for answer in audit.source_answers if answer is not gone),
    )
    never_better(hash_, audit, fewer, rules, rule, wanted)


@with_fewer_examples
@given(signed_worlds(), mirrors, _SETTINGS, _WANTED, hashes)
def test_a_trusted_mirror_that_is_silent_or_missing_is_an_open_question_never_a_confirmation(
    audit: Audit, rule: TrustedMirror, client: ClientSettings, wanted: frozenset[Platform], hash_: Hash
) -> None:
    rules = policy(rule)
    others = tuple(answer for answer in audit.source_answers if answer.source.location != rule.location)
    if not (rule.trusted and rules.mirrors_for(audit.address)) or not others:
        return
    verdict = locked(hash_, replace(audit, source_answers=others), rules, wanted)
    assert verdict in {Verdict.CONFIRMED, Verdict.UNCHECKED}
    if verdict is Verdict.CONFIRMED:
        assert locked(hash_, audit, NO_POLICY, wanted) is Verdict.CONFIRMED


@with_fewer_examples
@given(signed_worlds(), policies, keys, hashes, _SETTINGS, _WANTED)
def test_a_pinned_key_more_for_a_provider_without_one_only_narrows(
    audit: Audit, rules: Policy, pin: TrustedKey, hash_: Hash, client: ClientSettings, wanted: frozenset[Platform]
) -> None:
    unpinned = replace(rules, keys=())
    narrowed = replace(unpinned, keys=(pin,))
    if locked(hash_, audit, narrowed, wanted) is Verdict.CONFIRMED:
        assert locked(hash_, audit, unpinned, wanted) is Verdict.CONFIRMED
    if unlocked(hash_, audit, narrowed, client, wanted) is Verdict.NEW:
        assert unlocked(hash_, audit, unpinned, client, wanted) is Verdict.NEW


@with_fewer_examples
@given(audits(), keys, hashes)
def test_a_pinned_key_confirms_nothing_in_any_world_however_odd(audit: Audit, pin: TrustedKey, hash_: Hash) -> None:
    if locked(hash_, audit, policy(pin)) is Verdict.CONFIRMED:
        assert locked(hash_, audit, NO_POLICY) is Verdict.CONFIRMED


@with_fewer_examples
@given(signed_worlds(), hashes)
def test_under_a_pinned_key_only_what_it_signed_is_confirmed(audit: Audit, hash_: Hash) -> None:
    rules = policy(key())
    if locked(hash_, audit, rules) is not Verdict.CONFIRMED:
        return
    fingerprint = rules.keys[0].fingerprint
    evidence = read(audit, rules, frozenset())
    behind = [hash_, *(getattr(seen, "package_zh", None) for seen in evidence.observations(hash_))]
    assert any(
        getattr(seen, "fingerprint", "") == fingerprint and seen.vouches
        for each in behind
        if each is not None
        for seen in audit.observations.get(each, ())
    )


@with_fewer_examples
@given(signed_worlds(), st.lists(keys, max_size=2), st.lists(mirrors, max_size=2), hashes, _WANTED)
def test_rules_for_other_providers_change_nothing(
    audit: Audit, pins: list[TrustedKey], trusting: list[TrustedMirror], hash_: Hash, wanted: frozenset[Platform]
) -> None:
    other = replace(audit, address=ProviderAddress.parse("registry.elsewhere.test/nobody/nothing"))
    rules = policy(*pins, *trusting)
    speaking = replace(
        rules,
        keys=tuple(each for each in rules.keys if each not in rules.keys_for(other.address)),
        mirrors=tuple(each for each in rules.mirrors if each not in rules.mirrors_for(other.address)),
    )
    assert apply_policy(speaking, other).audit == other
    assert judge_locked(hash_, read(other, speaking, wanted)) == judge_locked(hash_, read(other, NO_POLICY, wanted))


def _as_a_source_gives_it(audit: Audit) -> bool:
    """Whether no signature is one of a rule already: which rule it is, nobody but a policy says."""
    observations = (each for answer in audit.source_answers for _, each in answer.observations)
    return not any(isinstance(each, OtherSignature) and each.signature.rule for each in observations)


@with_fewer_examples
@given(
    st.one_of(audits(), signed_worlds()).filter(_as_a_source_gives_it),
    hashes,
    _WANTED,
    st.sampled_from(["", "as drawn"]),
)
def test_the_empty_policy_changes_nothing_at_all(
    audit: Audit, hash_: Hash, wanted: frozenset[Platform], reason: str
) -> None:
    plain, under = Evidence(audit, wanted), read(audit, NO_POLICY, wanted)
    assert judge_locked(hash_, under) == judge_locked(hash_, plain)
    assert judge_unlocked(hash_, under, recorded=reason) == judge_unlocked(hash_, plain, recorded=reason)
    assert apply_policy(NO_POLICY, audit).problems == ()


@with_fewer_examples
@given(st.data(), signed_worlds(), policies, _LOCKED)
def test_an_approval_changes_no_verdict_only_whether_it_objects_and_never_for_a_disowned_hash(
    data: st.DataObject, audit: Audit, rules: Policy, hashes_: list[Hash]
) -> None:
    named = data.draw(st.lists(hashes, unique=True))
    until = data.draw(st.sampled_from([None, TODAY, TODAY - timedelta(days=1)]))
    record = approval(*named, address=audit.address, until=until)
    bare, approved = review(audit, rules, hashes_), review(audit, rules, hashes_, (record,))
    (provider,), (before,) = approved.providers, bare.providers
    assert [(row.hash, row.verdict) for row in provider.rows] == [(row.hash, row.verdict) for row in before.rows]
    assert [problem for problem in provider.problems if problem.code != "not-signed"] == [
        problem for problem in before.problems if problem.code != "not-signed"
    ]
    for row, old in zip(provider.rows, before.rows, strict=True):
        accepted = row.locked and row.hash in named and record.holds(TODAY)
        assert row.objects == (old.objects and not (accepted and row.verdict is Verdict.UNEXPLAINED))
        assert row.objects or row.verdict is not Verdict.DISOWNED
    assert _WORSE.index(bare.exit_code) >= _WORSE.index(approved.exit_code)
    assert approved.suggested(approved.providers) == bare.suggested(bare.providers)


@with_fewer_examples
@given(signed_worlds(), policies, _LOCKED)
def test_bulk_decisions_never_touch_an_alarmed_provider_and_never_a_hash_that_is_not_new(
    audit: Audit, rules: Policy, hashes_: list[Hash]
) -> None:
    done = review(audit, rules, hashes_)
    new = {row.hash.text for row in done.providers[0].rows if row.verdict is Verdict.NEW and not row.locked}
    suggested = {each.hash for each, _ in done.suggested(done.providers)}
    assert suggested == (set() if done.providers[0].alarmed else new)
    if done.providers[0].alarmed:
        assert done.exit_code is ExitCode.FINDINGS
        assert done.providers[0].problems[0].code == "key-changed"


@with_fewer_examples
@given(signed_worlds(), policies, _LOCKED, _LOCKED)
def test_a_base_changes_no_verdict_of_a_locked_hash_and_never_lowers_the_exit_code(
    audit: Audit, rules: Policy, hashes_: list[Hash], before: list[Hash]
) -> None:
    bare, based = review(audit, rules, hashes_), review(audit, rules, hashes_, before=before)

    def verdicts(done: Review) -> dict[Hash, Verdict]:
        return {row.hash: row.verdict for row in done.providers[0].rows if row.locked}

    assert verdicts(based) == verdicts(bare)
    assert _WORSE.index(based.exit_code) >= _WORSE.index(bare.exit_code)
    if set(before) == set(hashes_):
        assert based.providers[0].changes == ()


@with_fewer_examples
@given(signed_worlds(), _LOCKED, _LOCKED)
def test_one_usable_hash_for_another_that_is_not_known_to_be_right_is_always_an_error(
    audit: Audit, kept: list[Hash], other: list[Hash]
) -> None:
    evidence = Evidence(audit, frozenset({LINUX}))
    came = [each for each in kept if each not in other and not evidence.confirms(each) and each.usable]
    went = {each.scheme for each in other if each not in kept and each.usable}
    if any(each.scheme in went for each in came):
        done = review(audit, NO_POLICY, kept, before=other)
        assert done.exit_code is ExitCode.FINDINGS
        assert done.loudest is not None
        assert done.loudest[1].code == "change-hashes-swapped"
