"""Hashes of folders. Expected values: the worked example, and Go's dirhash over the same trees."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from lockwarden.core.store.unpacked_folders import FolderLimits, inspect_folder
from lockwarden.core.values.errors import ArchiveError

EMPTY_H1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
EXAMPLE_H1 = "h1:rHUfBXYH0T4y0Rc25QB+fVnJ4dNJW77rLbEUlZQ+9pE="


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    (folder / "LICENSE.txt").write_bytes(b"example licence\n")
    (folder / "terraform-provider-demo_v1.2.3").write_bytes(b"not a real binary\n")
    return folder


def code_of(folder: Path, limits: FolderLimits | None = None) -> str:
    with pytest.raises(ArchiveError) as caught:
        inspect_folder(folder, limits=limits)
    assert caught.value.message
    return caught.value.code


def test_the_hash_is_that_of_the_worked_example(package: Path) -> None:
    facts = inspect_folder(package)
    assert (facts.h1.text, facts.files, facts.size) == (EXAMPLE_H1, 2, 34)
    assert facts.executables == ("terraform-provider-demo_v1.2.3",)


def test_empty_folders_and_modes_do_not_count(package: Path) -> None:
    (package / "docs").mkdir()
    (package / "LICENSE.txt").chmod(0o600)
    assert inspect_folder(package).h1.text == EXAMPLE_H1


def test_an_empty_folder_has_the_hash_of_nothing(tmp_path: Path) -> None:
    assert inspect_folder(tmp_path).h1.text == EMPTY_H1


def test_the_folder_itself_may_be_a_link(package: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("package")
    assert inspect_folder(tmp_path / "link").h1.text == EXAMPLE_H1


def test_names_are_raw_bytes_in_byte_order(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for name in (b"a/b", b"a-b", b"caf\xe9", b"B", b"\xc3\xa9", b"back\\slash"):
        (tmp_path / os.fsdecode(name)).write_bytes(name)
    assert inspect_folder(tmp_path).h1.text == "h1:WnRlRb+FsZbOzWfcoD2mMsGVM99eEfZGcm44S8QxPbg="


def test_a_link_to_a_file_counts_under_its_own_name_with_the_content_of_its_target(package: Path) -> None:
    (package / "copy").symlink_to("LICENSE.txt")
    linked = inspect_folder(package).h1
    (package / "copy").unlink()
    (package / "copy").write_bytes(b"example licence\n")
    assert linked == inspect_folder(package).h1
    assert linked.text == "h1:P99VWFe2kEYAnkAJ88zxxv5+L/k/te9OrqlQTWGp9aE="


def test_a_link_to_a_folder_is_an_error(package: Path) -> None:
    (package / "docs").mkdir()
    (package / "more").symlink_to("docs")
    assert code_of(package) == "link-to-folder"


@pytest.mark.parametrize("target", ["nowhere", "loop"])
def test_a_link_that_leads_nowhere_is_an_error(target: str, package: Path) -> None:
    (package / "loop").symlink_to(target)
    assert code_of(package) == "broken-link"


def test_a_pipe_is_refused_without_waiting_for_it(package: Path) -> None:
    os.mkfifo(package / "pipe")
    assert code_of(package) == "special-file"


def test_a_link_to_a_device_is_refused(package: Path) -> None:
    (package / "null").symlink_to("/dev/null")
    assert code_of(package) == "special-file"


def test_a_line_feed_in_a_name_is_an_error(package: Path) -> None:
    (package / "a\nb").write_bytes(b"")
    assert code_of(package) == "line-feed-in-name"


def test_a_file_is_not_a_folder(package: Path) -> None:
    assert code_of(package / "LICENSE.txt") == "not-a-folder"


def test_what_is_not_there_or_goes_in_a_circle_cannot_be_read(tmp_path: Path) -> None:
    assert code_of(tmp_path / "nothing") == "unreadable"
    (tmp_path / "loop").symlink_to("loop")
    assert code_of(tmp_path / "loop") == "unreadable"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
@pytest.mark.parametrize("name", ["LICENSE.txt", "docs"])
def test_what_may_not_be_read_is_an_error(name: str, package: Path) -> None:
    (package / "docs").mkdir()
    (package / name).chmod(0)
    assert code_of(package) == "unreadable"
    (package / name).chmod(0o700)


def test_limits_on_entries_and_bytes_are_errors(package: Path) -> None:
    assert code_of(package, FolderLimits(entries=1)) == "too-many-files"
    assert code_of(package, FolderLimits(size=33)) == "too-large"
    assert inspect_folder(package, limits=FolderLimits(entries=2, size=34)).size == 34


def test_a_large_file_is_hashed_in_pieces(tmp_path: Path) -> None:
    noise = hashlib.shake_256(b"seed").digest(3 * 1024 * 1024)
    (tmp_path / "noise").write_bytes(noise)
    assert inspect_folder(tmp_path).h1.text == "h1:x3fD7t1lWSUllnz+ki2bGu30Sho9nIkrHAbvuN+bFiY="
