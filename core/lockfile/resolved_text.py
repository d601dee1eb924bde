"""Writes a lock file in which several sides stood as the one that was made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from lockwarden.core.lockfile.conflict_sides import ConflictedLockFile
from lockwarden.core.lockfile.edit import content, contents, with_blocks_behind
from lockwarden.core.lockfile.layout import Layout, Replacement
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.lockfile.positions import encode
from lockwarden.core.lockfile.read import client_of, parse, parse_repeated
from lockwarden.core.lockfile.render import canonical, header
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.lockfile.syntax import BlockNode
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import LockFileEditError, LockFileInvalidError

_HINT: Final = "write the sides in the form that tofu init or terraform init gives them, then try again"


def resolved_text(
    conflict: ConflictedLockFile, entries: Iterable[LockedProvider], second_reader: SecondReader
) -> bytes:
    """The bytes of a lock file that locks exactly these entries.

    Where our side is in the form that its client writes, so is the result, to the byte. Otherwise its comments, order
    and line ends stay; a block that says another thing now is written anew, further blocks of a provider go, and those
    that our side lacks stand at the end. The result is read again, and LockFileEditError is raised unless it says
    exactly what was asked.
    """
    wanted = {entry.address: entry for entry in entries}
    text = conflict.main
    lock_file, repeated = parse_repeated(
        encode(text), path=conflict.path, second_reader=second_reader, client=conflict.client
    )
    kept_by = client_of(text)
    if canonical((*lock_file.providers, *repeated), client=kept_by) == encode(text):
        data = canonical(wanted.values(), client=kept_by)
    else:
        there = {entry.address: entry for entry in lock_file.providers}
        changed = _with_blocks(text, there, wanted)
        new = [entry for address, entry in wanted.items() if address not in there]
        data = encode(with_blocks_behind(changed, new, client=kept_by) if new else changed)
    _verify(conflict, wanted, data, second_reader)
    return data


def _with_blocks(
    text: str, there: Mapping[ProviderAddress, LockedProvider], wanted: Mapping[ProviderAddress, LockedProvider]
) -> str:
    """The text with what is wanted in the place of each provider's first block, and without its others."""
    layout = Layout.of(text)
    by_label = {str(address): entry for address, entry in wanted.items()}
    same = {str(address) for address, entry in there.items() if _same(entry, wanted.get(address))}
    changes: list[Replacement] = []
    seen: set[str] = set()
    for block in layout.tree.body.blocks:
        label = block.labels[0].value
        if block.type != "provider" or (label in same and label not in seen):
            seen.add(label)
            continue
        entry = None if label in seen else by_label.get(label)
        seen.add(label)
        changes.append(_removed(layout, block) if entry is None else _replaced(layout, block, entry))
    return layout.apply(changes)


def _same(entry: LockedProvider, wanted: LockedProvider | None) -> bool:
    return wanted is not None and content(entry) == content(wanted)


def _replaced(layout: Layout, block: BlockNode, entry: LockedProvider) -> Replacement:
    end = "\r\n" if "\r\n" in layout.text[block.start : block.close] else "\n"
    made = canonical([entry], client=client_of(layout.text)).decode().removeprefix(header(client_of(layout.text)))
    return Replacement(block.start, block.close + 1, made.strip("\n").replace("\n", end))


def _removed(layout: Layout, block: BlockNode) -> Replacement:
    """The block with its line end, and one empty line before it."""
    line = layout.next_line(block.close + 1)
    if line is None or not layout.starts_line(block.start):
        return Replacement(block.start, block.close + 1, "")
    start = layout.line_start(block.start)
    above = layout.line_start(start - 1) if start else start
    return Replacement(above if not layout.text[above:start].strip() else start, line, "")


def _verify(
    conflict: ConflictedLockFile,
    wanted: Mapping[ProviderAddress, LockedProvider],
    data: bytes,
    second_reader: SecondReader,
) -> None:
    try:
        after = parse(data, path=conflict.path, second_reader=second_reader, client=conflict.client)
    except LockFileInvalidError as error:
        raise LockFileEditError(f"{conflict.path} cannot be resolved safely: {error}", hint=_HINT) from error
    if contents(after.providers) != contents(wanted.values()):
        raise LockFileEditError(f"{conflict.path} cannot be resolved safely: its content would be another", hint=_HINT)
