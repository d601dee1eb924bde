"""SSH signatures over documents: what is read, what is good, and what each thing that is wrong is called."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from builders.document_signing import (
    NAMESPACE,
    Signer,
    armored,
    by_reason,
    ecdsa,
    ed25519,
    every_kind,
    number,
    rsa,
    security_key,
    string,
)
from builders.tables import table
from msgspec.structs import replace

from lockwarden.core.document_signatures.faults import MalformedError, UnsupportedError
from lockwarden.core.document_signatures.ssh_keys import read_key, read_key_words
from lockwarden.core.document_signatures.ssh_signature import read_ssh_blob, read_ssh_signature
from lockwarden.core.document_signatures.verification import is_good_ssh, touched

DOCUMENT = b"hello\n"
KINDS = pytest.mark.parametrize("signer", every_kind(), ids=lambda each: each.name)


def test_the_worked_values_hold() -> None:
    signer = ed25519()
    assert signer.fingerprint == "SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg"
    fields = signer.fields(DOCUMENT, namespace="approved-hashes@example.test")
    assert len(fields) == 198
    assert hashlib.sha256(fields).hexdigest() == "1b23c247e7d49dc2fe43af2ff03ca8eadba3d3f88b175fd597ef37278f67739b"
    read = read_ssh_blob(fields)
    assert read.key.fingerprint == signer.fingerprint
    assert is_good_ssh(read, DOCUMENT)


@KINDS
@pytest.mark.parametrize("hash_name", ["sha256", "sha512"])
def test_a_signature_of_each_kind_is_good_over_its_document_and_over_no_other(signer: Signer, hash_name: str) -> None:
    read = read_ssh_signature(signer.over(DOCUMENT, hash_name=hash_name))
    assert (read.namespace, read.key.fingerprint) == (NAMESPACE, signer.fingerprint)
    assert is_good_ssh(read, DOCUMENT)
    assert not is_good_ssh(read, b"hallo\n")
    assert touched(read)


@KINDS
def test_a_signature_is_good_for_its_own_namespace_only(signer: Signer) -> None:
    read = read_ssh_signature(signer.over(DOCUMENT, namespace="git"))
    assert is_good_ssh(read, DOCUMENT)
    assert not is_good_ssh(replace(read, namespace=NAMESPACE), DOCUMENT)


def test_the_key_that_it_names_is_the_key_that_counts() -> None:
    for signer, other in ((ed25519(), ed25519(bytes(32))), (ecdsa("nistp256"), ecdsa("nistp256"))):
        read = read_ssh_signature(signer.over(DOCUMENT))
        assert not is_good_ssh(replace(read, key=read_key(other.blob)), DOCUMENT)


def test_a_security_key_that_nobody_touched_says_so() -> None:
    read = read_ssh_signature(security_key("sk-ssh-ed25519@openssh.com", flags=0).over(DOCUMENT))
    assert is_good_ssh(read, DOCUMENT)
    assert not touched(read)


ED = ed25519()
GOOD = ED.fields(DOCUMENT)


@table(
    ("text", "why"),
    [
        ("", "no whole armor"),
        (ED.over(DOCUMENT)[1:], "no whole armor"),
        (ED.over(DOCUMENT) + "x", "no whole armor"),
        (ED.over(DOCUMENT) * 2, "no whole armor"),
        (" " + ED.over(DOCUMENT), "no whole armor"),
        (ED.over(DOCUMENT).replace("U1NI", "U1N ", 1), "no whole armor"),
        (ED.over(DOCUMENT).replace("U1NI", "U1N=", 1), "base64"),
        (armored(b""), "no whole armor"),
        (armored(b"SSHSIX" + GOOD[6:]), "does not begin as one"),
        (armored(GOOD[:-1]), "ends in the middle"),
        (armored(GOOD + b"\0"), "goes on after its end"),
        (armored(ED.fields(DOCUMENT, hash_name="sha1")), "the hash sha1"),
        (armored(ED.fields(DOCUMENT, hash_name="")), "no name"),
        (armored(ED.fields(DOCUMENT, namespace="")), "no name"),
        (armored(ED.fields(DOCUMENT, namespace="a b")), "no name"),
        (armored(ED.fields(DOCUMENT, reserved=b"x")), "reserved"),
        (armored(replace(ED, blob=string(b"ssh-ed25519") + string(b"1" * 31)).fields(DOCUMENT)), "32 bytes"),
        (armored(replace(ED, blob=ED.blob + b"\0").fields(DOCUMENT)), "goes on after its end"),
        (armored(replace(ED, blob=b"\0" * 20_000).fields(DOCUMENT)), "more than 16384 bytes"),
        (armored(replace(ED, sign=lambda _: string(b"ssh-ed25519") + string(b"1")).fields(DOCUMENT)), "64 bytes"),
    ],
)
def test_whatever_is_not_spelt_as_one_is_malformed(text: str, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        read_ssh_signature(text)


@table(
    "numbers",
    [number(5) + string(b""), number(5) + string(b"\x80"), number(5) + string(b"\0\1"), number(5), string(b"\0") * 2],
)
def test_a_number_has_one_spelling(numbers: bytes) -> None:
    signer = ecdsa("nistp256")
    wrong = replace(signer, sign=lambda _: string(signer.name.encode()) + string(numbers))
    with pytest.raises(MalformedError, match=r"number|middle"):
        read_ssh_signature(wrong.over(DOCUMENT))


CURVE = ecdsa("nistp256")


@pytest.mark.parametrize(
    ("blob", "why"),
    [
        (CURVE.blob.replace(b"nistp256", b"nistp384", 1), "the curve nistp256"),
        (CURVE.blob[:-65] + b"\x02" + CURVE.blob[-64:], "no point"),
        (string(b"ecdsa-sha2-nistp256") + string(b"nistp256") + string(b"\4" * 64), "no point"),
    ],
    ids=by_reason,
)
def test_a_key_is_a_point_of_the_curve_that_it_names(blob: bytes, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        read_key(blob)


@table(
    ("signer", "why"),
    [
        (replace(ED, blob=string(b"ssh-ed25519-cert-v01@openssh.com") + ED.blob), "certificate"),
        (replace(ED, blob=string(b"ssh-dss") + ED.blob), "ssh-dss"),
        (replace(ED, blob=string(b"ecdsa-sha2-nistp224") + ED.blob), "nistp224"),
        (rsa("ssh-rsa"), "SHA-1"),
        (rsa("rsa-sha2-1024"), "rsa-sha2-1024"),
        (rsa(bits=1024), "1024 bits"),
        (replace(ED, sign=lambda data: rsa().sign(data)), "rsa-sha2-512"),
        (replace(CURVE, sign=lambda data: string(b"webauthn-" + CURVE.name.encode()) + string(b"")), "webauthn"),
    ],
    ids=by_reason,
)
def test_what_is_of_another_kind_is_unsupported_and_named(signer: Signer, why: str) -> None:
    with pytest.raises(UnsupportedError, match=why):
        read_ssh_signature(signer.over(DOCUMENT))


def test_another_version_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="version 2"):
        read_ssh_blob(GOOD.replace(b"SSHSIG\0\0\0\1", b"SSHSIG\0\0\0\2", 1))


def test_a_key_that_cannot_be_one_verifies_nothing() -> None:
    nowhere = replace(CURVE, blob=CURVE.blob[:-64] + b"\1" * 64)
    assert not is_good_ssh(read_ssh_signature(nowhere.over(DOCUMENT)), DOCUMENT)
    odd = replace(rsa(), blob=string(b"ssh-rsa") + number(2) + number(1 << 2048 | 1))
    assert not is_good_ssh(read_ssh_signature(odd.over(DOCUMENT)), DOCUMENT)


def test_a_checkout_may_convert_the_ends_of_lines() -> None:
    text = ED.over(DOCUMENT)
    assert read_ssh_signature(text.replace("\n", "\r\n")) == read_ssh_signature(text)


def test_a_key_in_a_file_is_of_the_type_that_is_written_before_it() -> None:
    kind, blob = ED.public.split()
    assert read_key_words(kind, blob).fingerprint == ED.fingerprint
    with pytest.raises(MalformedError, match="is called ssh-rsa"):
        read_key_words("ssh-rsa", blob)


def test_ssh_keygen_signs_and_is_never_asked_who_signed() -> None:
    """What `find-principals` answers is no proof: it looks at no signature."""
    root = Path(__file__).parents[3]
    paths = [path for folder in ("cli", "core", "tui") for path in (root / folder).rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    asked = {word for text in texts for word in re.findall(r'"-Y",\s*"([\w-]+)"', text)}
    assert asked == {"sign"}
    assert not any("find-principals" in text for text in texts)
