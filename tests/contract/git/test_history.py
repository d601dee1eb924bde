"""What the picker of revisions offers: the commits that changed a file, and the branches next to this one."""

from __future__ import annotations

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text

from lockwarden.core.git.model import GitLimits

TEN = tuple(f"zh:{number:064x}" for number in range(10))


def subjects(work: Work, path: str = LOCK, *, limit: int = 50, now: bytes | None = None) -> list[tuple[str, str]]:
    past = work.repository().recent_revisions(work.folder / path, limit=limit, now=now)
    return [(each.revision.subject, each.path) for each in past]


def test_only_commits_that_changed_the_file_are_offered_newest_first(work: Work) -> None:
    for number in range(3):
        work.write(LOCK, lock_text(f"h1:{number}"))
        work.commit(f"Lock {number}")
        work.write("main.tf", b"# %d" % number)
        work.commit(f"Other {number}")
    assert subjects(work) == [("Lock 2", LOCK), ("Lock 1", LOCK), ("Lock 0", LOCK)]
    assert subjects(work, limit=2) == [("Lock 2", LOCK), ("Lock 1", LOCK)]
    first = work.repository().recent_revisions(work.folder / LOCK)[0].revision
    assert (first.name, first.short) == (work.git("rev-parse", "--short", "HEAD~1"),) * 2


def test_the_history_goes_on_under_every_earlier_path(work: Work) -> None:
    paths = [f"{name}/{LOCK}" for name in ("one", "two", "three")]
    for number, path in enumerate(paths):
        if number:
            (work.folder / path).parent.mkdir()
            work.git("mv", paths[number - 1], path)
        hashes = (*TEN, f"h1:{number}")
        work.write(path, lock_text(*hashes))
        work.commit(f"At {number}")
        work.write(path, lock_text(*hashes, "h1:more"))
        work.commit(f"Changed {number}")
    expected = [(f"{what} {number}", paths[number]) for number in (2, 1, 0) for what in ("Changed", "At")]
    assert subjects(work, paths[2]) == expected
    repository = work.repository()
    for each in repository.recent_revisions(work.folder / paths[2]):
        assert repository.file_at(each.revision, repository.root / each.path) is not None
    assert subjects(work, paths[2], limit=3) == expected[:3]
    limited = work.repository(limits=GitLimits(renames=2)).recent_revisions(work.folder / paths[2])
    assert [each.path for each in limited] == [path for path in (paths[2], paths[1]) for _ in range(2)]


def test_a_rename_that_is_not_committed_is_followed_too(work: Work) -> None:
    work.write(f"old/{LOCK}", lock_text(*TEN))
    work.commit("Old")
    (work.folder / "old").rename(work.folder / "new")
    now = lock_text(*TEN, "h1:more")
    work.write(f"new/{LOCK}", now)
    assert subjects(work, f"new/{LOCK}") == []
    assert subjects(work, f"new/{LOCK}", now=now) == [("Old", f"old/{LOCK}")]


def test_a_new_lock_file_has_no_history(work: Work) -> None:
    assert subjects(work, now=lock_text()) == []
    work.write("main.tf", b"x")
    work.commit()
    work.write(LOCK, lock_text())
    assert subjects(work, now=lock_text()) == []
    work.commit("New")
    assert subjects(work, now=lock_text()) == [("New", LOCK)]


def test_a_file_that_was_removed_and_came_back_keeps_its_history(work: Work) -> None:
    path = work.write(LOCK, lock_text("h1:one"))
    work.commit("Added")
    path.unlink()
    work.commit("Removed")
    work.write(LOCK, lock_text("h1:two"))
    work.commit("Back")
    assert [subject for subject, _ in subjects(work)] == ["Back", "Removed", "Added"]


def test_the_history_of_a_link_is_also_that_of_the_file_that_it_leads_to(work: Work) -> None:
    work.write(f"shared/{LOCK}", lock_text("h1:one"))
    work.commit("Shared")
    (work.folder / LOCK).symlink_to(f"shared/{LOCK}")
    work.commit("Link")
    work.write(f"shared/{LOCK}", lock_text("h1:two"))
    work.commit("Changed")
    assert [subject for subject, _ in subjects(work)] == ["Changed", "Link", "Shared"]


