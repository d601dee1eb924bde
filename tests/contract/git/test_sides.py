"""A merge, a rebase or a cherry-pick in progress has two sides to review against."""

from __future__ import annotations

import os

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text


def conflict(work: Work) -> tuple[str, str]:
    """Two branches that changed the same line; the ids of `main` and `feature`, with `main` checked out."""
    work.write(LOCK, lock_text("h1:base"))
    work.commit("Base")
    work.git("checkout", "--quiet", "-b", "feature")
    work.write(LOCK, lock_text("h1:theirs"))
    theirs = work.commit("Theirs")
    work.git("checkout", "--quiet", "main")
    work.write(LOCK, lock_text("h1:ours"))
    return work.commit("Ours"), theirs


def told(work: Work) -> list[tuple[str, str]]:
    return [(each.revision.id, each.label) for each in work.repository().sides()]


def test_when_nothing_is_in_progress_there_are_no_sides(work: Work) -> None:
    assert told(work) == []
    conflict(work)
    assert told(work) == []


def test_a_merge_has_this_branch_and_the_one_being_merged(work: Work) -> None:
    ours, theirs = conflict(work)
    work.git("merge", "feature", expected=1)
    assert told(work) == [(ours, "main, this branch"), (theirs, "feature, being merged")]
    repository = work.repository()
    contents = [repository.file_at(each.revision, work.folder / LOCK) for each in repository.sides()]
    assert [each.data for each in contents if each] == [lock_text("h1:ours"), lock_text("h1:theirs")]
    work.git("merge", "--abort")
    assert told(work) == []


def test_a_commit_without_a_branch_is_called_by_its_id(work: Work) -> None:
    ours, theirs = conflict(work)
    work.git("checkout", "--quiet", "--detach")
    work.git("branch", "--quiet", "-D", "feature")
    work.git("merge", theirs, expected=1)
    assert [label for _, label in told(work)] == [f"{ours[:7]}, this branch", f"{theirs[:7]}, being merged"]


def test_a_merge_of_several_branches_has_as_many_sides(work: Work) -> None:
    base = work.commit("Base")
    ids = []
    for name in ("one", "two"):
        work.git("checkout", "--quiet", "-b", name, base)
        work.write(name, b"x")
        ids.append(work.commit(name))
    work.git("checkout", "--quiet", "main")
    work.write("main", b"x")
    work.commit("Main")
    work.git("merge", "--quiet", "--no-commit", "one", "two")
    assert [id_ for id_, _ in told(work)[1:]] == ids


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_a_rebase_has_what_it_made_so_far_and_the_commit_being_applied(work: Work, backend: str) -> None:
    ours, theirs = conflict(work)
    work.git("checkout", "--quiet", "feature")
    work.git("rebase", backend, "main", expected=1)
    assert told(work) == [
        (ours, f"{ours[:7]}, what the rebase made so far"),
        (theirs, "feature, being applied again by the rebase"),
    ]


def test_a_cherry_pick_has_the_commit_being_picked(work: Work) -> None:
    ours, theirs = conflict(work)
    work.git("cherry-pick", "feature", expected=1)
    assert told(work) == [(ours, "main, this branch"), (theirs, "feature, being picked")]


def test_each_worktree_has_its_own_merge(home: Home, work: Work) -> None:
    conflict(work)
    work.git("merge", "feature", expected=1)
    work.git("worktree", "add", "--quiet", "-b", "other", str(home.folder / "other"))
    side = home.at(home.folder / "other")
    assert told(side) == []
    side.git("cherry-pick", "feature", expected=1)
    assert [label for _, label in told(side)] == ["other, this branch", "feature, being picked"]
    assert len(told(work)) == 2


def test_a_branch_or_tag_with_the_name_of_gits_notes_is_no_merge(work: Work) -> None:
    conflict(work)
    for name in ("MERGE_HEAD", "CHERRY_PICK_HEAD"):
        work.git("tag", name)
        work.git("update-ref", f"refs/heads/{name}", "HEAD")
    assert told(work) == []


@pytest.mark.parametrize("content", [b"", b"nonsense\n", b"\0" * 100, b"f" * 40 + b"\n", b"--all\n"])
def test_a_note_of_a_merge_that_names_no_commit_is_no_merge(work: Work, content: bytes) -> None:
    conflict(work)
    (work.folder / ".git" / "MERGE_HEAD").write_bytes(content)
    assert told(work) == []


def test_a_note_of_a_merge_that_is_a_link_is_not_followed(home: Home, work: Work) -> None:
    _, theirs = conflict(work)
    (home.folder / "elsewhere").write_text(theirs, encoding="utf-8")
    (work.folder / ".git" / "MERGE_HEAD").symlink_to(home.folder / "elsewhere")
    assert told(work) == []


def test_a_note_of_a_merge_that_is_no_file_is_not_waited_for(work: Work) -> None:
    conflict(work)
    os.mkfifo(work.folder / ".git" / "MERGE_HEAD")
    assert told(work) == []
