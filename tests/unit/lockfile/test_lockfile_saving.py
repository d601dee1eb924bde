"""Saving lock files: the whole new one or the whole old one, and never over a change by others."""

from __future__ import annotations

import os
import resource
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.values.errors import LockFileChangedError, SaveError

OLD, NEW = b"# old\n", b"# new\n"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    path = tmp_path / LOCK_FILE_NAME
    path.write_bytes(OLD)
    return path


@pytest.fixture
def at_fsync(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Do something at the moment when the new content is on the disk and the name is still the old file's."""
    real = os.fsync

    def arrange(happening: Callable[[], None]) -> None:
        def fsync(descriptor: int) -> None:
            real(descriptor)
            monkeypatch.setattr(os, "fsync", real)
            happening()

        monkeypatch.setattr(os, "fsync", fsync)

    return arrange


@contextmanager
def little_room() -> Iterator[None]:
    """Let no file grow beyond three bytes, like a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_new_content_replaces_the_old_and_nothing_else_is_left(lock: Path) -> None:
    save(lock, NEW, expected=OLD)
    assert lock.read_bytes() == NEW
    assert names(lock.parent) == [LOCK_FILE_NAME]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_the_mode_is_kept_whatever_the_umask(lock: Path, mode: int) -> None:
    lock.chmod(mode)
    before = os.umask(0o077)
    try:
        save(lock, NEW, expected=OLD)
    finally:
        os.umask(before)
    assert stat.S_IMODE(lock.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can give files away")
def test_the_owner_is_kept_where_that_is_allowed(lock: Path) -> None:
    os.chown(lock, 12345, 54321)
    save(lock, NEW, expected=OLD)
    assert (lock.stat().st_uid, lock.stat().st_gid) == (12345, 54321)


def test_a_symbolic_link_stays_one_and_its_file_is_replaced(lock: Path, tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.mkdir()
    link = links / "lock"
    link.symlink_to(Path("..") / LOCK_FILE_NAME)
    save(link, NEW, expected=OLD)
    assert link.is_symlink()
    assert link.readlink() == Path("..") / LOCK_FILE_NAME
    assert lock.read_bytes() == NEW
    assert names(links) == ["lock"]


def test_saving_what_is_there_writes_nothing(lock: Path) -> None:
    before = lock.stat()
    save(lock, OLD, expected=OLD)
    assert lock.stat().st_ino == before.st_ino
    assert lock.stat().st_mtime_ns == before.st_mtime_ns


def test_a_file_that_was_changed_is_not_overwritten(lock: Path) -> None:
    lock.write_bytes(b"# theirs\n")
    with pytest.raises(LockFileChangedError, match="was changed since") as caught:
        save(lock, NEW, expected=OLD)
    assert caught.value.hint
    assert lock.read_bytes() == b"# theirs\n"
    assert names(lock.parent) == [LOCK_FILE_NAME]


def test_a_file_that_vanished_is_not_made_again(lock: Path) -> None:
    lock.unlink()
    with pytest.raises(LockFileChangedError, match="cannot be read any more"):
        save(lock, NEW, expected=OLD)
    assert names(lock.parent) == []


def test_a_file_that_became_a_folder_is_a_change(lock: Path) -> None:
    lock.unlink()
    lock.mkdir()
    with pytest.raises(LockFileChangedError, match="not a regular file"):
        save(lock, NEW, expected=OLD)


def test_a_link_that_points_elsewhere_is_a_change(lock: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"# other\n")
    link = tmp_path / "link"
    link.symlink_to(lock)
    link.unlink()
    link.symlink_to(other)
    with pytest.raises(LockFileChangedError):
        save(link, NEW, expected=OLD)
    assert (lock.read_bytes(), other.read_bytes()) == (OLD, b"# other\n")


def test_a_circle_of_links_is_a_change(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    with pytest.raises(LockFileChangedError, match="cannot be read any more"):
        save(tmp_path / "circle", NEW, expected=OLD)


def test_a_change_while_the_new_file_is_written_is_noticed(
    lock: Path, at_fsync: Callable[[Callable[[], None]], None]
) -> None:
    def change() -> None:
        lock.write_bytes(b"# theirs\n")

    at_fsync(change)
    with pytest.raises(LockFileChangedError, match="was changed since"):
        save(lock, NEW, expected=OLD)
    assert lock.read_bytes() == b"# theirs\n"
    assert names(lock.parent) == [LOCK_FILE_NAME]


def test_a_link_that_moves_to_an_equal_file_while_the_new_one_is_written_is_noticed(
    lock: Path, tmp_path: Path, at_fsync: Callable[[Callable[[], None]], None]
) -> None:
    twin = tmp_path / "twin"
    twin.write_bytes(OLD)
    link = tmp_path / "link"
    link.symlink_to(lock)

    def move() -> None:
        link.unlink()
        link.symlink_to(twin)

    at_fsync(move)
    with pytest.raises(LockFileChangedError, match="points to another file"):
        save(link, NEW, expected=OLD)
    assert (lock.read_bytes(), twin.read_bytes()) == (OLD, OLD)
    assert names(tmp_path) == [LOCK_FILE_NAME, "link", "twin"]


def test_an_interruption_leaves_the_old_file_and_no_other(
    lock: Path, at_fsync: Callable[[Callable[[], None]], None]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    at_fsync(interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(lock, NEW, expected=OLD)
    assert lock.read_bytes() == OLD
    assert names(lock.parent) == [LOCK_FILE_NAME]


def test_a_disk_without_room_leaves_the_old_file_and_no_other(lock: Path) -> None:
    with little_room(), pytest.raises(SaveError, match="could not be written") as caught:
        save(lock, NEW, expected=OLD)
    assert caught.value.hint
    assert lock.read_bytes() == OLD
    assert names(lock.parent) == [LOCK_FILE_NAME]


def test_a_folder_that_takes_no_new_file_is_a_clear_error(tmp_path: Path) -> None:
    longest = tmp_path / ("x" * 250)
    longest.write_bytes(OLD)
    with pytest.raises(SaveError, match="the old file is still there"):
        save(longest, NEW, expected=OLD)
    assert longest.read_bytes() == OLD


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written_to_is_a_clear_error(lock: Path) -> None:
    lock.parent.chmod(0o555)
    try:
        with pytest.raises(SaveError, match="Permission denied"):
            save(lock, NEW, expected=OLD)
    finally:
        lock.parent.chmod(0o755)


def test_a_link_that_leads_out_of_the_working_tree_is_not_written_through(lock: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / ".git").mkdir(parents=True)
    (tree / "a").mkdir()
    link = tree / "a" / LOCK_FILE_NAME
    link.symlink_to(lock)
    with pytest.raises(SaveError, match="leads out of the working tree") as caught:
        save(link, NEW, expected=OLD)
    assert str(lock) in caught.value.hint
    assert lock.read_bytes() == OLD
    link.unlink()
    (tree / "common").write_bytes(OLD)
    link.symlink_to("../common")
    save(link, NEW, expected=OLD)
    assert (tree / "common").read_bytes() == NEW
    assert link.is_symlink()
