"""What git tracks and what a commit has, in one run of git each."""

from __future__ import annotations

from contract.git.repositories import LOCK, Home, lock_text

from lockwarden.core.git.listing import Listed, files_of, tracked
from lockwarden.core.git.model import ObjectKind
from lockwarden.core.git.repository import find_repository
from lockwarden.core.git.trees import names_at


def wanted(path: bytes) -> bool:
    return path.endswith(LOCK.encode())


def test_lock_files_links_and_submodules_are_listed_with_any_name(home: Home) -> None:
    work = home.init()
    odd = "a\nb\t\udcff"
    for folder in (odd, "-x", "plain"):
        (work.folder / folder).mkdir()
        (work.folder / folder / LOCK).write_bytes(lock_text())
    (work.folder / "plain" / "main.tf").write_text("")
    (work.folder / "link").symlink_to("plain")
    work.git("add", "--all")
    work.git("update-index", "--add", "--cacheinfo", f"160000,{'5' * 40},sub")
    work.git("commit", "--quiet", "--message", "one")
    work.git("update-index", "--skip-worktree", f"-x/{LOCK}".replace("-x", "./-x"))
    found = find_repository(work.folder, home.environ)
    assert found is not None
    commit = found.resolve("HEAD").id
    listed = tracked(found.git, wanted)
    kinds = {each.path: each.kind for each in listed}
    assert kinds == {
        f"-x/{LOCK}".encode(): ObjectKind.FILE,
        f"{odd}/{LOCK}".encode("utf-8", "surrogateescape"): ObjectKind.FILE,
        f"plain/{LOCK}".encode(): ObjectKind.FILE,
        b"link": ObjectKind.SYMLINK,
        b"sub": ObjectKind.SUBMODULE,
    }
    assert [each.path for each in listed if not each.checked_out] == [f"-x/{LOCK}".encode()]
    there = files_of(found.git, commit, wanted)
    assert {each.path: each.kind for each in there} == kinds
    assert Listed(path=b"sub", kind=ObjectKind.SUBMODULE, id="5" * 40) in there
    assert names_at(found.git, commit, b"plain") == (LOCK.encode(), b"main.tf")
    assert names_at(found.git, commit, odd.encode("utf-8", "surrogateescape")) == (LOCK.encode(),)
    assert names_at(found.git, commit, b"gone") == ()
    assert b"link" in names_at(found.git, commit, b"")
