"""What a revision's name stands for, and what is said of one that stands for no commit."""

from __future__ import annotations

import hashlib
import shlex
import zlib
from datetime import UTC, datetime

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text

from lockwarden.core.values.errors import GitError, UnknownRevisionError


def failure(work: Work, name: str) -> UnknownRevisionError:
    with pytest.raises(UnknownRevisionError) as caught:
        work.repository().resolve(name)
    return caught.value


def test_a_revision_is_told_as_git_tells_it(home: Home, work: Work) -> None:
    dated = home.at(work.folder)
    dated.environ["GIT_AUTHOR_DATE"] = "2024-02-29T12:30:00+02:00"
    dated.git("commit", "--quiet", "--allow-empty", "-m", "Ändere\tdie Sperrdatei\nzweite Zeile\n\nMore")
    first = work.git("rev-parse", "HEAD")
    second = work.commit("Second")
    work.git("tag", "-a", "-m", "annotated", "v1", first)
    repository = work.repository()
    revision = repository.resolve("v1")
    assert (revision.id, revision.name, revision.parents) == (first, "v1", ())
    assert revision.short == work.git("rev-parse", "--short", first)
    assert revision.subject == work.git("log", "-1", "--format=%s", first)
    assert revision.authored == datetime(2024, 2, 29, 10, 30, tzinfo=UTC)
    for name in ("HEAD", "main", "@", second, second[:10], "HEAD^0", "heads/main", "refs/heads/main"):
        assert repository.resolve(name).id == second
    for name in ("HEAD~1", "main^", "v1^{commit}", "v1"):
        assert repository.resolve(name).id == first
    assert repository.resolve("HEAD").parents == (first,)


@pytest.mark.parametrize(
    "name", ["", "-n", "--all", "--output=/tmp/x", "HEAD\n", "a\0b", "\x1b[2J", "\x9b1m", "x" * 2000]
)
def test_a_name_that_no_revision_has_is_refused_before_git_sees_it(work: Work, name: str) -> None:
    work.commit()
    error = failure(work, name)
    assert error.code == "bad-revision"
    assert error.hint
    assert error.message.isprintable()
    assert len(error.message) < 1200


@pytest.mark.parametrize(
    "name", ["nope", "HEAD~5", "HEAD..main", "^main", "main^@", "main^!", "@{upstream}", "a b", "f" * 40]
)
def test_a_name_for_no_single_commit_is_unknown(work: Work, name: str) -> None:
    work.commit()
    work.commit()
    error = failure(work, name)
    assert error.code == "unknown-revision"
    assert name in error.message
    assert error.hint


def test_in_a_repository_without_commits_nothing_is_known(work: Work) -> None:
    assert failure(work, "HEAD").code == "unknown-revision"


def test_a_file_a_folder_or_a_tag_of_one_is_no_commit(work: Work) -> None:
    work.write(LOCK, lock_text())
    work.commit()
    work.git("tag", "-a", "-m", "a file", "odd", f"HEAD:{LOCK}")
    for name, kind in ((f"HEAD:{LOCK}", "blob"), ("HEAD^{tree}", "tree"), ("odd", "tag"), (f":{LOCK}", "blob")):
        error = failure(work, name)
        assert error.code == "not-a-commit"
        assert f"is a {kind}" in error.message


def test_digits_that_several_commits_begin_with_are_said_to_be_too_few(work: Work) -> None:
    work.commit("first")
    tree = work.git("rev-parse", "HEAD^{tree}")
    seen: dict[str, bytes] = {}
    for number in range(100_000):
        raw = f"tree {tree}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nCommit {number}\n".encode()
        start = hashlib.sha1(b"commit %d\0" % len(raw) + raw).hexdigest()[:6]
        if start in seen:
            break
        seen[start] = raw
    for each in (raw, seen[start]):
        assert work.git("hash-object", "-w", "-t", "commit", "--stdin", given=each).startswith(start)
    error = failure(work, start)
    assert error.code == "ambiguous-revision"
    for each in (raw, seen[start]):
        assert hashlib.sha1(b"commit %d\0" % len(each) + each).hexdigest() in error.message
    tree_like = work.git("hash-object", "-w", "--stdin", given=b"a blob")
    assert work.repository().resolve(work.git("rev-parse", "HEAD")[:12]).subject == "first"
    assert failure(work, tree_like[:12]).code == "not-a-commit"


def test_names_beyond_ascii_and_beyond_utf8_can_be_asked_for(work: Work) -> None:
    id_ = work.commit()
    for name in ("größe/日本", "caf\udce9"):
        work.git("branch", name)
        assert work.repository().resolve(name).id == id_


