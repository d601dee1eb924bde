"""What is known of packages for ever: per SHA-256 of an archive, what its bytes are. A few hundred bytes each.

Facts outlive the packages that they were computed from. They say what bytes with a digest are, never that anybody gives
such bytes out today. Each is sealed with the user's key: what is damaged, half-written, forged, another user's, or made
by other rules counts as absent.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self

import msgspec
from msgspec import Struct

from lockwarden.core.archives.facts import ArchiveFacts, ArchiveLimits
from lockwarden.core.archives.oddities import Oddity, OddityCode
from lockwarden.core.store.package_files import ARRIVING, put_in_place
from lockwarden.core.store.user_key import UserKey
from lockwarden.core.system.opening import open_to_read
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.hashes import H1, ZH, Hash
from lockwarden.core.values.late_patterns import LatePattern

RULES: Final = 2
"""Counted up with every change of how an archive is read, so that what was computed by older rules is absent."""
MAX_SIZE: Final = 64 * 1024
"""Bytes of one fact; what would be larger is not kept."""
MAX_GIVERS: Final = 32
"""Places that are remembered of one package; those that gave it out last stay."""
MAX_SEARCHED: Final = 20_000
"""Facts that are looked through for an `h1`."""
_NOBODY: Final[Mapping[str, datetime]] = MappingProxyType({})
_PASSING: Final = frozenset({ArchiveFault.NOT_A_FILE, ArchiveFault.STOPPED, ArchiveFault.UNREADABLE})
"""Codes of errors that say something about the reading and nothing about the bytes."""
_NAME: Final = LatePattern(r"[0-9a-f]{64}\Z")


class KnownPackage(Struct, frozen=True, kw_only=True):
    """What the bytes with one digest are. Exactly one of `facts` and `archive_error` is there."""

    zh: Hash
    size: int
    """Bytes of the archive."""
    facts: ArchiveFacts | None
    archive_error: ArchiveError | None
    """Why the bytes are no archive; their `zh` is as good as any."""
    computed_on: datetime | None = None
    """When that was computed; None when the bytes were got just now to answer it."""
    givers: Mapping[str, datetime] = msgspec.field(default_factory=lambda: _NOBODY)
    """The places that gave such bytes out, and when each was last seen to."""

    def as_given_by(self, giver: str) -> KnownPackage | None:
        """The same as of when a place gave it out, None where it was never seen to; what is known, without a place."""
        if not giver:
            return self
        when = self.givers.get(giver)
        return None if when is None else msgspec.structs.replace(self, computed_on=when)


class KnownFacts:
    """The facts in a folder of the user's cache. Everything here blocks and runs in threads; several processes share.

    A fact is written in one step and appears whole or not at all.
    """

    def __init__(self, folder: Path, key: UserKey, limits: ArchiveLimits) -> None:
        """`limits` are those that archives are inspected with; facts from other limits are absent."""
        self._folder = folder
        self._key = key
        bounds = (limits.members, limits.directory_size, limits.unpacked_size, limits.ratio, limits.ratio_floor)
        self._purpose = f"package facts, rules {RULES}, limits {bounds}"

    def find(self, zh: Hash) -> KnownPackage | None:
        """What is known of the bytes with this `zh`, or None."""
        try:
            file = open_to_read(self._folder / zh.value, follow=False)
            with os.fdopen(file, "rb") as opened:
                sealed = opened.read(MAX_SIZE + 1)
        except (OSError, ValueError):
            return None
        content = self._key.opened(self._purpose, sealed)
        if content is None:
            return None
        try:
            written = _READER.decode(content)
            return written.known() if written.zh == zh.value else None
        except (msgspec.DecodeError, ValueError, OverflowError):
            return None

    def with_h1(self, wanted: frozenset[Hash]) -> dict[Hash, tuple[Hash, ...]]:
        """The `zh` of every package that is known to have one of some `h1`, as archive or as folder."""
        found: dict[Hash, list[Hash]] = {}
        for path in fact_files(self._folder)[:MAX_SEARCHED]:
            known = self.find(Hash(f"{ZH}:{path.name}"))
            if known is None or known.facts is None:
                continue
            for h1 in {known.facts.h1_archive, known.facts.h1_directory} & wanted:
                if h1 is not None:
                    found.setdefault(h1, []).append(known.zh)
        return {h1: tuple(sorted(names)) for h1, names in found.items()}

    def add(self, known: KnownPackage, giver: str = "") -> None:
        """Keep what was computed, beside the givers known so far; where that cannot be done, it is computed again."""
        if known.computed_on is None or (known.archive_error is not None and known.archive_error.code in _PASSING):
            return
        earlier = self.find(known.zh)
        givers = {} if earlier is None else dict(earlier.givers)
        if giver:
            givers.pop(giver, None)
            givers[giver] = known.computed_on
        known = msgspec.structs.replace(known, givers=dict(list(givers.items())[-MAX_GIVERS:]))
        sealed = self._key.seal(self._purpose, msgspec.json.encode(WrittenPackage.of(known)))
        if len(sealed) > MAX_SIZE:
            return
        with contextlib.suppress(OSError):
            put_in_place(self._folder / known.zh.value, sealed)


def fact_files(folder: Path) -> tuple[Path, ...]:
    """The files that hold facts, or look as if they did, also unfinished ones; none where there is no such folder."""
    try:
        return tuple(path for path in folder.iterdir() if _NAME.match(path.name) or path.suffix == ARRIVING)
    except OSError:
        return ()


class _WrittenOddity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: OddityCode
    message: str
    fatal: bool


class _WrittenFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    h1_archive: str | None
    h1_directory: str | None
    members: int
    unpacked_size: int
    oddities: tuple[_WrittenOddity, ...]
    executables: tuple[str, ...]
    folders: int
    repeated: int


class WrittenError(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why something is no package, as it is written."""

    code: ArchiveFault
    message: str
    hint: str

    @classmethod
    def of(cls, error: ArchiveError) -> Self:
        """The error, written."""
        return cls(error.code, error.message, error.hint)

    def error(self) -> ArchiveError:
        """The error again."""
        return ArchiveError(self.message, code=self.code, hint=self.hint)


