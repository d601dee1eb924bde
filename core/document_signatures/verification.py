"""Whether a signature is good under a key: the arithmetic, by `cryptography`, which is loaded only when it is used."""

from __future__ import annotations

import hashlib
from typing import Final

from lockwarden.core.document_signatures.minisign import MinisignKey, MinisignSignature
from lockwarden.core.document_signatures.ssh_keys import ED25519, RSA, SK_ED25519, SshKey
from lockwarden.core.document_signatures.ssh_signature import SshSignature

_TOUCHED: Final = 1
"""The flag of a security key's signature that says that a person was there."""


def touched(signature: SshSignature) -> bool:
    """Whether a person touched the security key that made it; True for a key that is not in such a device."""
    return not signature.key.in_security_key or bool(signature.flags & _TOUCHED)


def is_good_ssh(signature: SshSignature, document: bytes) -> bool:
    """Whether the key that the signature names made it over this document, for its own namespace.

    It says nothing of whose key that is, of the namespace, nor of a touch.
    """
    from cryptography.exceptions import InvalidSignature

    signed = signature.signed(document)
    if signature.key.in_security_key:
        fields = bytes([signature.flags]) + signature.counter.to_bytes(4)
        signed = _digest(signature.key.application) + fields + _digest(signed)
    try:
        _verify(signature, signed)
    except (InvalidSignature, ValueError):  # a point that is not on its curve, an exponent that none can be
        return False
    return True


def is_good_minisign(signature: MinisignSignature, document: bytes, key: MinisignKey) -> bool:
    """Whether a key made the signature over this document, and over the trusted comment where there is one."""
    if not _is_good_ed25519(key.point, signature.raw, signature.signed(document)):
        return False
    return signature.comment is None or _is_good_ed25519(
        key.point, signature.over_comment, signature.raw + signature.comment.encode("utf-8", "surrogateescape")
    )


def _verify(signature: SshSignature, signed: bytes) -> None:
    """Raises InvalidSignature, and ValueError for a key that is none."""
    key = signature.key
    if key.kind in {ED25519, SK_ED25519}:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        Ed25519PublicKey.from_public_bytes(key.point).verify(signature.raw, signed)
    elif key.kind == RSA:
        _verify_rsa(key, signature, signed)
    else:
        _verify_ecdsa(key, signature, signed)


def _verify_rsa(key: SshKey, signature: SshSignature, signed: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
    from cryptography.hazmat.primitives.hashes import SHA256, SHA512

    algorithm = SHA512() if signature.algorithm == "rsa-sha2-512" else SHA256()
    RSAPublicNumbers(key.exponent, key.modulus).public_key().verify(signature.raw, signed, PKCS1v15(), algorithm)


def _verify_ecdsa(key: SshKey, signature: SshSignature, signed: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512

    assert signature.numbers is not None  # noqa: S101 - every ECDSA signature was read with them
    curve, algorithm = {
        "nistp256": (ec.SECP256R1(), SHA256()),
        "nistp384": (ec.SECP384R1(), SHA384()),
        "nistp521": (ec.SECP521R1(), SHA512()),
    }[key.curve]
    public = ec.EllipticCurvePublicKey.from_encoded_point(curve, key.point)
    public.verify(encode_dss_signature(*signature.numbers), signed, ec.ECDSA(algorithm))


def _is_good_ed25519(point: bytes, raw: bytes, signed: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(point).verify(raw, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
