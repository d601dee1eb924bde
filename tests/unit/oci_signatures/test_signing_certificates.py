"""Certificates of signers: which identity each names, and which name none that counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from builders.sigstore import ISSUER, REF, SigstoreWorld
from builders.tables import table
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from lockwarden.core.oci_signatures.certificates import named_signer
from lockwarden.core.oci_signatures.strict_json import EvidenceError


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        (x509.RFC822Name("ada@example.test"), "ada@example.test"),
        (x509.OtherName(x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.7"), b"\x0c\x03ada"), "ada"),
    ],
    ids=["mail", "user name"],
)
def test_identities_of_other_kinds_are_read(subject: x509.GeneralName, name: str) -> None:
    der = SigstoreWorld(subject=subject).leaf.public_bytes(Encoding.DER)
    assert named_signer(der).subject == name


USER_NAME = x509.ObjectIdentifier("1.3.6.1.4.1.57264.1.7")


@table(
    "subject",
    [
        x509.DNSName("example.test"),
        x509.OtherName(x509.ObjectIdentifier("1.2.3.4"), b"\x0c\x03ada"),
        x509.OtherName(USER_NAME, b"\x13\x03ada"),
        x509.OtherName(USER_NAME, b"\x0c\x00"),
        x509.OtherName(USER_NAME, b"\x0c\x01\xff"),
    ],
    ids=["a host", "another name", "no UTF8String", "an empty one", "no UTF-8"],
)
def test_names_of_other_kinds_are_malformed(subject: x509.GeneralName) -> None:
    """S42."""
    der = SigstoreWorld(subject=subject).leaf.public_bytes(Encoding.DER)
    with pytest.raises(EvidenceError):
        named_signer(der)


def test_a_certificate_without_exactly_one_identity_is_malformed() -> None:
    def made(names: list[x509.GeneralName]) -> bytes:
        day = datetime(2026, 1, 1, tzinfo=UTC)
        key = ec.derive_private_key(3, ec.SECP256R1())
        builder = x509.CertificateBuilder().subject_name(x509.Name([])).issuer_name(x509.Name([])).serial_number(1)
        builder = builder.public_key(key.public_key()).not_valid_before(day).not_valid_after(day + timedelta(days=1))
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=True)
        return builder.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)

    two: list[x509.GeneralName] = [x509.RFC822Name("a@example.test"), x509.RFC822Name("b@example.test")]
    with pytest.raises(EvidenceError, match="names 2 identities"):
        named_signer(made(two))


def test_a_long_text_of_an_extension_is_read() -> None:
    long = f"https://git.example.test/{'x' * 200}"
    world = SigstoreWorld(extensions={8: ISSUER, 12: long, 14: REF})
    assert named_signer(world.leaf.public_bytes(Encoding.DER)).source_repository == long
