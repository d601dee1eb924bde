"""Layers as bytes: every form of tar and of gzip that is read, and everything that is refused because it is none."""

from __future__ import annotations

import gzip
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from unit.oci.tars import BINARY, PLAIN, file, folder, h1, inspect, layer_file, link, refusal, tar

from lockwarden.core.archives import compression
from lockwarden.core.archives.inspection import ArchiveLimits
from lockwarden.core.oci.layers import inspect_layers
from lockwarden.core.store.unpacked_folders import inspect_folder
from lockwarden.core.values.errors import ArchiveError
from lockwarden.core.values.oci_references import Digest

FORMATS = [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("compress", [False, True], ids=["tar", "gzip"])
def test_the_files_of_one_layer_are_the_package(tmp_path: Path, form: int, compress: bool) -> None:
    files = {BINARY: b"program", "docs/a.md": b"a", "LICENSE": b"", "z" * 90 + "/" + "y" * 90: b"long"}
    facts = inspect(tmp_path, tar([folder("docs"), *(file(n, c) for n, c in files.items())], form), compress=compress)
    assert facts.h1.text == h1(files)
    assert (facts.files, facts.executables) == (4, (BINARY,))


def test_very_long_names_and_large_files_are_read(tmp_path: Path) -> None:
    name = "/".join(["d" * 100] * 20)
    files = {name: b"x" * 3_000_000, "ü": b"y"}
    for form in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        assert inspect(tmp_path, tar([file(n, c) for n, c in files.items()], form)).h1.text == h1(files)


def test_what_the_real_tar_packs_hashes_as_the_folder_it_was_packed_from(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "sub" / "deep").mkdir(parents=True)
    (source / BINARY).write_bytes(b"program" * 1000)
    (source / "sub" / "deep" / ("n" * 90)).write_bytes(b"a")
    (source / "sub" / "to").symlink_to(f"../{BINARY}")
    (source / "twin").hardlink_to(source / BINARY)
    for form in ("gnu", "pax", "ustar"):
        packed = subprocess.run(
            ["tar", f"--format={form}", "-C", str(source), "-cf", "-", "."], check=True, capture_output=True
        ).stdout
        assert inspect(tmp_path, packed).h1 == inspect_folder(source).h1


def changed(data: bytes, at: int, new: bytes, *, repair: bool = True) -> bytes:
    block = bytearray(data)
    block[at : at + len(new)] = new
    if repair:
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block[:512])
    return bytes(block)


@pytest.mark.parametrize(
    ("layer", "reason"),
    [
        (PLAIN[:300], "cut off in a header"),
        (PLAIN[:515], "cut off in “a”"),
        (PLAIN[:600], "cut off after the content"),
        (b"x" * 1024, "number that is none"),
        (changed(PLAIN, 0, b"b", repair=False), "checksum"),
        (changed(PLAIN, 124, b"99999999"), "number that is none"),
        (changed(PLAIN, 124, b"\xff" * 12), "negative number"),
        (changed(PLAIN, 156, b"x"), "pax header cannot be read"),
        (changed(PLAIN, 156, b"L"), "belongs to another entry"),
        (changed(PLAIN, 124, b"00100000000\0")[:512] + b"", "cut off"),
    ],
)
def test_a_layer_that_is_no_whole_tar_is_refused(tmp_path: Path, layer: bytes, reason: str) -> None:
    error = refusal(tmp_path, layer)
    assert (error.code, reason in error.message) == ("broken-tar", True), error.message


def pax(records: Mapping[str, str], kind: bytes = b"x") -> bytes:
    data = b""
    for name, value in records.items():
        rest = f" {name}={value}\n".encode()
        length = len(rest) + len(str(len(rest) + 2))
        data += str(length).encode() + rest
    info = tarfile.TarInfo("pax")
    info.type, info.size = kind, len(data)
    return info.tobuf(tarfile.USTAR_FORMAT) + data + bytes(-len(data) % 512)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (pax({"GNU.sparse.major": "1"}), "sparse"),
        (pax({"size": "-1"}), "size that is none"),
        (pax({"path": "b"}, b"g"), "for all entries"),
        (pax({"size": "9999999999"}), "cut off"),
    ],
)
def test_a_pax_header_over_which_readers_disagree_is_refused(tmp_path: Path, header: bytes, reason: str) -> None:
    error = refusal(tmp_path, header + PLAIN)
    assert reason in error.message


def test_a_remark_for_all_entries_is_passed_over(tmp_path: Path) -> None:
    assert inspect(tmp_path, pax({"comment": "made by git"}, b"g") + PLAIN).h1.text == h1({"a": b"content"})


