"""A lock file in which several sides stand: what each of them locks.

The sides of a merge are whole lock files, which its markers were taken out of. A provider with several blocks has one
side for each of them. No side is the base: what both come from locks nothing here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.lockfile.conflict_markers import BrokenMarkersError, Hunk, SideText, SplitText, split
from lockwarden.core.lockfile.edit import content
from lockwarden.core.lockfile.grammar import is_readable, read_tree
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.lockfile.positions import Lines, decode, encode
from lockwarden.core.lockfile.read import named_client, parse_repeated, refuse_oversize
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import LockFileInvalidError
from lockwarden.core.values.severity import Severity

OURS: Final = "ours"
THEIRS: Final = "theirs"
_COMMENT: Final = "/*"
"""How a comment begins that can go over several lines."""
_MOST_BLOCKS: Final = 16
"""Blocks of one provider that are taken for sides; a merge leaves two."""


class ConflictKind(StrEnum):
    """How several sides came into one file."""

    MARKERS = "conflict markers"
    STAGES = "unmerged in git's index"
    """The markers of the file are broken, and git still has both sides."""
    REPEATED = "several blocks of one provider"


class ConflictSide(Struct, frozen=True, kw_only=True):
    """One side."""

    name: str
    """Ours: `ours`, `theirs`, `block-2` and so on."""
    label: str
    """What the merge calls it; empty where nothing does."""
    layer: int = 1
    """1 for a whole file, 2 for the second blocks of providers that it has again, and so on."""
    lock_file: LockFile
    """Its lines are those of the file as it lies on disk, where the side stands there."""


class ConflictedLockFile(Struct, frozen=True, kw_only=True):
    """A lock file with the sides that stand in it."""

    path: str
    data: bytes
    """As it lies on disk."""
    kind: ConflictKind
    sides: tuple[ConflictSide, ...]
    """At least two."""
    hunks: tuple[Hunk, ...]
    main: str
    """The text that the resolved file keeps everything from that no side locks differently."""
    client: Client
    """Who keeps the file."""

    @property
    def is_unfinished(self) -> bool:
        """Whether the file waits to be merged, so that what lies around it may be one side's word."""
        return self.kind is not ConflictKind.REPEATED


def conflicted(
    data: bytes, *, path: str, second_reader: SecondReader, client: Client | None = None
) -> ConflictedLockFile | None:
    """What stands in a lock file, or None for one in which only one side does.

    Raises BrokenMarkersError where markers do not fit together, LockFileInvalidError as `parse` does, also for a side.
    """
    refuse_oversize(data, path)
    text = decode(data)
    # What can be read as it is has no markers but in comments.
    if (found := None if is_readable(text) else split(text)) is None:
        return _repeated(text, data, path, second_reader, client)
    by = client or named_client(found.ours.text) or named_client(found.theirs.text) or Client.OPENTOFU
    labels = (found.hunks[0].ours, found.hunks[0].theirs)
    sides: list[ConflictSide] = []
    for name, label, side in zip((OURS, THEIRS), labels, (found.ours, found.theirs), strict=True):
        _refuse_marked_comments(side, found)
        sides += _sides_of(side, name, label, path=path, second_reader=second_reader, client=by)
    return ConflictedLockFile(
        path=path,
        data=data,
        kind=ConflictKind.MARKERS,
        sides=tuple(sides),
        hunks=found.hunks,
        main=found.ours.text,
        client=by,
    )


def of_stages(
    data: bytes,
    ours: bytes,
    theirs: bytes,
    *,
    path: str,
    second_reader: SecondReader,
    client: Client | None = None,
) -> ConflictedLockFile:
    """The same of what git's index has of both sides, whatever the file on disk, whose bytes are `data`, says.

    Raises LockFileInvalidError for a side that no client would read.
    """
    texts = {OURS: decode(ours), THEIRS: decode(theirs)}
    by = client or named_client(texts[OURS]) or named_client(texts[THEIRS]) or Client.OPENTOFU
    sides: list[ConflictSide] = []
    for name, text in texts.items():
        whole = SideText(text=text, lines=tuple(range(1, text.count("\n") + 2)))
        sides += _sides_of(whole, name, f"as git's index has {name}", path=path, second_reader=second_reader, client=by)
    return ConflictedLockFile(
        path=path,
        data=data,
        kind=ConflictKind.STAGES,
        sides=tuple(sides),
        hunks=(),
        main=texts[OURS],
        client=by,
    )


def with_stages(
    conflict: ConflictedLockFile, ours: bytes, theirs: bytes, *, second_reader: SecondReader
) -> ConflictedLockFile:
    """The same with what git's index has of the sides, for the providers of which they do not say the same.

    Git merges lines: the version of one side and the hashes of the other may stand in what is left of one. Only the
    index knows what each side was. What somebody has changed since by hand is left as it is, and so is everything where
    the index has what no client would read.
    """
    try:
        stages = of_stages(
            conflict.data,
            ours,
            theirs,
            path=conflict.path,
            second_reader=second_reader,
            client=conflict.client,
        )
    except LockFileInvalidError:
        return conflict
    staged = {each.name: _by_address(each.lock_file) for each in stages.sides}
    sides = []
    for side in conflict.sides:
        others = [_by_address(each.lock_file) for each in conflict.sides if each.name != side.name]
        own = staged.get(side.name, {})
        providers = tuple(
            _as_staged(entry, own.get(entry.address), [each.get(entry.address) for each in staged.values()])
            if any(_differs(entry, other.get(entry.address)) for other in others)
            else entry
            for entry in side.lock_file.providers
        )
        sides.append(replace(side, lock_file=replace(side.lock_file, providers=providers)))
    return replace(conflict, sides=tuple(sides))


