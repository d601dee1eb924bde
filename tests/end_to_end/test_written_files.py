"""What the installed command writes in a repository whose files are the doing of a pull request."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.pull_requests import PullRequest, lock_text
from servers.https import HttpsServer
from servers.installed import Lockwarden

LOCK = ".terraform.lock.hcl"
THEIRS = "somebody else's\n"


@pytest.fixture
def change(three_providers: ThreeProviders, lockwarden: Lockwarden, served: HttpsServer, tmp_path: Path) -> PullRequest:
    (tmp_path / "victim").write_text(THEIRS)
    (tmp_path / "outside").mkdir()
    made = PullRequest.on(tmp_path / "repository", lockwarden, {LOCK: lock_text(three_providers.releases)})
    (made.folder / "lockwarden.sarif").symlink_to("../victim")
    (made.folder / "reports").symlink_to("../outside")
    made.commit("links")
    return made


def test_a_report_replaces_a_link_another_name_and_a_pipe(change: PullRequest, tmp_path: Path) -> None:
    os.link(tmp_path / "victim", change.folder / "named twice")
    os.mkfifo(change.folder / "pipe")
    names = {"sarif": "lockwarden.sarif", "text": "named twice", "junit": "pipe"}
    change.check(*(f"--report={form}:{name}" for form, name in names.items()), expected=0)
    assert (tmp_path / "victim").read_text() == THEIRS
    assert all(stat.S_ISREG((change.folder / name).lstat().st_mode) for name in names.values())
    assert json.loads((change.folder / "lockwarden.sarif").read_text())["version"] == "2.1.0"


def test_sarif_names_a_lock_file_as_git_does_by_whichever_link_it_was_named(
    change: PullRequest, tmp_path: Path
) -> None:
    (change.folder / "infra").mkdir()
    (change.folder / LOCK).rename(change.folder / "infra" / LOCK)
    (change.folder / "inner").symlink_to("infra")
    (tmp_path / "link").symlink_to(change.folder)
    for folder, named in ((change.folder, "inner"), (tmp_path, "link/infra"), (tmp_path, "link/inner")):
        done = change.lockwarden.run("check", "--offline", "--format", "sarif", named, folder=folder, expected=3)
        places = [place for result in done.report["runs"][0]["results"] for place in result["locations"]]
        uris = {place["physicalLocation"]["artifactLocation"]["uri"] for place in places}
        assert uris == {f"infra/{LOCK}"}


def test_no_report_is_written_through_a_folder_that_is_a_link(change: PullRequest, tmp_path: Path) -> None:
    done = change.check("--report=sarif:reports/x.sarif", expected=2)
    assert "reports is a symbolic link, and nothing is written through it" in done.err
    assert [*(tmp_path / "outside").iterdir()] == []


def test_a_lock_file_out_of_the_working_tree_is_not_written(
    change: PullRequest, three_providers: ThreeProviders, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "outside" / LOCK
    zh = three_providers.releases[0].packages["linux_amd64"].zh
    elsewhere.write_text(lock_text(three_providers.releases, without=frozenset({zh})))
    before = elsewhere.read_bytes()
    change.lock_file.unlink()
    change.lock_file.symlink_to(elsewhere)
    done = change.lockwarden.run("lock", folder=change.folder, expected=2)
    assert "leads out of the working tree" in done.err
    assert elsewhere.read_bytes() == before


def test_a_cache_in_the_working_tree_follows_no_link(change: PullRequest, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.chmod(0o755)
    (change.folder / "lockwarden").symlink_to(outside)
    folder = str(change.folder)
    done = change.lockwarden.run("check", folder=change.folder, XDG_CACHE_HOME=folder, XDG_STATE_HOME=folder)
    assert "a folder of the working tree is a symbolic link" in done.err
    assert [*outside.iterdir()] == []
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755
