"""Packages: zip archives through their central directory, and the tar layers of images."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import tarfile
import zipfile
from pathlib import Path

from fuzzing.oracle import promise
from lockwarden.core.archives.inspection import ArchiveFacts, ArchiveLimits, inspect_open_archive
from lockwarden.core.archives.tar import MemberKind, entries_of
from lockwarden.core.oci.layers import Layer, inspect_layers
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.oci_references import Digest

_MIB = 1024 * 1024
_BLOCK = 512
_PLAIN_SIZE = re.compile(rb"[0-7]{11}[\0 ]")
LIMITS = ArchiveLimits(members=1_000, directory_size=_MIB, unpacked_size=8 * _MIB, ratio_floor=_MIB)
"""Small ones, so that a bomb is met soon."""


def zip_archive(data: bytes) -> None:
    """Hash an archive; where nothing is odd about it, Python's own reader finds the same content."""
    file = os.memfd_create("package")
    try:
        os.write(file, data)
        facts = inspect_open_archive(file, limits=LIMITS)
    except ArchiveError as error:
        promise(error.code and error.message, "a refusal has a code and a reason")
        return
    finally:
        os.close(file)
    promise(facts.unpacked_size <= LIMITS.unpacked_size + _MIB, "no more is inflated than the limit says")
    if any(oddity.fatal for oddity in facts.oddities):
        promise(facts.h1_archive is None, "nothing is claimed of an archive that programs can read differently")
    elif not facts.oddities:
        _same_as_python(data, facts)


def _same_as_python(data: bytes, facts: ArchiveFacts) -> None:
    try:
        lines = _lines_of(data)
    except (zipfile.BadZipFile, NotImplementedError):
        return  # it refuses more than Go does
    digest = base64.b64encode(hashlib.sha256(b"".join(lines)).digest()).decode()
    promise(facts.h1_archive is not None and facts.h1_archive.text == f"h1:{digest}", "Python reads the same content")


def _lines_of(data: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [
            hashlib.sha256(archive.read(member)).hexdigest().encode() + b"  " + _raw_name(member) + b"\n"
            for member in sorted(archive.infolist(), key=_raw_name)
        ]


def _raw_name(member: zipfile.ZipInfo) -> bytes:
    return member.orig_filename.encode("utf-8" if member.flag_bits & 0x800 else "cp437")


def image_layer(data: bytes) -> None:
    """Hash the tree of a layer, gzip or plain; where Python's own reader takes it too, it finds the same files."""
    compressed = data.startswith(b"\x1f\x8b")
    file = os.memfd_create("layer")
    try:
        os.write(file, data)
        path = Path(f"/proc/self/fd/{file}")
        layer = Layer(path=path, digest=Digest.of(data), compressed=compressed, diff_id=None)
        inspect_layers([layer], limits=LIMITS)
    except ArchiveError as error:
        promise(error.code and error.message, "a refusal has a code and a reason")
    finally:
        os.close(file)
    if not compressed and len(data) <= 64 * 1024:
        _same_entries(data)


def _same_entries(data: bytes) -> None:
    """Where all headers are plain POSIX ones, Python's own reader finds the same files with the same content."""
    headers = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]
    if any(header[156:157] not in b"0125" for header in headers if header[257:262] == b"ustar"):
        return
    try:
        ours = list(entries_of(io.BytesIO(data)))
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:", encoding="latin-1", errors="strict") as archive:
            theirs = [(member, archive.extractfile(member) if member.isreg() else None) for member in archive]
            contents = [b"" if file is None else file.read() for _, file in theirs]
    except (ArchiveError, tarfile.TarError, UnicodeDecodeError):
        return  # one of the two refuses it
    if any(member.offset % _BLOCK or data[member.offset + 257 :][:6] != b"ustar\0" for member, _ in theirs):
        return
    # It ends without a word at a header that it does not like, and reads a size that begins with NUL as nothing.
    for entry, (member, _), content in zip(ours, theirs, contents, strict=False):
        promise(entry.name.decode("latin-1").rstrip("/") == member.name.rstrip("/"), "Python finds the same name")
        if entry.kind is MemberKind.FILE and _PLAIN_SIZE.match(data, member.offset + 124):
            promise(entry.digest == hashlib.sha256(content).digest(), "Python finds the same content")
