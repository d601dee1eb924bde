"""Signatures beside GPG's in the judgement: they count under a rule of the policy alone, and GPG's word stays."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.audits import (
    ADDRESS,
    COSIGN_KEY,
    DARWIN,
    FINGERPRINT,
    LINUX,
    MIRROR,
    ORIGIN,
    SIGNED_AT,
    answer,
    audit,
    computed,
    h1,
    package,
    reported,
    seen_signature,
    signed,
    signed_otherwise,
    zh,
    zh_list,
)
from builders.policies import policy
from builders.reviews import review
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.dispositions import Summary, fold
from lockwarden.core.evidence.observations import Observation
from lockwarden.core.evidence.seen_signatures import SeenSignature, signature_evidence, signature_in_words
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.policy.model import OtherKey, Policy, Rule, TrustedKey
from lockwarden.core.policy.read import read_policy
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.other_signings import signings_in_run, signings_of
from lockwarden.core.review.requirements import covered_by
from lockwarden.core.review.standards import Standards, evidence_under
from lockwarden.core.review.verdicts import Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.signature_schemes import EvidenceState, LogState, SignatureScheme, Signer

NOW = datetime(2027, 1, 1, tzinfo=UTC)
LATER = datetime(2028, 1, 1, tzinfo=UTC)
GOOD = seen_signature()
PLATFORMS = frozenset({LINUX})


def key(*, fingerprint: str = COSIGN_KEY, providers: str = "registry.example.test/acme/*", **more: object) -> OtherKey:
    return OtherKey(
        rule=Rule("policy.hcl", 3),
        scheme=SignatureScheme.COSIGN_KEY,
        fingerprint=fingerprint,
        owner="Acme",
        providers=(ProviderPattern.parse(providers),),
        **more,  # type: ignore[arg-type]
    )


def naming(*keys: OtherKey, **more: object) -> Policy:
    return replace(policy(), path="policy.hcl", other_keys=keys, **more)


def mirror(signature: SeenSignature = GOOD, *, installed: bool = True) -> SourceAnswer:
    """A mirror whose index names two packages, of which one was downloaded."""
    packages = [package(LINUX, zh=zh("linux"), h1=h1("linux"), promised=[zh("linux")])] if installed else []
    seen: list[tuple[Hash, Observation]] = [
        (zh("linux"), signed_otherwise(LINUX, signature=signature)),
        (zh("darwin"), signed_otherwise(DARWIN, signature=signature)),
        (zh("linux"), computed(LINUX, source=MIRROR, package_zh=zh("linux"))),
        (h1("linux"), computed(LINUX, source=MIRROR, package_zh=zh("linux"))),
    ]
    return replace(answer(MIRROR, *seen, packages=packages), other_signatures=(signature,))


def origin(*seeds: str, authenticated: bool = True) -> SourceAnswer:
    seen = [(zh(seed), signed(LINUX) if authenticated else reported(LINUX)) for seed in seeds]
    listing = zh_list(*map(zh, seeds), authenticated=authenticated)
    return answer(ORIGIN, *seen, packages=[], lists=[listing])


def judged(rules: Policy, asked: Audit, now: datetime = NOW) -> Evidence:
    return evidence_under(apply_policy(rules, asked, now), PLATFORMS)


def test_a_key_that_the_policy_names_confirms_and_offers_what_the_signed_index_leads_to() -> None:
    evidence = judged(naming(key()), audit(mirror()))
    verdict = judge_locked(zh("darwin"), evidence)
    assert verdict.verdict is Verdict.CONFIRMED
    assert "policy.hcl line 3 names this signer" in verdict.reasons[0].text
    offer = judge_unlocked(zh("darwin"), evidence, recorded="")
    assert offer.verdict is Verdict.NEW
    assert f"policy.hcl line 3 names the signer, {COSIGN_KEY}; no client would record it" in offer.reasons[0].text


@pytest.mark.parametrize(
    "rules",
    [naming(), naming(key(fingerprint=f"sha256:{'b' * 64}")), naming(key(providers="registry.example.test/other/*"))],
    ids=["no rule", "another key", "for other providers"],
)
def test_without_a_rule_for_the_provider_it_counts_for_nothing(rules: Policy) -> None:
    """S32: an empty list of keys trusts nothing."""
    evidence = judged(rules, audit(mirror()))
    assert judge_locked(zh("darwin"), evidence).verdict is Verdict.UNCHECKED
    assert judge_unlocked(zh("darwin"), evidence, recorded="").verdict is Verdict.OFFERED
    assert not evidence.audit.dispositions[zh("darwin")].signed_otherwise_by
    told = judge_locked(zh("darwin"), evidence).reasons[0].text
    assert "whom no rule of the policy names for this provider" in told


def test_what_no_package_was_installed_from_is_offered_and_not_new() -> None:
    evidence = judged(naming(key()), audit(mirror(installed=False)))
    assert judge_unlocked(zh("darwin"), evidence, recorded="").verdict is Verdict.OFFERED


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.NO_ANSWER])
def test_it_never_stands_against_the_origin_nor_in_for_its_silence(outcome: Outcome) -> None:
    """S45: a hash that GPG's list disowns stays disowned."""
    by_origin = origin("linux") if outcome is Outcome.ANSWERED else answer(ORIGIN, outcome=outcome, detail="silent")
    evidence = judged(naming(key()), audit(by_origin, mirror()))
    verdict = judge_locked(zh("darwin"), evidence).verdict
    assert verdict is (Verdict.DISOWNED if outcome is Outcome.ANSWERED else Verdict.UNCHECKED)
    assert judge_unlocked(zh("darwin"), evidence, recorded="").verdict is Verdict.OFFERED


