"""`lockwarden check --modules`: what sources mean today, beside the module lock that counts and what is installed."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from end_to_end.checked_modules import (
    GIT,
    LOCK,
    OCI,
    Repository,
    Sources,
    checked,
    codes,
    installed,
    tree_on,
)
from end_to_end.module_packages import HOST, call, module, zipped
from end_to_end.pull_requests import PullRequest
from servers.https import HttpsServer
from servers.installed import Lockwarden
from servers.oci_registry import OCI_MANIFEST, Registry

FIRST, SECOND = {"main.tf": b"# one\n"}, {"main.tf": b"# two\n", "new.tf": b"# new\n"}


@pytest.fixture
def sources(https_server: HttpsServer, tmp_path: Path) -> Sources:
    git = Repository(tmp_path / "vpc.git")
    found = Sources(server=https_server, git=git)
    found.push(FIRST)
    git.commit_files({"main.tf": "# one\n"})
    return found


@pytest.fixture
def tree(sources: Sources, lockwarden: Lockwarden, tmp_path: Path) -> PullRequest:
    """A repository with a call of each kind, all of them locked."""
    digest, commit = sources.shelf.tags["1.0.0"], sources.git._git("rev-parse", "main")
    text = call("oci", f"{OCI}?tag=1.0.0") + call("git", f"{GIT}?ref=v1.0.0")
    pinned = call("digest", f"{OCI}?digest={digest}") + call("commit", f"{GIT}?ref={commit}")
    made = tree_on(tmp_path / "tree", lockwarden, {"main.tf": text, "pinned.tf": pinned})
    lockwarden.run("modules", "--lock", folder=made.folder, expected=0)
    made.commit("locked")
    return made


def test_a_tag_that_moves_is_a_finding_with_both_revisions_in_every_form_of_the_report(
    sources: Sources, tree: PullRequest, tmp_path: Path
) -> None:
    assert codes(checked(tree, expected=0)) == {}
    assert codes(checked(tree, "--base=HEAD", expected=0)) == {}
    digest, commit = sources.shelf.tags["1.0.0"], sources.git._git("rev-parse", "main")
    moved = sources.push(SECOND), sources.git.commit_files({"main.tf": "# two\n"})

    forms = ("text", "markdown", "sarif", "junit")
    reports = [f"--report={form}:{tmp_path / form}" for form in forms]
    done = checked(tree, "--base=HEAD", *reports, expected=1)
    assert codes(done) == {"oci": ["module-moved"], "git": ["module-moved"]}
    assert done.report["answer"] == "Do not commit yet"
    assert done.report["loudest"]["code"] == "module-moved"
    assert done.report["modules"]["locks"][0]["path"] == LOCK
    said = {form: (tmp_path / form).read_text() for form in forms} | {"json": done.out}
    for revision in (digest, commit, *moved):
        assert [form for form, text in said.items() if revision not in text] == []
    assert "modules of .: Do not commit yet: module moved in oci: 2 errors, 4 module calls" in said["text"]
    assert "  main.tf:2  oci  error: module moved: its source means something else" in said["text"]
    assert "**Do not commit yet**: module moved in oci" in said["markdown"]
    suite = next(each for each in ET.fromstring(said["junit"]) if each.get("name") == "modules of .")
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    (run,) = json.loads(said["sarif"])["runs"]
    places = [each["locations"][0]["physicalLocation"] for each in run["results"]]
    assert [(each["artifactLocation"]["uri"], each["region"]["startLine"]) for each in places] == [
        ("main.tf", 2),
        ("main.tf", 5),
    ]
    assert {each["ruleId"] for each in run["results"]} == {"module-moved"}

    (tree.folder / "main.tf").unlink()
    assert codes(checked(tree, expected=0)) == {}  # a digest and a commit cannot mean anything else


def test_without_an_answer_nothing_is_settled_and_offline_nobody_is_asked(sources: Sources, tree: PullRequest) -> None:
    sources.down = True
    open_ones = {"oci": ["module-unresolved"], "git": ["module-unresolved"]}
    assert codes(checked(tree, expected=3)) == open_ones
    sources.server.journal.clear()
    done = checked(tree, "--offline", "--base=HEAD", expected=3)
    assert codes(done) == open_ones
    assert "nobody was asked, because of --offline" in done.out
    assert sources.server.journal.requests == ()


def test_a_real_registry_whose_tag_moves(
    registry: Registry, https_server: HttpsServer, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    from contract.oci.kinds import Shelf

    def push(files: dict[str, bytes]) -> str:
        shelf = Shelf()
        digest = module(shelf, zipped(files))
        for content in shelf.blobs.values():
            registry.push_blob("mods/check", content)
        registry.push_manifest("mods/check", shelf.manifests[digest][1], OCI_MANIFEST, "1.0.0")
        return digest

    https_server.serve(registry.respond)
    first = push({"main.tf": b"# one\n"})
    source = f"oci://{HOST}/mods/check"
    tree = tree_on(tmp_path / "tree", lockwarden, {"main.tf": call("vpc", f"{source}?tag=1.0.0")})
    lockwarden.run("modules", "--lock", folder=tree.folder, expected=0)
    tree.commit("locked")
    assert codes(checked(tree, "--base=HEAD", expected=0)) == {}
    second = push({"main.tf": b"# two\n"})
    done = checked(tree, "--base=HEAD", expected=1)
    assert codes(done) == {"vpc": ["module-moved"]}
    assert first in done.out
    assert second in done.out
    (tree.folder / "main.tf").write_text(call("vpc", f"{source}?digest={first}"))
    lockwarden.run("modules", "--lock", folder=tree.folder, expected=0)
    assert codes(checked(tree, expected=0)) == {}


def test_a_byte_that_changed_in_an_installed_module_is_named_and_a_missing_one_is_said_to_be_missing(
    sources: Sources, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    source = f"{OCI}?tag=1.0.0"
    tree = tree_on(tmp_path / "tree", lockwarden, {"main.tf": call("vpc", source)})
    installed(tree.folder, {"vpc": source}, {"vpc": {"main.tf": "# one\n"}})
    lockwarden.run("modules", "--lock", folder=tree.folder, expected=0)
    assert codes(checked(tree, expected=0)) == {}
    copy = tree.folder / ".terraform" / "modules" / "vpc" / "main.tf"
    copy.write_text("# One\n")
    done = checked(tree, expected=1)
    assert codes(done) == {"vpc": ["module-changed"]}
    assert "what is installed is not what was locked: main.tf is changed" in done.out
    copy.unlink()
    copy.parent.rmdir()
    done = checked(tree, expected=1)
    assert codes(done) == {"vpc": ["module-missing"]}
    assert "there is no folder .terraform/modules/vpc" in done.out


def test_one_module_is_explained(sources: Sources, tree: PullRequest) -> None:
    def explained(*words: str, expected: int) -> tuple[str, str]:
        done = tree.lockwarden.run("check", *words, folder=tree.folder, expected=expected)
        return done.out, done.err

    out, _ = explained("--modules", "--explain=module.oci", expected=0)
    assert out.startswith(f".: tofu\n  ▲ main.tf:2  oci  named, mutable, oci\n      {OCI}?tag=1.0.0\n")
    assert f"      locked as {sources.shelf.tags['1.0.0']}, by" in out
    assert "no configuration here calls a module “x”" in explained("--modules", "--explain=module.x", expected=2)[1]
    assert "explained with --modules" in explained("--explain=module.oci", expected=2)[1]
    assert "as text" in explained("--modules", "--format=json", "--explain=module.oci", expected=2)[1]


def test_a_call_without_an_entry_is_a_finding_also_where_there_is_no_module_lock(
    sources: Sources, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    tree = tree_on(tmp_path / "tree", lockwarden, {"main.tf": call("vpc", f"{OCI}?tag=1.0.0")})
    assert codes(checked(tree, expected=1)) == {"vpc": ["module-not-locked"]}
    assert codes(checked(tree, "--base=HEAD", expected=1)) == {"vpc": ["module-not-locked"]}
    without = tree.lockwarden.run("check", "--format=json", folder=tree.folder, expected=0)
    assert "modules" not in without.report


SECRETS = (
    f"git::https://ada:s3cret@{HOST}/vpc.git?ref=v1.0.0",
    f"git::ssh://git:s3cret@{HOST}/vpc.git",
    f"git::https://{HOST}/vpc.git?ref=v1.0.0&sshkey=s3cret",
    f"https://{HOST}/vpc.zip?token=s3cret",
    f"https://ada:s3cret@{HOST}/vpc.zip",
    f"oci://ada:s3cret@{HOST}/mods/vpc",
    f"s3::https://s3.{HOST}/b/k.zip?aws_access_key_id=x&aws_access_key_secret=s3cret",
    f"https://{HOST}/vpc?access_token=s3cret#s3cret",
    "github.com/acme/vpc?sshkey=s3cret",
    f"hg::https://ada:s3cret@{HOST}/vpc",
)


def test_no_secret_of_any_address_is_printed_by_any_command_in_any_form(
    sources: Sources, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    text = "".join(call(f"m{place}", each) for place, each in enumerate(SECRETS))
    entries = "".join(
        f'module "{each}" {{\n  revision = "{"a" * 40}"\n  by = "x"\n  at = "2026-11-28T05:00:00Z"\n}}\n'
        for each in SECRETS[:4]
    )
    added = entries.replace("/vpc", "/other")
    tree = tree_on(tmp_path / "tree", lockwarden, {"main.tf": text, LOCK: entries})
    (tree.folder / LOCK).write_text(entries.replace("a" * 40, "b" * 40, 2) + added)
    installed(tree.folder, {f"m{place}": each for place, each in enumerate(SECRETS)}, {"m0": {"main.tf": "# one\n"}})
    said = []
    for form in ("text", "json", "markdown", "sarif", "junit"):
        done = lockwarden.run("check", "--modules", "--base=HEAD", f"--format={form}", folder=tree.folder, expected=1)
        said += [done.out, done.err]
    for words in ((), ("--resolve",), ("--lock",), ("--compare", "--diff"), ("--compare", "--diff", "--base=HEAD")):
        for form in ("text", "json"):
            done = lockwarden.run("modules", *words, f"--format={form}", folder=tree.folder, expected=1)
            said += [done.out, done.err]
    assert "m0" in said[0]
    assert [each for each in said if "s3cret" in each] == []
