"""The bytes of a file at a commit: exactly those, for any name, or an error that says why not."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text

from lockwarden.core.git.model import GitLimits
from lockwarden.core.values.errors import GitError

ODD_NAMES = [
    "with space and\ttab",
    "two\nlines",
    "--output=x",
    "-",
    ":(top)x",
    ":!x",
    ":",
    "@{0}",
    "HEAD:x",
    "*?[a]",
    "back\\slash",
    '"quoted"',
    "größe-日本",
    "latin-\udce9",
    "\x1b[31m",
    "~",
    "$(touch x)",
]


def failure(work: Work, name: str, path: str = LOCK, *, limits: GitLimits | None = None) -> GitError:
    repository = work.repository(limits=limits)
    with pytest.raises(GitError) as caught:
        repository.file_at(repository.resolve(name), work.folder / path)
    assert caught.value.message.isprintable()
    assert caught.value.hint
    return caught.value


def test_a_file_is_read_as_it_was_committed(work: Work) -> None:
    path = work.write(f"live/{LOCK}", lock_text("h1:one"))
    work.commit()
    work.write(f"live/{LOCK}", lock_text("h1:two"))
    work.commit()
    path.write_bytes(b"not committed")
    repository = work.repository()
    found = repository.file_at(repository.resolve("HEAD~1"), path, now=b"not committed")
    assert found is not None
    assert (found.path, found.data) == (f"live/{LOCK}", lock_text("h1:one"))
    assert (found.renamed_from, found.linked_to) == (None, None)
    assert work.data_at("HEAD", f"live/{LOCK}") == lock_text("h1:two")


def test_a_file_that_was_not_there_is_none(work: Work) -> None:
    work.write("other", b"x")
    work.commit()
    work.write(f"a/b/{LOCK}", lock_text())
    for path in (LOCK, f"a/b/{LOCK}", f"other/{LOCK}"):
        assert work.data_at("HEAD", path) is None


def test_any_name_is_taken_literally(work: Work) -> None:
    work.write("decoy", b"decoy")
    for name in ODD_NAMES:
        for place in (name, f"deep/{name}/{name}x"):
            work.write(place, place.removeprefix("deep/").encode("utf-8", "surrogateescape"))
    work.commit()
    repository = work.repository()
    head = repository.resolve("HEAD")
    for place in (place for name in ODD_NAMES for place in (name, f"deep/{name}/{name}x")):
        found = repository.file_at(head, work.folder / place)
        assert found is not None, place
        assert found.path == place
        assert found.data == place.removeprefix("deep/").encode("utf-8", "surrogateescape")
        past = repository.recent_revisions(work.folder / place)
        assert [(each.revision.id, each.path) for each in past] == [(head.id, place)]


def test_bytes_are_raw_whatever_the_attributes_convert(work: Work) -> None:
    work.write(".gitattributes", b"* text eol=crlf working-tree-encoding=UTF-16LE ident\n")
    raw = b'# $Id$\r\nprovider "x" {}\n'
    id_ = work.git("hash-object", "-w", "--stdin", "--no-filters", given=raw)
    work.git("update-index", "--add", "--cacheinfo", f"100644,{id_},{LOCK}")
    work.git("commit", "--quiet", "-m", "Raw")
    work.git("checkout", LOCK)
    assert (work.folder / LOCK).read_bytes() != raw
    assert work.data_at("HEAD") == raw


def test_a_sha256_repository_is_read_alike(home: Home) -> None:
    work = home.init("sha256", "--object-format=sha256")
    work.write(f"live/{LOCK}", lock_text())
    id_ = work.commit()
    assert len(id_) == 64
    assert work.data_at(id_, f"live/{LOCK}") == lock_text()
    (work.folder / "live").rename(work.folder / "prod")
    repository = work.repository()
    found = repository.file_at(repository.resolve("HEAD"), work.folder / "prod" / LOCK, now=lock_text())
    assert found is not None
    assert found.renamed_from == f"live/{LOCK}"


def test_packed_objects_are_read_alike(work: Work) -> None:
    for number in range(5):
        work.write(LOCK, lock_text(*(f"zh:{each:064x}" for each in range(50 + number))))
        work.commit()
    work.git("gc", "--quiet", "--aggressive")
    assert work.data_at("HEAD~4") == lock_text(*(f"zh:{each:064x}" for each in range(50)))


def test_a_clone_of_depth_one_reads_its_one_commit(home: Home, work: Work) -> None:
    work.write(LOCK, lock_text("h1:one"))
    work.commit()
    work.write(LOCK, lock_text("h1:two"))
    id_ = work.commit()
    clone = home.clone(work.folder, "clone", "--depth=1")
    assert clone.data_at("HEAD") == lock_text("h1:two")
    past = clone.repository().recent_revisions(clone.folder / LOCK)
    assert [each.revision.id for each in past] == [id_]


def test_what_a_partial_clone_lacks_is_said_and_the_hint_helps(home: Home, work: Work) -> None:
    work.git("config", "uploadpack.allowFilter", "true")
    work.write(LOCK, lock_text("h1:one"))
    work.commit()
    work.write(LOCK, lock_text("h1:two"))
    work.commit()
    for filter_ in ("blob:none", "tree:0"):
        clone = home.clone(work.folder, filter_.replace(":", "-"), f"--filter={filter_}")
        error = failure(clone, "HEAD~1")
        assert error.code == "missing-object"
        assert "git fetch --refetch --no-filter" in error.hint
        clone.git("fetch", "--quiet", "--refetch", "--no-filter")
        assert clone.data_at("HEAD~1") == lock_text("h1:one")


def test_a_lost_object_is_missing_and_a_broken_one_damaged(work: Work) -> None:
    work.write(LOCK, lock_text())
    work.commit()
    blob = work.git("rev-parse", f"HEAD:{LOCK}")
    file = work.folder / ".git" / "objects" / blob[:2] / blob[2:]
    whole = file.read_bytes()
    file.chmod(0o644)
    for broken in (b"nonsense", whole[: len(whole) // 2], zlib.compress(b"blob 999\0short")):
        file.write_bytes(broken)
        assert failure(work, "HEAD").code == "damaged"
    file.unlink()
    assert failure(work, "HEAD").code == "missing-object"


def test_bytes_that_do_not_have_their_id_are_damage(work: Work) -> None:
    work.write(LOCK, lock_text("h1:right"))
    work.commit()
    blob = work.git("rev-parse", f"HEAD:{LOCK}")
    forged = lock_text("h1:wrong")
    file = work.folder / ".git" / "objects" / blob[:2] / blob[2:]
    file.chmod(0o644)
    file.write_bytes(zlib.compress(b"blob %d\0" % len(forged) + forged))
    assert work.git("cat-file", "blob", blob).encode() + b"\n" == forged
    assert failure(work, "HEAD").code == "damaged"


def test_an_object_that_another_was_put_in_the_place_of_is_read_itself(work: Work) -> None:
    work.write(LOCK, lock_text("h1:right"))
    work.commit()
    other = work.git("hash-object", "-w", "--stdin", given=lock_text("h1:wrong"))
    work.git("replace", work.git("rev-parse", f"HEAD:{LOCK}"), other)
    assert "h1:wrong" in work.git("show", f"HEAD:{LOCK}")
    assert work.data_at("HEAD") == lock_text("h1:right")


def test_a_huge_file_is_an_error_and_never_unpacked(work: Work) -> None:
    path = work.folder / LOCK
    with path.open("wb") as file:
        file.truncate(GitLimits().file_bytes + 1)
    work.commit()
    error = failure(work, "HEAD")
    assert error.code == "too-large"
    assert str(GitLimits().file_bytes) in error.message
    small = GitLimits(file_bytes=len(lock_text()))
    work.write(LOCK, lock_text())
    work.commit()
    repository = work.repository(limits=small)
    assert repository.file_at(repository.resolve("HEAD"), path) is not None
    work.write(LOCK, lock_text() + b"\n")
    work.commit()
    assert failure(work, "HEAD", limits=small).code == "too-large"


def test_a_folder_a_submodule_and_a_file_in_a_submodule_are_errors_of_their_own(home: Home, work: Work) -> None:
    inner = home.init("inner")
    inner.write(LOCK, lock_text())
    inner.commit()
    work.write(f"{LOCK}/file", b"x")
    work.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "module")
    work.commit()
    assert failure(work, "HEAD").code == "folder"
    work.git("rm", "--quiet", "-r", "--cached", "module")
    for path in ("module", f"module/{LOCK}"):
        error = failure(work, "HEAD", path)
        assert error.code == "submodule"
        assert "module is a submodule" in error.message


def test_a_pointer_of_git_lfs_is_not_taken_for_a_lock_file(work: Work) -> None:
    work.write(LOCK, b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n")
    work.commit()
    error = failure(work, "HEAD")
    assert error.code == "lfs-pointer"
    assert "Git LFS" in error.message


def test_a_folder_that_names_one_file_twice_is_damage(work: Work) -> None:
    one, two = (work.git("hash-object", "-w", "--stdin", given=each) for each in (b"one", b"two"))
    entries = b"".join(b"100644 %s\0%s" % (LOCK.encode(), bytes.fromhex(each)) for each in (one, two))
    for raw in (entries, entries[:-3], b"100644 x", b"170000 x\0" + bytes(20), b"\xff" * 30):
        tree = work.git("hash-object", "-w", "-t", "tree", "--stdin", "--literally", given=raw)
        commit = work.git("hash-object", "-w", "-t", "commit", "--stdin", "--literally", given=commit_of(tree))
        assert failure(work, commit).code == "damaged"


def commit_of(tree: str) -> bytes:
    return f"tree {tree}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nOdd\n".encode()


def test_a_name_that_climbs_is_never_followed_out_of_the_tree(work: Work, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    blob = work.git("hash-object", "-w", "--stdin", given=b"planted")
    inner = work.git(
        "hash-object", "-w", "-t", "tree", "--stdin", "--literally", given=b"100644 secret\0" + bytes.fromhex(blob)
    )
    raw = b"40000 ..\0" + bytes.fromhex(inner)
    tree = work.git("hash-object", "-w", "-t", "tree", "--stdin", "--literally", given=raw)
    commit = work.git("hash-object", "-w", "-t", "commit", "--stdin", "--literally", given=commit_of(tree))
    repository = work.repository()
    with pytest.raises(GitError) as caught:
        repository.file_at(repository.resolve(commit), work.folder / ".." / "secret")
    assert caught.value.code == "outside"
    os.symlink("../secret", work.folder / LOCK)  # noqa: PTH211
    assert repository.file_at(repository.resolve(commit), work.folder / LOCK, now=b"secret") is None
