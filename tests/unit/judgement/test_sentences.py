"""Reasons in sentences: what a person reads, and the evidence under it."""

from __future__ import annotations

from builders.audits import FINGERPRINT, FOLDER, LINUX, computed, listed, reported, signed, trusted, zh
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.evidence.observations import Basis, ListShape, Observation
from lockwarden.core.review.sentences import Reason, Tone, describe, fingerprint_groups
from lockwarden.core.values.signing_keys import SignatureState

HASH = zh("any")


def told(observation: Observation, *, counts: bool = True, contradiction: str = "") -> Reason:
    return describe(HASH, observation, counts=counts, contradiction=contradiction)


@table(
    ("observation", "sentence"),
    [
        (signed(), "SHA256SUMS line 1 is signed on 2026-05-01 by 89ABCDEF01234567: the signature is good"),
        (
            signed(state=SignatureState.EXPIRED_KEY),
            "SHA256SUMS line 1 is signed on 2026-05-01 by 89ABCDEF01234567: expired key, valid when it signed",
        ),
        (
            signed(state=SignatureState.REVOKED),
            "SHA256SUMS line 1 is signed on 2026-05-01 by 89ABCDEF01234567: revoked key",
        ),
        (
            replace(signed(), signed_at=None, line=None),
            "SHA256SUMS is signed by 89ABCDEF01234567: the signature is good",
        ),
        (reported(file_name="a.zip"), "the origin registry lists it in SHA256SUMS as a.zip"),
        (reported(), "the origin registry lists it in SHA256SUMS"),
        (reported(LINUX, shape=ListShape.PACKAGES), "the origin registry reports it in “packages” for linux_amd64"),
        (trusted(LINUX), "the trusted mirror mirror lists it"),
        (listed(LINUX), "mirror claims it for linux_amd64, which proves nothing"),
        (listed(), "mirror claims it, which proves nothing"),
        (computed(LINUX), "computed here from the linux_amd64 package of direct"),
        (
            computed(LINUX, source=FOLDER, basis=Basis.DIRECTORY),
            "computed here from the linux_amd64 directory of folder",
        ),
    ],
)
def test_each_observation_is_a_sentence(observation: Observation, sentence: str) -> None:
    assert str(told(observation)) == sentence


def test_what_counts_speaks_for_the_hash_and_the_rest_is_a_note() -> None:
    assert told(signed()).tone is Tone.FOR
    assert told(listed(), counts=False).tone is Tone.NOTE


def test_a_contradiction_and_a_refusal_speak_against_it_and_say_why() -> None:
    contradicted = told(computed(LINUX), counts=False, contradiction="the origin has other bytes")
    assert (contradicted.tone, contradicted.text.endswith("; but the origin has other bytes")) == (Tone.AGAINST, True)
    refused = told(reported(refused="the list is not signed"), counts=False)
    assert (refused.tone, refused.text.endswith("; but the list is not signed")) == (Tone.AGAINST, True)


def test_the_evidence_has_whole_fingerprints_digests_and_addresses() -> None:
    subkey = "F" * 40
    evidence = told(replace(signed(), signing_fingerprint=subkey)).evidence
    assert f"key {fingerprint_groups(FINGERPRINT)}" in evidence
    assert f"signing subkey {fingerprint_groups(subkey)}" in evidence
    assert f"SHA256SUMS sha256 {'5' * 64}, https://registry.example.test/SHA256SUMS" in evidence
    assert told(computed(LINUX, package_zh=zh("archive"))).evidence[-1] == f"archive {zh('archive')}"
    assert told(replace(computed(LINUX), location="")).evidence == ()


def test_the_primary_key_is_not_named_twice_when_it_signed_itself() -> None:
    assert not any("subkey" in line for line in told(signed()).evidence)


def test_a_fingerprint_is_read_in_groups_of_four() -> None:
    assert fingerprint_groups("0123456789ABCDEF0123") == "0123 4567 89AB CDEF 0123"
