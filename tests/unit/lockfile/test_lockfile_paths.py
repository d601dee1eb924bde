"""Reading lock files from paths: what is there, and what is not."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from builders.memory import MIB, at_most
from builders.reading import read

from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.lockfile.read import MAX_BYTES
from lockwarden.core.values.errors import LockFileError, LockFileInvalidError

CONTENT = b'provider "registry.opentofu.org/acme/widget" {\n  version = "1.0.0"\n}\n'


def refusal(path: Path) -> LockFileError:
    with pytest.raises(LockFileError) as caught:
        read(path)
    assert caught.value.hint
    assert str(path) in caught.value.path
    return caught.value


def test_a_file_is_read_whatever_its_name(tmp_path: Path) -> None:
    file = tmp_path / "other.hcl"
    file.write_bytes(CONTENT)
    lock_file = read(file)
    assert (lock_file.data, lock_file.path, len(lock_file.providers)) == (CONTENT, str(file), 1)


def test_a_folder_stands_for_the_lock_file_in_it(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE_NAME).write_bytes(CONTENT)
    assert read(tmp_path).path == str(tmp_path / LOCK_FILE_NAME)


def test_symbolic_links_to_files_and_folders_are_followed(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (real / "locks").write_bytes(CONTENT)
    (real / LOCK_FILE_NAME).symlink_to("locks")
    (tmp_path / "link").symlink_to("real")
    assert read(tmp_path / "link").data == CONTENT


def test_a_lock_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "there is no lock file" in str(refusal(tmp_path / "absent"))
    assert LOCK_FILE_NAME in str(refusal(tmp_path))


def test_a_path_below_a_file_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(CONTENT)
    assert "there is no lock file" in str(refusal(tmp_path / "file" / "x"))


def test_a_link_to_nothing_and_one_in_a_circle_are_called_what_they_are(tmp_path: Path) -> None:
    (tmp_path / "nothing").symlink_to("absent")
    (tmp_path / "circle").symlink_to("circle")
    assert "a symbolic link to a file that is not there" in str(refusal(tmp_path / "nothing"))
    assert "a symbolic link that leads in a circle" in str(refusal(tmp_path / "circle"))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="nothing tells which files are open")
def test_what_is_refused_is_not_left_open(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE_NAME).mkdir()
    before = len(list(Path("/proc/self/fd").iterdir()))
    refusal(tmp_path)
    refusal(Path("/dev/null"))
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_what_is_no_regular_file_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in str(refusal(tmp_path / "pipe"))
    (tmp_path / LOCK_FILE_NAME).mkdir()
    assert "not a regular file" in str(refusal(tmp_path))
    assert "not a regular file" in str(refusal(Path("/dev/null")))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        assert "cannot be read" in str(refusal(tmp_path / "s"))


def test_a_path_that_no_system_knows_is_refused() -> None:
    with pytest.raises(LockFileError, match="is not a path"):
        read(Path("a\0b"))
    assert "cannot be read" in str(refusal(Path("x" * 300)))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE_NAME).write_bytes(CONTENT)
    (tmp_path / LOCK_FILE_NAME).chmod(0)
    assert "cannot be read" in str(refusal(tmp_path))


def test_of_a_file_over_the_size_limit_no_more_than_that_is_read(tmp_path: Path) -> None:
    with (tmp_path / LOCK_FILE_NAME).open("wb") as file:
        file.truncate(MAX_BYTES * 1000)
    with at_most(MAX_BYTES + MIB):
        assert str(MAX_BYTES) in str(refusal(tmp_path))


def test_problems_name_the_path(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE_NAME).write_bytes(b"oops\n")
    with pytest.raises(LockFileInvalidError, match=f"^{tmp_path / LOCK_FILE_NAME}:1: "):
        read(tmp_path)
