"""Who a certificate of Sigstore's kind is for, in its own words. Whether to believe them, the verification says.

Source: Fulcio, "Sigstore OID information". Only the newer extensions are read, whose texts are DER.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lockwarden.core.oci_signatures.strict_json import EvidenceError
from lockwarden.core.values.signature_schemes import SignatureScheme, Signer

if TYPE_CHECKING:
    from cryptography.x509 import Certificate

_ARC: Final = "1.3.6.1.4.1.57264.1"
_ISSUER, _OTHER_NAME, _REPOSITORY, _REF = 8, 7, 12, 14
_UTF8: Final = 0x0C
_LONG: Final = 0x80
_LONGEST: Final = 2_048


@lru_cache(maxsize=256)
def named_signer(der: bytes) -> Signer:
    """The identity that a certificate names, of which nothing is verified.

    Raises EvidenceError for bytes that are no certificate, and for one that does not name exactly one identity.
    """
    from cryptography import x509

    try:
        certificate = x509.load_der_x509_certificate(der)
        names = _names(certificate)
        extensions = {each.oid.dotted_string: each.value for each in certificate.extensions}
    except Exception as error:  # whatever hostile DER makes the library raise
        raise EvidenceError("has a certificate that cannot be read") from error
    if len(names) != 1:
        raise EvidenceError(f"has a certificate that names {len(names)} identities")
    texts = {
        number: _text(held.value)
        for number in (_ISSUER, _REPOSITORY, _REF)
        if isinstance(held := extensions.get(f"{_ARC}.{number}"), x509.UnrecognizedExtension)
    }
    return Signer(
        scheme=SignatureScheme.SIGSTORE,
        issuer=texts.get(_ISSUER, ""),
        subject=names[0],
        source_repository=texts.get(_REPOSITORY, ""),
        source_ref=texts.get(_REF, ""),
    )


def _names(certificate: Certificate) -> list[str]:
    from cryptography import x509

    held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    found: list[str] = []
    for name in held:
        if isinstance(name, x509.RFC822Name | x509.UniformResourceIdentifier):
            found.append(name.value)
        elif isinstance(name, x509.OtherName) and name.type_id.dotted_string == f"{_ARC}.{_OTHER_NAME}":
            found.append(_text(name.value))
        else:
            found.append("")
    if not all(0 < len(each) <= _LONGEST for each in found):
        raise EvidenceError("has a certificate for a name of another kind")
    return found


def _text(der: bytes) -> str:
    """A UTF8String in DER. Raises EvidenceError for anything else."""
    if len(der) < 2 or der[0] != _UTF8:
        raise EvidenceError("has a certificate with a text that is none")
    length, start = der[1], 2
    if length & _LONG:
        count = length & ~_LONG
        length, start = int.from_bytes(der[2 : 2 + count]), 2 + count
    if not 0 < length <= _LONGEST or len(der) != start + length:
        raise EvidenceError("has a certificate with a text that is cut")
    try:
        return der[start:].decode("utf-8")
    except UnicodeDecodeError as error:
        raise EvidenceError("has a certificate with a text that is no UTF-8") from error
