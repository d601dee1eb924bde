"""The user's own secret: tells what this user's runs have written from what came into a cache folder otherwise.

It lies outside the cache, so that a cache that was copied from elsewhere, or that others can write to, proves nothing.
Who can read the key is this user anyway: it protects against other users and foreign files, not against oneself.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.system.links import link_on_the_way
from lockwarden.core.system.opening import open_to_read

KEY_FILE: Final = "cache.key"
"""What the file is called in the folder of the user's state."""
_SIZE: Final = 32
_TAG_SIZE: Final = hashlib.sha256().digest_size
_GROUP_AND_OTHERS: Final = 0o077


class UserKey(Struct, frozen=True):
    """A key that seals what is written and opens it again."""

    _secret: bytes

    def __repr__(self) -> str:
        return "UserKey(…)"

    @classmethod
    def at(cls, path: Path) -> Self | None:
        """The key in the file `path`, which is made where there is none.

        None where no key can be kept there, where the file belongs to somebody else or could be read by others, or
        where a folder of a working tree on the way is a link; then nothing that a cache says is believed.
        """
        if link_on_the_way(path) is not None:
            return None
        try:
            secret = _read(path)
            if secret is None:
                _make(path)
                secret = _read(path)
        except OSError:
            return None
        return None if secret is None or len(secret) != _SIZE else cls(secret)

    def seal(self, purpose: str, content: bytes) -> bytes:
        """The content with a tag before it that only this key can make, for this purpose only."""
        return self._tag(purpose, content) + content

    def opened(self, purpose: str, sealed: bytes) -> bytes | None:
        """The content that was sealed with this key for this purpose; None for anything else."""
        tag, content = sealed[:_TAG_SIZE], sealed[_TAG_SIZE:]
        return content if hmac.compare_digest(tag, self._tag(purpose, content)) else None

    def _tag(self, purpose: str, content: bytes) -> bytes:
        return hmac.digest(self._secret, purpose.encode("utf-8") + b"\0" + content, "sha256")


def _read(path: Path) -> bytes | None:
    """The bytes of the file, or None where there is no file; empty where it must not be used."""
    try:
        file = open_to_read(path, follow=False)
    except FileNotFoundError:
        return None
    with os.fdopen(file, "rb") as opened:
        status = os.fstat(file)
        mine = status.st_uid == os.geteuid() and stat.S_ISREG(status.st_mode)
        return opened.read(_SIZE + 1) if mine and not status.st_mode & _GROUP_AND_OTHERS else b""


def _make(path: Path) -> None:
    """Write a new key in one step; where another process was faster, its key stays."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(secrets.token_bytes(_SIZE))
        with contextlib.suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink(missing_ok=True)
