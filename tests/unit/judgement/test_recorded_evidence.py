"""What of an audit counts that an evidence bundle has answered: by who vouches for it, hash by hash."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from builders.audits import (
    DARWIN,
    FINGERPRINT,
    LINUX,
    MIRROR,
    ORIGIN,
    SUMS,
    answer,
    audit,
    computed,
    h1,
    listed,
    origin_with,
    package,
    reported,
    seen_signature,
    signed,
    signed_otherwise,
    trusted,
    zh,
    zh_list,
)
from builders.policies import STRANGER
from builders.policies import key as pinned
from builders.policy_strategies import policies, signed_worlds
from builders.reviews import entry
from builders.strategies import hashes
from builders.tables import table
from hypothesis import given
from msgspec.structs import replace

from lockwarden.core.evidence.recorded import RecordedEvidence, age_in_words
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.policy.model import NO_POLICY, OtherKey, Policy, Rule, TrustedKey
from lockwarden.core.review.judging import Judging
from lockwarden.core.review.recorded_evidence import as_recorded, limited
from lockwarden.core.review.sentences import Tone
from lockwarden.core.review.standards import Standards, evidence_under
from lockwarden.core.review.verdicts import Judgement, Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signature_schemes import SignatureScheme

NOW = datetime(2026, 6, 4, 12, tzinfo=UTC)
UNSIGNED = RecordedEvidence(
    digest="a" * 64,
    made=datetime(2026, 6, 1, 12, tzinfo=UTC),
    age=timedelta(days=3),
    tool="1.0",
    doubt="nobody has signed it",
)
SSH = "SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg"
VOUCHED = replace(UNSIGNED, signer="alice@example.test", fingerprint=SSH, doubt="")
BY_A_KEY = replace(UNSIGNED, fingerprint=SSH, doubt="nobody named it")


def judged(
    hash_: Hash, recorded: RecordedEvidence | None, *answers: SourceAnswer, policy: Policy = NO_POLICY
) -> Judgement:
    known = audit(*answers)
    held = Standards(policy=policy, now=NOW).applied_policy(known if recorded is None else as_recorded(known, recorded))
    return judge_locked(hash_, evidence_under(held, frozenset({LINUX})))


def policy_with(*named: TrustedKey | OtherKey) -> Policy:
    return Policy(
        path=".lockwarden.hcl",
        keys=tuple(each for each in named if isinstance(each, TrustedKey)),
        other_keys=tuple(each for each in named if isinstance(each, OtherKey)),
    )


def ssh_key(providers: str = "*/*/*", *, not_after: datetime | None = None, owner: str = "Build team") -> OtherKey:
    return OtherKey(
        rule=Rule(".lockwarden.hcl", 7),
        scheme=SignatureScheme.SSHSIG,
        fingerprint=SSH,
        owner=owner,
        providers=(ProviderPattern.parse(providers),),
        not_after=not_after,
    )


def test_evidence_that_somebody_vouches_for_counts_as_if_the_sources_were_asked_and_says_how_old_it_is() -> None:
    origin = origin_with(LINUX, listed_too=(DARWIN,))
    for hash_ in (zh("linux_amd64"), h1("linux_amd64"), zh("nobody"), h1("nobody")):
        asked, recorded = judged(hash_, None, origin), judged(hash_, VOUCHED, origin)
        assert recorded.verdict is asked.verdict
        assert len(recorded.reasons) == len(asked.reasons) + 1
        last = recorded.reasons[-1]
        assert last.tone is Tone.NOTE
        assert last.text.startswith("recorded on 2026-06-01 12:00 UTC, 3 days ago, by alice@example.test")
        assert last.text.endswith("verified again here") is (hash_ == zh("linux_amd64"))
    told = " ".join(each.text for each in judged(h1("linux_amd64"), VOUCHED, origin).reasons)
    assert "computed on 2026-06-01 from the linux_amd64 package of direct by whoever made the evidence" in told
    assert "computed here" not in told
    unlocked = as_recorded(audit(origin), VOUCHED)
    offered = judge_unlocked(
        zh("darwin_arm64"), evidence_under(Standards().applied_policy(unlocked), frozenset()), recorded="x"
    )
    assert (offered.verdict, offered.reasons[-1].tone) == (Verdict.NEW, Tone.NOTE)


@table(
    ("hash_", "without", "with_the_key", "with_another"),
    [
        (zh("linux_amd64"), Verdict.UNCHECKED, Verdict.CONFIRMED, Verdict.UNCHECKED),
        (zh("darwin_arm64"), Verdict.UNCHECKED, Verdict.CONFIRMED, Verdict.UNCHECKED),
        (h1("linux_amd64"), Verdict.UNCHECKED, Verdict.UNCHECKED, Verdict.UNCHECKED),
        (zh("nobody"), Verdict.UNCHECKED, Verdict.DISOWNED, Verdict.UNCHECKED),
        (h1("nobody"), Verdict.UNCHECKED, Verdict.UNCHECKED, Verdict.UNCHECKED),
    ],
)
def test_of_evidence_that_nobody_vouches_for_a_pinned_keys_signatures_alone_count(
    hash_: Hash, without: Verdict, with_the_key: Verdict, with_another: Verdict
) -> None:
    origin = origin_with(LINUX, listed_too=(DARWIN,))
    origin = replace(origin, absent=frozenset({DARWIN}))
    assert judged(hash_, UNSIGNED, origin).verdict is without
    assert judged(hash_, UNSIGNED, origin, policy=policy_with(pinned())).verdict is with_the_key
    assert judged(hash_, UNSIGNED, origin, policy=policy_with(pinned(STRANGER))).verdict is with_another


def test_a_key_of_the_policy_that_signed_the_file_vouches_for_its_providers_in_its_time() -> None:
    origin = origin_with(LINUX)
    for key, verdict in (
        (ssh_key(), Verdict.CONFIRMED),
        (ssh_key("registry.example.test/acme/*", not_after=NOW), Verdict.CONFIRMED),
        (ssh_key("registry.example.test/other/*"), Verdict.UNCHECKED),
        (ssh_key(not_after=NOW - timedelta(seconds=1)), Verdict.UNCHECKED),
        (replace(ssh_key(), fingerprint="SHA256:another"), Verdict.UNCHECKED),
        (replace(ssh_key(), scheme=SignatureScheme.COSIGN_KEY), Verdict.UNCHECKED),
    ):
        assert judged(h1("linux_amd64"), BY_A_KEY, origin, policy=policy_with(key)).verdict is verdict
        assert judged(h1("linux_amd64"), UNSIGNED, origin, policy=policy_with(key)).verdict is Verdict.UNCHECKED
    told = judged(h1("linux_amd64"), BY_A_KEY, origin, policy=policy_with(ssh_key())).reasons[-1].text
    assert told.endswith("by Build team of .lockwarden.hcl line 7")
    unnamed = judged(h1("linux_amd64"), BY_A_KEY, origin, policy=policy_with(ssh_key(owner=""))).reasons[-1].text
    assert unnamed.endswith("by the key of .lockwarden.hcl line 7")


def test_what_an_answer_says_that_nobody_vouches_for_is_no_answer() -> None:
    gone = answer(ORIGIN, outcome=Outcome.NOT_THERE, detail="404", platforms=None)
    down = answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="connection refused", hint="try again", platforms=None)
    (said,) = limited(as_recorded(audit(gone), UNSIGNED), NO_POLICY, NOW).source_answers
    assert (said.outcome, said.detail) == (
        Outcome.NO_ANSWER,
        "what the evidence says counts for nothing, since nobody has signed it",
    )
    (said,) = limited(as_recorded(audit(down), UNSIGNED), NO_POLICY, NOW).source_answers
    assert (said.outcome, said.detail, said.hint) == (Outcome.NO_ANSWER, "connection refused", "try again")


def test_nothing_that_is_reported_listed_or_computed_counts_and_no_list_without_the_keys_signature() -> None:
    other = replace(SUMS, sha256="9" * 64)
    said = answer(
        ORIGIN,
        (zh("one"), signed(LINUX)),
        (zh("one"), signed(LINUX, fingerprint=STRANGER)),
        (zh("one"), reported(LINUX)),
        (zh("two"), signed(DARWIN, refused="of another release")),
        (h1("one"), computed(LINUX, package_zh=zh("one"))),
        packages=(package(LINUX, zh=zh("one"), h1=h1("one")), package(DARWIN, outcome=Outcome.NOT_THERE)),
        platforms=(LINUX, DARWIN),
        lists=(
            zh_list(zh("one"), signers=(FINGERPRINT, STRANGER)),
            zh_list(zh("two"), documents=(other,)),
            zh_list(documents=()),
        ),
    )
    mirrored = answer(MIRROR, (zh("one"), listed(LINUX)), (zh("one"), trusted(LINUX)))
    known = as_recorded(audit(said, mirrored), UNSIGNED)
    origin, mirror = limited(known, policy_with(pinned()), NOW).source_answers
    assert [seen.vouches for _, seen in origin.observations] == [True, False, False, False, False]
    assert [each.hashes for each in origin.lists] == [frozenset({zh("one")})]
    assert origin.lists[0].signers == frozenset({FINGERPRINT})
    assert [each.outcome for each in origin.packages] == [Outcome.NO_ANSWER, Outcome.NOT_THERE]
    assert origin.packages[0].hashes == frozenset()
    assert not any(seen.vouches for _, seen in mirror.observations)
    assert mirror.outcome is Outcome.NO_ANSWER
    again = limited(limited(known, policy_with(pinned()), NOW), policy_with(pinned()), NOW)
    assert again == limited(known, policy_with(pinned()), NOW)


def test_whoever_leaves_the_origin_out_has_to_be_believed() -> None:
    """A mirror counts by itself where nobody has the last word, such as by a signature that the policy names."""
    seen = signed_otherwise(LINUX, signature=seen_signature())
    said = answer(MIRROR, (zh("one"), seen), (zh("two"), computed(LINUX, source=MIRROR)))
    key = replace(ssh_key(), scheme=SignatureScheme.COSIGN_KEY, fingerprint=seen.signature.signer.fingerprint)
    for hash_ in (zh("one"), zh("two")):
        for recorded, verdict in (
            (None, Verdict.CONFIRMED),
            (VOUCHED, Verdict.CONFIRMED),
            (UNSIGNED, Verdict.UNCHECKED),
        ):
            assert judged(hash_, recorded, said, policy=policy_with(key)).verdict is verdict
    (_, origin) = limited(as_recorded(audit(said), UNSIGNED), NO_POLICY, NOW).source_answers
    assert (origin.source.id, origin.source.is_origin, origin.outcome) == ("direct", True, Outcome.NO_ANSWER)
    taken = replace(said, source=replace(MIRROR, id="direct"))
    (_, origin) = limited(as_recorded(audit(taken), UNSIGNED), NO_POLICY, NOW).source_answers
    assert origin.source.id == "direct (not recorded)"
    told = judged(zh("one"), UNSIGNED, said).reasons
    assert any("the evidence does not have it" in each.text for each in told)


def test_a_signature_of_another_scheme_counts_beside_the_origins_signed_list() -> None:
    seen = signed_otherwise(LINUX, signature=seen_signature())
    said = answer(MIRROR, (zh("linux_amd64"), seen), (zh("other"), seen))
    key = replace(ssh_key(), scheme=SignatureScheme.COSIGN_KEY, fingerprint=seen.signature.signer.fingerprint)
    rules = policy_with(key, pinned())
    assert judged(zh("linux_amd64"), UNSIGNED, origin_with(LINUX), said, policy=rules).verdict is Verdict.CONFIRMED
    assert judged(zh("other"), UNSIGNED, origin_with(LINUX), said, policy=rules).verdict is Verdict.DISOWNED


def test_the_review_keeps_what_is_left_of_the_audit() -> None:

    known = as_recorded(audit(origin_with(LINUX)), UNSIGNED)
    judging = Judging(ClientSettings())
    review = judging.review(entry(h1("linux_amd64")), known, platforms=frozenset({LINUX}), standards=Standards())
    assert review.audit is not None
    assert not any(disposition.verified_locally for disposition in review.audit.dispositions.values())
    assert [row.verdict for row in review.rows if row.locked] == [Verdict.UNCHECKED]


@given(known=signed_worlds(), hash_=hashes, rules=policies)
def test_evidence_confirms_no_more_than_its_sources_did_and_unsigned_evidence_no_more_than_its_keys(
    known: Audit, hash_: Hash, rules: Policy
) -> None:
    asked = judge_locked(hash_, evidence_under(Standards(policy=rules, now=NOW).applied_policy(known), frozenset()))
    for recorded in (VOUCHED, UNSIGNED):
        held = Standards(policy=rules, now=NOW).applied_policy(as_recorded(known, recorded))
        told = judge_locked(hash_, evidence_under(held, frozenset()))
        if recorded is VOUCHED:
            assert told.verdict is asked.verdict
        elif told.verdict is Verdict.CONFIRMED:
            assert asked.verdict is Verdict.CONFIRMED
            assert hash_.scheme == "zh"
            assert rules.keys


@table(
    ("age", "words"),
    [
        (timedelta(minutes=-6), "which is in the future"),
        (timedelta(minutes=-4), "less than an hour ago"),
        (timedelta(minutes=59), "less than an hour ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=47, minutes=59), "47 hours ago"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=800, hours=5), "800 days ago"),
    ],
)
def test_an_age_in_words(age: timedelta, words: str) -> None:
    assert age_in_words(age) == words
