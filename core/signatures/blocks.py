"""One offered key block: the keys that gpg accepts from it, or why it cannot be used. Remembered by content."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.signatures.armor import PRIVATE_KEY_BLOCK, PUBLIC_KEY_BLOCK, ArmorError, decode_armor
from lockwarden.core.signatures.colons import Certificate, KeyFacts, read_certificates
from lockwarden.core.signatures.gpg import BoundedGpg, Cancellation, VerificationCancelledError
from lockwarden.core.signatures.keyblock import BlockShape, inspect_key_block
from lockwarden.core.signatures.limits import SignatureLimits
from lockwarden.core.signatures.packets import MalformedPacketError
from lockwarden.core.signatures.signature_packets import SignaturePacket
from lockwarden.core.signatures.status import StatusLog
from lockwarden.core.system.programs import temporary_folder
from lockwarden.core.values.errors import ToolError

_KEYRINGS: Final = ("pubring.kbx", "pubring.gpg")
_NUMBER_BYTES: Final = 16
"""By so many at its end a signature is found in what gpg has kept."""
_NO_USER_ID: Final = "gpg finds no user ID with a valid signature by the key itself"
_PRIVATE: Final = "it holds private keys; what is in it must be taken as leaked"

_CANCELLATION_SECONDS: Final = 0.02
"""How soon a reader that waits for another one notices that it was cancelled."""

GpgAt = Callable[[Path], BoundedGpg]


class KeyBlock(Struct, frozen=True, kw_only=True):
    """What is known of one offered block, whatever it is asked to verify."""

    armor: str
    defect: str = ""
    """Why no client would use it, or why gpg cannot; then the rest is empty."""
    certificates: tuple[Certificate, ...] = ()
    """The keys in it that gpg accepts and a client would read, in gpg's order."""
    shape: BlockShape | None = None
    faults: tuple[str, ...] = ()
    """Why keys of the block were left out."""
    keyring: bytes = b""
    """gpg's own file with these keys, for later runs."""
    keyring_name: str = ""

    def holder(self, key_id: str) -> tuple[Certificate, KeyFacts] | None:
        """The certificate and the key or subkey in it with this 16-digit ID, whether or not it may sign."""
        for certificate in self.certificates:
            for key in (certificate.primary, *certificate.subkeys):
                if key.fingerprint.endswith(key_id):
                    return certificate, key
        return None

    def may_sign(self, key: KeyFacts) -> bool:
        """Whether the clients would take this key's signature: its own self-signature has to declare the use."""
        shape = self.shape.keys.get(key.fingerprint) if self.shape else None
        return key.may_sign and shape is not None and shape.may_sign

    def own_signature(self, fingerprint: str) -> SignaturePacket | None:
        """The signature that says for the clients what this key or subkey is."""
        shape = self.shape.keys.get(fingerprint) if self.shape else None
        return shape.own if shape else None

    def revocation(self, fingerprint: str) -> str:
        """The reason that a revocation of this key or subkey gives."""
        shape = self.shape.keys.get(fingerprint) if self.shape else None
        return shape.revocation if shape else ""


class _Entry(Struct, eq=False):
    """A place in the memory; its lock lets one reader work while others wait for the result."""

    lock: threading.Lock = msgspec.field(default_factory=threading.Lock)
    block: KeyBlock | None = None

    @property
    def size(self) -> int:
        """Bytes of what is remembered, roughly."""
        return 0 if self.block is None else len(self.block.armor) + len(self.block.keyring)


