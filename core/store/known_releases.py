"""What origin registries vouched for when they were asked about releases: by which hashes later runs know a version.

It outlives the run, and is sealed with the user's key as all facts are: what is damaged, forged or another user's
counts as absent. It says what a registry had on a day, never what it has now: it speaks against hashes, never for one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.store.package_files import ARRIVING, make_private
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import InvalidVersionError
from lockwarden.core.values.hashes import ZH, Hash
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.versions import Version

RULES: Final = 1
"""Counted up with every change of what is written."""
MAX_SIZE: Final = 256 * 1024
"""Bytes of what is kept of one provider."""
MAX_RELEASES: Final = 50
"""Releases that are kept of one provider; those that were seen first go first."""
MAX_STATES: Final = 3
"""States of one release that are kept beside the last one."""
_ARCHIVE: Final = f"{ZH}:"
_NAME: Final = LatePattern(r"[0-9a-f]{64}\Z")
"""How the files are called: by the digest of a provider's address."""


class KnownRelease(Struct, frozen=True, kw_only=True):
    """The hashes of packages that an origin registry vouched for as one release's."""

    version: Version
    hashes: frozenset[Hash]
    on: datetime
    """When it was first seen with just these."""
    signers: frozenset[str] = frozenset()
    """Fingerprints of the keys that had signed its list then; none where nobody had, or that was not kept."""


class _WrittenState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hashes: tuple[str, ...]
    on: int
    """Seconds since 1970."""
    signers: tuple[str, ...] = ()


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hashes: tuple[str, ...]
    on: int
    """Seconds since 1970."""
    signers: tuple[str, ...] = ()
    before: tuple[_WrittenState, ...] = ()
    """What it was before other packages came in the place of some, the latest last."""


_READER: Final = msgspec.json.Decoder(dict[str, _Written])
"""Made here, by one thread, as that of packages' facts is."""


class KnownReleases:
    """The releases in a folder of the user's cache. Everything here blocks; several processes share.

    What is kept of a provider is written in one step; of two processes that do so at once, one is not remembered.
    """

    def __init__(self, folder: Path, key: UserKey) -> None:
        """`folder` need not exist."""
        self._folder = folder
        self._key = key

    def of(self, address: ProviderAddress) -> tuple[KnownRelease, ...]:
        """What is known of the releases of a provider."""
        found = []
        for version, written in self._read(address).items():
            with contextlib.suppress(InvalidVersionError, ValueError, OverflowError, OSError):
                found.append(_known(Version.parse(version), written))
        return tuple(found)

    def states(self, address: ProviderAddress, version: Version) -> tuple[KnownRelease, ...]:
        """All that is known of one release, the earliest first: more than one where it was made anew meanwhile."""
        written = self._read(address).get(str(version))
        if written is None:
            return ()
        states: tuple[_Written | _WrittenState, ...] = (*written.before, written)
        try:
            return tuple(_known(version, each) for each in states)
        except (ValueError, OverflowError, OSError):
            return ()

    def add(
        self,
        address: ProviderAddress,
        version: Version,
        hashes: Iterable[Hash],
        *,
        now: float,
        signers: Iterable[str] = (),
    ) -> None:
        """Remember a release, `now` in seconds since 1970; where it cannot be kept, it is not remembered."""
        known, texts = self._read(address), tuple(sorted(each.text for each in hashes))
        earlier = known.pop(str(version), None)
        # A run that downloaded less than an earlier one knows no less.
        if not texts or (earlier is not None and set(texts) <= set(earlier.hashes)):
            return
        kept = [*known.items()][-(MAX_RELEASES - 1) :]
        release = _Written(hashes=texts, on=int(now), signers=tuple(sorted(signers)), before=_before(earlier, texts))
        content = msgspec.json.encode({**dict(kept), str(version): release})
        sealed = self._key.seal(_purpose(address), content)
        if len(sealed) > MAX_SIZE:
            return
        with contextlib.suppress(OSError):
            make_private(self._folder)
            file, name = tempfile.mkstemp(suffix=ARRIVING, dir=self._folder)
            try:
                with os.fdopen(file, "wb") as opened:
                    opened.write(sealed)
                Path(name).replace(self._path(address))
            except OSError:
                Path(name).unlink(missing_ok=True)

    def _read(self, address: ProviderAddress) -> dict[str, _Written]:
        try:
            with os.fdopen(open_to_read(self._path(address), follow=False), "rb") as opened:
                sealed = opened.read(MAX_SIZE + 1)
        except OSError:
            return {}
        content = self._key.opened(_purpose(address), sealed)
        if content is None:
            return {}
        try:
            return _READER.decode(content)
        except msgspec.DecodeError:
            return {}

    def _path(self, address: ProviderAddress) -> Path:
        return self._folder / hashlib.sha256(str(address).encode()).hexdigest()


def _known(version: Version, written: _Written | _WrittenState) -> KnownRelease:
    return KnownRelease(
        version=version,
        hashes=frozenset(map(Hash, written.hashes)),
        on=datetime.fromtimestamp(written.on, UTC),
        signers=frozenset(written.signers),
    )


def _before(earlier: _Written | None, texts: Iterable[str]) -> tuple[_WrittenState, ...]:
    """The states before this one. One that only had other packages looked at is none: its archives are all there."""
    if earlier is None:
        return ()
    archives = {each for each in earlier.hashes if each.startswith(_ARCHIVE)}
    if archives <= set(texts):
        return earlier.before
    last = _WrittenState(hashes=earlier.hashes, on=earlier.on, signers=earlier.signers)
    return (*earlier.before, last)[-MAX_STATES:]


def release_files(folder: Path) -> tuple[Path, ...]:
    """The files that hold releases, or look as if they did, also unfinished ones; none without such a folder."""
    try:
        return tuple(path for path in folder.iterdir() if _NAME.match(path.name) or path.suffix == ARRIVING)
    except OSError:
        return ()


def _purpose(address: ProviderAddress) -> str:
    """The seal holds for one provider only, so that a file in another's place says nothing."""
    return f"known releases of {address}, rules {RULES}"
