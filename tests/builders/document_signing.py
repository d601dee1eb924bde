"""Keys of every kind that signs documents, and their signatures, made by Python alone."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512, HashAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from msgspec import Struct

NAMESPACE: Final = "approved-hashes@lockwarden"
APPLICATION: Final = b"ssh:"
_LONGEST: Final = 40
Sign = Callable[[bytes], bytes]


def by_reason(value: object) -> str:
    """The name of a case: its words, and nothing that is made anew each time."""
    return value if isinstance(value, str) and len(value) < _LONGEST else "it"


def string(value: bytes) -> bytes:
    return len(value).to_bytes(4) + value


def number(value: int) -> bytes:
    """An mpint, which has a zero in front where its first bit would be set."""
    raw = value.to_bytes((value.bit_length() + 7) // 8)
    return string(b"\0" + raw if raw[0] & 0x80 else raw)


class Signer(Struct, frozen=True, kw_only=True):
    """A private key: its public bytes, and what it puts into the last field of a signature."""

    name: str
    blob: bytes
    sign: Sign
    """From the signed bytes to the algorithm, the signature and whatever a security key adds."""
    private: bytes = b""
    """As OpenSSH keeps it; empty where no file could hold it."""

    @property
    def fingerprint(self) -> str:
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip("=")

    @property
    def public(self) -> str:
        """The line of its file."""
        kind = self.blob[4 : 4 + int.from_bytes(self.blob[:4])].decode()
        return f"{kind} {base64.b64encode(self.blob).decode()}"

    def fields(
        self, document: bytes, *, namespace: str = NAMESPACE, hash_name: str = "sha512", reserved: bytes = b""
    ) -> bytes:
        """What stands in the armor."""
        inner = (namespace.encode(), reserved, hash_name.encode())
        digest = hashlib.new(hash_name if hash_name in hashlib.algorithms_available else "sha512", document).digest()
        signed = b"SSHSIG" + b"".join(map(string, (*inner, digest)))
        return b"SSHSIG" + (1).to_bytes(4) + b"".join(map(string, (self.blob, *inner, self.sign(signed))))

    def over(self, document: bytes, *, namespace: str = NAMESPACE, hash_name: str = "sha512") -> str:
        """The text of a detached signature."""
        return armored(self.fields(document, namespace=namespace, hash_name=hash_name))


def armored(fields: bytes) -> str:
    text = base64.b64encode(fields).decode()
    lines = [text[at : at + 70] for at in range(0, len(text), 70)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def ed25519(seed: bytes = bytes(range(32))) -> Signer:
    """The key of the worked values, unless another seed is given."""
    key = Ed25519PrivateKey.from_private_bytes(seed)
    point = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return Signer(
        name="ssh-ed25519",
        blob=string(b"ssh-ed25519") + string(point),
        sign=lambda data: string(b"ssh-ed25519") + string(key.sign(data)),
        private=key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()),
    )


_CURVES: Final[Mapping[str, tuple[Callable[[], ec.EllipticCurve], Callable[[], HashAlgorithm]]]] = {
    "nistp256": (ec.SECP256R1, SHA256),
    "nistp384": (ec.SECP384R1, SHA384),
    "nistp521": (ec.SECP521R1, SHA512),
}


def ecdsa(curve: str) -> Signer:
    made, algorithm = _CURVES[curve]
    key = ec.generate_private_key(made())
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    kind = f"ecdsa-sha2-{curve}".encode()

    def sign(data: bytes) -> bytes:
        r, s = decode_dss_signature(key.sign(data, ec.ECDSA(algorithm())))
        return string(kind) + string(number(r) + number(s))

    return Signer(
        name=kind.decode(),
        blob=string(kind) + string(curve.encode()) + string(point),
        sign=sign,
        private=key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()),
    )


@cache
def _rsa_key(bits: int) -> RSAPrivateKey:
    return generate_private_key(65537, bits)


def rsa(algorithm: str = "rsa-sha2-512", bits: int = 2048) -> Signer:
    key, hashed = _rsa_key(bits), {"rsa-sha2-256": SHA256(), "rsa-sha2-512": SHA512()}.get(algorithm, SHA512())
    public = key.public_key().public_numbers()
    return Signer(
        name=algorithm,
        blob=string(b"ssh-rsa") + number(public.e) + number(public.n),
        sign=lambda data: string(algorithm.encode()) + string(key.sign(data, PKCS1v15(), hashed)),
        private=key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()),
    )


def security_key(kind: str, *, flags: int = 1) -> Signer:
    """A key such as one in a device of its own, which signs its application, its flags and its counter as well."""

    def fields(data: bytes) -> bytes:
        device = bytes([flags]) + (7).to_bytes(4)
        return hashlib.sha256(APPLICATION).digest() + device + hashlib.sha256(data).digest()

    after = bytes([flags]) + (7).to_bytes(4)
    if kind == "sk-ssh-ed25519@openssh.com":
        key = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
        point = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return Signer(
            name=kind,
            blob=string(kind.encode()) + string(point) + string(APPLICATION),
            sign=lambda data: string(kind.encode()) + string(key.sign(fields(data))) + after,
        )
    curve_key = ec.generate_private_key(ec.SECP256R1())
    point = curve_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def sign(data: bytes) -> bytes:
        r, s = decode_dss_signature(curve_key.sign(fields(data), ec.ECDSA(SHA256())))
        return string(kind.encode()) + string(number(r) + number(s)) + after

    return Signer(
        name=kind, blob=string(kind.encode()) + string(b"nistp256") + string(point) + string(APPLICATION), sign=sign
    )


@cache
def every_kind() -> tuple[Signer, ...]:
    """A key of each kind that is verified."""
    return (
        ed25519(),
        ecdsa("nistp256"),
        ecdsa("nistp384"),
        ecdsa("nistp521"),
        rsa("rsa-sha2-256"),
        rsa("rsa-sha2-512"),
        security_key("sk-ssh-ed25519@openssh.com"),
        security_key("sk-ecdsa-sha2-nistp256@openssh.com"),
    )


class Minisigner(Struct, frozen=True):
    """A key of minisign or signify."""

    seed: bytes = bytes(range(32))
    id: bytes = bytes(range(8))

    @property
    def public(self) -> str:
        """The key in its one line."""
        point = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return base64.b64encode(b"Ed" + self.id + point).decode()

    @property
    def _key(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)

    def over(self, document: bytes, *, hashed: bool = True, comment: str = "timestamp:1 file:a") -> str:
        """The text that minisign writes."""
        raw = self._key.sign(hashlib.blake2b(document).digest() if hashed else document)
        line = base64.b64encode((b"ED" if hashed else b"Ed") + self.id + raw).decode()
        trusted = base64.b64encode(self._key.sign(raw + comment.encode())).decode()
        return f"untrusted comment: any\n{line}\ntrusted comment: {comment}\n{trusted}\n"

    def by_signify(self, document: bytes) -> str:
        """The text that signify writes."""
        line = base64.b64encode(b"Ed" + self.id + self._key.sign(document)).decode()
        return f"untrusted comment: verify with ours.pub\n{line}\n"
