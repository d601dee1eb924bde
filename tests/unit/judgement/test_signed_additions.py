"""The signer behind what is written is told before it; what `init` saw of signers it proposes in comments alone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

from builders.audits import (
    COSIGN_KEY,
    DARWIN,
    LINUX,
    MIRROR,
    answer,
    audit,
    computed,
    package,
    seen_signature,
    signed_otherwise,
    zh,
)
from builders.reviews import entry_text, lock_file, review
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Observation
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.policy.model import OtherKey, Policy, Rule
from lockwarden.core.policy.read import read_policy
from lockwarden.core.policy.signature_problems import signature_problems
from lockwarden.core.review.decisions import Decision, Decisions, HashKey
from lockwarden.core.review.policy_proposal import proposal
from lockwarden.core.review.signers_proposal import proposed_signers
from lockwarden.core.review.standards import Standards
from lockwarden.core.review.write_warnings import Consequence, signed_additions, write_warnings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import EvidenceState, SignatureScheme, Signer

RULE = OtherKey(
    rule=Rule("policy.hcl", 3),
    scheme=SignatureScheme.COSIGN_KEY,
    fingerprint=COSIGN_KEY,
    owner="",
    providers=(ProviderPattern.parse("*/*/*"),),
)
HELD = Standards(policy=Policy(path="policy.hcl", other_keys=(RULE,)), now=datetime(2027, 1, 1, tzinfo=UTC))


def mirror(*states: EvidenceState) -> Audit:
    signatures = tuple(seen_signature(state=state) for state in states or (EvidenceState.GOOD,))
    seen: list[tuple[Hash, Observation]] = [
        (zh("linux"), computed(LINUX, source=MIRROR, package_zh=zh("linux"))),
        *(
            (zh(seed), signed_otherwise(platform, signature=each))
            for seed, platform in (("linux", LINUX), ("darwin", DARWIN))
            for each in signatures
        ),
    ]
    packages = [package(LINUX, zh=zh("linux"), promised=[zh("linux")])]
    return audit(replace(answer(MIRROR, *seen, packages=packages), other_signatures=signatures))


def test_the_signer_of_what_is_added_is_told_before_it_is_written() -> None:
    begun = review([], mirror(), standards=HELD)
    (provider,) = begun.providers
    keys = [(HashKey.of(provider.address, each), Decision.ADD) for each in (zh("linux"), zh("darwin"))]
    decided = begun.with_decisions(Decisions().decide(keys))
    told = [each for each in write_warnings(decided) if each.consequence is Consequence.SIGNED_OTHERWISE]
    who = f"{COSIGN_KEY} (cosign-key), whom policy.hcl line 3 names"
    assert [each.text for each in told] == [f"2 hashes signed by {who}, 1 of which no client would record by itself"]
    assert not told[0].strips
    assert [*signed_additions(provider, [zh("linux")])] == [f"1 hash signed by {who}"]
    assert [*signed_additions(provider, [])] == []


def test_what_no_rule_names_is_announced_by_nobody() -> None:
    (provider,) = review([], mirror()).providers
    assert [*signed_additions(provider, [zh("linux"), zh("darwin")])] == []


def test_what_was_seen_is_proposed_in_comments_and_trusts_nobody() -> None:
    written = proposal(
        [mirror(EvidenceState.NO_KNOWN_KEY)], [lock_file(entry_text(zh("linux")))], seen=date(2027, 1, 1)
    )
    assert f'# signing_key "{COSIGN_KEY}" {{\n#   scheme     = "cosign-key"\n'.encode() in written
    assert b'#   public_key = "keys/aaaaaaaaaaaaaaaa.pub"\n' in written
    assert read_policy(written, path="policy.hcl", folder=Path("/")).other_keys == ()


def test_a_signer_without_a_name_and_an_identity_are_proposed_as_far_as_they_go() -> None:
    identity = Signer(
        scheme=SignatureScheme.SIGSTORE,
        issuer="https://token.example.test",
        subject="https://git.example.test/release",
        source_repository="https://git.example.test",
        source_ref="refs/tags/v1",
    )
    bare = replace(identity, source_repository="", source_ref="", subject="mail/")
    signatures = (
        seen_signature(state=EvidenceState.NO_KNOWN_KEY, fingerprint=""),
        seen_signature(state=EvidenceState.NO_KNOWN_KEY, fingerprint="", scheme=SignatureScheme.SIGSTORE),
        seen_signature(state=EvidenceState.BAD),
        *(replace(seen_signature(state=EvidenceState.IDENTITY_MISMATCH), signer=each) for each in (identity, bare)),
    )
    whole, with_bare, nameless = proposed_signers([audit(replace(answer(MIRROR), other_signatures=signatures))])
    assert 'signing_identity "release" {' in with_bare
    assert 'signing_identity "release" {' in whole
    assert '  source_repository = "https://git.example.test"' in whole
    assert nameless == (
        "registry.example.test/acme/widget is signed by a cosign key, too, which its signature does not name.",
    )


def test_where_nobody_could_look_is_a_warning_only_where_a_rule_waits_for_a_signature() -> None:
    gap = replace(answer(MIRROR), signature_gaps=("the tag x could not be asked for",))
    (named,), (bare,) = (tuple(signature_problems(audit(gap), ruled=ruled)) for ruled in (True, False))
    assert (named.severity, bare.severity) == (Severity.WARNING, Severity.NOTE)
    assert "is not fully known: the tag x could not be asked for" in named.message


def test_each_state_has_its_own_code_and_weight() -> None:
    every = [each for each in EvidenceState if each is not EvidenceState.GOOD]
    signatures = tuple(seen_signature(state=each) for each in every)
    asked = audit(replace(answer(MIRROR), other_signatures=signatures))
    told = dict(zip(every, signature_problems(asked, ruled=True), strict=True))
    notes = {each for each in every if told[each].severity is Severity.NOTE}
    assert notes == {EvidenceState.NO_KNOWN_KEY, EvidenceState.IDENTITY_MISMATCH}
    opened = {each for each in every if told[each].severity is Severity.WARNING}
    assert opened == {EvidenceState.UNSUPPORTED, EvidenceState.LOG_PROOF_MISSING, EvidenceState.LOG_UNKNOWN}
    assert len({each.code for each in told.values()}) == 9
    signed = replace(asked.source_answers[0], other_signatures=(*signatures, seen_signature(rule="policy")))
    assert {each.severity for each in signature_problems(audit(signed), ruled=True)} == {Severity.NOTE}
