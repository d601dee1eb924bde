"""Who signs in the demo world, by real gpg the first time and from a record when the same folder is used again.

A record holds public keys and signatures, never a private key, so it can only repeat what was signed before.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Protocol

from lockwarden.demo.keys import KeyMaker, SigningKey, SigningPart


class Role(StrEnum):
    """The parts that keys play."""

    RELEASES = "releases"
    """The everyday key of one publisher."""
    RETIRED = "retired"
    """That publisher's former key, expired since."""
    OFFLINE = "offline"
    """A primary key that only certifies; its signing subkey makes the signatures."""
    BUILDS = "builds"
    """Another publisher's key, with an end in sight."""
    UNPUBLISHED = "unpublished"
    """A key that no registry offers."""


class Notary(Protocol):
    """Knows the keys of the cast and signs documents with them."""

    def key(self, role: Role) -> SigningKey:
        """The public side of a role's key."""
        ...

    def sign(self, role: Role, document: bytes, *, days_ago: int) -> bytes:
        """A detached signature by that role, made that many days before the demo's own time."""
        ...


@dataclass(frozen=True, slots=True)
class Record:
    """What a notary signed: enough to build the same world again."""

    keys: Mapping[Role, SigningKey]
    signatures: Mapping[str, bytes]

    def key(self, role: Role) -> SigningKey:
        """The public side of a role's key."""
        return self.keys[role]

    def sign(self, role: Role, document: bytes, *, days_ago: int) -> bytes:
        """The signature that was made before; raises KeyError when this document was not signed then."""
        return self.signatures[_label(role, document, days_ago)]

    def to_json(self) -> str:
        """The record as a text for a file."""
        keys = {role.value: asdict(key) for role, key in self.keys.items()}
        signatures = {label: base64.b64encode(raw).decode() for label, raw in self.signatures.items()}
        return json.dumps({"keys": keys, "signatures": signatures}, indent=1, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read what `to_json` wrote; raises ValueError for anything else."""
        try:
            document: dict[str, Any] = json.loads(text)
            keys = {Role(role): SigningKey(**fields) for role, fields in document["keys"].items()}
            signatures = {label: base64.b64decode(raw, validate=True) for label, raw in document["signatures"].items()}
        except (KeyError, TypeError, AttributeError, binascii.Error) as error:
            raise ValueError("not a record of the demo's signatures") from error
        return cls(keys, signatures)


@dataclass(slots=True)
class GpgNotary:
    """Signs with real keys, made for the occasion, and keeps a record of it."""

    maker: KeyMaker
    now: datetime
    _keys: dict[Role, SigningKey] = field(default_factory=dict)
    _signatures: dict[str, bytes] = field(default_factory=dict)

    def key(self, role: Role) -> SigningKey:
        """The role's key, made when it is first asked for."""
        if role not in self._keys:
            self._keys[role] = self._make(_PARTS[role])
        return self._keys[role]

    def sign(self, role: Role, document: bytes, *, days_ago: int) -> bytes:
        """Sign, with gpg's clock set to the time of the signature."""
        signature = self.maker.sign(self.key(role), document, at=self._before(days_ago))
        self._signatures[_label(role, document, days_ago)] = signature
        return signature

    @property
    def record(self) -> Record:
        """Everything that was made and signed so far."""
        return Record(dict(self._keys), dict(self._signatures))

    def _make(self, part: _Part) -> SigningKey:
        return self.maker.make(
            part.user_id,
            algorithm=part.algorithm,
            created=self._before(part.created_days_ago),
            expires=None if part.expires_in_days is None else self._before(-part.expires_in_days),
            use=part.use,
        )

    def _before(self, days: int) -> datetime:
        return self.now - timedelta(days=days)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    user_id: str
    created_days_ago: int
    algorithm: str = "ed25519"
    expires_in_days: int | None = None
    """Counted from the demo's own time; negative for a key that has expired already."""
    use: SigningPart = SigningPart.PRIMARY


_PARTS: Final[Mapping[Role, _Part]] = {
    Role.RELEASES: _Part(user_id="Acme Releases <releases@acme.example>", created_days_ago=700),
    Role.RETIRED: _Part(
        user_id="Acme Releases, first key <releases@acme.example>", created_days_ago=1500, expires_in_days=-60
    ),
    Role.OFFLINE: _Part(
        user_id="Example Engineering <engineering@example.test>",
        created_days_ago=1200,
        algorithm="nistp384",  # RSA takes a second and a half to make
        use=SigningPart.SUBKEY,
    ),
    Role.BUILDS: _Part(user_id="Example Builds <builds@example.test>", created_days_ago=400, expires_in_days=330),
    Role.UNPUBLISHED: _Part(user_id="A Hobbyist <hobbyist@acme.example>", created_days_ago=300),
}


def _label(role: Role, document: bytes, days_ago: int) -> str:
    return f"{role.value} {days_ago} {hashlib.sha256(document).hexdigest()}"
