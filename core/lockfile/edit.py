"""Edits a lock file in place: what was decided changes, and every other byte stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.lockfile.insertions import insertions
from lockwarden.core.lockfile.layout import Layout, Replacement
from lockwarden.core.lockfile.model import LockedHash, LockedProvider, LockFile
from lockwarden.core.lockfile.positions import decode, encode
from lockwarden.core.lockfile.read import client_of, parse
from lockwarden.core.lockfile.removals import removals
from lockwarden.core.lockfile.render import canonical, header
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.lockfile.syntax import BlockNode
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client
from lockwarden.core.values.errors import LockFileEditError, LockFileInvalidError
from lockwarden.core.values.hashes import Hash


class HashChange(Struct, frozen=True, kw_only=True):
    """What is decided about the hashes of one provider; hashes in neither set stay."""

    add: frozenset[Hash] = frozenset()
    drop: frozenset[Hash] = frozenset()


def edited(lock_file: LockFile, changes: Mapping[ProviderAddress, HashChange], second_reader: SecondReader) -> bytes:
    """The bytes of the lock file with the changes made.

    An entry that the client makes of another one gets a block of its own as soon as it has a hash.
    Comments, order, line ends, a byte order mark, unknown schemes and blocks stay as they are. A file in canonical
    form stays canonical: byte for byte what the client would write. A hash to add that is there, and one to drop that
    is not, change nothing. The result is read again, and LockFileEditError is raised unless it says exactly what was
    asked. Raises ValueError for a provider that the file does not lock and for a hash both to add and to drop.
    """
    wanted = _effective(lock_file, changes)
    text = decode(lock_file.data)
    text = _changed(text, {str(address): change.add for address, change in wanted.items()}, insertions)
    text = _changed(text, {str(address): change.drop for address, change in wanted.items()}, removals)
    data = _with_new_blocks(lock_file, wanted, encode(text), second_reader)
    if wanted:
        _verify(lock_file, wanted, data, second_reader)
    return data


def _effective(lock_file: LockFile, changes: Mapping[ProviderAddress, HashChange]) -> dict[ProviderAddress, HashChange]:
    """The changes without what is so already."""
    locked = {provider.address: provider.hash_set for provider in lock_file.entries}
    effective = {}
    for address, change in changes.items():
        if address not in locked:
            raise ValueError(f"{address} is not locked in {lock_file.path}")
        if change.add & change.drop:
            raise ValueError(f"a hash of {address} is both to be added and to be dropped")
        add, drop = change.add - locked[address], change.drop & locked[address]
        if add or drop:
            effective[address] = HashChange(add=add, drop=drop)
    return effective


def _changed(
    text: str,
    hashes: Mapping[str, frozenset[Hash]],
    planner: Callable[[Layout, BlockNode, frozenset[str]], list[Replacement]],
) -> str:
    if not any(hashes.values()):
        return text
    layout = Layout.of(text)
    planned: list[Replacement] = []
    for block in layout.tree.body.blocks:
        chosen = hashes.get(block.labels[0].value) if block.type == "provider" else None
        if chosen:
            planned += planner(layout, block, frozenset(found.text for found in chosen))
    return layout.apply(planned)


def _with_new_blocks(
    lock_file: LockFile, wanted: Mapping[ProviderAddress, HashChange], data: bytes, second_reader: SecondReader
) -> bytes:
    """The bytes with a block for each entry that has none yet: in its place in a canonical file, else at the end."""
    new = [_expected(entry, wanted[entry.address]) for entry in lock_file.moved if entry.address in wanted]
    if not new:
        return data
    text = decode(data)
    kept_by = client_of(text)
    there = parse(data, path=lock_file.path, second_reader=second_reader, client=lock_file.client).providers
    if canonical(there, client=kept_by) == data:
        return canonical((*there, *new), client=kept_by)
    return encode(with_blocks_behind(text, new, client=kept_by))


def with_blocks_behind(text: str, new: Iterable[LockedProvider], *, client: Client) -> str:
    """The text with blocks at its end, with the line ends that it has."""
    blocks = canonical(new, client=client).decode().removeprefix(header(client))
    end = "\r\n" if "\r\n" in text else "\n"
    return text + ("" if text.endswith("\n") else end) + blocks.replace("\n", end)


def _verify(
    before: LockFile, changes: Mapping[ProviderAddress, HashChange], data: bytes, second_reader: SecondReader
) -> None:
    """Raise LockFileEditError unless `data` says what `before` says with exactly these changes."""
    try:
        after = parse(data, path=before.path, second_reader=second_reader, client=before.client)
    except LockFileInvalidError as error:
        raise _edit_error(before, str(error)) from error
    expected = [_expected(provider, changes.get(provider.address)) for provider in before.providers]
    expected += [_expected(entry, changes[entry.address]) for entry in before.moved if entry.address in changes]
    if contents(after.providers) != contents(expected):
        raise _edit_error(before, "its content would be another")
    client = before.client
    if canonical(before.providers, client=client) == before.data and canonical(expected, client=client) != data:
        raise _edit_error(before, "it would not stay in canonical form")


def _edit_error(lock_file: LockFile, reason: str) -> LockFileEditError:
    return LockFileEditError(
        f"{lock_file.path} cannot be edited safely: {reason}",
        hint="write the file in the form that tofu init or terraform init gives it, then try again",
    )


def _expected(provider: LockedProvider, change: HashChange | None) -> LockedProvider:
    if change is None:
        return provider
    kept = tuple(locked for locked in provider.hashes if locked.hash not in change.drop)
    added = tuple(LockedHash(hash=found, line=provider.line) for found in sorted(change.add))
    return replace(provider, hashes=(*kept, *added))


def contents(providers: Iterable[LockedProvider]) -> list[tuple[object, ...]]:
    """What entries say, without lines and the order of their hashes, to be compared."""
    return [content(each) for each in sorted(providers, key=lambda provider: provider.address.sort_key)]


def content(provider: LockedProvider) -> tuple[object, ...]:
    """What a block says, without lines and the order of its hashes."""
    return (
        provider.address,
        provider.version,
        provider.constraints,
        Counter(locked.hash for locked in provider.hashes),
    )
