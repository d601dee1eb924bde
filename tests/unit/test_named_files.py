"""Files that the operator names: what a change put in their place is replaced and never followed."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from lockwarden.core.system.links import leads_out, link_on_the_way, working_tree
from lockwarden.core.system.named_files import write_named_file
from lockwarden.core.values.errors import SaveError

THEIRS, OURS = b"somebody else's\n", b"a report\n"


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file outside of the working tree."""
    path = tmp_path / "victim"
    path.write_bytes(THEIRS)
    return path


@pytest.fixture(params=["repository", "plain folder"])
def tree(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: that of a repository, or one without any, as an export has it."""
    folder = tmp_path / "tree"
    folder.mkdir()
    if request.param == "repository":
        (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(path: str | Path) -> None:
    write_named_file(Path(path), OURS, what="the text report")


def is_plain(path: Path) -> bool:
    status = path.lstat()
    return stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and path.read_bytes() == OURS


def test_a_file_is_made_or_replaced(tree: Path) -> None:
    for _ in range(2):
        write("report")
        assert is_plain(tree / "report")
    assert [path.name for path in tree.iterdir() if path.name != ".git"] == ["report"]


def test_a_link_is_replaced_and_not_followed(tree: Path, victim: Path) -> None:
    (tree / "report").symlink_to("../victim")
    write("report")
    assert is_plain(tree / "report")
    assert victim.read_bytes() == THEIRS


def test_a_link_that_leads_nowhere_makes_no_file_there(tree: Path, tmp_path: Path) -> None:
    (tree / "report").symlink_to(tmp_path / "nothing")
    write("report")
    assert is_plain(tree / "report")
    assert not (tmp_path / "nothing").exists()


def test_another_name_of_a_file_is_given_up(tree: Path, victim: Path) -> None:
    os.link(victim, tree / "report")
    write("report")
    assert is_plain(tree / "report")
    assert victim.read_bytes() == THEIRS


def test_a_pipe_is_replaced_without_waiting(tree: Path) -> None:
    os.mkfifo(tree / "report")
    write("report")
    assert is_plain(tree / "report")


@pytest.mark.parametrize("name", ["a/report", "a/b/report", "./a/b/../report"])
def test_nothing_is_written_through_a_folder_that_is_a_link(tree: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    (outside / "b").mkdir(parents=True)
    (tree / "a").symlink_to(outside)
    with pytest.raises(SaveError, match=r"the text report cannot be written to .*/a is a symbolic link") as caught:
        write(name)
    assert caught.value.hint
    assert [path for path in outside.rglob("*") if path.is_file()] == []


def test_the_whole_name_counts_where_the_working_tree_is_named_from_elsewhere(
    victim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = tmp_path / "tree"
    (tree / ".git").mkdir(parents=True)
    (tree / "report").symlink_to(victim)
    (tree / "a").symlink_to(tmp_path)
    (tmp_path / "way").symlink_to(tree)
    monkeypatch.chdir("/")
    for path in (tree / "report", tmp_path / "way" / "report"):
        path.unlink()
        path.symlink_to(victim)
        write(path)
        assert is_plain(tree / "report")
    for path in (tree / "a" / "victim", tmp_path / "way" / "a" / "victim"):
        with pytest.raises(SaveError):
            write(path)
    assert victim.read_bytes() == THEIRS


def test_a_repository_within_the_repository_hides_no_link(tmp_path: Path, victim: Path) -> None:
    outside = tmp_path / "outside"
    (outside / ".git").mkdir(parents=True)
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    (tmp_path / "tree" / "a").symlink_to(outside)
    assert working_tree(tmp_path / "tree" / "a" / "x") == tmp_path / "tree"
    assert link_on_the_way(tmp_path / "tree" / "a" / "x") == tmp_path / "tree" / "a"
    assert leads_out(tmp_path / "tree" / "a" / "x")


def test_a_working_tree_that_is_reached_by_a_link_is_one(tmp_path: Path) -> None:
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    (tmp_path / "way").symlink_to(tmp_path / "tree")
    path = tmp_path / "way" / "x"
    assert (working_tree(path), link_on_the_way(path), leads_out(path)) == (tmp_path / "way", None, False)
    assert not leads_out(tmp_path / "x")


def test_a_link_of_the_operators_that_leads_into_a_working_tree_leads_no_further(tmp_path: Path, victim: Path) -> None:
    """What lies there is the doing of the change, whatever name it is come by."""
    (tmp_path / "tree" / "reports").mkdir(parents=True)
    (tmp_path / "tree" / ".git").mkdir()
    (tmp_path / "own").symlink_to("tree/reports")
    (tmp_path / "latest").symlink_to("tree/reports/latest")
    for path in (tmp_path / "own" / "report", tmp_path / "latest"):
        write(path)
        assert is_plain(Path(os.path.realpath(path)))
    assert (tmp_path / "latest").is_symlink()
    (tmp_path / "tree" / "reports" / "latest").unlink()
    (tmp_path / "tree" / "reports" / "latest").symlink_to(victim)
    with pytest.raises(SaveError, match="reports/latest is a symbolic link"):
        write(tmp_path / "latest")
    assert leads_out(tmp_path / "latest")
    assert not leads_out(tmp_path / "own" / "report")
    (tmp_path / "tree" / "reports").rename(tmp_path / "tree" / "before")
    (tmp_path / "tree" / "reports").symlink_to("..")
    with pytest.raises(SaveError, match="tree/reports is a symbolic link"):
        write(tmp_path / "own" / "victim")
    assert link_on_the_way(tmp_path / "own" / "victim") == tmp_path / "tree" / "reports"
    assert victim.read_bytes() == THEIRS


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="the system has no such name for the current folder")
def test_a_name_of_the_systems_for_a_folder_makes_no_other_of_it(tree: Path, tmp_path: Path, victim: Path) -> None:
    (tree / "away").symlink_to("..")
    if (tree / ".git").exists():
        with pytest.raises(SaveError, match="away is a symbolic link"):
            write("/proc/self/cwd/away/victim")
        assert victim.read_bytes() == THEIRS
    write("/proc/self/cwd/report")
    assert is_plain(tree / "report")


def test_elsewhere_the_name_is_the_operators_and_links_and_pipes_are_followed(victim: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(victim)
    write(tmp_path / "latest")
    assert (tmp_path / "latest").is_symlink()
    assert victim.read_bytes() == OURS
    os.mkfifo(tmp_path / "pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write(tmp_path / "pipe")
    reader.join()
    assert got == [OURS]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("top", ["/", ""])
def test_what_the_system_offers_is_written_to(monkeypatch: pytest.MonkeyPatch, top: str) -> None:
    monkeypatch.chdir("/")
    ours, theirs = os.pipe()
    try:
        write(f"{top}dev/fd/{theirs}")
        assert os.read(ours, 100) == OURS
    finally:
        os.close(ours)
        os.close(theirs)


@pytest.mark.parametrize("name", ["nothing/report", ".", "file/report"])
def test_what_cannot_be_written_is_one_sentence(tree: Path, name: str) -> None:
    (tree / "file").write_bytes(THEIRS)
    with pytest.raises(SaveError, match="the text report cannot be written to") as caught:
        write(name)
    assert caught.value.hint
    assert (tree / "file").read_bytes() == THEIRS
