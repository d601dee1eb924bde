"""The lock files of a tree of folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.system.lock_file_search import FoundLockFile, LinkedFolder, UnreadableFolder, files_below

NAME = ".terraform.lock.hcl"


def put(top: Path, *folders: str) -> None:
    for each in folders:
        (top / each).mkdir(parents=True, exist_ok=True)
        (top / each / NAME).write_text("")


def found(top: Path) -> list[str]:
    return [str(each.path.relative_to(top)) for each in files_below(top)]


def test_files_come_by_path_the_folder_itself_first(tmp_path: Path) -> None:
    put(tmp_path, "b/deep/er", ".", "a", "b")
    assert found(tmp_path) == [NAME, f"a/{NAME}", f"b/{NAME}", f"b/deep/er/{NAME}"]


def test_what_is_git_s_own_is_passed_over_and_what_was_fetched_is_told_with_the_repository_around(
    tmp_path: Path,
) -> None:
    put(tmp_path, "a/.terraform/modules/x", "a/.git/x", "a/.terragrunt-cache/x", "a/.hidden")
    (tmp_path / "a/.terraform/modules/x/.git").mkdir()
    (tmp_path / "a/.terraform/linked").symlink_to(tmp_path)
    assert list(files_below(tmp_path)) == [
        FoundLockFile(path=tmp_path / "a/.hidden" / NAME, repository=tmp_path / "a"),
        FoundLockFile(path=tmp_path / "a/.terraform/modules/x" / NAME, repository=tmp_path / "a", cache=".terraform"),
        FoundLockFile(
            path=tmp_path / "a/.terragrunt-cache/x" / NAME, repository=tmp_path / "a", cache=".terragrunt-cache"
        ),
    ]


def test_links_to_folders_are_not_followed_and_a_link_in_the_place_of_a_lock_file_is_one(tmp_path: Path) -> None:
    put(tmp_path, "real")
    (tmp_path / "round").symlink_to(tmp_path)
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / NAME).symlink_to(tmp_path / "real" / NAME)
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "nowhere").symlink_to("gone")
    told = list(files_below(tmp_path))
    assert [each.path for each in told if isinstance(each, FoundLockFile)] == [
        tmp_path / "linked" / NAME,
        tmp_path / "real" / NAME,
    ]
    assert [each for each in told if isinstance(each, LinkedFolder)] == [LinkedFolder(path=tmp_path / "round")]


def test_each_file_knows_the_nearest_repository(tmp_path: Path) -> None:
    put(tmp_path, "own/a", "own/inner/b", "none")
    (tmp_path / "own" / ".git").mkdir()
    (tmp_path / "own" / "inner" / ".git").write_text("gitdir: elsewhere")
    places = {str(each.path.parent.relative_to(tmp_path)): each for each in files_below(tmp_path)}
    roots = {name: each.repository for name, each in places.items() if isinstance(each, FoundLockFile)}
    assert roots == {"own/a": tmp_path / "own", "own/inner/b": tmp_path / "own" / "inner", "none": None}


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_folder_that_cannot_be_read_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    put(tmp_path, "closed", "open")
    (tmp_path / "closed").chmod(0)
    told = list(files_below(tmp_path))
    (tmp_path / "closed").chmod(0o700)
    assert UnreadableFolder(path=tmp_path / "closed", reason="Permission denied") in told
    assert [each.path for each in told if isinstance(each, FoundLockFile)] == [tmp_path / "open" / NAME]


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    assert list(files_below(tmp_path / "gone")) == [
        UnreadableFolder(path=tmp_path / "gone", reason="No such file or directory")
    ]
