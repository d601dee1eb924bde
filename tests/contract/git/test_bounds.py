"""No repository can make git run for ever, print without end or leave anything running."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text
from contract.signatures.workshop import left_of

from lockwarden.core.git.model import GitLimits
from lockwarden.core.git.repository import find_repository
from lockwarden.core.values.errors import GitError, ToolError

HANG = f"sleep 8765.{os.getpid()}"
"""A command line that no other run of these tests has."""
SHORT = GitLimits(seconds=0.5)


def fake_git(home: Home, *lines: str) -> dict[str, str]:
    """An environment whose git is a script."""
    script = home.folder / "bin" / "git"
    script.parent.mkdir()
    script.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    script.chmod(0o755)
    return {**home.environ, "PATH": f"{script.parent}:{home.environ['PATH']}"}


def failure(folder: Path, environ: dict[str, str], limits: GitLimits = SHORT) -> GitError:
    with pytest.raises(GitError) as caught:
        find_repository(folder, environ, limits=limits)
    assert caught.value.hint
    assert caught.value.message.isprintable()
    return caught.value


def test_a_configuration_that_never_ends_is_given_up(work: Work) -> None:
    pipe = work.folder / ".git" / "pipe"
    os.mkfifo(pipe)
    work.git("config", "include.path", str(pipe))
    error = failure(work.folder, work.environ)
    assert error.code == "timeout"
    assert "within 0.5 seconds" in error.message
    assert left_of(str(work.folder)) == []


@pytest.mark.parametrize("lines", [(f"{HANG} & wait",), (f"{HANG} &", "exit 0"), (f"exec {HANG} >&- 2>&-",)])
def test_a_git_that_hangs_is_killed_with_its_children(home: Home, work: Work, lines: tuple[str, ...]) -> None:
    assert failure(work.folder, fake_git(home, *lines)).code == "timeout"
    assert left_of(HANG) == []


def test_an_answer_without_end_is_cut_off(home: Home, work: Work) -> None:
    error = failure(work.folder, fake_git(home, "yes"), GitLimits(listing_bytes=100_000))
    assert error.code == "too-large"
    assert "limit of 100000 bytes" in error.message


def test_complaints_without_end_are_dropped_and_shown_safely(home: Home, work: Work) -> None:
    noise = "head -c 1000000 /dev/zero | tr '\\0' x >&2"
    words = "printf 'fatal: \\033[31mhttps://user:secret@host.test/x %s\\n' bad >&2"
    error = failure(work.folder, fake_git(home, words, noise, "exit 128"), GitLimits())
    assert "<U+001B>[31mhttps://host.test/x bad" in error.message
    assert "secret" not in error.message
    assert len(error.message) < 500


def test_a_git_that_says_nothing_is_told_by_its_exit_code(home: Home, work: Work) -> None:
    assert "exit code 3" in failure(work.folder, fake_git(home, "exit 3"), GitLimits()).message


def test_a_git_that_cannot_be_started_is_a_problem_of_the_tool(home: Home, work: Work) -> None:
    environ = fake_git(home)
    (home.folder / "bin" / "git").write_bytes(b"\x7fELF nonsense")
    with pytest.raises(ToolError, match="cannot be started"):
        find_repository(work.folder, environ)


def test_a_tree_that_unfolds_without_end_is_cut_off(work: Work) -> None:
    work.write("file", b"x")
    work.commit()
    tree = work.git("rev-parse", "HEAD^{tree}")
    for _ in range(12):
        listing = "".join(f"040000 tree {tree}\t{number}\n" for number in range(10))
        tree = work.git("mktree", given=listing.encode())
    commit = work.git("commit-tree", tree, "-m", "Unfolds")
    work.write(LOCK, lock_text())
    repository = work.repository(limits=GitLimits(listing_bytes=5_000_000))
    revision = repository.resolve(commit)
    assert repository.file_at(revision, work.folder / LOCK) is None
    with pytest.raises(GitError) as caught:
        repository.file_at(revision, work.folder / LOCK, now=lock_text())
    assert caught.value.code == "too-large"


def test_a_folder_with_too_many_files_is_an_error(work: Work) -> None:
    for number in range(50):
        work.write(f"{number}", b"x")
    work.commit()
    repository = work.repository(limits=GitLimits(object_bytes=1000))
    with pytest.raises(GitError, match="larger than the limit of 1000 bytes"):
        repository.file_at(repository.resolve("HEAD"), work.folder / "1")
