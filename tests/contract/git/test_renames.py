"""A lock file that was renamed between a revision and now, committed or not, is compared with what it was."""

from __future__ import annotations

import shutil

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text

from lockwarden.core.git.model import FileAtRevision, GitLimits
from lockwarden.core.git.renames import similarity

TEN = tuple(f"zh:{number:064x}" for number in range(10))


def found(work: Work, name: str, path: str, *, limits: GitLimits | None = None) -> FileAtRevision | None:
    repository = work.repository(limits=limits)
    file = work.folder / path
    return repository.file_at(repository.resolve(name), file, now=file.read_bytes())


def old_path(work: Work, name: str, path: str) -> str | None:
    file = found(work, name, path)
    return None if file is None else file.renamed_from


def move(work: Work, old: str, new: str) -> None:
    (work.folder / new).parent.mkdir(parents=True, exist_ok=True)
    (work.folder / old).rename(work.folder / new)


@pytest.mark.parametrize("committed", [True, False])
def test_a_moved_lock_file_is_found_under_its_old_path(work: Work, committed: bool) -> None:
    work.write(f"infra/{LOCK}", lock_text())
    base = work.commit()
    move(work, f"infra/{LOCK}", f"live/eu/{LOCK}")
    if committed:
        work.commit()
    file = found(work, base, f"live/eu/{LOCK}")
    assert file is not None
    assert (file.path, file.renamed_from, file.data) == (f"live/eu/{LOCK}", f"infra/{LOCK}", lock_text())


@pytest.mark.parametrize("committed", [True, False])
def test_a_lock_file_that_was_moved_and_changed_is_found_when_half_of_it_stayed(work: Work, committed: bool) -> None:
    work.write(f"infra/{LOCK}", lock_text(*TEN))
    base = work.commit()
    move(work, f"infra/{LOCK}", f"live/{LOCK}")
    work.write(f"live/{LOCK}", lock_text(*TEN[:6], *(f"zh:{number:064x}" for number in range(20, 24))))
    if committed:
        work.commit()
        assert work.git("diff", "--name-status", "-M", base, "HEAD").startswith("R0")
    assert old_path(work, base, f"live/{LOCK}") == f"infra/{LOCK}"
    work.write(f"live/{LOCK}", lock_text(*TEN[:2], *(f"zh:{number:064x}" for number in range(20, 28))))
    assert found(work, base, f"live/{LOCK}") is None


def test_a_copy_is_a_new_file(work: Work) -> None:
    work.write(f"infra/{LOCK}", lock_text())
    base = work.commit()
    work.write(f"live/{LOCK}", lock_text())
    assert found(work, base, f"live/{LOCK}") is None
    work.commit()
    assert found(work, base, f"live/{LOCK}") is None


def test_without_the_bytes_of_now_no_rename_is_looked_for(work: Work) -> None:
    work.write(f"infra/{LOCK}", lock_text())
    base = work.commit()
    move(work, f"infra/{LOCK}", f"live/{LOCK}")
    assert work.data_at(base, f"live/{LOCK}") is None


def test_another_name_counts_only_with_the_same_bytes(work: Work) -> None:
    work.write("locks/eu.hcl", lock_text(*TEN))
    base = work.commit()
    move(work, "locks/eu.hcl", LOCK)
    assert old_path(work, base, LOCK) == "locks/eu.hcl"
    work.write(LOCK, lock_text(*TEN, "h1:more"))
    assert found(work, base, LOCK) is None


def test_an_empty_file_is_not_every_empty_file(work: Work) -> None:
    work.write("folder/.gitkeep", b"")
    base = work.commit()
    move(work, "folder/.gitkeep", LOCK)
    assert found(work, base, LOCK) is None


def test_of_several_moved_alike_the_one_in_the_most_alike_folder_is_taken(work: Work) -> None:
    for region in ("eu", "us", "ap"):
        work.write(f"infra/{region}/{LOCK}", lock_text())
    base = work.commit()
    move(work, "infra", "live/all")
    for region in ("eu", "us", "ap"):
        assert old_path(work, base, f"live/all/{region}/{LOCK}") == f"infra/{region}/{LOCK}"