def test_what_the_origin_lists_too_is_counted() -> None:
    evidence = judged(naming(key()), audit(origin("linux", "darwin"), mirror()))
    counted = [each for each in evidence.observations(zh("darwin")) if evidence.counts(zh("darwin"), each)]
    assert len(counted) == 2


@table("state", list(EvidenceState))
def test_whatever_became_of_it_changes_nothing_of_what_gpg_says(state: EvidenceState) -> None:
    """S45."""
    without = audit(origin("linux"))
    signature = seen_signature(state=state)
    beside = audit(origin("linux"), mirror(signature))
    rules = naming(
        key(),
        keys=(
            TrustedKey(
                rule=Rule("policy.hcl", 1),
                fingerprint=FINGERPRINT,
                owner="",
                providers=(ProviderPattern.parse("*/*/*"),),
            ),
        ),
    )
    alone, both = judged(rules, without), judged(rules, beside)
    assert judge_locked(zh("linux"), alone).verdict is judge_locked(zh("linux"), both).verdict is Verdict.CONFIRMED
    for evidence in (alone, both):
        assert evidence.audit.dispositions[zh("linux")].signed_by_gpg_key_ids == {FINGERPRINT[-16:]}
        assert evidence.audit.summary is Summary.SIGNED


def test_opentofus_word_is_gpgs_alone() -> None:
    applied = apply_policy(naming(key()), audit(mirror()), NOW).audit
    assert applied.summary is Summary.VERIFIED_CHECKSUM
    known = applied.dispositions[zh("darwin")]
    assert known.signed_by_gpg_key_ids == frozenset()
    assert known.signed_otherwise_by == {Signer(scheme=SignatureScheme.COSIGN_KEY, fingerprint=COSIGN_KEY)}


def test_two_signers_of_one_document_are_a_union() -> None:
    """S7."""
    other = f"sha256:{'b' * 64}"
    signatures = [seen_signature(rule="policy", fingerprint=each) for each in (COSIGN_KEY, other)]
    seen = [signed_otherwise(LINUX, signature=each) for each in signatures]
    assert {each.fingerprint for each in fold(seen).signed_otherwise_by} == {COSIGN_KEY, other}


@table(
    ("signed_at", "now", "counts"),
    [(None, NOW, True), (None, LATER, False), (NOW, LATER, True), (LATER, NOW, False)],
    ids=["in time", "over, no time proven", "over, signed in time", "signed too late"],
)
def test_a_keys_window_is_judged_at_the_proven_time_or_else_now(
    signed_at: datetime | None, now: datetime, counts: bool
) -> None:
    """S27."""
    rules = naming(key(not_after=datetime(2027, 6, 1, tzinfo=UTC)))
    (signing,) = signings_of(Standards(policy=rules, now=now), audit(mirror(seen_signature(signed_at=signed_at))))
    assert signing.signature.counts is counts
    assert signing.signature.state is (EvidenceState.GOOD if counts else EvidenceState.KEY_EXPIRED)
    assert counts or "lets it sign until 2027-06-01" in signing.signature.detail


def test_of_several_policies_each_has_to_name_the_signer() -> None:
    review_ = review([zh("darwin")], audit(mirror()), standards=Standards(policy=naming(key(), also=(naming(),))))
    (signing,) = signings_in_run([review_])
    assert not signing.signature.counts
    assert signing.hashes == {zh("linux"), zh("darwin")}


