"""Members of provider packages, to be compared."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.core.archives.programs import program_kind
from lockwarden.core.engine import package_trees
from lockwarden.core.engine.package_trees import look_into_path
from lockwarden.core.values.errors import ArchiveError

PROGRAM = "terraform-provider-x_v1.0.0"


def elf(machine: int, *, order: str = "<", system: int = 0) -> bytes:
    head = b"\x7fELF\x02" + (b"\x01" if order == "<" else b"\x02") + b"\x01" + bytes([system]) + bytes(8)
    return head + struct.pack(f"{order}HH", 2, machine)


def pe(machine: int) -> bytes:
    return b"MZ" + bytes(0x3A) + struct.pack("<I", 0x40) + b"PE\0\0" + struct.pack("<H", machine)


@table(
    ("head", "kind"),
    [
        (elf(0x3E), "ELF x86-64"),
        (elf(0x3E, system=9), "ELF x86-64 for FreeBSD"),
        (elf(0x15, order=">"), "ELF ppc64"),
        (elf(0x9999), "ELF unknown machine"),
        (struct.pack("<2I", 0xFEEDFACF, 0x0100000C), "Mach-O arm64"),
        (pe(0x8664), "PE x86-64"),
        (pe(0x8664)[:-1], "no known program"),
        (b"MZ" + bytes(9), "no known program"),
        (b"#!/bin/sh\n", "no known program"),
        (b"\x7fELF", "no known program"),
        (b"", "no known program"),
    ],
)
def test_a_program_is_known_by_its_first_bytes(head: bytes, kind: str) -> None:
    assert program_kind(head) == kind


def test_members_have_their_digest_size_mode_and_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_trees, "_MAX_TEXTS", 8)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("README"), b"text")
        program = zipfile.ZipInfo(PROGRAM)
        program.external_attr = 0o100755 << 16
        archive.writestr(program, elf(0xB7))
        archive.mkdir("docs")
        archive.writestr("docs/late", b"far")
    found = look_into_path(tmp_path / "a.zip", "a")
    files = found.tree.files
    assert list(files) == ["README", PROGRAM, "docs/", "docs/late"]
    assert (files["README"].content, files[PROGRAM].content, files["docs/late"].content) == (b"text", None, b"far")
    assert (files[PROGRAM].mode, files[PROGRAM].program, files["README"].program) == (0o755, "ELF aarch64", "")
    assert found.size == (tmp_path / "a.zip").stat().st_size


def test_members_of_one_name_are_all_there(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("same", b"1")
        for content in (b"2", b"3"):
            with pytest.warns(UserWarning, match="Duplicate"):
                archive.writestr("same", content)
    files = look_into_path(tmp_path / "a.zip", "a").tree.files
    assert {name: file.content for name, file in files.items()} == {
        "same": b"1",
        "same (member 2 of this name)": b"2",
        "same (member 3 of this name)": b"3",
    }


def test_an_archive_that_two_readers_read_differently_is_not_compared(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("name", b"1")
    data = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(data.replace(b"name", b"mane", 1))
    with pytest.raises(ArchiveError, match="its members cannot be listed"):
        look_into_path(tmp_path / "a.zip", "a")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ArchiveError, match="not a regular file"):
        look_into_path(tmp_path / "folder", "a")
