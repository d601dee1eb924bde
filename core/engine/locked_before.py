"""What the history of a base says of hashes that came to providers: for which of their versions they were locked."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from lockwarden.core.engine.base_grounds import Ground
from lockwarden.core.lockfile.model import LOCK_FILE_NAME, LockedProvider, LockFile
from lockwarden.core.lockfile.read import parse
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.review.changes import BaseSide
from lockwarden.core.review.locked_elsewhere import LockedElsewhere
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import GitError, LockFileError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.problem_codes import ProblemCode

MAX_STATES: Final = 20
"""How far back the history of one lock file is read."""
MAX_HOLDING: Final = 20
"""Earlier lock files that are read of those that have one hash."""
_HASH: Final = re.compile(rb'"((?:h1|zh):[^"\n]{1,200})"')


class LockedInHistory:
    """The lock files of a base's last commits, wherever they lay.

    Each is read only where one of its hashes is asked for. What cannot be read says nothing.
    """

    def __init__(self, files: Iterable[bytes], second_reader: SecondReader) -> None:
        """`files` are their contents, those that are newest first."""
        self._files = tuple(files)
        self._second_reader = second_reader
        self._read: dict[int, LockFile | None] = {}
        self._holding: defaultdict[bytes, list[int]] = defaultdict(list)
        for place, data in enumerate(self._files):
            for each in dict.fromkeys(_HASH.findall(data)):
                self._holding[each].append(place)

    def entries(self, address: ProviderAddress, hashes: Iterable[Hash]) -> Iterator[LockedProvider]:
        """How a provider was locked with any of these hashes; the same entry may come again."""
        places = (self._holding.get(each.text.encode(), ())[:MAX_HOLDING] for each in hashes)
        for place in dict.fromkeys(each for some in places for each in some):
            lock_file = self._at(place)
            entry = None if lock_file is None else lock_file.provider(address)
            if entry is not None:
                yield entry

    def _at(self, place: int) -> LockFile | None:
        if place not in self._read:
            try:
                self._read[place] = parse(
                    self._files[place], path="an earlier lock file", second_reader=self._second_reader
                )
            except LockFileError:
                self._read[place] = None
        return self._read[place]


class KnownHistories(Struct, frozen=True):
    """The histories that were looked into, so that each is read once, however many lock files are held against it."""

    _of: dict[tuple[Path, str], LockedInHistory] = msgspec.field(default_factory=dict)

    def of(self, ground: Ground, second_reader: SecondReader) -> LockedInHistory:
        """The history of a base; empty where git cannot tell it."""
        key = (ground.repository.root, ground.left.id)
        if key not in self._of:
            try:
                files = tuple(ground.repository.earlier_files(ground.left, LOCK_FILE_NAME))
            except GitError:
                files = ()
            self._of[key] = LockedInHistory(files, second_reader)
        return self._of[key]


def locked_before(
    ground: Ground,
    lock_file: LockFile,
    sides: Sequence[BaseSide],
    histories: KnownHistories,
    second_reader: SecondReader,
) -> Mapping[ProviderAddress, tuple[LockedElsewhere, ...]]:
    """How the main line up to the base locked the providers of a file to which hashes came.

    Only the base's own history counts, never the commits of the change. Empty where no hash came, so that no other
    change pays for it. Where hashes of the same version changed, the file's own history is read further back.
    """
    came = {entry.address: hashes for entry in lock_file.providers if (hashes := _came(entry, sides))}
    if not came:
        return {}
    place = f"in the history of {ground.base}"
    found: defaultdict[ProviderAddress, dict[LockedElsewhere, None]] = defaultdict(dict)
    history = histories.of(ground, second_reader)
    for entry in lock_file.providers:
        for earlier in history.entries(entry.address, _changed(entry, sides) if entry.address in came else ()):
            found[entry.address].setdefault(LockedElsewhere.of(earlier, place))
    asked = {
        entry.address
        for entry in lock_file.providers
        if _same_version(entry, sides) and not _known(entry, came.get(entry.address, ()), found[entry.address])
    }
    for past in _earlier(ground, lock_file, second_reader) if asked else ():
        for each in past.providers:
            if each.address in asked:
                found[each.address].setdefault(LockedElsewhere.of(each, place))
    return {address: tuple(ways) for address, ways in found.items() if ways}


def _came(entry: LockedProvider, sides: Sequence[BaseSide]) -> frozenset[Hash]:
    """The usable hashes of an entry that it had at no side."""
    held = (side.entry(entry.address) for side in sides)
    usable = frozenset(each for each in entry.hash_set if each.usable)
    return usable.difference(*(each.hash_set for each in held if each is not None))


def _changed(entry: LockedProvider, sides: Sequence[BaseSide]) -> frozenset[Hash]:
    """The hashes that came to an entry, and those that went from it while the version stayed."""
    held = (side.entry(entry.address) for side in sides)
    went = (each.hash_set - entry.hash_set for each in held if each is not None and each.version == entry.version)
    return _came(entry, sides).union(*went)


def _same_version(entry: LockedProvider, sides: Sequence[BaseSide]) -> bool:
    held = (side.entry(entry.address) for side in sides)
    return any(each is not None and each.version == entry.version for each in held)


def _known(entry: LockedProvider, hashes: Iterable[Hash], ways: Iterable[LockedElsewhere]) -> bool:
    """Whether all of these hashes were locked for the version of the entry before."""
    own = (way.hashes for way in ways if way.version == entry.version)
    return frozenset(hashes) <= frozenset[Hash]().union(*own)


def _earlier(ground: Ground, lock_file: LockFile, second_reader: SecondReader) -> Iterator[LockFile]:
    try:
        past = ground.repository.earlier_states(
            Path(lock_file.path), limit=MAX_STATES, now=lock_file.data, start=ground.left
        )
    except GitError:
        return
    for each in past:
        try:
            data = ground.repository.plain_file(each.revision, each.path)
            if data is not None:
                name = each.revision.id
                yield earlier_lock_file(data, second_reader, path=lock_file.path, name=name, client=lock_file.client)
        except GitError:
            continue


def earlier_lock_file(
    data: bytes, second_reader: SecondReader, *, path: str, name: str, client: Client | None = None
) -> LockFile:
    """What a lock file said at a revision that is called `name`. Raises GitError when it cannot be read."""
    shown = f"{path} at {name}"
    try:
        return parse(data, path=shown, second_reader=second_reader, client=client)
    except LockFileError as error:
        raise GitError(
            f"{shown} cannot be compared with: {error.message}",
            code=ProblemCode.BASE_UNREADABLE,
            hint="choose a revision at which the lock file was sound",
        ) from error
