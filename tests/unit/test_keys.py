from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.values.clients import OPENTOFU_REGISTRY, Client, ClientSettings
from lockwarden.core.values.signing_keys import (
    Conclusion,
    ConclusionKind,
    KeyJudgement,
    SignatureReport,
    SignatureState,
    conclude,
)

FIRST = "A" * 24 + "1111222233334444"
SECOND = "B" * 24 + "5555666677778888"
TOFU = ClientSettings(client=Client.OPENTOFU)
TERRAFORM = ClientSettings(client=Client.TERRAFORM)
ENDING = (
    SignatureState.REVOKED,
    SignatureState.BAD,
    SignatureState.UNDECODABLE_KEY,
    SignatureState.UNDECODABLE_SIGNATURE,
)


def judgement(state: SignatureState, fingerprint: str = FIRST, *, position: int = 0, detail: str = "") -> KeyJudgement:
    named = fingerprint if state is not SignatureState.UNKNOWN_ISSUER else ""
    return KeyJudgement(position=position, state=state, fingerprint=named, valid_when_signed=True, detail=detail)


def concluded(
    *states: SignatureState, settings: ClientSettings = TOFU, host: str = "registry.example.test"
) -> Conclusion:
    judgements = tuple(
        judgement(state, (FIRST, SECOND)[position], position=position) for position, state in enumerate(states)
    )
    return conclude(SignatureReport(judgements=judgements), host=host, settings=settings)


@pytest.mark.parametrize("settings", [TOFU, TERRAFORM])
def test_a_good_signature_is_accepted_under_the_primary_keys_id(settings: ClientSettings) -> None:
    conclusion = concluded(SignatureState.GOOD, settings=settings)
    assert conclusion == Conclusion(kind=ConclusionKind.ACCEPTED, key_id="1111222233334444")


@pytest.mark.parametrize("settings", [TOFU, TERRAFORM])
def test_the_search_goes_on_past_keys_that_did_not_sign(settings: ClientSettings) -> None:
    conclusion = concluded(SignatureState.UNKNOWN_ISSUER, SignatureState.GOOD, settings=settings)
    assert (conclusion.kind, conclusion.key_id) == (ConclusionKind.ACCEPTED, "5555666677778888")


@pytest.mark.parametrize("settings", [TOFU, TERRAFORM])
def test_an_unknown_issuer_is_refused(settings: ClientSettings) -> None:
    conclusion = concluded(SignatureState.UNKNOWN_ISSUER, settings=settings)
    assert conclusion.kind is ConclusionKind.REFUSED
    assert "unknown issuer" in conclusion.reason


@table("settings", [TOFU, TERRAFORM])
@table("state", ENDING)
def test_a_fault_ends_the_search_before_a_good_key(state: SignatureState, settings: ClientSettings) -> None:
    conclusion = concluded(state, SignatureState.GOOD, settings=settings)
    assert conclusion.kind is ConclusionKind.REFUSED
    assert conclusion.reason == f"key 1 of those offered ends the search: {state}"


@table("settings", [TOFU, TERRAFORM])
@table("state", ENDING)
def test_a_fault_after_a_good_key_is_never_reached(state: SignatureState, settings: ClientSettings) -> None:
    assert concluded(SignatureState.GOOD, state, settings=settings).kind is ConclusionKind.ACCEPTED


def test_a_refusal_gives_the_detail() -> None:
    report = SignatureReport(judgements=(judgement(SignatureState.REVOKED, detail="compromised"),))
    conclusion = conclude(report, host="registry.example.test", settings=TOFU)
    assert conclusion.reason == "key 1 of those offered ends the search: revoked key (compromised)"


