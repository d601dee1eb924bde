"""Standards are never lost in silence: what git cannot or will not say is looked for without it, or is an error."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from adversarial.changes import (
    APPROVALS,
    FROM_CHANGE,
    LOCK,
    POLICY,
    Forge,
    approving,
    is_superuser,
    pinning,
    problems_of,
)
from adversarial.parties import Parties
from adversarial.scene import Scene, unsigned

from lockwarden.core.values.errors import GitError, ToolError


@pytest.fixture
def pinned(scene: Scene, parties: Parties) -> Forge:
    """A repository whose policy at the root pins another key than the one that signs what `infra` locks."""
    forge = Forge.of(scene, parties)
    taken = parties.sign(unsigned("widget"), by=parties.intruder)
    scene.serve(taken)
    forge.commit({f"infra/{LOCK}": forge.lock(release=taken), POLICY: pinning(parties.author.fingerprint)})
    return forge


def test_without_git_on_the_path_a_repository_is_an_error(pinned: Forge) -> None:
    pinned.scene.environment["PATH"] = str(pinned.folder)
    for base in ("", "HEAD"):
        with pytest.raises(ToolError, match="git is not installed") as caught:
            pinned.check(base=base, path="infra")
        assert "install git" in caught.value.hint
    done = pinned.ended(path="infra")
    assert (done.code, "git is not installed" in done.err) == (2, True)


def test_a_broken_configuration_of_git_is_an_error_with_its_line(pinned: Forge) -> None:
    with (pinned.folder / ".git" / "config").open("a") as file:
        file.write("[broken\n")
    for base in ("", "HEAD"):
        with pytest.raises(GitError, match="bad config line") as caught:
            pinned.check(base=base, path="infra")
        assert "git -C" in caught.value.hint
    done = pinned.ended(path="infra")
    assert (done.code, "bad config line" in done.err) == (2, True)


@pytest.mark.skipif(not is_superuser(), reason="only root can give files away, so another owner was NOT tested")
def test_a_checkout_of_another_user_is_an_error_with_the_command_that_allows_it(pinned: Forge) -> None:
    for path in (pinned.folder, pinned.folder / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(GitError, match="belongs to another user") as caught:
        pinned.check(base="", path="infra")
    assert "git config --global --add safe.directory" in caught.value.hint
    assert pinned.ended(base="", path="infra").code == 2


def test_an_empty_git_folder_below_does_not_cut_the_search_short(pinned: Forge) -> None:
    assert pinned.check(base="", path="infra").code == 1
    (pinned.folder / "infra" / ".git").mkdir()
    for base in ("", "HEAD"):
        with pytest.raises(GitError, match="for the working tree"):
            pinned.check(base=base, path="infra")


def test_an_export_without_git_is_judged_by_the_policy_above(pinned: Forge) -> None:
    shutil.rmtree(pinned.folder / ".git")
    done = pinned.check(base="", path="infra")
    assert done.code == 1
    assert "key-changed" in done.codes("widget")
    (used,) = done.report["lock_files"][0]["standards"]["policies"]
    assert (used["path"], used["revision"]) == (str(pinned.folder / POLICY), "working tree")
    pinned.scene.environment["PATH"] = "/nowhere"
    with pytest.raises(ToolError, match="gpg"):
        pinned.check(base="", path="infra")  # it gets as far as the signatures without asking for git


@pytest.mark.skipif(not is_superuser(), reason="only root can give files away, so another owner was NOT tested")
def test_in_an_export_a_policy_of_another_user_does_not_count_and_the_run_says_so(pinned: Forge) -> None:
    shutil.rmtree(pinned.folder / ".git")
    os.chown(pinned.folder / POLICY, 12345, 12345)
    done = pinned.check(base="", path="infra")
    assert done.code == 3
    told = problems_of(done)["policy-of-another-user"]
    assert str(pinned.folder / POLICY) in told["message"]
    assert "belongs to another user" in pinned.check(base="", path="infra", form="text").out


def test_every_report_names_what_counted_and_what_did_not(scene: Scene, parties: Parties) -> None:
    forge = Forge.of(scene, parties)
    forge.commit({LOCK: forge.lock()})
    for form in ("text", "markdown", "sarif", "junit"):
        assert "no policy; no approvals" in forge.check(form=form).out
    assert forge.check().report["lock_files"][0]["standards"] == {"policies": [], "approvals": []}
    forge.commit({POLICY: pinning(parties.author.fingerprint), APPROVALS: approving()})
    forge.branch()
    forge.commit({POLICY: FROM_CHANGE})
    forge.on_main({APPROVALS: "# none\n"})
    tip, left = forge.git("rev-parse", "main"), forge.git("rev-parse", "main~1")
    held = forge.check().report["lock_files"][0]["standards"]
    # Of equal files the one at the tip is named.
    assert [(each["path"], each["revision"], each["proposed"]) for each in held["policies"]] == [
        (POLICY, tip, False),
        (POLICY, "working tree", True),
    ]
    assert [(each["path"], each["revision"], each["name"]) for each in held["approvals"]] == [(APPROVALS, tip, "main")]
    texts = (pinning(parties.author.fingerprint), FROM_CHANGE)
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert [each["digest"] for each in held["policies"]] == digests
    forge.on_main({POLICY: pinning(parties.author.fingerprint) + "# more\n"})
    held = forge.check().report["lock_files"][0]["standards"]
    assert [each["revision"] for each in held["policies"]][1:] == [left, "working tree"]
    assert "where this branch left main" in forge.check(form="text").out
    outside = Path(forge.folder.parent, "own.hcl")
    outside.write_text("# nothing\n")
    (used,) = forge.check("--policy", outside).report["lock_files"][0]["standards"]["policies"]
    assert (used["path"], used["revision"]) == (str(outside), "outside")
    keys = json.loads(scene.run("keys", "--format", "json").out)
    assert keys["lock_files"][0]["standards"]["policies"][0]["path"] == POLICY
