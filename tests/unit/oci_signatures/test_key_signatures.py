"""Signatures of cosign's keys over an index: every check in its order, and the mistakes that others make.

The numbers S1 to S45 are those of the list of mistakes that these tests were written from.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import pytest
from builders.audits import MIRROR, answer, audit
from builders.cosign import (
    BUNDLE_TYPE,
    DIGEST,
    DOCUMENT,
    ED25519,
    IN_TOTO,
    INDEX_BYTES,
    P256,
    STRANGER,
    Json,
    Private,
    b64,
    bundle,
    fingerprint,
    layer_annotations,
    message_bundle,
    naming,
    pae,
    payload,
    sign,
    spki,
    statement,
    text,
)
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from msgspec.structs import replace

from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.oci_signatures.keys import Verified, load_key, verified
from lockwarden.core.oci_signatures.parsing import from_bundle, from_layer, is_bundle, pre_authentication
from lockwarden.core.oci_signatures.strict_json import EvidenceError, any_base64, read_object, standard_base64
from lockwarden.core.policy.applied_policy import apply_policy
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.signature_schemes import EvidenceState, LogState, SignatureScheme

NOW = datetime(2027, 1, 1, tzinfo=UTC)
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
GOOD, ELSE, MALFORMED = EvidenceState.GOOD, EvidenceState.SOMETHING_ELSE, EvidenceState.MALFORMED
UNKNOWN, BAD, UNSUPPORTED = EvidenceState.NO_KNOWN_KEY, EvidenceState.BAD, EvidenceState.UNSUPPORTED


def judged(seen: SeenSignature, *keys: Private) -> SeenSignature:
    applied = apply_policy(naming(*keys), audit(replace(answer(MIRROR), other_signatures=(seen,))), NOW)
    return applied.audit.source_answers[0].other_signatures[0]


def layer(over: bytes, key: Private = P256, beside: Mapping[str, str] = MappingProxyType({})) -> SeenSignature:
    return from_layer(over, {**layer_annotations(key, over), **beside}, DOCUMENT, found_at="here")


def bundled(value: Json | bytes, signed: bytes | None = INDEX_BYTES) -> SeenSignature:
    data = value if isinstance(value, bytes) else text(value)
    return from_bundle(data, DOCUMENT, signed=signed, found_at="here")


@pytest.mark.parametrize(
    "make", [lambda key: layer(payload(), key), lambda key: bundled(bundle(key))], ids=["old", "new"]
)
@pytest.mark.parametrize(
    "key",
    [P256, ec.derive_private_key(5, ec.SECP384R1()), ec.derive_private_key(5, ec.SECP521R1()), RSA, ED25519],
    ids=["P-256", "P-384", "P-521", "RSA", "Ed25519"],
)
def test_every_kind_of_key_signs_in_both_layouts(make: Callable[[Private], SeenSignature], key: Private) -> None:
    seen = judged(make(key), key)
    assert (seen.state, seen.signer.fingerprint, seen.rule) == (GOOD, fingerprint(key), "policy.hcl line 1")
    assert seen.log is LogState.NONE
    assert judged(make(key), STRANGER).state is UNKNOWN


def test_the_worked_values() -> None:
    signed = pre_authentication("http://example.com/HelloWorld", b"hello world")
    assert signed == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    expected = "FDBuhhGZHrQaLnHA+xYDozNBKtORTT3EFhGJXczChh8PCqB471sDESzy2zguMGQOk8D+Ij2hb/eoUkqxc/qgCg=="
    assert b64(ED25519.sign(signed)) == expected
    assert verified(spki(ED25519), signed, base64.b64decode(expected)) is Verified.GOOD
    assert fingerprint(ED25519) == "sha256:a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5"


def test_a_text_beyond_ascii_is_counted_in_bytes() -> None:
    assert pre_authentication("é", b"x") == "DSSEv1 2 é 1 x".encode()


OLD: dict[str, tuple[bytes, EvidenceState, str]] = {
    "S8 another digest inside": (payload("sha256:" + "0" * 64), ELSE, "it is of “sha256:0000"),
    "S9 another type": (payload(kind="atomic container signature"), ELSE, "its type is “atomic"),
    "S9 no type": (payload().replace(b"type", b"kind"), ELSE, "its type is not said"),
    "S10 two spellings of the digest": (
        payload().replace(b'"docker-m', f'"Docker-Manifest-Digest":"{DIGEST}","docker-m'.encode()),
        MALFORMED,
        "in two spellings",
    ),
    "S10 the digest twice": (
        payload().replace(b'"docker-m', f'"docker-manifest-digest":"{DIGEST}","docker-m'.encode()),
        MALFORMED,
        "a name twice",
    ),
    "another key twice": (payload().replace(b'"optional"', b'"x":1,"x":1,"optional"'), MALFORMED, "a name twice"),
    "no digest": (payload().replace(b"docker-manifest-digest", b"digest"), MALFORMED, "names no digest"),
    "no image": (payload().replace(b'"image"', b'"picture"'), MALFORMED, "no object “image”"),
    "no object": (b"[]", MALFORMED, "is no JSON object"),
    "not JSON": (b"{", MALFORMED, "is not JSON, or not all of it"),
    "something behind it": (payload() + b"{}", MALFORMED, "is not JSON, or not all of it"),
    "no UTF-8": (b"\xff", MALFORMED, "is not UTF-8"),
    "a byte order mark": (b"\xef\xbb\xbf" + payload(), MALFORMED, "is not JSON"),
    "no number": (payload().replace(b"null", b"NaN"), MALFORMED, "NaN in place of a number"),
    "nested too deep": (payload().replace(b"null", b"[" * 40 + b"]" * 40), MALFORMED, "nested too deep"),
    "nested without end": (b'{"a":' * 9_000, MALFORMED, "is "),
    "too many values": (b'{"a":[' + b"1," * 21_000 + b"1]}", MALFORMED, "more than 20000 values"),
    "S4 too large": (payload() + b" " * 65_536, MALFORMED, "more than 65536 bytes"),
}


@pytest.mark.parametrize(("over", "state", "why"), OLD.values(), ids=OLD.keys())
def test_what_the_old_layout_signs_has_to_be_about_this_index(over: bytes, state: EvidenceState, why: str) -> None:
    seen = judged(layer(over), P256)
    assert seen.state is state
    assert why in seen.detail
    assert not seen.counts


@pytest.mark.parametrize(
    "over",
    [
        payload().replace(b"docker-manifest-digest", b"Docker-manifest-digest"),
        payload().replace(b",", b" ,\n  "),
    ],
    ids=["the specification's own spelling", "other blanks"],
)
def test_any_formatting_is_signed_just_as_well(over: bytes) -> None:
    assert judged(layer(over), P256).counts


def test_claims_are_shown_and_decide_nothing() -> None:
    """S11."""
    over = payload(reference="elsewhere.example.test/x", optional={"build": 7, "who": "ci", "long": "x" * 500})
    seen = judged(layer(over), P256)
    assert seen.counts
    assert seen.claims[:3] == (("repository", "elsewhere.example.test/x"), ("build", "7"), ("who", "ci"))
    assert len(seen.claims[3][1]) == 256
    assert judged(layer(payload(reference="")), P256).claims == ()
    nobody = payload().replace(b'{"docker-reference":"registry.example.test/acme/widget"}', b"null")
    assert judged(layer(nobody), P256).counts


@pytest.mark.parametrize(
    ("signature", "why"),
    [
        ("", "empty or too long"),
        (" " + b64(sign(P256, payload())), "no standard base64"),
        (b64(sign(P256, payload())).rstrip("=") + "===", "no standard base64"),
        ("AAA", "no standard base64"),
        ("A_-A", "no standard base64"),
        ("AAAA" * 4_000, "empty or too long"),
    ],
    ids=["empty", "a blank", "other padding", "cut", "of URLs", "too long"],
)
def test_the_old_layouts_signature_is_standard_base64(signature: str, why: str) -> None:
    """S44."""
    seen = from_layer(payload(), {"dev.cosignproject.cosign/signature": signature}, DOCUMENT, found_at="here")
    assert (seen.state, why in seen.detail) == (MALFORMED, True)


def test_a_layer_without_a_signature_is_malformed() -> None:
    assert from_layer(payload(), {}, DOCUMENT, found_at="here").state is MALFORMED


def test_a_certificate_in_the_old_layout_is_unsupported_and_a_log_entry_is_not_checked() -> None:
    """S19, S22."""
    certified = layer(payload(), beside={"dev.sigstore.cosign/certificate": "-----BEGIN CERTIFICATE-----"})
    assert (certified.state, certified.scheme) == (UNSUPPORTED, SignatureScheme.SIGSTORE)
    assert judged(certified, P256).state is UNSUPPORTED
    logged = judged(layer(payload(), beside={"dev.sigstore.cosign/bundle": "{}"}), P256)
    assert (logged.counts, logged.log) == (True, LogState.NOT_CHECKED)


def test_one_payload_by_two_signers_is_two_signatures() -> None:
    """S7."""
    both = [layer(payload(), key) for key in (P256, STRANGER)]
    assert both[0].material != both[1].material
    assert [judged(each, P256).state for each in both] == [GOOD, UNKNOWN]


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


@pytest.mark.parametrize(("value", "state", "why"), NEW.values(), ids=NEW.keys())
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


@pytest.mark.parametrize(("value", "state", "why"), BROKEN.values(), ids=BROKEN.keys())
def test_a_bundle_that_is_not_as_its_format_says_is_never_good(
    value: Json | bytes, state: EvidenceState, why: str
) -> None:
    seen = bundled(value)
    assert seen.state is state
    assert why in seen.detail
    assert judged(seen, P256) == seen


@pytest.mark.parametrize("hint", [b64(hashlib.sha256(spki(STRANGER)).digest()), None, "AAAA", "?"])
def test_the_hint_of_another_key_or_none_changes_nothing(hint: str | None) -> None:
    """S17."""
    assert judged(bundled(bundle(hint=hint)), STRANGER, P256).counts
    assert judged(bundled(bundle(hint=hint)), P256).counts
    keyed = with_envelope(signatures=[{**SIG, "keyid": fingerprint(STRANGER)}])
    assert judged(bundled(keyed), P256).counts


def test_only_under_the_key_that_it_names_a_signature_is_bad() -> None:
    """No known key is a note; a broken one of a known key is loud."""
    hint = b64(hashlib.sha256(spki(P256)).digest())
    broken = judged(bundled(bundle(STRANGER, hint=hint)), P256)
    assert (broken.state, broken.detail) == (BAD, "it was not made over this by the key that it names")
    unknown = judged(bundled(bundle(STRANGER)), P256)
    assert (unknown.state, unknown.signer.fingerprint) == (UNKNOWN, fingerprint(STRANGER))
    assert unknown.detail == "it is not by the one known key, or it is broken"
    assert "any of the 2 known keys" in judged(layer(payload(), STRANGER), P256, RSA).detail
    assert "names no key" in judged(layer(payload(), STRANGER)).detail


def test_pre_hashed_ed25519_is_called_unsupported_and_not_bad() -> None:
    """S20."""
    pre_hashed = with_envelope(signatures=[{"sig": b64(bytes(64))}])
    pre_hashed["verificationMaterial"] = bundle(ED25519)["verificationMaterial"]
    seen = judged(bundled(pre_hashed), ED25519)
    assert seen.state is UNSUPPORTED
    assert "the pre-hashed form" in seen.detail
    assert "the pre-hashed form" in judged(layer(payload(), STRANGER), ED25519, P256).detail


def test_another_way_to_sign_with_the_same_key_is_not_good() -> None:
    """S20."""
    over = payload()
    pss = RSA.sign(over, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
    p384 = ec.derive_private_key(5, ec.SECP384R1())
    short = p384.sign(over, ec.ECDSA(hashes.SHA256()))
    assert verified(spki(RSA), over, pss) is Verified.WRONG
    assert verified(spki(p384), over, short) is Verified.WRONG
    assert verified(spki(P256), over, b"no DER") is Verified.WRONG


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: spki(rsa.generate_private_key(public_exponent=65537, key_size=1024)), "an RSA key of 1024 bits"),
        (lambda: spki(ec.derive_private_key(5, ec.SECP256K1())), "an ECDSA key over secp256k1"),
        (lambda: b"no key", "no public key that can be used"),
        (lambda: base64.b64decode("MCowBQYDK2VuAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="), "another kind"),
    ],
    ids=["short RSA", "secp256k1", "garbage", "X25519"],
)
def test_keys_of_other_kinds_are_refused(make: Callable[[], bytes], why: str) -> None:
    """S20."""
    with pytest.raises(InputError, match=why):
        load_key(make())


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
