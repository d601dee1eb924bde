"""The archives of recorded files are as `pack` writes them, and packing changes nothing."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from servers.packed import contents, flaws, pack, packable, unpack, unpacked

ROOT = Path(__file__).parents[2]
ARCHIVES = ("tests/conformance/world.tar.xz", "fuzz/corpus.tar.xz")


def script(*words: str | Path) -> str:
    command = [sys.executable, ROOT / "scripts" / "archive.py", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", [ARCHIVES[0], pytest.param(ARCHIVES[1], marks=pytest.mark.thorough)])
def test_what_was_unpacked_is_packed_to_the_same_files(name: str, tmp_path: Path) -> None:
    archive, folder = ROOT / name, tmp_path / "unpacked"
    assert flaws(archive) == []
    folder.mkdir()
    unpack(archive, folder)
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert found == contents(archive)
    again = tmp_path / "again.tar.xz"
    script("pack", again, folder)
    assert flaws(again) == []
    assert packable(again) == packable(archive)


def test_the_same_files_are_the_same_archive(tmp_path: Path) -> None:
    files = {"b/x": (0o640, b"one"), "a": (0o700, b"two")}
    for name, given in (("one", files), ("two", dict(reversed(files.items())))):
        pack(tmp_path / name, given)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert packable(tmp_path / "one") == {"a": (0o755, b"two"), "b/x": (0o644, b"one")}


def test_an_input_is_added_and_listed(tmp_path: Path) -> None:
    archive, file = tmp_path / "some.tar.xz", tmp_path / "new"
    pack(archive, {"old": (0o644, b"1")})
    file.write_bytes(b"22")
    script("add", archive, "found", file)
    assert script("list", archive).split() == ["2", "found/new", "1", "old"]
    assert script("check", archive) == ""


def test_what_is_packed_otherwise_is_a_flaw(tmp_path: Path) -> None:
    archive = tmp_path / "some.tar.xz"
    (tmp_path / "file").write_bytes(b"1")
    with tarfile.open(archive, "w:xz") as opened:
        opened.add(tmp_path / "file", "b")
        opened.add(tmp_path / "file", "../a")
    assert [flaw.partition(":")[0] for flaw in flaws(archive)] == [
        "the names are not in order, or not different",
        "b",
        "../a",
        "../a",
    ]


def test_an_archive_is_unpacked_once_a_session() -> None:
    archive = ROOT / ARCHIVES[0]
    assert unpacked(archive) == unpacked(archive)
    assert (unpacked(archive) / "cases.json").read_bytes() == contents(archive)["cases.json"]