@pytest.mark.parametrize("state", [SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE])
class TestExpiryInOpenTofu:
    def test_it_is_accepted_as_expired_when_no_other_key_is_good(self, state: SignatureState) -> None:
        conclusion = concluded(state, SignatureState.UNKNOWN_ISSUER)
        assert conclusion == Conclusion(kind=ConclusionKind.ACCEPTED, key_id="1111222233334444", expired=True)

    def test_a_later_good_key_counts_instead(self, state: SignatureState) -> None:
        conclusion = concluded(state, SignatureState.GOOD)
        assert conclusion == Conclusion(kind=ConclusionKind.ACCEPTED, key_id="5555666677778888")

    def test_the_first_of_two_expired_keys_is_named(self, state: SignatureState) -> None:
        assert concluded(state, state).key_id == "1111222233334444"

    def test_a_later_fault_still_refuses(self, state: SignatureState) -> None:
        assert concluded(state, SignatureState.BAD).kind is ConclusionKind.REFUSED

    def test_it_is_refused_when_expiry_is_enforced(self, state: SignatureState) -> None:
        conclusion = concluded(state, settings=ClientSettings(enforce_expiration=True))
        assert conclusion.kind is ConclusionKind.REFUSED
        assert str(state) in conclusion.reason

    def test_enforcement_does_not_touch_a_later_good_key(self, state: SignatureState) -> None:
        conclusion = concluded(state, SignatureState.GOOD, settings=ClientSettings(enforce_expiration=True))
        assert conclusion.kind is ConclusionKind.ACCEPTED


def test_terraform_accepts_an_expired_key_at_once() -> None:
    conclusion = concluded(SignatureState.EXPIRED_KEY, SignatureState.GOOD, settings=TERRAFORM)
    assert conclusion == Conclusion(kind=ConclusionKind.ACCEPTED, key_id="1111222233334444", expired=True)


def test_terraform_refuses_an_expired_signature_at_once() -> None:
    conclusion = concluded(SignatureState.EXPIRED_SIGNATURE, SignatureState.GOOD, settings=TERRAFORM)
    assert conclusion.kind is ConclusionKind.REFUSED


def test_opentofu_skips_verification_when_its_own_registry_offers_no_key() -> None:
    assert concluded(host=OPENTOFU_REGISTRY).kind is ConclusionKind.SKIPPED


@table(
    ("settings", "host"),
    [
        (TOFU, "registry.example.test"),
        (TOFU, "registry.terraform.io"),
        (ClientSettings(enforce_validation=True), OPENTOFU_REGISTRY),
        (TERRAFORM, OPENTOFU_REGISTRY),
        (TERRAFORM, "registry.terraform.io"),
    ],
)
def test_no_offered_key_is_refused_everywhere_else(settings: ClientSettings, host: str) -> None:
    conclusion = concluded(settings=settings, host=host)
    assert conclusion == Conclusion(kind=ConclusionKind.REFUSED, reason="the registry offers no signing key")


def test_the_key_id_is_the_end_of_the_fingerprint() -> None:
    assert judgement(SignatureState.GOOD).key_id == "1111222233334444"
    assert judgement(SignatureState.UNKNOWN_ISSUER).key_id == ""


@table("state", list(SignatureState))
def test_only_right_signatures_of_unrevoked_keys_vouch(state: SignatureState) -> None:
    vouching = {SignatureState.GOOD, SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE}
    assert judgement(state).vouches is (state in vouching)


@pytest.mark.parametrize("state", [SignatureState.EXPIRED_KEY, SignatureState.EXPIRED_SIGNATURE])
def test_an_expired_key_does_not_vouch_for_what_it_signed_while_invalid(state: SignatureState) -> None:
    assert not KeyJudgement(position=0, state=state, fingerprint=FIRST, valid_when_signed=False).vouches


def test_a_report_names_all_that_vouch_even_after_the_key_that_ends_the_clients_search() -> None:
    bad = judgement(SignatureState.BAD)
    good = judgement(SignatureState.GOOD, SECOND, position=1)
    assert SignatureReport(judgements=(bad, good)).vouching == (good,)
