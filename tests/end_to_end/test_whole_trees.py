"""Many lock files: whole trees, one audit for all, drift told, each written on its own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from servers.https import HttpsServer
from servers.installed import Lockwarden
from servers.terraform import Workspace

NAME = ".terraform.lock.hcl"
MADE_UP = f"zh:{'5' * 64}"


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)


@pytest.fixture
def tree(workspace: Workspace, tmp_path: Path) -> Path:
    """A repository with the workspace's lock file in several places, one of them ignored."""
    top = tmp_path / "stacks"
    for place in ("net", "app/blue", "app/green", "app/green/.terraform/modules/x", "scratch"):
        (top / place).mkdir(parents=True)
        (top / place / NAME).write_bytes(workspace.lock_file.read_bytes())
    git(tmp_path, "init", "-q", str(top))
    (top / ".gitignore").write_text("scratch/\n")
    return top


def swap(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_tree_is_its_lock_files_without_what_is_fetched_or_ignored(tree: Path, lockwarden: Lockwarden) -> None:
    done = lockwarden.run("check", "--recursive", ".", "--offline", "--format", "json", folder=tree, expected=3)
    paths = [each["path"] for each in json.loads(done.out)["lock_files"]]
    assert paths == [f"app/blue/{NAME}", f"app/green/{NAME}", f"net/{NAME}"]


def test_a_tracked_lock_file_cannot_be_hidden_by_ignoring_it(tree: Path, lockwarden: Lockwarden) -> None:
    git(tree, "add", "--force", f"scratch/{NAME}")
    done = lockwarden.run("check", "-r", "--offline", "--format", "json", folder=tree, expected=3)
    assert f"scratch/{NAME}" in [each["path"] for each in json.loads(done.out)["lock_files"]]


def test_each_release_is_asked_for_once_however_many_files_hold_it(
    tree: Path, lockwarden: Lockwarden, served: HttpsServer
) -> None:
    lockwarden.run("check", "-r", folder=tree, expected=0)
    asked = [(request.host, request.path) for request in served.journal.requests]
    assert len(asked) == len(set(asked))


def test_the_same_version_with_other_hashes_is_drift_in_every_report_and_objects_to_nothing(
    tree: Path, lockwarden: Lockwarden, workspace: Workspace
) -> None:
    platforms = ("--platform", "linux_amd64", "--platform", "darwin_arm64")
    lockwarden.run("lock", "net", *platforms, folder=tree, expected=0)
    done = lockwarden.run("check", "-r", "--format", "json", folder=tree, expected=0)
    drift = {each["address"]: each["forms"] for each in json.loads(done.out)["drift"]}
    most, net = drift["registry.example.test/acme/one"]
    assert most["paths"] == [f"app/blue/{NAME}", f"app/green/{NAME}"]
    assert net["paths"] == [f"net/{NAME}"]
    assert set(net["hashes"]) > set(most["hashes"])
    assert set(most["lacking"]) == set(net["hashes"]) - set(most["hashes"])
    assert net["lacking"] == []
    text = lockwarden.run("check", "-r", folder=tree, expected=0).out
    count, lacks = len(most["hashes"]), len(most["lacking"])
    assert f"1.4.0 with {count} hashes, lacks {lacks} that others have: app/blue/{NAME}, app/green/{NAME}" in text
    markdown = lockwarden.run("check", "-r", "--format", "markdown", folder=tree, expected=0).out
    assert "Drift between the lock files" in markdown


def test_lock_writes_every_file_of_the_tree_and_leaves_the_others_alone(tree: Path, lockwarden: Lockwarden) -> None:
    ignored = (tree / "scratch" / NAME).read_bytes()
    platforms = ("--platform", "linux_amd64", "--platform", "darwin_arm64")
    lockwarden.run("lock", "-r", *platforms, folder=tree, expected=0)
    written = {(tree / place / NAME).read_bytes() for place in ("net", "app/blue", "app/green")}
    assert len(written) == 1
    assert written != {ignored}
    assert (tree / "scratch" / NAME).read_bytes() == ignored


def test_one_planted_hash_fails_the_run_and_one_broken_file_stops_no_other(tree: Path, lockwarden: Lockwarden) -> None:
    swap(tree / "net" / NAME, "hashes = [\n", f'hashes = [\n    "{MADE_UP}",\n')
    done = lockwarden.run("check", "-r", folder=tree, expected=1)
    assert "net/.terraform.lock.hcl: Do not commit yet" in done.out
    (tree / "app" / "blue" / NAME).write_text("provider {")
    done = lockwarden.run("check", "-r", folder=tree, expected=2)
    assert f"app/blue/{NAME}: Cannot be read" in done.out
    assert MADE_UP in done.out


def test_a_tree_without_a_lock_file_says_so_with_a_hint(lockwarden: Lockwarden, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = lockwarden.run("check", "-r", "empty", folder=tmp_path, expected=2)
    assert "there is no lock file in empty or below it" in done.err
    assert "init" in done.err


def test_a_tree_of_which_git_ignores_every_lock_file_says_that(lockwarden: Lockwarden, tree: Path) -> None:
    done = lockwarden.run("lock", "-r", "scratch", folder=tree, expected=2)
    assert "all lock files in scratch or below it are ignored by git" in done.err
