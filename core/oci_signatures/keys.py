"""Public keys of cosign's kind, and whether one made a signature. The key's type alone decides how it signs.

Source: cosign, "Signature Specification", and what its version 3.1.3 does. A success says that the holder of the key
signed these bytes, never who that is.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lockwarden.core.values.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes

SMALLEST_RSA: Final = 2_048
"""Bits. A signature by a shorter key proves little, so it is not verified."""
LARGEST_RSA: Final = 16_384
"""Bits. Verifying by a larger key would take long."""
_SUPPORTED: Final = "ECDSA over P-256, P-384 or P-521, RSA of 2048 bits or more, and Ed25519 are supported"


class Verified(Enum):
    """What came of verifying a signature with one key."""

    GOOD = auto()
    WRONG = auto()
    NOT_AS_PURE_ED25519 = auto()
    """It may be a pre-hashed one, which is what cosign makes with such keys, and which is not supported."""


@lru_cache(maxsize=64)
def load_key(spki: bytes) -> PublicKeyTypes:
    """The key in its DER form. Raises InputError when it is none, or of a kind that is not supported."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, SECP384R1, SECP521R1, EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    try:
        key = load_der_public_key(spki)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError("it holds no public key that can be used", hint=_SUPPORTED) from error
    match key:
        case EllipticCurvePublicKey():
            if isinstance(key.curve, SECP256R1 | SECP384R1 | SECP521R1):
                return key
            what = f"an ECDSA key over {key.curve.name}"
        case RSAPublicKey():
            if SMALLEST_RSA <= key.key_size <= LARGEST_RSA:
                return key
            what = f"an RSA key of {key.key_size} bits"
        case Ed25519PublicKey():
            return key
        case _:
            what = "a key of another kind"
    raise InputError(f"it holds {what}", hint=_SUPPORTED)


@lru_cache(maxsize=4_096)
def verified(spki: bytes, signed: bytes, signature: bytes) -> Verified:
    """Whether the key made the signature over these bytes. Raises InputError for a key that is not supported."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512, HashAlgorithm

    key = load_key(spki)
    try:
        if isinstance(key, EllipticCurvePublicKey):
            digests: dict[int, HashAlgorithm] = {256: SHA256(), 384: SHA384(), 521: SHA512()}
            key.verify(signature, signed, ECDSA(digests[key.curve.key_size]))
        elif isinstance(key, RSAPublicKey):
            key.verify(signature, signed, PKCS1v15(), SHA256())
        else:
            assert isinstance(key, Ed25519PublicKey)  # noqa: S101
            key.verify(signature, signed)
    except InvalidSignature:
        return Verified.NOT_AS_PURE_ED25519 if isinstance(key, Ed25519PublicKey) else Verified.WRONG
    return Verified.GOOD
