"""Lock files: what is read says what the text says, survives every rendering and edit, and loses no hash."""

from __future__ import annotations

import re

from builders.reading import edited, parse

from fuzzing.oracle import promise
from lockwarden.core.lockfile.edit import HashChange
from lockwarden.core.lockfile.model import LockedProvider, LockFile
from lockwarden.core.lockfile.render import canonical
from lockwarden.core.values.errors import LockFileEditError, LockFileError
from lockwarden.core.values.hashes import Hash

_PLAIN_LINE = re.compile(rb'^[ \t]*"((?:h1|zh|h9):[A-Za-z0-9+/=:]*)",?[ \t]*\r?$', re.MULTILINE)
_NOT_PLAIN = re.compile(rb"/\*|<<|\bmodule\b")
"""Where these stand, a line may be a part of a comment or of something that is no list of hashes."""
_NEW = Hash(f"zh:{'0123456789abcdef' * 4}")


def lock_file(data: bytes) -> None:
    """Read, render, edit."""
    try:
        found = parse(data, path="lock")
    except LockFileError as error:
        promise(error.message and error.path == "lock", "an error names the file and says what is wrong")
        return
    promise(found.data == data, "the bytes are kept as they are")
    promise(edited(found, {}) == data, "an edit that changes nothing changes no byte")
    _no_hash_is_lost(data, found)
    _rendering_keeps_all(found)
    for provider in found.providers[:2]:
        _one_hash_more_and_one_less(found, provider)


def _no_hash_is_lost(data: bytes, found: LockFile) -> None:
    """Every line that holds a hash and nothing else is in the list of some provider."""
    if _NOT_PLAIN.search(data):
        return
    known = {locked.hash.text for provider in found.providers for locked in provider.hashes}
    for match in _PLAIN_LINE.finditer(data):
        promise(match[1].decode() in known, f"the hash {match[1]!r} is read")


def _rendering_keeps_all(found: LockFile) -> None:
    again = parse(canonical(found.providers, client=found.client), path="again")
    promise(
        {each.address: _content(each) for each in again.providers}
        == {each.address: _content(each) for each in found.providers},
        "the canonical form says the same",
    )
    promise(canonical(again.providers, client=found.client) == again.data, "the canonical form is stable")


def _content(provider: LockedProvider) -> tuple[object, ...]:
    return provider.version, provider.constraints, provider.hash_set


def _one_hash_more_and_one_less(found: LockFile, provider: LockedProvider) -> None:
    changes = [HashChange(add=frozenset({_NEW}) - provider.hash_set)]
    changes += [HashChange(drop=frozenset({locked.hash})) for locked in provider.hashes[:1]]
    for change in changes:
        try:
            after = parse(edited(found, {provider.address: change}), path="after", client=found.client)
        except LockFileEditError:
            continue
        now = after.provider(provider.address)
        wanted = (provider.hash_set - change.drop) | change.add
        promise(now is not None and now.hash_set == wanted, "an edit does what was asked and nothing else")
