"""Symbolic links at a revision: followed inside the tree of that commit, refused where they leave it."""

from __future__ import annotations

import os

import pytest
from contract.git.repositories import LOCK, Work, lock_text

from lockwarden.core.git.model import GitLimits
from lockwarden.core.values.errors import GitError


def link(work: Work, text: str, path: str = LOCK) -> None:
    place = work.folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    os.symlink(text, place)  # noqa: PTH211


def code(work: Work, path: str = LOCK) -> str:
    repository = work.repository()
    with pytest.raises(GitError) as caught:
        repository.file_at(repository.resolve("HEAD"), work.folder / path)
    assert caught.value.message.isprintable()
    return caught.value.code


@pytest.mark.parametrize(
    "text", [f"common/{LOCK}", f"./common//.//{LOCK}", f"common/../common/{LOCK}", "one", f"folder/{LOCK}"]
)
def test_a_link_inside_the_tree_is_followed_at_its_own_revision(work: Work, text: str) -> None:
    work.write(f"common/{LOCK}", lock_text("h1:before"))
    link(work, "two", "one")
    link(work, f"common/{LOCK}", "two")
    link(work, "common", "folder")
    link(work, text)
    work.commit()
    work.write(f"common/{LOCK}", lock_text("h1:after"))
    repository = work.repository()
    found = repository.file_at(repository.resolve("HEAD"), work.folder / LOCK)
    assert found is not None
    assert (found.path, found.linked_to, found.data) == (LOCK, f"common/{LOCK}", lock_text("h1:before"))


def test_the_text_of_a_link_is_never_taken_for_a_lock_file(work: Work) -> None:
    link(work, lock_text("h1:planted").decode())
    work.commit()
    assert code(work) == "broken-symlink"


@pytest.mark.parametrize("text", ["/etc/passwd", "../outside", "common/../../outside", "..", "common/..", "common"])
def test_a_link_out_of_the_tree_or_to_a_folder_is_refused(work: Work, text: str) -> None:
    work.write("common/file", b"x")
    link(work, text)
    work.commit()
    expected = "folder" if text in {"common", "common/.."} else "symlink-outside"
    assert code(work) == expected


@pytest.mark.parametrize("text", ["nowhere", "file/", "file/x", LOCK, "circle", "x/" * 600 + "x"])
def test_a_link_that_leads_nowhere_is_an_error_and_not_an_absent_file(work: Work, text: str) -> None:
    work.write("file", b"x")
    link(work, "circle2", "circle")
    link(work, "circle", "circle2")
    link(work, text)
    work.commit()
    assert code(work) == "broken-symlink"


@pytest.mark.parametrize("text", [b"", b"common\0x"])
def test_a_link_that_no_system_can_have_is_an_error(work: Work, text: bytes) -> None:
    id_ = work.git("hash-object", "-w", "--stdin", given=text)
    work.git("update-index", "--add", "--cacheinfo", f"120000,{id_},{LOCK}")
    work.git("commit", "--quiet", "-m", "Odd")
    assert code(work) == "broken-symlink"


def test_a_link_to_the_git_folder_leads_nowhere(work: Work) -> None:
    link(work, ".git/config")
    work.commit()
    assert code(work) == "broken-symlink"


def test_links_that_multiply_are_cut_off(work: Work) -> None:
    work.write("d/file", b"x")
    link(work, "/".join(["d/.."] * 60) + "/l0", "l1")
    link(work, "/".join(["l1/.."] * 2), "l0")
    link(work, "l1")
    work.commit()
    assert code(work) == "broken-symlink"


def test_as_many_links_as_the_limit_lead_to_a_file_and_one_more_does_not(work: Work) -> None:
    work.write("file", b"x")
    link(work, "file", "l1")
    link(work, "l1", "l2")
    link(work, "l2", "l3")
    work.commit()
    repository = work.repository(limits=GitLimits(links=2))
    head = repository.resolve("HEAD")
    assert repository.file_at(head, work.folder / "l2") is not None
    with pytest.raises(GitError, match="symbolic links go in a circle there"):
        repository.file_at(head, work.folder / "l3")


def test_a_link_that_goes_a_long_way_round_is_followed_for_a_while_only(work: Work) -> None:
    work.write("d/file", b"x")
    link(work, "d/../" * 200 + "d/file", "far")
    link(work, "d/../" * 300 + "d/file", "farther")
    work.commit()
    repository = work.repository()
    head = repository.resolve("HEAD")
    assert repository.file_at(head, work.folder / "far") is not None
    with pytest.raises(GitError, match="its path is too long"):
        repository.file_at(head, work.folder / "farther")


def test_a_lock_file_that_became_a_link_is_read_as_the_file_that_it_was(work: Work) -> None:
    work.write(f"common/{LOCK}", lock_text("h1:common"))
    path = work.write(LOCK, lock_text("h1:own"))
    work.commit()
    path.unlink()
    link(work, f"common/{LOCK}")
    assert work.data_at("HEAD") == lock_text("h1:own")


def test_a_new_link_to_an_old_file_is_compared_with_that_file(work: Work) -> None:
    work.write(f"common/{LOCK}", lock_text("h1:common"))
    work.commit()
    link(work, f"../common/{LOCK}", f"live/{LOCK}")
    repository = work.repository()
    found = repository.file_at(repository.resolve("HEAD"), work.folder / "live" / LOCK)
    assert found is not None
    assert (found.path, found.linked_to) == (f"live/{LOCK}", f"common/{LOCK}")
    past = repository.recent_revisions(work.folder / "live" / LOCK)
    assert [each.revision.id for each in past] == [repository.resolve("HEAD").id]


def test_a_folder_that_was_a_link_at_the_revision_is_followed(work: Work) -> None:
    work.write(f"common/{LOCK}", lock_text("h1:common"))
    link(work, "common", "live")
    work.commit()
    (work.folder / "live").unlink()
    work.write(f"live/{LOCK}", lock_text("h1:now"))
    assert work.data_at("HEAD", f"live/{LOCK}") == lock_text("h1:common")