def test_a_mirrors_package_under_such_a_key_is_not_refused_for_want_of_gpgs_and_the_origins_is() -> None:
    pin = TrustedKey(rule=Rule("policy.hcl", 1), fingerprint=FINGERPRINT, owner="", providers=key().providers)
    rules = naming(key(), keys=(pin,))
    assert judge_locked(h1("linux"), judged(rules, audit(mirror()))).verdict is Verdict.CONFIRMED
    given = answer(
        ORIGIN,
        (zh("linux"), reported(LINUX)),
        (zh("linux"), computed(LINUX, package_zh=zh("linux"))),
        (h1("linux"), computed(LINUX, package_zh=zh("linux"))),
        lists=[zh_list(zh("linux"), authenticated=False)],
    )
    assert judge_locked(h1("linux"), judged(rules, audit(given, mirror()))).verdict is not Verdict.CONFIRMED


def test_a_required_scheme_that_nothing_signs_fails() -> None:
    """S41."""
    rules = 'require {\n  providers = ["*/*/*"]\n  signatures = ["cosign-key"]\n}\n'

    required = read_policy(rules.encode(), path="policy.hcl", folder=Path("/")).requirements
    locked = [zh("linux"), zh("darwin"), h1("linux")]

    def told(keys: tuple[OtherKey, ...], *answers: SourceAnswer) -> list[str]:
        held = Standards(policy=naming(*keys, requirements=required), now=NOW)
        found = review(locked, audit(*answers), standards=held).providers[0].problems
        return [each.message for each in found if each.code == "signature-required"]

    assert told((key(),), mirror()) == []
    (unnamed,) = told((), mirror())
    assert "no cosign-key signature that counts covers 2 of the locked hashes" in unnamed
    (nothing,) = told((key(),), answer(ORIGIN, outcome=Outcome.NO_ANSWER, detail="silent"))
    assert "covers any locked hash, and policy.hcl line 1 requires one" in nothing


def test_a_scheme_covers_by_its_own_signatures_alone() -> None:
    evidence = judged(naming(key()), audit(origin("linux"), mirror()))
    assert covered_by(SignatureScheme.GPG, zh("linux"), evidence)
    assert covered_by(SignatureScheme.COSIGN_KEY, h1("linux"), evidence)
    assert not covered_by(SignatureScheme.SSHSIG, h1("linux"), evidence)
    assert not covered_by(SignatureScheme.GPG, zh("darwin"), evidence)


@table(
    ("signature", "words"),
    [
        (
            seen_signature(rule="policy"),
            f"1.2.3, which itself names neither provider nor version, is signed by {COSIGN_KEY} (cosign-key)",
        ),
        (
            seen_signature(state=EvidenceState.NO_KNOWN_KEY, fingerprint=""),
            "the index of 1.2.3 is signed by an unknown key (cosign-key), which proves nothing",
        ),
        (
            seen_signature(state=EvidenceState.NO_KNOWN_KEY),
            f"is signed by an unknown key that names itself {COSIGN_KEY} (cosign-key), which proves nothing",
        ),
        (
            seen_signature(state=EvidenceState.BAD, detail="why"),
            f"has a signature of {COSIGN_KEY} (cosign-key) that does not count, bad signature: why",
        ),
    ],
)
def test_words_never_say_more_than_was_checked(signature: SeenSignature, words: str) -> None:
    assert signature_in_words(signature).endswith(words)


def test_claims_are_told_as_claims_and_a_time_as_proven_or_not() -> None:
    seen = replace(seen_signature(claims=(("release", "1.2.3"),)), log=LogState.NOT_CHECKED)
    assert signature_evidence(seen)[-2:] == ("log: not checked, no time proven", "the signer states release: 1.2.3")
    assert "time proven" in signature_evidence(replace(seen, signed_at=SIGNED_AT))[3]
    assert "on 2026-05-01" in signature_in_words(replace(seen, signed_at=SIGNED_AT))


def test_an_identity_is_named_whole() -> None:
    signer = Signer(scheme=SignatureScheme.SIGSTORE, issuer="https://a.test", subject="https://b.test/release@v1")
    assert signer.name == "https://b.test/release@v1 by https://a.test"
    assert signer.short == "sigstore release"
    built = replace(signer, source_repository="https://c.test", source_ref="v1")
    assert built.name.endswith("by https://a.test, built from https://c.test at v1")
    assert Signer(scheme=SignatureScheme.COSIGN_KEY).name == ""
    assert ADDRESS is not None
