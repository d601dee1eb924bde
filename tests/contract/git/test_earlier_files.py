"""The contents that files of one name had in the last commits of a branch."""

from __future__ import annotations

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text

from lockwarden.core.git import mainline
from lockwarden.core.git.model import GitLimits


def contents(work: Work, start: str = "HEAD", limits: GitLimits | None = None) -> list[bytes]:
    repository = work.repository(limits=limits)
    return list(repository.earlier_files(repository.commit_at(start), LOCK))


@pytest.fixture
def three(work: Work) -> Work:
    """The lock files of two folders changed in turn, and one of another name."""
    for number in range(3):
        work.write(f"{'ab'[number % 2]}/{LOCK}", lock_text(f"h1:{number}"))
        work.write(f"{LOCK}.orig", b"%d" % number)
        work.commit(f"Lock {number}")
    return work


def test_every_content_comes_once_the_newest_first(three: Work) -> None:
    latest, first, second = (lock_text(f"h1:{number}") for number in (2, 0, 1))
    assert contents(three) == [latest, first, second]
    assert contents(three, "HEAD~1") == [second, first]
    three.git("rm", "--quiet", f"a/{LOCK}")
    three.commit("Gone")
    assert contents(three)[0] == lock_text("h1:2")


def test_a_branch_without_such_files_has_none(work: Work) -> None:
    work.write("main.tf", b"# nothing")
    work.commit("One")
    assert contents(work) == []


def test_what_is_no_plain_file_or_too_large_is_passed_over(three: Work) -> None:
    (three.folder / f"a/{LOCK}").unlink()
    (three.folder / f"a/{LOCK}").symlink_to("elsewhere")
    three.write(f"b/{LOCK}", lock_text("h1:large", *(f"h1:{n:040}" for n in range(10))))
    three.commit("Other")
    assert contents(three, limits=GitLimits(file_bytes=400)) == [lock_text(f"h1:{number}") for number in (2, 1, 0)]


def test_no_more_is_read_than_the_limits_say(three: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    every = contents(three)
    monkeypatch.setattr(mainline, "MAX_BYTES", len(every[0]) + 1)
    assert contents(three) == every[:1]
    monkeypatch.setattr(mainline, "MAX_FILES", 2)
    monkeypatch.setattr(mainline, "MAX_BYTES", 10_000)
    assert contents(three) == every[:2]
    monkeypatch.setattr(mainline, "MAX_FILES", 1000)
    monkeypatch.setattr(mainline, "MAX_COMMITS", 1)
    assert lock_text("h1:1") not in contents(three)


def test_a_shallow_clone_has_what_it_holds(home: Home) -> None:
    work = home.init("deep")
    work.write(LOCK, lock_text())
    work.commit("One")
    shallow = home.clone(work.folder, "shallow", "--depth=1")
    assert contents(shallow) == [lock_text()]
