"""The fold of observations and the one word that a client would print."""

from __future__ import annotations

from builders.audits import DARWIN, FINGERPRINT, LINUX, computed, listed, reported, signed, trusted
from builders.tables import table

from lockwarden.core.evidence.dispositions import NOTHING, HashDisposition, Summary, fold, summarize
from lockwarden.core.evidence.observations import Observation
from lockwarden.core.values.signing_keys import SignatureState

KEY_ID = FINGERPRINT[-16:]


def test_nothing_observed_says_nothing() -> None:
    assert fold([]) == NOTHING
    assert not NOTHING.verified_locally


def test_each_observation_sets_its_own_claim_and_no_other() -> None:
    assert fold([signed()]) == HashDisposition(
        signed_by_gpg_key_ids=frozenset({KEY_ID}), signed_by_fingerprints=frozenset({FINGERPRINT})
    )
    assert fold([reported()]) == HashDisposition(reported_by_registry=True)
    assert fold([trusted()]) == HashDisposition(reported_by_trusted_mirror=True)
    assert fold([computed(LINUX)]) == HashDisposition(verified_locally=True, platforms=frozenset({LINUX}))


def test_a_mirrors_bare_claim_names_a_platform_and_nothing_else() -> None:
    assert fold([listed(LINUX)]) == HashDisposition(platforms=frozenset({LINUX}))


def test_what_does_not_count_names_its_platform_only() -> None:
    refused: list[Observation] = [
        reported(LINUX, refused="the list is not signed"),
        trusted(LINUX, refused="wrong"),
        computed(LINUX, refused="other bytes than promised"),
        signed(LINUX, refused="expired keys are refused here"),
    ]
    assert fold(refused) == HashDisposition(platforms=frozenset({LINUX}))


def test_two_platforms_of_one_package_are_a_set() -> None:
    assert fold([computed(LINUX), computed(DARWIN)]).platforms == {LINUX, DARWIN}


@table(
    ("state", "valid_when_signed", "counts"),
    [
        (SignatureState.GOOD, True, True),
        (SignatureState.EXPIRED_KEY, True, True),
        (SignatureState.EXPIRED_KEY, False, False),
        (SignatureState.EXPIRED_SIGNATURE, True, True),
        (SignatureState.REVOKED, True, False),
        (SignatureState.BAD, True, False),
        (SignatureState.UNKNOWN_ISSUER, True, False),
    ],
)
def test_a_signature_counts_only_while_its_key_was_valid(
    state: SignatureState, valid_when_signed: bool, counts: bool
) -> None:
    folded = fold([signed(state=state, valid_when_signed=valid_when_signed)])
    assert bool(folded.signed_by_gpg_key_ids) is counts


@table(
    ("dispositions", "promise_kept", "word"),
    [
        ([fold([signed()]), fold([reported()])], True, Summary.SIGNED),
        ([fold([reported()]), fold([computed(LINUX)])], True, Summary.SIGNING_SKIPPED),
        ([fold([computed(LINUX)])], True, Summary.VERIFIED_CHECKSUM),
        ([fold([computed(LINUX)])], False, Summary.UNAUTHENTICATED),
        ([fold([trusted()])], False, Summary.UNAUTHENTICATED),
        ([], False, Summary.UNAUTHENTICATED),
    ],
)
def test_the_word_is_that_of_the_first_rule_that_holds(
    dispositions: list[HashDisposition], promise_kept: bool, word: Summary
) -> None:
    assert summarize(dispositions, promise_kept=promise_kept) is word
