"""`lockwarden init`: the proposal for a lock file that the real terraform made, printed and written."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from servers.installed import Lockwarden
from servers.terraform import Workspace

from lockwarden.core.policy.model import POLICY_FILE_NAME, Policy
from lockwarden.core.policy.read import read_policy


def policy_of(text: str) -> Policy:
    return read_policy(text.encode(), path=POLICY_FILE_NAME, folder=Path("/"))


@pytest.fixture
def repository(workspace: Workspace) -> Path:
    """The configuration's folder, below the root of a git repository."""
    root = workspace.folder.parent
    subprocess.run(["git", "init", "--quiet", root], check=True, timeout=60)
    return root


def test_the_proposal_is_printed_and_nothing_is_written(
    workspace: Workspace, lockwarden: Lockwarden, three_providers: ThreeProviders
) -> None:
    before = sorted(workspace.folder.iterdir())
    day = datetime.now(UTC).date()
    done = lockwarden.run("init", folder=workspace.folder, expected=0)
    policy = policy_of(done.out)
    (key,), (required,) = policy.keys, policy.requirements
    assert (key.fingerprint, key.owner) == (three_providers.key.fingerprint, "Three Providers <three@example.test>")
    assert [str(each) for each in key.providers] == ["registry.example.test/acme/*"]
    assert required.signed
    assert {str(each) for each in required.platforms} == {"linux_amd64"}
    assert required.hosts == {"registry.example.test"}
    assert f"{day}" in done.out or f"{datetime.now(UTC).date()}" in done.out
    assert sorted(workspace.folder.iterdir()) == before
    assert done.err == ""


def test_it_is_written_to_the_root_of_the_repository_and_the_lock_file_passes_under_it(
    workspace: Workspace, lockwarden: Lockwarden, repository: Path
) -> None:
    printed = lockwarden.run("init", folder=workspace.folder, expected=0).out
    done = lockwarden.run("init", "--write", folder=workspace.folder, expected=0)
    assert done.out == f"{repository / POLICY_FILE_NAME}: written; read it before you commit it\n"
    assert (repository / POLICY_FILE_NAME).read_text() == printed
    lockwarden.run("check", folder=workspace.folder, expected=0)


def test_outside_of_a_repository_it_is_written_beside_the_lock_file(
    workspace: Workspace, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    lockwarden.run("init", "--write", workspace.lock_file, folder=tmp_path, expected=0)
    assert policy_of((workspace.folder / POLICY_FILE_NAME).read_text()).keys


@pytest.mark.parametrize("place", ["root", "folder"])
def test_a_policy_that_is_there_is_never_replaced_or_hidden(
    workspace: Workspace, lockwarden: Lockwarden, repository: Path, place: str
) -> None:
    there = (repository if place == "root" else workspace.folder) / POLICY_FILE_NAME
    there.write_text("# ours\n")
    done = lockwarden.run("init", "--write", folder=workspace.folder, expected=2)
    assert f"there is a policy already that counts for .terraform.lock.hcl: {there}" in done.err
    assert "hint: leave --write out" in done.err
    assert there.read_text() == "# ours\n"
    assert lockwarden.run("init", folder=workspace.folder, expected=0).out.startswith("# ")


def test_a_link_in_the_place_of_the_policy_is_not_written_through(
    workspace: Workspace, lockwarden: Lockwarden, repository: Path, tmp_path: Path
) -> None:
    (repository / POLICY_FILE_NAME).symlink_to(tmp_path / "nowhere")
    done = lockwarden.run("init", "--write", folder=workspace.folder, expected=2)
    assert "it is a symbolic link" in done.err
    assert not (tmp_path / "nowhere").exists()


def test_lock_files_that_no_single_policy_could_count_for_are_refused(
    workspace: Workspace, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / workspace.lock_file.name).write_bytes(workspace.lock_file.read_bytes())
    done = lockwarden.run("init", "--write", workspace.folder, other, folder=tmp_path, expected=2)
    assert "different repositories or folders" in done.err
    assert policy_of(lockwarden.run("init", workspace.folder, other, folder=tmp_path, expected=0).out).keys


def test_a_registry_that_was_not_asked_is_told_in_the_proposal(workspace: Workspace, lockwarden: Lockwarden) -> None:
    done = lockwarden.run("init", "--offline", folder=workspace.folder, expected=3)
    assert "# No key is named for registry.example.test/acme/one 1.4.0: not asked" in done.out
    assert not policy_of(done.out).keys


def test_without_a_lock_file_there_is_nothing_to_propose(lockwarden: Lockwarden, tmp_path: Path) -> None:
    done = lockwarden.run("init", folder=tmp_path, expected=2)
    assert done.out == ""
    assert "there is no lock file" in done.err


def test_a_lock_file_that_cannot_be_read_is_told_beside_the_proposal_for_the_others(
    workspace: Workspace, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    (tmp_path / "bad.hcl").write_text("provider {")
    done = lockwarden.run("init", workspace.folder, tmp_path / "bad.hcl", folder=tmp_path, expected=2)
    assert "bad.hcl:1: error:" in done.err
    assert policy_of(done.out).keys