def _by_address(lock_file: LockFile) -> dict[ProviderAddress, LockedProvider]:
    return {each.address: each for each in lock_file.providers}


def _differs(entry: LockedProvider, other: LockedProvider | None) -> bool:
    return other is None or content(entry) != content(other)


def _as_staged(
    entry: LockedProvider, staged: LockedProvider | None, both: Iterable[LockedProvider | None]
) -> LockedProvider:
    """The entry of a stage, with the lines of the file on disk as far as the same stands there."""
    known = frozenset(hash_ for each in both if each is not None for hash_ in each.hash_set)
    if staged is None or not entry.hash_set <= known:
        return entry
    lines = {each.hash: each.line for each in entry.hashes}
    hashes = tuple(replace(each, line=lines.get(each.hash, entry.line)) for each in staged.hashes)
    return replace(staged, line=entry.line, hashes=hashes)


def broken_markers(error: BrokenMarkersError, path: str) -> LockFileInvalidError:
    """The error for a file whose markers do not fit together and of which git's index has no sides."""
    diagnostic = Diagnostic(
        severity=Severity.ERROR,
        summary=LockFileSummary.UNRESOLVED_MERGE_CONFLICT,
        message=f"the markers of its merge conflict do not fit together: {error.reason}",
        line=error.line,
        hint="“git checkout --merge -- FILE” writes the conflict anew while the merge goes on",
    )
    return LockFileInvalidError(path=path, diagnostics=(diagnostic,))


def _repeated(
    text: str, data: bytes, path: str, second_reader: SecondReader, client: Client | None
) -> ConflictedLockFile | None:
    by = client or named_client(text) or Client.OPENTOFU
    lock_file, repeated = parse_repeated(data, path=path, second_reader=second_reader, client=by)
    if not repeated:
        return None
    sides = tuple(
        ConflictSide(name=f"block-{number}", label="", lock_file=each, layer=number)
        for number, each in enumerate(_layers(lock_file, repeated), 1)
    )
    return ConflictedLockFile(
        path=path, data=data, kind=ConflictKind.REPEATED, sides=sides, hunks=(), main=text, client=by
    )


def _sides_of(
    side: SideText, name: str, label: str, *, path: str, second_reader: SecondReader, client: Client
) -> Iterator[ConflictSide]:
    """The side, and one more for each time that it has a provider again."""
    try:
        lock_file, repeated = parse_repeated(encode(side.text), path=path, second_reader=second_reader, client=client)
    except LockFileInvalidError as error:
        told = tuple(
            replace(each, line=side.place(each.line), message=f"{name}: {each.message}") for each in error.diagnostics
        )
        raise LockFileInvalidError(path=path, diagnostics=told) from error
    placed = replace(lock_file, providers=tuple(_placed(each, side) for each in lock_file.providers))
    again = tuple(_placed(each, side) for each in repeated)
    for number, each in enumerate(_layers(placed, again), 1):
        named = name if number == 1 else f"{name}-{number}"
        yield ConflictSide(name=named, label=label, lock_file=each, layer=number)


def _layers(first: LockFile, repeated: Iterable[LockedProvider]) -> Iterator[LockFile]:
    """A lock file of the first blocks of all providers, one of the second ones, and so on."""
    yield first
    seen = Counter(each.address for each in first.providers)
    layers: dict[int, list[LockedProvider]] = {}
    for each in repeated:
        seen[each.address] += 1
        if seen[each.address] > _MOST_BLOCKS:
            diagnostic = Diagnostic(
                severity=Severity.ERROR,
                summary=LockFileSummary.DUPLICATE_PROVIDER_LOCK,
                message=f"{each.address} has more than {_MOST_BLOCKS} blocks, which is no merge's doing",
                line=each.line,
                hint="make the file anew with tofu init or terraform init",
            )
            raise LockFileInvalidError(path=first.path, diagnostics=(diagnostic,))
        layers.setdefault(seen[each.address], []).append(each)
    for _, providers in sorted(layers.items()):
        yield replace(first, providers=tuple(providers))


def _placed(entry: LockedProvider, side: SideText) -> LockedProvider:
    hashes = tuple(replace(each, line=side.place(each.line)) for each in entry.hashes)
    return replace(entry, line=side.place(entry.line), hashes=hashes)


def _refuse_marked_comments(side: SideText, found: SplitText) -> None:
    """Raise BrokenMarkersError where markers stand within a comment: whether git wrote them, nobody can tell."""
    if _COMMENT not in side.text:
        return
    lines, markers = Lines.of(side.text), sorted(found.markers)
    for start, end in read_tree(side.text).comments:
        first, last = (side.place(lines.line_of(each)) for each in (start, end))
        behind = bisect_right(markers, first)
        if behind < len(markers) and markers[behind] < last:
            raise BrokenMarkersError(markers[behind], "this one stands within a comment")
