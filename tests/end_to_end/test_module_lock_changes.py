"""What a change can do to the module lock, and to what is held against it: it is told, and never decides by itself."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from end_to_end.checked_modules import (
    GIT,
    HEADER,
    LOCK,
    OCI,
    Repository,
    Sources,
    checked,
    codes,
    installed,
    tree_on,
)
from end_to_end.module_packages import call
from end_to_end.pull_requests import PullRequest
from servers.https import HttpsServer
from servers.installed import Lockwarden

FIRST, SECOND = {"main.tf": b"# one\n"}, {"main.tf": b"# two\n"}
CALL = call("oci", f"{OCI}?tag=1.0.0")
CALLS = CALL + call("git", f"{GIT}?ref=v1.0.0")


@pytest.fixture
def sources(https_server: HttpsServer, tmp_path: Path) -> Sources:
    found = Sources(server=https_server, git=Repository(tmp_path / "vpc.git"))
    found.push(FIRST)
    found.git.commit_files({"main.tf": "# one\n"})
    return found


@pytest.fixture
def tree(sources: Sources, lockwarden: Lockwarden, tmp_path: Path) -> PullRequest:
    """A module of an OCI registry, and its lock."""
    return locked(tmp_path, lockwarden, CALL)


@pytest.fixture
def both(sources: Sources, lockwarden: Lockwarden, tmp_path: Path) -> PullRequest:
    """Another one of a git repository beside it."""
    return locked(tmp_path, lockwarden, CALLS)


def locked(folder: Path, lockwarden: Lockwarden, calls: str) -> PullRequest:
    made = tree_on(folder / "tree", lockwarden, {"main.tf": calls})
    relock(made)
    made.commit("locked")
    return made


def relock(tree: PullRequest) -> None:
    """Lock everything as it is today, as somebody does who can write what they like."""
    (tree.folder / LOCK).unlink(missing_ok=True)
    tree.lockwarden.run("modules", "--lock", folder=tree.folder)


def test_a_moved_tag_and_its_new_digest_in_one_change_are_told_as_such(sources: Sources, both: PullRequest) -> None:
    before = sources.shelf.tags["1.0.0"]
    after = sources.push(SECOND)
    sources.git.commit_files({"main.tf": "# two\n"})
    relock(both)
    assert codes(checked(both, expected=0)) == {}  # without a base the change's own word counts
    done = checked(both, "--base=HEAD", expected=1)
    assert codes(done) == {"oci": ["module-relocked"], "git": ["module-relocked"]}
    assert "it was moved, and its new digest comes with this change: " in done.out
    assert f"{before} before, {after} with it" in done.out
    assert done.report["loudest"]["code"] == "module-relocked"
    both.commit("relocked")
    assert codes(checked(both, "--base=HEAD~1", expected=1)) == codes(done)
    assert codes(checked(both, "--base=HEAD", expected=0)) == {}


def test_another_spelling_of_the_source_hides_nothing(sources: Sources, both: PullRequest) -> None:
    sources.push({**SECOND, "child/main.tf": b"# child\n"})
    sources.git.commit_files({"main.tf": "# two\n"})
    spelt = call("oci", f"{OCI}//child?tag=1.0.0") + call("git", f"{GIT}?ref=tags/v1.0.0")
    (both.folder / "main.tf").write_text(spelt)
    relock(both)
    done = checked(both, "--base=HEAD", expected=1)
    assert codes(done) == {"oci": ["module-relocked"], "git": ["module-relocked"]}
    assert "in another spelling, the source is the one that the base has" in done.out


def test_an_entry_that_a_change_adds_is_checked_and_never_believed(
    sources: Sources, tree: PullRequest, tmp_path: Path
) -> None:
    sources.push(SECOND, tag="2.0.0")
    source = f"{OCI}?tag=2.0.0"
    (tree.folder / "new.tf").write_text(call("new", source))
    installed(tree.folder, {"new": source}, {"new": {"main.tf": "# two\n"}})
    tree.lockwarden.run("modules", "--lock", folder=tree.folder, expected=0)
    done = checked(tree, "--base=HEAD", expected=0)
    assert codes(done) == {"new": ["module-lock-added"]}
    text = (tree.folder / LOCK).read_text()
    assert sources.server.journal.requests

    # Files that are not the package's, which the change installs as well.
    installed(tree.folder, {"new": source}, {"new": {"main.tf": "# evil\n"}})
    relock(tree)
    done = checked(tree, "--base=HEAD", expected=1)
    assert codes(done) == {"new": ["module-lock-false"]}
    shutil.rmtree(tree.folder / ".terraform")

    (tree.folder / LOCK).write_text(text.replace(sources.shelf.tags["2.0.0"], f"sha256:{'a' * 64}"))
    assert codes(checked(tree, "--base=HEAD", expected=1)) == {"new": ["module-lock-false"]}
    sources.down = True
    (tree.folder / LOCK).write_text(text)
    down = codes(checked(tree, "--base=HEAD", expected=3))
    assert down["new"] == ["module-unresolved", "module-lock-unchecked"]

    sources.down = False
    (tree.folder / "new.tf").unlink()
    assert codes(checked(tree, "--base=HEAD", expected=3)) == {"": ["module-lock-unchecked"]}


def test_an_entry_that_goes_is_missed_while_its_call_stays(sources: Sources, both: PullRequest) -> None:
    (both.folder / LOCK).unlink()
    done = checked(both, "--base=HEAD", expected=1)
    assert codes(done) == {"oci": ["module-unlocked"], "git": ["module-unlocked"]}
    (both.folder / "main.tf").write_text("")
    assert codes(checked(both, "--base=HEAD", expected=0)) == {}


def test_what_the_tip_of_the_base_has_counts_and_what_it_did_meanwhile_is_none_of_the_changes_doing(
    sources: Sources, tree: PullRequest
) -> None:
    tree.git("checkout", "--quiet", "-b", "change")
    (tree.folder / "unrelated").write_text("x")
    tree.commit("change")
    tree.git("checkout", "--quiet", "main")
    sources.push(SECOND)
    relock(tree)
    tree.commit("accepted on the base's own branch")
    tree.git("checkout", "--quiet", "change")
    assert codes(checked(tree, "--base=main", expected=0)) == {}


def test_the_policy_of_the_base_can_let_the_changes_word_count_and_that_of_the_change_cannot(
    sources: Sources, tree: PullRequest
) -> None:
    sources.push(SECOND)
    relock(tree)
    (tree.folder / ".lockwarden.hcl").write_text("approvals {\n  from_change = true\n}\n")
    assert codes(checked(tree, "--base=HEAD", expected=1)) == {"oci": ["module-relocked"]}
    tree.git("stash", "--quiet", "--", LOCK)
    tree.commit("policy")
    tree.git("stash", "pop", "--quiet")
    done = checked(tree, "--base=HEAD", expected=0)
    assert codes(done) == {"oci": ["module-relocked"]}
    assert done.report["modules"]["configurations"][0]["calls"][0]["problems"][0]["severity"] == "note"


def test_entries_of_calls_that_were_not_looked_at_are_told(sources: Sources, tree: PullRequest) -> None:
    tree.write({"other/.terraform.lock.hcl": HEADER, "other/main.tf": ""})
    sources.push(SECOND)
    relock(tree)
    done = checked(tree, "--base=HEAD", "other", expected=1)
    assert codes(done) == {"": ["module-relocked"]}
    text = tree.lockwarden.run("check", "--modules", "--base=HEAD", "other", folder=tree.folder, expected=1).out
    assert f"Entries of {LOCK} that no call has which was looked at" in text
    assert f"source {OCI}?tag=1.0.0" in text


def test_with_recursive_a_configuration_without_a_lock_file_is_looked_at_too(
    sources: Sources, tree: PullRequest
) -> None:
    tree.write({"hidden/main.tf": call("vpc", f"{OCI}?tag=2.0.0")})
    tree.write({"local/main.tf": call("below", "../below"), "below/main.tf": call("vpc", f"{OCI}?tag=3.0.0")})
    tree.write({"a/main.tf": call("b", "../b"), "b/main.tf": call("a", "../a") + call("vpc", f"{OCI}?tag=4.0.0")})
    tree.write({"ignored/main.tf": call("vpc", f"{OCI}?tag=5.0.0"), ".gitignore": ".terraform/\nignored/\n"})
    sources.push(FIRST, tag="2.0.0")
    sources.push(FIRST, tag="3.0.0")
    sources.push(FIRST, tag="4.0.0")
    done = checked(tree, "--base=HEAD", "--recursive", expected=2)  # the two that call each other have no end
    listings = done.report["modules"]["configurations"]
    assert [each["path"] for each in listings] == [".", "hidden", "local", "a"]
    assert codes(done) == {
        "vpc": ["module-not-locked"],
        "below.vpc": ["module-not-locked"],
        "b.vpc": ["module-not-locked"],
    }
    assert codes(checked(tree, "--base=HEAD", expected=0)) == {}


def test_files_that_only_the_other_client_reads_are_looked_at_too(sources: Sources, tree: PullRequest) -> None:
    (tree.folder / ".terraform.lock.hcl").write_text(HEADER.replace("tofu", "terraform"))
    (tree.folder / "main.tofu").write_text(call("vpc", f"{OCI}?tag=1.0.0") + call("evil", f"git::https://{'x' * 9}/a"))
    found = codes(checked(tree, expected=1))
    assert found["evil"] == ["module-unresolved", "module-not-locked"]


def test_a_module_lock_that_cannot_be_read_ends_the_command_whoseever_it_is(
    sources: Sources, tree: PullRequest
) -> None:
    text = (tree.folder / LOCK).read_text()
    (tree.folder / LOCK).write_text("modul {}\n")
    done = tree.lockwarden.run("check", "--modules", "--base=HEAD", folder=tree.folder, expected=2)
    assert f"{LOCK}:1: error: there is no block “modul” here" in done.err
    tree.commit("broken")
    (tree.folder / LOCK).write_text(text)
    done = tree.lockwarden.run("check", "--modules", "--base=HEAD", folder=tree.folder, expected=2)
    assert f"{LOCK} at HEAD:1: error: " in done.err
    shutil.rmtree(tree.folder / ".lockwarden")
    (tree.folder / ".lockwarden").symlink_to("elsewhere")
    assert "symbolic link" in checked_err(tree)


def checked_err(tree: PullRequest) -> str:
    return tree.lockwarden.run("check", "--modules", "--base=HEAD", folder=tree.folder, expected=2).err


def test_a_submodule_in_the_place_of_a_configuration_does_not_bring_its_own_module_lock(
    sources: Sources, tree: PullRequest, tmp_path: Path
) -> None:
    own = tree_on(tmp_path / "own", tree.lockwarden, {"main.tf": CALL})
    tree.write({"infra/.terraform.lock.hcl": HEADER, "infra/main.tf": CALL})
    tree.commit("infra")
    sources.push(SECOND)
    relock(own)
    own.commit("a lock of its own")
    tree.git("rm", "-r", "--quiet", "infra")
    tree.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(own.folder), "infra")
    assert codes(checked(tree, "--base=HEAD", "infra", expected=1))["oci"] == ["module-moved"]
