"""Signatures of keys in the new layout, bundles: what they have to cover, and every way in which one is broken."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from builders.cosign import (
    BUNDLE_TYPE,
    DIGEST,
    ED25519,
    IN_TOTO,
    P256,
    STRANGER,
    Json,
    b64,
    bundle,
    bundled,
    fingerprint,
    judged,
    layer,
    message_bundle,
    pae,
    payload,
    sign,
    spki,
    statement,
    text,
)
from builders.tables import table

from lockwarden.core.oci_signatures.parsing import is_bundle
from lockwarden.core.oci_signatures.strict_json import EvidenceError, any_base64, read_object, standard_base64
from lockwarden.core.values.signature_schemes import EvidenceState, LogState, SignatureScheme

ELSE = EvidenceState.SOMETHING_ELSE
MALFORMED = EvidenceState.MALFORMED
UNSUPPORTED = EvidenceState.UNSUPPORTED
NEW: dict[str, tuple[Json, EvidenceState, str]] = {
    "S12 a scan": (
        bundle(data=statement(predicateType="https://cosign.sigstore.dev/attestation/vuln/v1")),
        ELSE,
        "it attests “https://cosign",
    ),
    "S12 no predicate type": (bundle(data=statement(predicateType=None)), ELSE, "it attests not said"),
    "S13 nonsense for a type": (
        bundle(data=statement(_type="https://example.test/x")),
        ELSE,
        "its type is “https://example.test/x”",
    ),
    "S13 another payload type": (bundle(payload_type="text/plain"), ELSE, "its payload is “text/plain”"),
    "S14 another subject": (bundle(data=statement("0" * 64)), ELSE, "none of its subjects"),
    "S14 upper case": (bundle(data=statement(DIGEST[7:].upper())), ELSE, "none of its subjects"),
    "S14 called sha512": (
        bundle(data=statement(subject=[{"digest": {"sha512": DIGEST[7:]}}])),
        ELSE,
        "none of its subjects",
    ),
    "S34 our name, another digest": (
        bundle(data=statement(subject=[{"name": "index", "digest": {"sha256": "0" * 64}}])),
        ELSE,
        "none of",
    ),
    "no subject": (bundle(data=statement(subject=None)), ELSE, "none of its subjects"),
    "a subject that is none": (bundle(data=statement(subject=[7, {"digest": 7}])), ELSE, "none of its subjects"),
    "a payload that is none": (bundle(data=b"[]"), MALFORMED, "what is signed is no JSON object"),
    "a payload with a name twice": (
        bundle(data=statement().replace(b'"predicate"', b'"_type":1,"predicate"')),
        MALFORMED,
        "a name twice",
    ),
    "a payload without end": (bundle(data=statement() + b" " * 65_536), MALFORMED, "more than 65536 bytes"),
}


@table(("value", "state", "why"), NEW.values(), ids=NEW.keys())
def test_what_the_new_layout_signs_has_to_be_a_signature_of_this_index(
    value: Json, state: EvidenceState, why: str
) -> None:
    seen = judged(bundled(value), P256)
    assert seen.state is state
    assert why in seen.detail
    assert not seen.counts


@pytest.mark.parametrize(
    "data",
    [
        statement(subject=[{"digest": {"sha256": "0" * 64}}, {"digest": {"sha256": DIGEST[7:]}}]),
        statement(_type="https://in-toto.io/Statement/v0.1"),
    ],
    ids=["S14 our digest second", "the older statement"],
)
def test_our_digest_may_stand_in_any_place(data: bytes) -> None:
    assert judged(bundled(bundle(data=data)), P256).counts


def test_annotations_of_the_subject_are_claims() -> None:
    subject = [{"digest": {"sha256": DIGEST[7:]}, "annotations": {"release": "1.2.3"}}]
    assert judged(bundled(bundle(data=statement(subject=subject))), P256).claims == (("release", "1.2.3"),)


def changed(**instead: Any) -> Json:
    return {**bundle(), **instead}


def with_material(**instead: Any) -> Json:
    return changed(verificationMaterial=instead)


def with_envelope(**instead: Any) -> Json:
    made = bundle()
    return {**made, "dsseEnvelope": {**made["dsseEnvelope"], **instead}}


SIG = {"sig": b64(sign(P256, pae(IN_TOTO, statement())))}
BROKEN: dict[str, tuple[Json | bytes, EvidenceState, str]] = {
    "both kinds of signature": (changed(messageSignature={}), MALFORMED, "exactly one of “dsseEnvelope”"),
    "neither": (changed(dsseEnvelope=None), MALFORMED, "exactly one of “dsseEnvelope”"),
    "an envelope that is a list": (changed(dsseEnvelope=[]), MALFORMED, "an envelope that is no object"),
    "a message signature that is a list": (changed(dsseEnvelope=None, messageSignature=[]), MALFORMED, "no object"),
    "no material": (changed(verificationMaterial=None), MALFORMED, "no verification material"),
    "an empty material": (with_material(), MALFORMED, "exactly one of a public key's hint"),
    "S18 a key and a certificate": (
        with_material(publicKey={}, certificate={}),
        MALFORMED,
        "exactly one of a public key",
    ),
    "two kinds of certificates": (with_material(certificate={}, x509CertificateChain={}), MALFORMED, "exactly one of"),
    "a key that is a text": (with_material(publicKey="x"), MALFORMED, "a public key that is no object"),
    "S15 no signature": (with_envelope(signatures=[]), MALFORMED, "exactly one signature"),
    "S15 two signatures": (with_envelope(signatures=[SIG, SIG]), MALFORMED, "exactly one signature"),
    "S15 a signature that is a text": (with_envelope(signatures=["x"]), MALFORMED, "exactly one signature"),
    "an empty signature": (with_envelope(signatures=[{"sig": ""}]), MALFORMED, "empty or too long"),
    "a signature that is no base64": (with_envelope(signatures=[{"sig": "?"}]), MALFORMED, "no base64"),
    "a payload that is no base64": (with_envelope(payload=7), MALFORMED, "a payload that is no base64"),
    "a payload without a type": (with_envelope(payloadType=None), MALFORMED, "a payload without a type"),
    "S16 the payload twice": (
        text(bundle()).replace(b'"payload":', b'"payload":"","payload":'),
        MALFORMED,
        "a name twice",
    ),
    "S4 too large": (text(bundle()) + b" " * 1024 * 1024, MALFORMED, "more than 1048576 bytes"),
    "not JSON": (b"<html>", MALFORMED, "the bundle is not JSON"),
    "a version to come": (changed(mediaType=BUNDLE_TYPE.replace("0.3", "0.4")), UNSUPPORTED, "of this version"),
    "no version": (changed(mediaType=7), UNSUPPORTED, "of this version"),
}


@table(("value", "state", "why"), BROKEN.values(), ids=BROKEN.keys())
def test_a_bundle_that_is_not_as_its_format_says_is_never_good(
    value: Json | bytes, state: EvidenceState, why: str
) -> None:
    seen = bundled(value)
    assert seen.state is state
    assert why in seen.detail
    assert judged(seen, P256) == seen


@table("hint", [b64(hashlib.sha256(spki(STRANGER)).digest()), None, "AAAA", "?"])
def test_the_hint_of_another_key_or_none_changes_nothing(hint: str | None) -> None:
    """S17."""
    assert judged(bundled(bundle(hint=hint)), STRANGER, P256).counts
    assert judged(bundled(bundle(hint=hint)), P256).counts
    keyed = with_envelope(signatures=[{**SIG, "keyid": fingerprint(STRANGER)}])
    assert judged(bundled(keyed), P256).counts


def test_pre_hashed_ed25519_is_called_unsupported_and_not_bad() -> None:
    """S20."""
    pre_hashed = with_envelope(signatures=[{"sig": b64(bytes(64))}])
    pre_hashed["verificationMaterial"] = bundle(ED25519)["verificationMaterial"]
    seen = judged(bundled(pre_hashed), ED25519)
    assert seen.state is UNSUPPORTED
    assert "the pre-hashed form" in seen.detail
    assert "the pre-hashed form" in judged(layer(payload(), STRANGER), ED25519, P256).detail


def test_a_signature_over_the_index_itself_is_one_too() -> None:
    seen = bundled(message_bundle())
    assert judged(seen, P256).counts
    other = judged(bundled(message_bundle(digest="0" * 64)), P256)
    assert (other.state, "it says that it is of 0000" in other.detail) == (ELSE, True)
    bare = message_bundle()
    del bare["messageSignature"]["messageDigest"]
    assert judged(bundled(bare), P256).counts
    assert not judged(bundled(message_bundle(over=b"other")), P256).counts
    assert bundled(message_bundle(), signed=None).state is UNSUPPORTED


def test_url_safe_and_unpadded_base64_is_read_in_bundles_alone() -> None:
    """S44."""
    made = bundle()
    for holder, name in ((made["dsseEnvelope"], "payload"), (made["dsseEnvelope"]["signatures"][0], "sig")):
        holder[name] = holder[name].replace("+", "-").replace("/", "_").rstrip("=")
    assert judged(bundled(made), P256).counts
    for wrong in ("A A=", "AAAA=", "A===", "ä", "A", 7):
        with pytest.raises(EvidenceError):
            any_base64(wrong, "text")
    with pytest.raises(EvidenceError):
        standard_base64(None, "text")


def test_a_log_entry_of_a_key_is_not_checked_and_said_so() -> None:
    """S22."""
    made = bundle()
    made["verificationMaterial"]["tlogEntries"] = [{}]
    assert judged(bundled(made), P256).log is LogState.NOT_CHECKED


def test_a_certificate_makes_an_identity_that_no_key_rule_takes() -> None:
    """S19."""
    made = with_material(certificate={"rawBytes": ""})
    seen = bundled(made)
    assert seen.scheme is SignatureScheme.SIGSTORE
    assert not judged(seen, P256).counts


def test_hostile_json_is_always_a_state() -> None:
    """S42."""
    made = text(bundle())
    for cut in range(0, len(made), 7):
        for data in (made[:cut], made[:cut] + b"\x00" + made[cut:], made[:cut] + b"[" * 50 + made[cut:]):
            assert judged(bundled(data), P256).state in set(EvidenceState)
    wrongs: tuple[Any, ...] = (7, "x", [], None, True, {}, [[]], {"x": 1})
    for wrong in wrongs:
        for name in bundle():
            assert bundled(changed(**{name: wrong})).state in set(EvidenceState)
        for name in bundle()["dsseEnvelope"]:
            assert bundled(with_envelope(**{name: wrong})).state in set(EvidenceState)


@pytest.mark.parametrize("version", ["0.1", "0.2", "0.3"])
def test_older_bundles_are_read(version: str) -> None:
    assert is_bundle(f"application/vnd.dev.sigstore.bundle+json; version={version}".replace(" ", ""))
    assert not is_bundle("application/json")


def test_an_object_is_an_object() -> None:
    assert read_object(b' {"a": [1, {"b": null}]} ') == {"a": [1, {"b": None}]}
