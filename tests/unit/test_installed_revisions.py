"""The commit that an installed copy says it is of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.engine.module_comparing import installed_commit

COMMIT = "a" * 40


@pytest.mark.parametrize(
    ("files", "commit"),
    [
        ({"HEAD": f"{COMMIT}\n"}, COMMIT),
        ({"HEAD": f"{'b' * 64}\n"}, "b" * 64),
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{COMMIT}\n"}, COMMIT),
        ({"HEAD": "ref: refs/heads/main\n", "packed-refs": f"# x\n{COMMIT} refs/heads/main\n"}, COMMIT),
        ({"HEAD": "ref: refs/heads/main\n", "packed-refs": f"{COMMIT} refs/heads/other\n"}, ""),
        ({"HEAD": "ref: refs/heads/main\n", "refs/heads/main": "x\n"}, ""),
        ({"HEAD": "ref: refs/heads/../../../main\n", "main": COMMIT}, ""),
        ({"HEAD": "ref: ../main\n"}, ""),
        ({"HEAD": "v1\n"}, ""),
        ({"other": ""}, ""),
        ({}, ""),
    ],
)
def test_it_is_read_off_the_git_folder_and_nothing_else(tmp_path: Path, files: dict[str, str], commit: str) -> None:
    for name, text in files.items():
        path = tmp_path / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert installed_commit(tmp_path) == commit


def test_no_link_is_followed_and_nothing_is_waited_for(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "HEAD").write_text(COMMIT)
    linked, waiting = tmp_path / "linked", tmp_path / "waiting"
    for each in (linked, waiting):
        each.mkdir()
    (linked / ".git").symlink_to(elsewhere)
    assert installed_commit(linked) == ""
    (waiting / ".git" / "HEAD").mkdir(parents=True)
    assert installed_commit(waiting) == ""
    (waiting / ".git" / "HEAD").rmdir()
    (waiting / ".git" / "HEAD").symlink_to(elsewhere / "HEAD")
    assert installed_commit(waiting) == ""
    (waiting / ".git" / "HEAD").unlink()
    os.mkfifo(waiting / ".git" / "HEAD")
    assert installed_commit(waiting) == ""