def test_the_same_bytes_win_over_a_nearer_folder_and_the_likest_over_the_rest(work: Work) -> None:
    work.write(f"live/a/{LOCK}", lock_text(*TEN[:8]))
    work.write(f"far/away/{LOCK}", lock_text(*TEN))
    work.write(f"live/b/{LOCK}", lock_text(*TEN[:6]))
    base = work.commit()
    for folder in ("live/a", "far", "live/b"):
        shutil.rmtree(work.folder / folder)
    work.write(f"live/c/{LOCK}", lock_text(*TEN))
    assert old_path(work, base, f"live/c/{LOCK}") == f"far/away/{LOCK}"
    work.write(f"live/c/{LOCK}", lock_text(*TEN, "h1:more"))
    assert old_path(work, base, f"live/c/{LOCK}") == f"far/away/{LOCK}"
    work.write(f"live/c/{LOCK}", lock_text(*TEN[:7]))
    assert old_path(work, base, f"live/c/{LOCK}") == f"live/a/{LOCK}"


def test_line_ends_that_a_checkout_converted_do_not_hide_a_rename(work: Work) -> None:
    work.write(f"infra/{LOCK}", lock_text())
    base = work.commit()
    shutil.rmtree(work.folder / "infra")
    work.write(f"live/{LOCK}", lock_text().replace(b"\n", b"\r\n"))
    assert old_path(work, base, f"live/{LOCK}") == f"infra/{LOCK}"
    work.write(f"live/{LOCK}", lock_text(*TEN, "h1:more").replace(b"\n", b"\r\n"))
    assert old_path(work, base, f"live/{LOCK}") == f"infra/{LOCK}"


def test_what_a_sparse_checkout_leaves_out_was_not_renamed(work: Work) -> None:
    work.write(f"infra/{LOCK}", lock_text())
    base = work.commit()
    work.git("sparse-checkout", "set", "live")
    assert not (work.folder / "infra").exists()
    work.write(f"live/{LOCK}", lock_text())
    assert found(work, base, f"live/{LOCK}") is None


def test_links_and_submodules_are_no_source_of_a_rename(work: Work) -> None:
    (work.folder / "a").mkdir()
    (work.folder / "a" / LOCK).symlink_to("x")
    base = work.commit()
    shutil.rmtree(work.folder / "a")
    work.write(f"b/{LOCK}", b"x")
    assert found(work, base, f"b/{LOCK}") is None


def test_files_of_an_implausible_size_are_not_compared(work: Work) -> None:
    work.write(f"infra/{LOCK}", lock_text() * 20)
    base = work.commit()
    shutil.rmtree(work.folder / "infra")
    work.write(f"live/{LOCK}", lock_text())
    assert found(work, base, f"live/{LOCK}") is None


def test_a_name_that_looks_like_an_id_is_not_one(work: Work) -> None:
    id_ = work.git("hash-object", "--stdin", given=lock_text())
    work.write(f"x {id_}\ty", lock_text(*TEN, "h1:more"))
    base = work.commit()
    (work.folder / f"x {id_}\ty").unlink()
    work.write(LOCK, lock_text())
    assert found(work, base, LOCK) is None


def test_only_so_many_files_are_compared(work: Work) -> None:
    work.write(f"a/{LOCK}", lock_text(*TEN[:5], name="other"))
    work.write(f"b/{LOCK}", lock_text(*TEN))
    base = work.commit()
    for folder in ("a", "b"):
        shutil.rmtree(work.folder / folder)
    work.write(f"c/{LOCK}", lock_text(*TEN, "h1:more"))
    assert old_path(work, base, f"c/{LOCK}") == f"b/{LOCK}"
    file = found(work, base, f"c/{LOCK}", limits=GitLimits(candidates=1))
    assert file is None


def test_a_rename_in_a_sha256_repository_is_found_alike(home: Home) -> None:
    work = home.init("sha256", "--object-format=sha256")
    work.write("locks/one.hcl", lock_text())
    base = work.commit()
    move(work, "locks/one.hcl", LOCK)
    assert old_path(work, base, LOCK) == "locks/one.hcl"


def test_similarity_is_the_share_of_common_lines() -> None:
    assert similarity(b"", b"") == 1.0
    assert similarity(b"", b"x\n") == 0.0
    assert similarity(b"aaa\nbbb\n", b"bbb\r\naaa") == 1.0
    assert similarity(b"aaa\nbbb\n", b"aaa\nccc\n") == 0.5
    assert similarity(b"aaa\n", b"aaa\naaa\naaa\naaa\n") == 0.25