class WrittenPackage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a package, as it is written."""

    zh: str
    size: int
    computed_on: int
    """Seconds since 1970."""
    facts: _WrittenFacts | None
    error: WrittenError | None
    givers: dict[str, int] = {}
    """Seconds since 1970."""

    @classmethod
    def of(cls, known: KnownPackage) -> Self:
        """What is known, written."""
        facts, error = known.facts, known.archive_error
        return cls(
            zh=known.zh.value,
            size=known.size,
            computed_on=0 if known.computed_on is None else int(known.computed_on.timestamp()),
            facts=None if facts is None else _facts_written(facts),
            error=None if error is None else WrittenError.of(error),
            givers={giver: int(when.timestamp()) for giver, when in known.givers.items()},
        )

    def known(self) -> KnownPackage | None:
        """What is known again; None where it contradicts itself. Raises ValueError, OverflowError, InvalidHashError."""
        if (self.facts is None) == (self.error is None):
            return None
        return KnownPackage(
            zh=Hash(f"{ZH}:{self.zh}"),
            size=self.size,
            facts=None if self.facts is None else _facts_read(self.facts),
            archive_error=None if self.error is None else self.error.error(),
            computed_on=datetime.fromtimestamp(self.computed_on, UTC),
            givers={giver: datetime.fromtimestamp(when, UTC) for giver, when in self.givers.items()},
        )


_READER: Final = msgspec.json.Decoder(WrittenPackage)
"""Made here, by one thread: msgspec crashes where two threads are the first to read into the same types."""


def _facts_written(facts: ArchiveFacts) -> _WrittenFacts:
    return _WrittenFacts(
        h1_archive=None if facts.h1_archive is None else facts.h1_archive.value,
        h1_directory=None if facts.h1_directory is None else facts.h1_directory.value,
        members=facts.members,
        unpacked_size=facts.unpacked_size,
        oddities=tuple(_WrittenOddity(each.code, each.message, each.fatal) for each in facts.oddities),
        executables=facts.executables,
        folders=facts.folders,
        repeated=facts.repeated,
    )


def _facts_read(facts: _WrittenFacts) -> ArchiveFacts:
    return ArchiveFacts(
        h1_archive=None if facts.h1_archive is None else Hash(f"{H1}:{facts.h1_archive}"),
        h1_directory=None if facts.h1_directory is None else Hash(f"{H1}:{facts.h1_directory}"),
        members=facts.members,
        unpacked_size=facts.unpacked_size,
        oddities=tuple(Oddity(code=each.code, message=each.message, fatal=each.fatal) for each in facts.oddities),
        executables=facts.executables,
        folders=facts.folders,
        repeated=facts.repeated,
    )