class KeyBlockReader:
    """Reads blocks through gpg, each one once."""

    def __init__(self, *, limits: SignatureLimits, folder: Path | None, lax_armor: bool) -> None:
        self._limits = limits
        self._lax_armor = lax_armor
        self._folder = folder
        self._entries: dict[bytes, _Entry] = {}
        self._lock = threading.Lock()

    def read(self, armor: str, gpg_at: GpgAt, cancellation: Cancellation) -> KeyBlock:
        """The block's keys, from memory when the same text was read before.

        Raises:
            ToolError: gpg failed in a way that says nothing about the block.
            NoAnswerError: gpg may not work any longer for this release; nothing is remembered of the block.
            VerificationCancelledError: cancelled, also while waiting for another reader of the same block.
        """
        text = armor.encode("utf-8", "surrogatepass")
        if len(text) > self._limits.armor_bytes:
            return KeyBlock(armor="", defect=f"it is larger than {self._limits.armor_bytes} bytes")
        entry = self._entry(hashlib.sha256(text).digest())
        while not entry.lock.acquire(timeout=_CANCELLATION_SECONDS):
            if cancellation.cancelled:
                raise VerificationCancelledError
        try:
            if entry.block is None:
                entry.block = self._read(armor, text, gpg_at)
                self._forget(beyond=self._limits.cached_bytes, but=entry)
            return entry.block
        finally:
            entry.lock.release()

    def _entry(self, digest: bytes) -> _Entry:
        with self._lock:
            if digest not in self._entries and len(self._entries) >= self._limits.cached_blocks:
                del self._entries[next(iter(self._entries))]
            return self._entries.setdefault(digest, _Entry())

    def _forget(self, *, beyond: int, but: _Entry) -> None:
        """Forget the blocks that were read first until the rest, `but` one, is small enough."""
        with self._lock:
            sizes = {digest: entry.size for digest, entry in self._entries.items() if entry.block is not None}
            total = sum(sizes.values())
            for digest, size in sizes.items():
                if total <= beyond:
                    return
                if self._entries[digest] is not but:
                    del self._entries[digest]
                    total -= size

    def _read(self, armor: str, text: bytes, gpg_at: GpgAt) -> KeyBlock:
        try:
            block = decode_armor(text, lax=self._lax_armor)
            if block.kind not in (PUBLIC_KEY_BLOCK, PRIVATE_KEY_BLOCK):
                return KeyBlock(armor=armor, defect=f"it is armoured as {block.kind!r}, not as a public key block")
            shape = inspect_key_block(block.data)
        except (ArmorError, MalformedPacketError) as error:
            return KeyBlock(armor=armor, defect=str(error))
        if len(shape.keys) > self._limits.keys:
            return KeyBlock(armor=armor, defect=f"it holds more than {self._limits.keys} keys")
        if block.kind == PRIVATE_KEY_BLOCK or shape.holds_secret_keys:
            return KeyBlock(armor="", defect=_PRIVATE)
        return self._accepted(armor, block.data, shape, gpg_at)

    def _accepted(self, armor: str, data: bytes, shape: BlockShape, gpg_at: GpgAt) -> KeyBlock:
        with throwaway_home(self._folder) as name:
            home = Path(name)
            log = gpg_at(home).read_keys(data)
            if log.stopped:
                return KeyBlock(armor=armor, defect=log.stopped)
            accepted = {words[1] for words in log.values("IMPORT_OK") if len(words) > 1}
            if not accepted:
                return KeyBlock(armor=armor, defect=self._refusal(log, gpg_at))
            keyring = next((home / name for name in _KEYRINGS if (home / name).exists()), None)
            if keyring is None:
                raise ToolError("gpg stored the keys elsewhere than in its home", hint=_KEYBOXD_HINT)
            kept = keyring.read_bytes()
            listed = [one for one in read_certificates(log.data) if one.primary.fingerprint in accepted]
            faults = tuple(dict.fromkeys(fault for one in listed if (fault := client_fault(one, shape, kept))))
            usable = tuple(one for one in listed if not client_fault(one, shape, kept))
            if not usable:
                return KeyBlock(armor=armor, defect="; ".join(faults))
            return KeyBlock(
                armor=armor,
                certificates=usable,
                shape=shape,
                faults=faults,
                keyring=kept,
                keyring_name=keyring.name,
            )

    def _refusal(self, log: StatusLog, gpg_at: GpgAt) -> str:
        """gpg's reason for importing nothing, from its counts: keys read, then keys without a user ID."""
        counts = next(log.values("IMPORT_RES"), [])
        if counts[1:2] not in ([], ["0"]):
            return _NO_USER_ID
        if not log.lines:
            with throwaway_home(self._folder) as name:
                from lockwarden.core.signatures.selftest import require_working_gpg

                require_working_gpg(gpg_at(Path(name)), Path(name))
        return "gpg finds no key in it that it can use"


_KEYBOXD_HINT: Final = "Is `use-keyboxd` set in the common.conf of the whole system? Lockwarden needs gpg without it."


def throwaway_home(folder: Path | None) -> AbstractContextManager[str]:
    """A new folder that only this user may enter, gone with all that is in it at the end of the block."""
    return tempfile.TemporaryDirectory(
        prefix="lockwarden-gpg-", dir=folder or temporary_folder(), ignore_cleanup_errors=True
    )


def client_fault(certificate: Certificate, shape: BlockShape, kept: bytes) -> str:
    """Why the clients would refuse a key that gpg accepts, or the empty string.

    gpg leaves out what is not validly signed and keeps the rest, in `kept`; the clients drop the whole key for it.
    """
    fingerprint = certificate.primary.fingerprint
    if fingerprint not in shape.keys:
        return "its packet holds more than a key"
    if fault := shape.fault(fingerprint):
        return fault
    if not certificate.user_ids or not shape.keys[fingerprint].certified_user_ids:
        return _NO_USER_ID
    if shape.keys[fingerprint].certified_user_ids - set(certificate.user_ids):
        return "a user ID carries a wrong signature by the key itself"
    if shape.keys[fingerprint].main_revoked and certificate.valid_user_ids:
        return "its user ID carries a revocation, which gpg does not count"
    accepted = {subkey.fingerprint for subkey in certificate.subkeys}
    unbound = next((subkey for subkey in shape.subkeys_of(fingerprint) if subkey not in accepted), "")
    if unbound:
        return f"subkey {unbound} is not validly signed by the key"
    own = shape.keys[fingerprint]
    wrong = (certificate.wrong_signature and not own.passed_over) or any(
        each.rest[-_NUMBER_BYTES:] not in kept for each in own.certificates
    )
    return "something that the key is to have signed about itself carries a wrong signature" if wrong else ""
