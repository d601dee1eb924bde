"""Which files differ from a revision, and who git says is at the keyboard."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from contract.git.repositories import Home, Work

from lockwarden.core.errors import GitError
from lockwarden.core.git.identity import identity
from lockwarden.core.git.model import GitLimits

POLICY, APPROVALS = ".lockwarden.hcl", ".lockwarden/approvals.hcl"


def changes(work: Work, name: str = "HEAD") -> dict[str, tuple[bytes | None, bytes | None]]:
    repository = work.repository()
    files = [work.folder / POLICY, work.folder / APPROVALS]
    changed = repository.changed_files(repository.resolve(name), files)
    return {repository.relative(each.path): (each.before, each.now) for each in changed}


def test_files_that_are_as_they_were_are_not_told(work: Work) -> None:
    work.write(POLICY, b"require {}\n")
    work.commit()
    assert changes(work) == {}


def test_a_file_changed_added_or_removed_is_told_with_both_contents(work: Work) -> None:
    policy = work.write(POLICY, b"old\n")
    work.commit()
    work.write(POLICY, b"new\n")
    work.write(APPROVALS, b"approval\n")
    expected = {POLICY: (b"old\n", b"new\n"), APPROVALS: (None, b"approval\n")}
    assert changes(work) == expected
    work.commit()
    assert changes(work) == {}
    assert changes(work, "HEAD~1") == expected
    policy.unlink()
    assert changes(work) == {POLICY: (b"new\n", None)}


def test_line_ends_alone_are_no_change(work: Work) -> None:
    work.write(POLICY, b"one\ntwo\n")
    work.commit()
    work.write(POLICY, b"one\r\ntwo\r\n")
    assert changes(work) == {}
    work.write(POLICY, b"one\r\ntwo")
    assert POLICY in changes(work)


def test_a_file_on_disk_that_cannot_be_compared_is_an_error_and_not_a_change(work: Work) -> None:
    work.write(POLICY, b"x")
    work.commit()
    repository = work.repository(limits=GitLimits(file_bytes=10))
    head = repository.resolve("HEAD")
    path = work.folder / POLICY
    path.write_bytes(b"x" * 11)
    with pytest.raises(GitError, match="larger than the limit of 10 bytes") as caught:
        repository.changed_files(head, [path])
    assert caught.value.code == "unreadable"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(GitError, match="not a regular file"):
        repository.changed_files(head, [path])
    path.unlink()
    path.symlink_to(POLICY)
    with pytest.raises(GitError, match="cannot be compared"):
        repository.changed_files(head, [path])


def test_the_identity_is_the_one_that_a_commit_would_have(home: Home, work: Work) -> None:
    assert identity(work.folder, work.environ) == "Ada Example <ada@example.test>"
    work.commit()
    assert identity(work.folder, work.environ) == work.git("log", "-1", "--format=%an <%ae>")
    given = {**work.environ, "GIT_AUTHOR_NAME": "Bo", "GIT_AUTHOR_EMAIL": "bo@example.test"}
    assert identity(work.folder, given) == "Bo <bo@example.test>"


def test_outside_a_repository_the_operators_own_settings_count(home: Home) -> None:
    assert identity(home.folder, home.environ) == ""
    home.at(home.folder).git("config", "--global", "user.email", "op@example.test")
    assert identity(home.folder, home.environ) == ""
    home.at(home.folder).git("config", "--global", "user.name", "Größe")
    assert identity(home.folder, home.environ) == "Größe <op@example.test>"


def test_an_identity_is_safe_to_show_and_short(work: Work) -> None:
    work.git("config", "user.name", "Eve \x1b[31m\u202e\t" + "x" * 1000)
    known = identity(work.folder, work.environ)
    assert known.startswith("Eve <U+001B>[31m<U+202E>")
    assert known.isprintable()
    assert len(known) == 300


def test_an_identity_that_cannot_be_had_is_empty(home: Home, work: Work) -> None:
    assert identity(work.folder, {"PATH": ""}) == ""
    assert identity(home.folder / "nowhere", home.environ) == ""
    (work.folder / ".git" / "config").write_text("[broken", encoding="utf-8")
    assert identity(work.folder, work.environ) == ""
    assert identity(Path("/"), {**home.environ, "GIT_AUTHOR_NAME": "", "GIT_AUTHOR_EMAIL": ""}) == ""
