"""Reads the layers of an image from the files they lie in, and hashes the tree that they make.

Every layer is held against its digest once more while it is read, since other processes may write to the store, and
against the digest that the image's configuration gives of its decompressed bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from lockwarden.core.archives.compression import Compression, PieceReader, decompressed
from lockwarden.core.archives.content import MemberError, ReadingStoppedError, UnpackBudget
from lockwarden.core.archives.facts import ArchiveLimits
from lockwarden.core.archives.oddities import OddityCode
from lockwarden.core.archives.tar import TarEntry, entries_of
from lockwarden.core.oci.trees import FileTree, TreeFacts, facts_of
from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.oci_references import Digest

MAX_LAYERS: Final = 127
"""As container runtimes have it."""
_READ: Final = 64 * 1024
_HINT: Final = "ask who made this image"
_OVER_BUDGET: Final = {OddityCode.RATIO: ArchiveFault.RATIO, OddityCode.TOO_LARGE: ArchiveFault.TOO_LARGE}


class Layer(Struct, frozen=True, kw_only=True):
    """One layer as it lies on disk."""

    path: Path
    digest: Digest
    """Of the file."""
    compressed: bool
    diff_id: Digest | None
    """Of the decompressed bytes, by the image's configuration; None where it names none."""


def inspect_layers(
    layers: Sequence[Layer], *, limits: ArchiveLimits | None = None, stop: Callable[[], bool] = lambda: False
) -> TreeFacts:
    """Hash the tree that the layers make, the lowest first. Blocks: call it in a thread.

    Raises ArchiveError when a layer is not what its digests say, cannot be read, holds what a package cannot hold or
    more than the limits, or when `stop` said so in the middle.
    """
    bounds = limits or ArchiveLimits()
    if len(layers) > MAX_LAYERS:
        raise ArchiveError(
            f"the image has {len(layers)} layers; the limit is {MAX_LAYERS}", code=ArchiveFault.TOO_MANY_LAYERS
        )
    budget = UnpackBudget(
        max_size=bounds.unpacked_size, max_ratio=bounds.ratio, ratio_floor=bounds.ratio_floor, stop=stop
    )
    tree = FileTree()
    room = _Room(members=bounds.members, names=bounds.directory_size)
    try:
        for layer in layers:
            tree.add_layer(_entries(layer, budget, room))
        return facts_of(tree)
    except MemberError as error:
        raise ArchiveError(
            f"a layer cannot be read: {error.message}", code=_OVER_BUDGET[error.code], hint=_HINT
        ) from error
    except ReadingStoppedError as error:
        raise ArchiveError(
            "it was not hashed to its end, because that was called off", code=ArchiveFault.STOPPED
        ) from error
    except OSError as error:
        raise ArchiveError(f"a layer cannot be read: {error.strerror}", code=ArchiveFault.UNREADABLE) from error


@dataclass(kw_only=True)
class _Room:
    """What the layers of an image may still hold together."""

    members: int
    names: int
    """Bytes of all names and of what links lead to: a small layer decompresses to many long ones."""

    def take(self, entry: TarEntry) -> None:
        """Count an entry. Raises ArchiveError where there is no room for it."""
        self.members -= 1
        self.names -= len(entry.name) + len(entry.target)
        if self.members < 0 or self.names < 0:
            what = "more entries" if self.members < 0 else "longer names together"
            raise ArchiveError(f"the image holds {what} than the limit", code=ArchiveFault.TOO_MANY_MEMBERS, hint=_HINT)


def _entries(layer: Layer, budget: UnpackBudget, room: _Room) -> list[TarEntry]:
    """The entries of a layer, once all its bytes were read and match their digests."""
    found: list[TarEntry] = []
    with _LayerBytes(layer, budget) as source:
        for entry in entries_of(source):
            room.take(entry)
            found.append(entry)
        source.finish()
    return found


class _LayerBytes:
    """The decompressed bytes of a layer, counted and hashed while they are read."""

    def __init__(self, layer: Layer, budget: UnpackBudget) -> None:
        self._layer = layer
        self._budget = budget
        self._file = layer.path.open("rb")
        self._stored = hashlib.new(layer.digest.algorithm)
        self._plain = hashlib.new("sha256" if layer.diff_id is None else layer.diff_id.algorithm)
        raw = self._raw()
        self._pieces = decompressed(raw, Compression.GZIP, budget, what="a layer") if layer.compressed else raw
        self._reader = PieceReader(iter(self._next, b""))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, size: int) -> bytes:
        """Exactly `size` bytes, or fewer at the end."""
        return self._reader.read(size)

    def finish(self) -> None:
        """Read what is left, and hold everything against the digests. Raises ArchiveError when they do not match."""
        while self._next():
            pass
        if self._stored.hexdigest() != self._layer.digest.value:
            raise ArchiveError(
                f"a layer does not have the digest {self._layer.digest} by which it is named",
                code=ArchiveFault.DIGEST_MISMATCH,
                hint="do not use this registry before somebody has found out who changed its answer",
            )
        if self._layer.diff_id is not None and self._plain.hexdigest() != self._layer.diff_id.value:
            raise ArchiveError(
                "a layer does not decompress to what the image's configuration says",
                code=ArchiveFault.WRONG_DATA,
                hint=_HINT,
            )

    def _next(self) -> bytes:
        piece = next(self._pieces, b"")
        self._budget.spend(len(piece))
        self._plain.update(piece)
        return piece

    def _raw(self) -> Iterator[bytes]:
        while piece := self._file.read(_READ):
            self._budget.consumed += len(piece)
            self._stored.update(piece)
            yield piece