def test_numbers_in_binary_and_old_folders_are_read(tmp_path: Path) -> None:
    binary = changed(PLAIN, 124, b"\x80" + (7).to_bytes(11, "big"))
    assert inspect(tmp_path, binary).h1.text == h1({"a": b"content"})
    old = tarfile.TarInfo("d/")
    old.type = tarfile.AREGTYPE
    assert inspect(tmp_path, old.tobuf(tarfile.USTAR_FORMAT) + PLAIN).h1.text == h1({"a": b"content"})


def test_long_names_of_links_are_read_in_both_forms(tmp_path: Path) -> None:
    target = "/".join(["t" * 90] * 3)
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        assert inspect(tmp_path, tar([file(target), link("l", target)], form)).files == 2


@pytest.mark.parametrize(
    "data", [b"x" * 512, b"5 a=\n" * 2 + bytes(500), b"7 path\n" + bytes(505), b"99 a=b\n", b"0 a=b\n"]
)
def test_a_pax_header_that_cannot_be_read_is_refused(tmp_path: Path, data: bytes) -> None:
    info = tarfile.TarInfo("pax")
    info.type, info.size = b"x", len(data)
    header = info.tobuf(tarfile.USTAR_FORMAT) + data + bytes(-len(data) % 512)
    assert "pax header cannot be read" in refusal(tmp_path, header + PLAIN).message


def test_a_name_with_a_nul_byte_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, pax({"path": "a\0b"}) + PLAIN).code == "nul-in-name"


def test_gzip_that_only_holds_beginnings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "_MAX_STREAMS", 10)
    with pytest.raises(ArchiveError) as caught:
        inspect_layers([layer_file(tmp_path, gzip.compress(b"") * 11, compressed=True)])
    assert caught.value.code == "too-many-members"


def test_a_header_that_is_as_large_as_a_file_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = b"L", 2 * 1024 * 1024
    assert "limit" in refusal(tmp_path, info.tobuf(tarfile.GNU_FORMAT) + bytes(info.size)).message


def test_bytes_after_the_end_of_the_archive_are_held_against_the_digest_too(tmp_path: Path) -> None:
    assert inspect(tmp_path, PLAIN + b"trailing").h1.text == h1({"a": b"content"})


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (gzip.compress(PLAIN)[:-20], "ends too early"),
        (b"", "ends too early"),
        (b"not gzip at all", "damaged"),
        (gzip.compress(PLAIN) + b"junk" * 10, "damaged"),
    ],
    ids=["cut", "empty", "other bytes", "more behind"],
)
def test_a_layer_that_is_no_whole_gzip_is_refused(tmp_path: Path, stored: bytes, reason: str) -> None:
    with pytest.raises(ArchiveError, match=reason):
        inspect_layers([layer_file(tmp_path, stored, compressed=True)])


def test_gzip_in_several_members_is_one_layer(tmp_path: Path) -> None:
    stored = b"".join(gzip.compress(PLAIN[at : at + 100]) for at in range(0, len(PLAIN), 100))
    assert inspect_layers([layer_file(tmp_path, stored, compressed=True)]).h1.text == h1({"a": b"content"})


def test_a_layer_that_decompresses_to_something_else_than_the_configuration_says_is_refused(tmp_path: Path) -> None:
    layer = layer_file(tmp_path, gzip.compress(PLAIN), compressed=True, diff_id=Digest.of(b"other"))
    with pytest.raises(ArchiveError, match="configuration says"):
        inspect_layers([layer])


def test_a_layer_that_does_not_have_its_digest_is_refused(tmp_path: Path) -> None:
    layer = layer_file(tmp_path, PLAIN, compressed=False)
    layer.path.write_bytes(tar([file("a", b"another")], tarfile.USTAR_FORMAT))
    with pytest.raises(ArchiveError) as caught:
        inspect_layers([layer])
    assert caught.value.code == "digest-mismatch"


def test_a_layer_that_is_gone_is_unreadable(tmp_path: Path) -> None:
    layer = layer_file(tmp_path, PLAIN, compressed=False)
    layer.path.unlink()
    with pytest.raises(ArchiveError) as caught:
        inspect_layers([layer])
    assert caught.value.code == "unreadable"


def test_a_bomb_is_stopped_by_its_ratio(tmp_path: Path) -> None:
    stored = gzip.compress(tar([file("a", bytes(3_000_000))]))
    with pytest.raises(ArchiveError) as caught:
        inspect_layers(
            [layer_file(tmp_path, stored, compressed=True)], limits=ArchiveLimits(ratio=200, ratio_floor=1_000_000)
        )
    assert caught.value.code == "ratio"


def test_a_layer_is_left_when_told_to_stop(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError) as caught:
        inspect_layers([layer_file(tmp_path, PLAIN, compressed=False)], stop=lambda: True)
    assert caught.value.code == "stopped"