def test_a_shallow_clone_says_how_to_fetch_what_it_lacks_and_that_works(home: Home, work: Work) -> None:
    first = work.commit("first")
    work.git("branch", "base", work.commit("second"))
    work.commit("third")
    clone = home.clone(work.folder, "clone", "--depth=1")
    assert clone.repository().resolve("HEAD").parents == ()
    for name, subject in (("origin/base", "second"), (first, "first")):
        error = failure(clone, name)
        assert error.code == "unknown-revision"
        assert "shallow clone" in error.message
        command = error.hint.removeprefix("fetch it first: ").partition(";")[0]
        assert command.startswith("git fetch --depth=1 origin ")
        clone.git(*shlex.split(command)[1:])
        assert clone.repository().resolve(name).subject == subject
    assert "--deepen=" in failure(clone, "HEAD~1").hint


def test_a_branch_that_a_whole_clone_has_not_fetched_is_told_with_the_command_that_fetches_it(
    home: Home, work: Work
) -> None:
    work.commit("first")
    clone = home.clone(work.folder, "clone", "--single-branch")
    work.git("branch", "later")
    error = failure(clone, "origin/later")
    assert "shallow" not in error.message
    clone.git(*shlex.split(error.hint.partition(": ")[2])[1:])
    assert clone.repository().resolve("origin/later").subject == "first"


def test_a_commit_that_a_partial_clone_lacks_is_unknown_and_not_fetched(home: Home, work: Work) -> None:
    work.git("config", "uploadpack.allowFilter", "true")
    work.commit()
    clone = home.clone(work.folder, "clone", "--filter=blob:none")
    later = work.commit("later")
    assert failure(clone, later).code == "unknown-revision"


def test_odd_commits_are_told_as_far_as_they_can_be(work: Work) -> None:
    tree = work.git("hash-object", "-w", "-t", "tree", "/dev/null")
    raw = (
        f"tree {tree}\nauthor \x1b[31mEve <e@x> 99999999999999999999 +9999\ncommitter E <e@x> 1 +0000\n"
        f"encoding ISO-8859-1\n\n\x1b]0;caf\xe9\x07 {'x' * 3000}\r\n"
    ).encode("latin-1")
    id_ = work.git("hash-object", "-w", "-t", "commit", "--stdin", "--literally", given=raw)
    revision = work.repository().resolve(id_)
    assert revision.subject.startswith("\x1b]0;café\x07 xxx")
    assert len(revision.subject) == 500
    assert revision.authored is None or revision.authored > datetime(2100, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("content", [b"nonsense", b"", zlib.compress(b"commit 5\0hello")])
def test_a_damaged_commit_is_damage_and_not_an_unknown_revision(work: Work, content: bytes) -> None:
    id_ = work.commit()
    object_file = work.folder / ".git" / "objects" / id_[:2] / id_[2:]
    object_file.chmod(0o644)
    repository = work.repository()
    object_file.write_bytes(content)
    with pytest.raises(GitError) as caught:
        repository.resolve(id_)
    assert caught.value.code == "damaged"
    assert "git fsck" in caught.value.hint


def test_a_repository_that_breaks_while_it_is_read_is_said_to_be_none(work: Work) -> None:
    work.commit()
    repository = work.repository()
    (work.folder / ".git" / "HEAD").unlink()
    with pytest.raises(GitError) as caught:
        repository.resolve("main")
    assert caught.value.code == "not-a-repository"


def test_a_repository_format_that_git_does_not_know_is_said_in_its_words(work: Work) -> None:
    work.git("config", "core.repositoryFormatVersion", "99")
    with pytest.raises(GitError, match="99"):
        work.repository()


class TestWhereABranchLeftAnother:
    def test_what_came_to_the_other_later_is_not_part_of_it(self, work: Work) -> None:
        shared = work.commit("shared")
        work.git("switch", "--quiet", "--create", "topic")
        work.commit("of the topic")
        work.git("switch", "--quiet", "main")
        work.commit("of main, later")
        work.git("switch", "--quiet", "topic")
        repository = work.repository()
        left = repository.left_at(repository.resolve("main"))
        assert (left.id, left.name) == (shared, "main")

    def test_a_revision_that_the_branch_builds_on_is_left_as_it_is(self, work: Work) -> None:
        work.commit()
        work.commit()
        repository = work.repository()
        earlier = repository.resolve("HEAD~1")
        assert repository.left_at(earlier) == earlier

    def test_so_is_one_of_a_history_of_its_own(self, work: Work) -> None:
        work.commit()
        work.git("switch", "--quiet", "--orphan", "other")
        work.commit("another beginning")
        repository = work.repository()
        main = repository.resolve("main")
        assert repository.left_at(main) == main
