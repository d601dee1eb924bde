"""Saving Lockwarden's own files: never over what somebody else wrote, never through a link, never half a file."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from lockwarden.core.system.own_files import read_own_file, save_own_file
from lockwarden.core.values.errors import ApprovalsError, FileChangedError, SaveError

OLD, NEW = b"# old\n", b"# new\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.hcl"
    path.write_bytes(OLD)
    return path


@pytest.fixture
def at_fsync(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Do something when the new content is on the disk and does not have the name yet."""
    real = os.fsync

    def arrange(happening: Callable[[], object]) -> None:
        def fsync(descriptor: int) -> None:
            real(descriptor)
            monkeypatch.setattr(os, "fsync", real)
            happening()

        monkeypatch.setattr(os, "fsync", fsync)

    return arrange


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_new_content_replaces_the_old_with_its_mode(file: Path) -> None:
    file.chmod(0o640)
    save_own_file(file, NEW, expected=OLD)
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert names(file.parent) == ["file.hcl"]


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        save_own_file(tmp_path / "new.hcl", NEW, expected=None)
    finally:
        os.umask(before)
    assert (tmp_path / "new.hcl").read_bytes() == NEW
    assert stat.S_IMODE((tmp_path / "new.hcl").stat().st_mode) == 0o640
    assert names(tmp_path) == ["new.hcl"]


def test_a_file_that_was_changed_is_not_overwritten(file: Path) -> None:
    file.write_bytes(b"# somebody else's\n")
    with pytest.raises(FileChangedError, match="was changed since") as caught:
        save_own_file(file, NEW, expected=OLD)
    assert caught.value.hint
    assert file.read_bytes() == b"# somebody else's\n"


def test_a_file_that_only_grew_is_a_changed_one(file: Path) -> None:
    file.write_bytes(OLD + b"# more\n")
    with pytest.raises(FileChangedError):
        save_own_file(file, NEW, expected=OLD)


def test_a_file_that_is_gone_is_not_made_again(file: Path) -> None:
    file.unlink()
    with pytest.raises(FileChangedError, match="is gone"):
        save_own_file(file, NEW, expected=OLD)
    assert names(file.parent) == []


@pytest.mark.parametrize("content", [OLD, b""], ids=["something", "nothing"])
def test_a_file_that_was_not_there_is_not_overwritten(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(FileChangedError, match="is there now"):
        save_own_file(file, NEW, expected=None)
    assert file.read_bytes() == content


def test_a_link_is_neither_followed_nor_replaced(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.hcl"
    link.symlink_to(file)
    with pytest.raises(FileChangedError, match="it is a symbolic link"):
        save_own_file(link, NEW, expected=OLD)
    link.unlink()
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileChangedError, match="it is a symbolic link"):
        save_own_file(link, NEW, expected=None)
    assert (file.read_bytes(), names(tmp_path)) == (OLD, ["file.hcl", "link.hcl"])


def test_a_change_at_the_last_moment_is_noticed(file: Path, at_fsync: Callable[[Callable[[], object]], None]) -> None:
    at_fsync(lambda: file.write_bytes(b"# theirs\n"))
    with pytest.raises(FileChangedError, match="was changed since"):
        save_own_file(file, NEW, expected=OLD)
    assert (file.read_bytes(), names(file.parent)) == (b"# theirs\n", ["file.hcl"])


def test_a_file_that_appears_at_the_last_moment_is_kept(
    tmp_path: Path, at_fsync: Callable[[Callable[[], object]], None]
) -> None:
    path = tmp_path / "new.hcl"
    at_fsync(lambda: path.write_bytes(b"# theirs\n"))
    with pytest.raises(FileChangedError, match="is there now"):
        save_own_file(path, NEW, expected=None)
    assert (path.read_bytes(), names(tmp_path)) == (b"# theirs\n", ["new.hcl"])


class TestWithoutSecondNames:
    """File systems that know no hard links, such as those of memory cards."""

    @pytest.fixture(autouse=True)
    def no_links(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def link(source: Path, target: Path) -> None:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

        monkeypatch.setattr(os, "link", link)

    def test_a_new_file_is_written_all_the_same(self, tmp_path: Path) -> None:
        save_own_file(tmp_path / "new.hcl", NEW, expected=None)
        assert (tmp_path / "new.hcl").read_bytes() == NEW
        assert names(tmp_path) == ["new.hcl"]

    def test_a_file_that_appears_is_kept(
        self, tmp_path: Path, at_fsync: Callable[[Callable[[], object]], None]
    ) -> None:
        path = tmp_path / "new.hcl"
        at_fsync(lambda: path.write_bytes(b"# theirs\n"))
        with pytest.raises(FileChangedError, match="is there now"):
            save_own_file(path, NEW, expected=None)
        assert path.read_bytes() == b"# theirs\n"


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="No such file or directory") as caught:
        save_own_file(tmp_path / "none" / "new.hcl", NEW, expected=None)
    assert caught.value.hint


def test_an_interruption_leaves_the_old_file_and_no_other(
    file: Path, at_fsync: Callable[[Callable[[], object]], None]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    at_fsync(interrupt)
    with pytest.raises(KeyboardInterrupt):
        save_own_file(file, NEW, expected=OLD)
    assert (file.read_bytes(), names(file.parent)) == (OLD, ["file.hcl"])


def test_a_name_that_is_no_path_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ApprovalsError, match="not a path"):
        read_own_file(tmp_path / "a\0b", name="a", limit=10, error=ApprovalsError)


def test_reading_opens_no_file_for_good(tmp_path: Path) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(10):
        with pytest.raises(ApprovalsError):
            read_own_file(tmp_path, name="folder", limit=10, error=ApprovalsError)
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_what_cannot_be_read_is_not_taken_for_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ApprovalsError, match="cannot be read: File name too long") as caught:
        read_own_file(tmp_path / ("x" * 300), name="x", limit=10, error=ApprovalsError)
    assert caught.value.hint


def test_nothing_is_written_through_a_folder_of_the_working_tree_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "tree" / "conf").symlink_to(tmp_path / "outside")
    with pytest.raises(SaveError, match="conf is a symbolic link") as caught:
        save_own_file(tmp_path / "tree" / "conf" / "new.hcl", NEW, expected=None)
    assert caught.value.hint
    assert names(tmp_path / "outside") == []
