"""Which repository a path lies in: worktrees, submodules, links, hooks, and what is not to be taken for one."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from contract.git.repositories import LOCK, Home, Work, lock_text

from lockwarden.core.git.program import Git
from lockwarden.core.git.repository import find_repository
from lockwarden.core.values.errors import GitError, ToolError


def test_a_lock_file_in_a_subfolder_lies_in_the_repository_above(work: Work) -> None:
    path = work.write(f"live/eu/{LOCK}", lock_text())
    work.commit()
    for given in (path, path.parent, work.folder / "live" / ".." / "live" / "eu" / LOCK):
        repository = find_repository(given, work.environ)
        assert repository is not None
        assert repository.root == work.folder
    assert work.repository().relative(path) == f"live/eu/{LOCK}"


def test_a_folder_outside_every_repository_has_none(home: Home) -> None:
    assert find_repository(home.folder, home.environ) is None
    assert find_repository(home.folder / "nowhere" / LOCK, home.environ) is None


def test_outside_every_repository_no_git_program_is_needed(home: Home) -> None:
    assert find_repository(home.folder, {"PATH": ""}) is None


def test_a_missing_git_program_is_said_with_a_hint(work: Work) -> None:
    with pytest.raises(ToolError, match="git is not installed") as caught:
        find_repository(work.folder, {**work.environ, "PATH": str(work.folder)})
    assert "install git" in caught.value.hint


def test_a_git_program_in_the_working_tree_is_never_run(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = work.write("git", b"#!/bin/sh\ntouch planted\n")
    planted.chmod(0o755)
    monkeypatch.chdir(work.folder)
    for search in (".", "", ":", "bin:."):
        with pytest.raises(ToolError):
            find_repository(work.folder, {**work.environ, "PATH": search})
    assert not (work.folder / "planted").exists()


def test_a_worktree_is_its_own_root_and_has_its_own_head(home: Home, work: Work) -> None:
    work.write(LOCK, lock_text("h1:one"))
    first = work.commit()
    other = home.folder / "other"
    work.git("worktree", "add", "--quiet", "-b", "feature", str(other))
    side = home.at(other)
    side.write(LOCK, lock_text("h1:two"))
    second = side.commit()
    assert side.repository().root == other
    assert side.repository().resolve("HEAD").id == second
    assert work.repository().resolve("HEAD").id == first
    assert side.data_at("main") == lock_text("h1:one")


def test_a_worktree_of_a_bare_repository_works(home: Home, work: Work) -> None:
    work.write(LOCK, lock_text())
    work.commit()
    bare = home.clone(work.folder, "bare.git", "--bare")
    bare.git("worktree", "add", "--quiet", str(home.folder / "tree"), "main")
    assert home.at(home.folder / "tree").data_at("HEAD") == lock_text()


def test_a_bare_repository_has_no_working_tree(home: Home, work: Work) -> None:
    work.commit()
    bare = home.clone(work.folder, "bare.git", "--bare")
    assert find_repository(bare.folder, bare.environ) is None
    hidden = home.folder / "hidden"
    hidden.mkdir()
    bare.folder.rename(hidden / ".git")
    with pytest.raises(GitError, match="is bare") as caught:
        find_repository(hidden, home.environ)
    assert caught.value.code == "bare-repository"


def test_a_committed_folder_that_looks_like_a_repository_is_not_taken_for_one(home: Home, work: Work) -> None:
    forged = home.init("forged")
    forged.write(LOCK, lock_text("h1:forged"))
    forged.commit("Forged base")
    work.write(f"live/{LOCK}", lock_text("h1:real"))
    work.commit("Real base")
    shutil.copytree(forged.folder / ".git", work.folder / "live", dirs_exist_ok=True)
    looks_real = home.at(work.folder / "live").git("-c", "core.bare=true", "log", "--format=%s")
    assert looks_real == "Forged base"
    repository = work.repository(work.folder / "live" / LOCK)
    assert repository.root == work.folder
    assert repository.resolve("HEAD").subject == "Real base"


def test_git_itself_is_told_to_take_no_folder_for_a_repository_by_its_look(home: Home, work: Work) -> None:
    version = tuple(int(each) for each in work.git("version").split()[2].split(".")[:2])
    if version < (2, 38):
        pytest.skip("git knows safe.bareRepository since 2.38")
    shutil.copytree(work.folder / ".git", work.folder / "live")
    asked = Git.at(work.folder / "live", work.environ).ask("-c", "core.bare=true", "rev-parse", "HEAD", doing="look")
    assert (asked.exit_code, asked.printed) == (128, b"")
    assert "bare repository" in asked.complaint


def test_a_submodule_is_a_repository_of_its_own(home: Home, work: Work) -> None:
    inner = home.init("inner")
    inner.write(LOCK, lock_text("h1:inner"))
    inner.commit("Inner")
    work.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.folder), "modules/inner")
    work.commit("Outer")
    repository = work.repository(work.folder / "modules" / "inner" / LOCK)
    assert repository.root == work.folder / "modules" / "inner"
    assert repository.resolve("HEAD").subject == "Inner"


def test_a_link_into_a_repository_leads_there_and_a_link_in_one_stays(home: Home, work: Work) -> None:
    target = work.write(f"shared/{LOCK}", lock_text())
    work.commit()
    outside = home.folder / LOCK
    outside.symlink_to(target)
    repository = work.repository(outside)
    assert (repository.root, repository.relative(outside)) == (work.folder, f"shared/{LOCK}")
    inside = work.folder / LOCK
    inside.symlink_to(home.folder / "elsewhere")
    assert work.repository(inside).relative(inside) == LOCK


def test_links_in_a_circle_are_no_trouble(work: Work) -> None:
    (work.folder / "a").symlink_to("b")
    (work.folder / "b").symlink_to("a")
    assert work.repository(work.folder / "a").relative(work.folder / "a") == "a"


def test_what_is_no_path_or_outside_is_said(home: Home, work: Work) -> None:
    for path in (home.folder / LOCK, work.folder, Path("x\0y")):
        with pytest.raises(GitError) as caught:
            work.repository().relative(path)
        assert caught.value.code == "outside"
        assert "\0" not in caught.value.message


def test_an_empty_or_broken_git_folder_is_an_error_and_not_the_repository_above(work: Work) -> None:
    work.commit()
    inner = work.folder / "inner"
    (inner / ".git").mkdir(parents=True)
    with pytest.raises(GitError) as caught:
        find_repository(inner / LOCK, work.environ)
    assert caught.value.code == "not-a-repository"
    (work.folder / ".git" / "HEAD").write_bytes(b"\0nonsense")
    with pytest.raises(GitError) as caught:
        find_repository(work.folder, work.environ)
    assert caught.value.code == "not-a-repository"
    assert caught.value.hint


def test_a_working_tree_that_the_configuration_moves_elsewhere_is_an_error(home: Home, work: Work) -> None:
    work.commit()
    work.git("config", "core.worktree", str(home.folder))
    with pytest.raises(GitError, match="for the working tree") as caught:
        find_repository(work.folder, work.environ)
    assert "core.worktree" in caught.value.hint


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away, so another owner was NOT tested")
def test_a_repository_of_another_user_is_refused_until_the_operator_allows_it(home: Home) -> None:
    work = home.init("it's theirs")
    work.write(LOCK, lock_text())
    work.commit()
    for path in (work.folder, work.folder / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(GitError, match="belongs to another user") as caught:
        find_repository(work.folder, work.environ)
    assert caught.value.code == "untrusted-repository"
    command = caught.value.hint.partition(": ")[2]
    assert os.system(f"HOME={work.environ['HOME']} {command}") == 0
    assert work.data_at("HEAD") == lock_text()


def test_what_a_surrounding_git_left_in_the_environment_changes_nothing(home: Home, work: Work) -> None:
    work.write(LOCK, lock_text())
    work.commit("Ours")
    other = home.init("other")
    other.commit("Theirs")
    inherited = {
        "GIT_DIR": str(other.folder / ".git"),
        "GIT_WORK_TREE": str(other.folder),
        "GIT_INDEX_FILE": "/nowhere/index",
        "GIT_OBJECT_DIRECTORY": "/nowhere/objects",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.worktree",
        "GIT_CONFIG_VALUE_0": "/",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
        "GIT_NAMESPACE": "x",
        "GIT_CEILING_DIRECTORIES": str(home.folder),
        "GIT_TRACE": "/dev/stdout",
    }
    repository = find_repository(work.folder, {**work.environ, **inherited})
    assert repository is not None
    assert (repository.root, repository.resolve("HEAD").subject) == (work.folder, "Ours")


@pytest.mark.parametrize("options", [(), ("-a",), ("--only", LOCK)])
def test_a_pre_commit_hook_reads_the_last_commit_and_the_file_on_disk(work: Work, options: tuple[str, ...]) -> None:
    work.write(LOCK, lock_text("h1:before"))
    work.commit("Before")
    script = work.folder / ".git" / "probe.py"
    script.write_text(
        "import json, os, pathlib\n"
        "from lockwarden.core.git.repository import find_repository\n"
        f"path = pathlib.Path('live/../{LOCK}')\n"
        "repository = find_repository(path, os.environ)\n"
        "before = repository.file_at(repository.resolve('HEAD'), path, now=path.read_bytes())\n"
        "known = [name for name in ('GIT_DIR', 'GIT_INDEX_FILE') if name in os.environ]\n"
        "said = [str(repository.root), before.data.decode(), path.read_text(), known]\n"
        "pathlib.Path('.git/said').write_text(json.dumps(said))\n",
        encoding="utf-8",
    )
    (work.folder / "live").mkdir()
    hook = work.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec '{sys.executable}' .git/probe.py\n", encoding="utf-8")
    hook.chmod(0o755)
    work.write(LOCK, lock_text("h1:after"))
    work.git("add", LOCK)
    work.git("commit", "--quiet", "-m", "After", *options)
    root, before, after, known = json.loads((work.folder / ".git" / "said").read_text(encoding="utf-8"))
    assert (root, before.encode(), after.encode()) == (
        str(work.folder),
        lock_text("h1:before"),
        lock_text("h1:after"),
    )
    assert "GIT_INDEX_FILE" in known
