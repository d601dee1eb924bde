"""What is known of an archive once `inspection` has looked into it, and how much one may ask for."""

from __future__ import annotations

from msgspec import Struct

from lockwarden.core.archives.oddities import Oddity
from lockwarden.core.values.hashes import Hash


class ArchiveFacts(Struct, frozen=True, kw_only=True):
    """What the bytes of one archive are. True for ever for these bytes; says nothing about who made them."""

    h1_archive: Hash | None
    """Over the names and contents as stored. None when a fatal oddity forbids to claim one."""
    h1_directory: Hash | None
    """Of the folder that the clients would unpack it to, which they record. None also when unpacking would fail."""
    members: int
    unpacked_size: int
    """Bytes that really came out; zero when nothing was inflated."""
    oddities: tuple[Oddity, ...]
    executables: tuple[str, ...]
    """The files at the root whose names start with `terraform-provider-`, sorted."""
    folders: int = 0
    """Members that stand for a folder of their own: such a package has another `h1` once it is unpacked."""
    repeated: int = 0
    """Members whose name came before."""


class ArchiveLimits(Struct, frozen=True, kw_only=True):
    """How much one archive may ask for. The largest real provider packages stay below a tenth of each."""

    members: int = 50_000
    directory_size: int = 16 * 1024 * 1024
    """Bytes of the central directory, which is read at once."""
    unpacked_size: int = 8 * 1024 * 1024 * 1024
    ratio: int = 200
    """Bytes out for each byte in. Deflate reaches 1032; executables reach 10."""
    ratio_floor: int = 64 * 1024 * 1024
    """Bytes below which the ratio does not matter."""
