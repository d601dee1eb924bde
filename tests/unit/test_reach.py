"""Which paths a change can decide about: every one whose way leads through its working tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.core.git.reach import NO_REACH, Entered, Reach


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A working tree with a folder, beside a folder of the operator's."""
    root = tmp_path / "repo"
    for folder in (".git", "conf", "infra"):
        (root / folder).mkdir(parents=True)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "file").write_text("")
    return root


def entered(tree: Path, path: str | Path, directory: Path | None = None) -> str | None:
    found = Reach.of([str(tree / "infra")]).entered(path, directory or tree)
    assert found is None or found.root == tree
    return None if found is None else found.below


def test_names_in_the_tree_are_in_reach_whether_they_are_there_or_not(tree: Path) -> None:
    assert entered(tree, "conf/x") == "conf/x"
    assert entered(tree, "./conf//x/.") == "conf/x"
    assert entered(tree, tree / "nowhere" / "x") == "nowhere/x"
    assert entered(tree, "x", tree / "conf") == "conf/x"
    assert entered(tree, tree) == ""
    assert entered(tree, "..") is None
    assert entered(tree, "../own/file") is None
    assert entered(tree, "../repo/conf") == "conf"
    assert entered(tree, "/dev/null") is None
    assert entered(tree, "a\0b") is None


def test_links_out_of_the_tree_are_in_reach_and_so_are_links_into_it(tree: Path, tmp_path: Path) -> None:
    (tree / "out").symlink_to(tmp_path / "own")
    assert entered(tree, "out/file") == "out/file"
    assert entered(tree, "conf/../../own/file") == "conf/../../own/file"  # conf could be a link as well
    (tmp_path / "in").symlink_to(tree / "conf")
    assert entered(tree, tmp_path / "in" / "x") == "conf/x"
    (tmp_path / "through").symlink_to(tree / "out" / "file")
    assert entered(tree, tmp_path / "through") == "out/file"
    (tmp_path / "relative").symlink_to("repo")
    assert entered(tree, tmp_path / "relative" / "conf") == "conf"


def test_another_name_of_the_tree_leads_there_too(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(tree)
    assert entered(tree, tmp_path / "alias" / "out" / "file") == "out/file"
    assert Reach.of([str(tmp_path / "alias" / "infra")]).roots == (tree,)


def test_a_circle_of_links_leads_nowhere(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert entered(tree, tmp_path / "a" / "x") is None


def test_the_nearest_tree_of_each_path_counts(tree: Path, tmp_path: Path) -> None:
    (tree / "conf" / ".git").write_text("gitdir: elsewhere")
    (tree / "infra" / "x").symlink_to(tree / "conf" / "y")
    assert Reach.of([str(tree / "infra")]).roots == (tree,)
    assert Reach.of([str(tree / "infra" / "x")]).roots == (tree, tree / "conf")
    both = Reach.of([str(tree), str(tree / "conf")])
    assert both.entered("conf/z", tree) == Entered(tree, "conf/z")
    assert Reach.of([str(tmp_path)]).roots == ()
    (tree / "infra" / ".terraform.lock.hcl").write_text("")
    assert Reach.of([str(tmp_path)], recursive=True).roots == (tree,)
    assert Reach.of(["\0"]).roots == ()
    assert NO_REACH.entered(tree, tree) is None


def test_around_a_submodule_the_tree_that_has_it_counts_and_around_another_repository_it_does_not(tree: Path) -> None:
    for name, place in (("sub", "../.git/modules/sub"), ("own", ".git"), ("beside", "../.git/worktrees/beside")):
        (tree / name).mkdir()
        (tree / name / ".git").write_text(f"gitdir: {place}\n")
    assert Reach.of([str(tree / "sub")]).roots == (tree, tree / "sub")
    assert Reach.of([str(tree / "own")]).roots == (tree / "own",)
    assert Reach.of([str(tree / "beside")]).roots == (tree / "beside",)
    (tree / "sub" / "deep").mkdir()
    (tree / "sub" / "deep" / ".git").write_text("gitdir: ../../.git/modules/sub/modules/deep")
    assert Reach.of([str(tree / "sub" / "deep")]).roots == (tree, tree / "sub", tree / "sub" / "deep")
