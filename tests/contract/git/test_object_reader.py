"""git's `cat-file`, kept running: it answers for any object, ends when it should, and starts anew."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from contract.git.repositories import LOCK, Work, lock_text

from lockwarden.core.git.objects import commit_of, object_named, read_object, sizes
from lockwarden.core.git.repository import Repository, find_repository
from lockwarden.core.values.errors import GitError


def opened(work: Work) -> Repository:
    work.write(LOCK, lock_text())
    work.commit()
    found = find_repository(work.folder, work.environ)
    assert found is not None
    return found


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def test_many_names_are_looked_up_at_once_and_in_their_order(work: Work) -> None:
    git = opened(work).git
    blob = object_named(git, f"HEAD:{LOCK}", doing="look")
    found = sizes(git, [blob, "0" * 40] * 500, doing="look")
    assert found == [("blob", len(lock_text())), None] * 500
    assert commit_of(git, "HEAD", doing="look") == work.git("rev-parse", "HEAD")
    assert commit_of(git, f"HEAD:{LOCK}", doing="look") == ""


def test_an_object_that_ends_like_an_answer_is_read_whole(work: Work) -> None:
    git = opened(work).git
    data = b"x missing\n..0 missing\n" * 3
    work.write("odd", data)
    work.commit()
    blob = object_named(git, "HEAD:odd", doing="look")
    assert read_object(git, blob, "blob", limit=1000, doing="look") == data


def test_a_git_that_ended_is_started_again(work: Work) -> None:
    git = opened(work).git
    with pytest.raises(GitError):
        object_named(git, "@{upstream}", doing="look")  # git ends over it
    assert object_named(git, "HEAD", doing="look") == work.git("rev-parse", "HEAD")


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux tells which processes there are")
def test_no_process_outlives_the_repository_that_it_was_started_for(work: Work) -> None:
    before = children()
    found = opened(work)
    blob = object_named(found.git, f"HEAD:{LOCK}", doing="look")
    read_object(found.git, blob, "blob", limit=100_000, doing="look")
    assert len(children() - before) == 2
    del found
    gc.collect()
    assert children() <= before