def test_a_link_that_led_nowhere_at_first_ends_the_history(work: Work) -> None:
    work.commit("Base")
    (work.folder / LOCK).symlink_to(f"shared/{LOCK}")
    work.commit("Link")
    work.write(f"shared/{LOCK}", lock_text())
    work.commit("Shared")
    assert [subject for subject, _ in subjects(work, now=lock_text())] == ["Shared", "Link"]


def test_a_clock_that_went_wrong_loses_no_commit(home: Home, work: Work) -> None:
    late = home.at(work.folder)
    late.environ["GIT_COMMITTER_DATE"] = "2090-01-01T00:00:00Z"
    late.commit("Base")
    late.write(LOCK, lock_text(*TEN))
    late.commit("Added")
    work.git("checkout", "--quiet", "-b", "side")
    work.write(LOCK, lock_text(*TEN, "h1:side"))
    work.commit("Side")
    work.git("checkout", "--quiet", "main")
    late.write("main.tf", b"x")
    late.write(LOCK, b"# comment\n" + lock_text(*TEN))
    late.commit("Main")
    late.git("merge", "--quiet", "--no-edit", "side")
    assert sorted(subject for subject, _ in subjects(work)) == sorted(
        work.git("log", "--format=%s", "--", LOCK).splitlines()
    )


def test_the_file_of_a_merge_that_is_in_no_parent_is_new_there(work: Work) -> None:
    work.commit("Base")
    work.git("checkout", "--quiet", "-b", "side")
    work.write("side.tf", b"x")
    work.commit("Side")
    work.git("checkout", "--quiet", "main")
    work.write("main.tf", b"x")
    work.commit("Main")
    work.git("merge", "--quiet", "--no-commit", "side")
    work.write(LOCK, lock_text())
    work.commit("Merge")
    assert subjects(work) == [("Merge", LOCK)]


def test_changes_of_merged_branches_are_offered(work: Work) -> None:
    work.write(LOCK, lock_text(*TEN))
    work.commit("Base")
    work.git("checkout", "--quiet", "-b", "side")
    work.write(LOCK, lock_text(*TEN, "h1:side"))
    work.commit("Side")
    work.git("checkout", "--quiet", "main")
    work.write("main.tf", b"x")
    work.commit("Main")
    work.git("merge", "--quiet", "--no-edit", "side")
    assert [subject for subject, _ in subjects(work)] == ["Side", "Base"]


def test_the_default_branch_and_the_upstream_are_suggested(home: Home, work: Work) -> None:
    main = work.commit("Main")
    clone = home.clone(work.folder, "clone")
    clone.git("config", "user.email", "x@example.test")
    clone.git("config", "user.name", "X")
    clone.git("checkout", "--quiet", "-b", "feature")
    feature = clone.commit("Feature")
    clone.git("push", "--quiet", "--set-upstream", "origin", "feature")
    offered = [(each.revision.name, each.revision.id, each.reason) for each in clone.repository().suggestions()]
    assert offered == [
        ("origin/main", main, "the default branch"),
        ("origin/feature", feature, "the upstream of the current branch"),
    ]


def test_a_branch_is_suggested_once_and_one_that_is_gone_not_at_all(home: Home, work: Work) -> None:
    work.commit("Main")
    clone = home.clone(work.folder, "clone")
    assert [each.revision.name for each in clone.repository().suggestions()] == ["origin/main"]
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    assert clone.repository().suggestions() == ()


@pytest.mark.parametrize("detached", [True, False])
def test_without_a_remote_the_local_default_branch_is_suggested(work: Work, detached: bool) -> None:
    assert work.repository().suggestions() == ()
    work.commit("Main")
    assert work.repository().suggestions() == ()
    work.git("checkout", "--quiet", *(["--detach"] if detached else ["-b", "feature"]))
    work.commit("Feature")
    assert [each.revision.name for each in work.repository().suggestions()] == ["main"]
