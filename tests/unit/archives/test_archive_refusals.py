"""Archives that get no hash, and files that are no archives."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from builders.zips import FOLDER, Entry, Zip, changed, codes, inspect, plain

from lockwarden.core.values.errors import ArchiveError

REAL_END = Zip(entries=plain()).bytes()[-22:]
NESTED_END = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0, 0, 0, 0, 69)
"""An end record as a member's content; its comment reaches the end of the file."""

REFUSED: dict[str, tuple[Zip | bytes, set[str]]] = {
    "another local name": (Zip(entries=[Entry(name="a", content=b"x", local_name=b"b")]), {"local-header"}),
    "another local checksum": (Zip(entries=[Entry(name="a", content=b"x", local_crc=7)]), {"local-header"}),
    "another local size": (Zip(entries=[Entry(name="a", content=b"x", local_size=7)]), {"local-header"}),
    "another local method": (Zip(entries=[Entry(name="a", content=b"x", local_method=8)]), {"local-header"}),
    "no local header": (Zip(entries=[Entry(name="a", content=b"x", offset=5)]), {"local-header"}),
    "header past the end": (Zip(entries=[Entry(name="a", content=b"x", offset=10**9)]), {"local-header"}),
    "no local Zip64 field": (
        changed(Zip(entries=[Entry(name="a", content=b"x")]).bytes(), 18, "<I", 2**32 - 1),
        {"local-header"},
    ),
    "encrypted": (Zip(entries=[Entry(name="a", content=b"x", flags=1)]), {"encrypted"}),
    "masked headers": (Zip(entries=[Entry(name="a", content=b"x", flags=0x2000)]), {"encrypted"}),
    "folder with content": (Zip(entries=[Entry(name="a/", content=b"x", mode=FOLDER)]), {"folder-with-content"}),
    "two members in one place": (
        Zip(entries=[Entry(name="a", content=b"x"), Entry(name="a", content=b"x", offset=0)]),
        {"overlap"},
    ),
    "data that runs into the directory": (Zip(entries=[Entry(name="a", content=b"x", compressed=9)]), {"overlap"}),
    "junk before it": (Zip(entries=plain(), prefix=b"#!/bin/sh\n"), {"junk-prefix"}),
    "junk before it, offsets not moved": (Zip(entries=plain(), prefix=b"#!/bin/sh\n", shift=True), {"junk-prefix"}),
    "junk before the end record": (Zip(entries=plain(), before_end=b"junk"), {"unlisted-bytes"}),
    "an archive after the archive": (Zip(entries=plain(), suffix=Zip(entries=[]).bytes()), {"junk-prefix"}),
    "an end record in the comment": (Zip(entries=plain(), comment=REAL_END), {"several-end-records", "unlisted-bytes"}),
    "an end record in a member": (Zip(entries=[Entry(name="a", content=NESTED_END)]), {"several-end-records"}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_archive_that_two_programs_could_read_differently_gets_no_hash(name: str, tmp_path: Path) -> None:
    archive, expected = REFUSED[name]
    facts = inspect(tmp_path, archive)
    assert (facts.h1_archive, facts.h1_directory) == (None, None)
    assert codes(facts, fatal=True) - {"local-header"} == expected - {"local-header"}
    assert expected <= codes(facts, fatal=True)


def test_bytes_that_belong_to_no_member_are_told_but_do_not_prevent_the_hash(tmp_path: Path) -> None:
    archive = Zip(entries=[Entry(name="a", content=b"x", descriptor=b"hidden"), Entry(name="b", content=b"y")])
    facts = inspect(tmp_path, archive)
    assert codes(facts) == {"unlisted-bytes", "no-executable"}
    assert facts.h1_archive is not None


PLAIN = Zip(entries=plain()).bytes()
LONG = Zip(entries=plain(), zip64=True).bytes()
DIRECTORY = PLAIN.index(b"PK\1\2")
BROKEN: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty-file"),
    "html": (b"\xef\xbb\xbf\r\n<!DOCTYPE html><title>Sign in</title>", "html"),
    "json": (b'{"errors": ["not found"]}', "not-zip"),
    "gzip": (b"\x1f\x8b\x08" + bytes(40), "not-zip"),
    "text": (b"not a zip archive", "not-zip"),
    "half an archive": (PLAIN[: len(PLAIN) // 2], "cut-off"),
    "end record cut": (PLAIN[:-1], "cut-off"),
    "only the signature of an end record": (b"PK\5\6", "not-zip"),
    "comment past the end": (changed(PLAIN, -2, "<H", 9), "end-record"),
    "second disk": (changed(PLAIN, -18, "<H", 1), "several-disks"),
    "members on another disk": (changed(PLAIN, -14, "<H", 1), "several-disks"),
    "one member too many": (Zip(entries=plain(), members=3).bytes(), "directory-count"),
    "one member too few": (Zip(entries=plain(), members=1).bytes(), "directory-count"),
    "directory too far": (changed(PLAIN, -6, "<I", 10**6), "directory-misplaced"),
    "directory too long": (changed(PLAIN, -10, "<I", 10**6), "directory-misplaced"),
    "damaged directory": (changed(PLAIN, DIRECTORY, "<I", 0), "directory-damaged"),
    "name past the directory": (changed(PLAIN, DIRECTORY + 28, "<H", 60000), "directory-damaged"),
    "no Zip64 field": (changed(PLAIN, DIRECTORY + 42, "<I", 2**32 - 1), "directory-damaged"),
    "Zip64 on two disks": (changed(LONG, -26, "<I", 2), "several-disks"),
    "no Zip64 end record": (changed(LONG, -34, "<Q", 0), "end-record"),
    "Zip64 end record of another length": (changed(LONG, -22 - 20 - 52, "<Q", 45), "end-record"),
    "end records that disagree": (changed(LONG, -6, "<I", 5), "end-record"),
    "a Zip64 size that the clients do not look up": (
        changed(changed(LONG, -12, "<H", 2), -6, "<I", int.from_bytes(PLAIN[-6:-2], "little")),
        "end-record",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_archive_is_an_error_that_says_what_it_is(name: str, tmp_path: Path) -> None:
    data, code = BROKEN[name]
    with pytest.raises(ArchiveError) as caught:
        inspect(tmp_path, data)
    assert caught.value.code == code
    assert caught.value.message


def test_a_short_zip64_field_is_an_error(tmp_path: Path) -> None:
    entry = Entry(name="a", content=b"x", compressed=2**32 - 1, extra=struct.pack("<2H", 1, 0))
    with pytest.raises(ArchiveError, match="too short"):
        inspect(tmp_path, Zip(entries=[entry]))


def test_a_field_that_runs_past_its_entry_ends_the_search(tmp_path: Path) -> None:
    entry = Entry(name="a", content=b"x", compressed=2**32 - 1, extra=struct.pack("<2H", 7, 99))
    with pytest.raises(ArchiveError, match="missing"):
        inspect(tmp_path, Zip(entries=[entry]))


@pytest.mark.parametrize("length", range(0, len(PLAIN), 7))
def test_a_cut_archive_is_always_a_typed_error(length: int, tmp_path: Path) -> None:
    with pytest.raises(ArchiveError):
        inspect(tmp_path, PLAIN[:length])
