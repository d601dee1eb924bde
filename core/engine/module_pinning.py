"""Pins calls of modules: finds the files that say their sources, and writes what was looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from lockwarden.core.configuration.files import Limits
from lockwarden.core.modules.listing import ListedCall, ModuleListing
from lockwarden.core.modules.pins import PinnedFile, pinned_file
from lockwarden.core.review.module_pinning import NOTHING_TO_PIN, pinned_source, why_not_pinned
from lockwarden.core.system.links import link_on_the_way
from lockwarden.core.system.own_files import read_own_file, save_own_file
from lockwarden.core.values.errors import FileChangedError, InputError, LockwardenError, OwnFileError, SaveError

_ADDRESS = "module."


class Pinnings(Struct, frozen=True, kw_only=True):
    """What would be written, and what would not."""

    files: tuple[PinnedFile, ...]
    left_out: tuple[tuple[ListedCall, str], ...]
    """Calls, and why each; a clause."""


def is_module_address(text: str) -> bool:
    """Whether an argument is the address of a module, and not a path."""
    return text.startswith(_ADDRESS)


def wanted_calls(listings: Iterable[ModuleListing], addresses: Sequence[str]) -> tuple[ListedCall, ...]:
    """The calls at some addresses, such as `module.network.module.subnets`; all that can be pinned without any.

    Raises InputError for an address at which there is none.
    """
    calls = [each for listing in listings for each in listing.calls]
    if not addresses:
        return tuple(each for each in calls if each.classified.pinning not in NOTHING_TO_PIN and each.own)
    keys = [_key(each) for each in addresses]
    known = {each.key for each in calls}
    for address, key in zip(addresses, keys, strict=True):
        if key not in known:
            raise InputError(
                f"there is no module call at “{address[:200]}”", hint="lockwarden modules lists them with their names"
            )
    return tuple(each for each in calls if each.key in keys)


def _key(address: str) -> str:
    return address.removeprefix(_ADDRESS).replace(f".{_ADDRESS}", ".")


def pin_calls(calls: Iterable[ListedCall]) -> Pinnings:
    """The files with these calls pinned; one that cannot be read or edited leaves its calls out. It blocks."""
    files: dict[str, list[tuple[ListedCall, str]]] = {}
    left_out: list[tuple[ListedCall, str]] = []
    for listed in calls:
        if why := why_not_pinned(listed):
            left_out.append((listed, why))
        else:
            files.setdefault(listed.call.file, []).append((listed, pinned_source(listed)))
    pinned: list[PinnedFile] = []
    for file, pins in files.items():
        try:
            pinned.append(pinned_file(_read(Path(file), pins[0][0].call.path), pins))
        except LockwardenError as error:
            left_out += [(listed, error.message) for listed, _ in pins]
    return Pinnings(files=tuple(pinned), left_out=tuple(left_out))


def _read(path: Path, named: str) -> bytes:
    """The bytes of a file. Raises SaveError and OwnFileError for links, FileChangedError for none."""
    if (link := link_on_the_way(path)) is not None:
        raise SaveError(f"{link} is a symbolic link, and nothing is written through it", hint="name its target")
    data = read_own_file(path, name=named, limit=Limits().file_bytes, error=OwnFileError)
    if data is None:
        raise FileChangedError(f"{named} is gone", hint="read the configuration again")
    return data


def save_pins(pinned: PinnedFile) -> None:
    """Write one file, which must still be what it was. It blocks. Raises FileChangedError and SaveError."""
    save_own_file(Path(pinned.file), pinned.after, expected=pinned.before)
