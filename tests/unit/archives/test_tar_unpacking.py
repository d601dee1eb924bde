"""Tar archives of modules as they are unpacked: what the clients make of them, and everything that is refused."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from unit.oci.tars import file, folder, hard, link, special, tar

from lockwarden.core.archives.inspection import ArchiveLimits
from lockwarden.core.archives.tar_unpacking import unpack_archive
from lockwarden.core.values.errors import ArchiveError

KINDS: dict[str, Callable[[bytes], bytes]] = {
    "tar.gz": gzip.compress,
    "tgz": gzip.compress,
    "tar.bz2": bz2.compress,
    "tar.tbz2": bz2.compress,
    "tar.xz": lzma.compress,
    "txz": lzma.compress,
}
MIB = 1024 * 1024
SMALL = ArchiveLimits(members=4, unpacked_size=4 * MIB, ratio_floor=MIB)


def unpacked(tmp_path: Path, data: bytes, kind: str = "tar.gz", limits: ArchiveLimits | None = None) -> Path:
    """The folder that an archive was unpacked into; nothing may be beside it afterwards."""
    target = tmp_path / "around" / "target"
    target.mkdir(parents=True)
    (tmp_path / "archive").write_bytes(data)
    with (tmp_path / "archive").open("rb") as opened:
        try:
            unpack_archive(opened.fileno(), target, kind, limits=limits)
        finally:
            assert [each.name for each in (tmp_path / "around").iterdir()] == ["target"]
            assert not [
                path for path in target.rglob("*") if path.is_symlink() or (path.is_file() and path.stat().st_nlink > 1)
            ]
    return target


def refusal(tmp_path: Path, data: bytes, kind: str = "tar.gz", limits: ArchiveLimits | None = None) -> ArchiveError:
    with pytest.raises(ArchiveError) as caught:
        unpacked(tmp_path, data, kind, limits)
    return caught.value


def contents(target: Path) -> dict[str, bytes]:
    return {path.relative_to(target).as_posix(): path.read_bytes() for path in target.rglob("*") if path.is_file()}


RIGHT = tar([folder("child"), file("child/main.tf", b"# child\n"), file("./main.tf", b"# main\n"), file("a/b/c", b"")])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("named", [True, False], ids=["named", "by its first bytes"])
def test_each_kind_is_unpacked_to_its_files(tmp_path: Path, kind: str, named: bool) -> None:
    target = unpacked(tmp_path, KINDS[kind](RIGHT), kind if named else "")
    assert contents(target) == {"child/main.tf": b"# child\n", "main.tf": b"# main\n", "a/b/c": b""}


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_streams_in_a_row_are_one_archive(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    target = unpacked(tmp_path, compress(RIGHT[:700]) + compress(RIGHT[700:]), "")
    assert contents(target)["main.tf"] == b"# main\n"


def test_large_files_and_modes_are_kept_and_special_bits_are_not(tmp_path: Path) -> None:
    info, content = file("run.sh", os.urandom(3 * MIB // 2))
    info.mode = 0o4755
    target = unpacked(tmp_path, lzma.compress(tar([(info, content)]), preset=0), "txz")
    assert (target / "run.sh").read_bytes() == content
    assert (target / "run.sh").stat().st_mode & 0o7777 == 0o755


def test_links_become_empty_files_as_with_the_clients(tmp_path: Path) -> None:
    entries = [file("a", b"a"), link("out", "/etc/passwd"), link("up", "../.."), hard("twin", "a"), hard("h", "/etc/x")]
    target = unpacked(tmp_path, gzip.compress(tar(entries)))
    assert contents(target) == {"a": b"a", "out": b"", "up": b"", "twin": b"", "h": b""}


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    data = gzip.compress(tar([link("out", str(tmp_path)), file("out/evil", b"evil")]))
    assert refusal(tmp_path, data).code == "not-unpacked"
    assert not (tmp_path / "evil").exists()


def test_of_a_name_that_comes_twice_the_last_one_stays(tmp_path: Path) -> None:
    first, content = file("a", b"longer than the other one")
    first.mode = 0o400
    assert contents(unpacked(tmp_path, gzip.compress(tar([(first, content), file("a", b"b")])))) == {"a": b"b"}


def test_an_absolute_name_lies_in_the_folder(tmp_path: Path) -> None:
    assert contents(unpacked(tmp_path, gzip.compress(tar([file("/etc/passwd")])))) == {"etc/passwd": b"x"}


def with_mode(mode: int) -> bytes:
    info, content = file("a")
    info.mode = mode
    return tar([(info, content)], tarfile.GNU_FORMAT)


def raw_mode(kind: int) -> bytes:
    """A file whose mode says that it is something else."""
    data = bytearray(with_mode(0o644))
    data[100:108] = b"%07o\0" % (kind | 0o644)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    return bytes(data)


def test_a_mode_may_repeat_the_kind(tmp_path: Path) -> None:
    assert contents(unpacked(tmp_path, gzip.compress(raw_mode(0o100000)))) == {"a": b"x"}


HOSTILE = {
    "climbing": (tar([file("../evil")]), "climbing-name"),
    "climbing later": (tar([file("a/../../evil")]), "climbing-name"),
    "climbing by backslash": (tar([file("a\\..\\evil")]), "climbing-name"),
    "climbing folder": (tar([folder("../evil")]), "climbing-name"),
    "climbing link": (tar([link("../evil", "/etc")]), "climbing-name"),
    "no name": (tar([file(".")]), "unnamed-file"),
    "device": (tar([special("null", tarfile.CHRTYPE)]), "special-file"),
    "disk": (tar([special("sda", tarfile.BLKTYPE)]), "special-file"),
    "pipe": (tar([special("pipe", tarfile.FIFOTYPE)]), "special-file"),
    "sparse": (tar([special("sparse", tarfile.GNUTYPE_SPARSE)]), "special-file"),
    "file and folder": (tar([file("a"), file("a/b")]), "not-unpacked"),
    "folder and file": (tar([folder("a"), file("a")]), "not-unpacked"),
    "folder by its mode": (raw_mode(0o040000), "broken-tar"),
    "long name": (tar([file("n" * 300)]), "not-unpacked"),
    "deep": (tar([file("d/" * 257 + "f")]), "not-unpacked"),
    "only folders": (tar([folder("a")]), "empty-archive"),
    "nothing": (tar([]), "empty-archive"),
    "too many": (tar([file(f"f{each}") for each in range(5)]), "too-many-members"),
    "too large": (tar([file("large", os.urandom(5 * MIB))]), "too-large"),
    "bomb": (tar([file("zeros", bytes(3 * MIB))]), "ratio"),
    "cut off": (tar([file("a", bytes(2000))])[:1000], "broken-tar"),
    "other bytes": (b"<html>" * 200, "broken-tar"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_hostile_is_refused_and_leaves_nothing_outside(tmp_path: Path, name: str) -> None:
    data, code = HOSTILE[name]
    found = refusal(tmp_path, gzip.compress(data), limits=SMALL)
    assert (found.code, bool(found.message)) == (code, True)


@pytest.mark.parametrize("kind", ["tar.gz", "tar.bz2", "tar.xz"])
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data[:40], "ends too early"),
        (lambda data: data[:20] + bytes(20) + data[40:], "damaged"),
        (lambda _: b"no stream at all", "damaged"),
        (lambda _: b"", "ends too early"),
    ],
    ids=["cut", "zeros within", "other bytes", "empty"],
)
def test_streams_that_are_damaged_are_refused(
    tmp_path: Path, kind: str, change: Callable[[bytes], bytes], words: str
) -> None:
    found = refusal(tmp_path, change(KINDS[kind](RIGHT)), kind)
    assert found.code == "wrong-data"
    assert words in found.message


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_a_single_file_that_is_compressed_is_no_package(tmp_path: Path, kind: str) -> None:
    assert "no package of a module" in refusal(tmp_path, gzip.compress(b"x"), kind).message


def test_xz_that_wants_all_memory_is_refused(tmp_path: Path) -> None:
    whole = lzma.compress(b"x" * 10, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 4096}])
    # The size of the dictionary stands in the header of the block, whose checksum is at its end.
    block = bytearray(whole[12:24])
    assert block[2:4] == b"\x21\x01"
    block[4] = 38  # two gigabytes
    block[8:12] = zlib.crc32(bytes(block[:8])).to_bytes(4, "little")
    found = refusal(tmp_path, whole[:12] + bytes(block) + whole[24:], "tar.xz")
    assert isinstance(found.__cause__.__cause__ if found.__cause__ else None, lzma.LZMAError)
    assert "Memory" in str(found.__cause__.__cause__ if found.__cause__ else None)


def test_it_ends_when_it_is_called_off(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "archive").write_bytes(gzip.compress(RIGHT))
    with (tmp_path / "archive").open("rb") as opened, pytest.raises(ArchiveError) as caught:
        unpack_archive(opened.fileno(), tmp_path / "target", "tgz", stop=lambda: True)
    assert caught.value.code == "stopped"
