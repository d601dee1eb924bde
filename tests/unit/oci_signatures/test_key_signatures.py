"""Signatures of cosign's keys over an index: every check in its order, and the mistakes that others make.

The numbers S1 to S45 are those of the list of mistakes that these tests were written from.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from functools import cache

import pytest
from builders.cosign import (
    DIGEST,
    DOCUMENT,
    ED25519,
    P256,
    STRANGER,
    Private,
    b64,
    bundle,
    bundled,
    fingerprint,
    judged,
    layer,
    payload,
    sign,
    spki,
)
from builders.tables import table
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.oci_signatures.keys import Verified, load_key, verified
from lockwarden.core.oci_signatures.parsing import from_layer, pre_authentication
from lockwarden.core.values.errors import InputError
from lockwarden.core.values.signature_schemes import EvidenceState, LogState, SignatureScheme

GOOD = EvidenceState.GOOD
ELSE = EvidenceState.SOMETHING_ELSE
MALFORMED = EvidenceState.MALFORMED
UNKNOWN = EvidenceState.NO_KNOWN_KEY
BAD = EvidenceState.BAD
UNSUPPORTED = EvidenceState.UNSUPPORTED


@cache
def rsa_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def of_every_kind() -> list[Private]:
    return [
        P256,
        ec.derive_private_key(5, ec.SECP384R1()),
        ec.derive_private_key(5, ec.SECP521R1()),
        rsa_key(),
        ED25519,
    ]


@table("make", [lambda key: layer(payload(), key), lambda key: bundled(bundle(key))], ids=["old", "new"])
@table("key", of_every_kind, ids=["P-256", "P-384", "P-521", "RSA", "Ed25519"])
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


@table(("over", "state", "why"), OLD.values(), ids=OLD.keys())
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


@table(
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


def test_only_under_the_key_that_it_names_a_signature_is_bad() -> None:
    """No known key is a note; a broken one of a known key is loud."""
    hint = b64(hashlib.sha256(spki(P256)).digest())
    broken = judged(bundled(bundle(STRANGER, hint=hint)), P256)
    assert (broken.state, broken.detail) == (BAD, "it was not made over this by the key that it names")
    unknown = judged(bundled(bundle(STRANGER)), P256)
    assert (unknown.state, unknown.signer.fingerprint) == (UNKNOWN, fingerprint(STRANGER))
    assert unknown.detail == "it is not by the one known key, or it is broken"
    assert "any of the 2 known keys" in judged(layer(payload(), STRANGER), P256, rsa_key()).detail
    assert "names no key" in judged(layer(payload(), STRANGER)).detail


def test_another_way_to_sign_with_the_same_key_is_not_good() -> None:
    """S20."""
    over = payload()
    pss = rsa_key().sign(over, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
    p384 = ec.derive_private_key(5, ec.SECP384R1())
    short = p384.sign(over, ec.ECDSA(hashes.SHA256()))
    assert verified(spki(rsa_key()), over, pss) is Verified.WRONG
    assert verified(spki(p384), over, short) is Verified.WRONG
    assert verified(spki(P256), over, b"no DER") is Verified.WRONG


@table(
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
