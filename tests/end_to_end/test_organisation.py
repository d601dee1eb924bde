"""`lockwarden organisation` over real repositories and a real registry."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders.three_providers import ThreeProviders
from end_to_end.organisations import LOCK, Clones
from end_to_end.pull_requests import ASKED, lock_text
from servers.https import HttpsServer
from servers.installed import Lockwarden

MADE_UP = "zh:" + hashlib.sha256(b"nobody").hexdigest()


@pytest.fixture
def clones(tmp_path: Path, lockwarden: Lockwarden) -> Clones:
    folder = tmp_path / "clones"
    folder.mkdir()
    return Clones(folder=folder, environment=lockwarden.environment)


@pytest.fixture
def texts(three_providers: ThreeProviders) -> Mapping[str, str]:
    """Lock files: all three providers, one of them, one with a planted hash."""
    one, *_ = three_providers.releases
    whole = lock_text(three_providers.releases)
    return {
        "whole": whole,
        "one": lock_text([one]),
        "planted": lock_text([one]).replace("  hashes = [\n", f'  hashes = [\n    "{MADE_UP}",\n', 1),
    }


def by_label(report: Any) -> dict[str, Any]:
    return {each["label"]: each for each in report["repositories"]}


def test_each_release_is_audited_once_for_all_repositories_and_revisions(
    clones: Clones, texts: Mapping[str, str], lockwarden: Lockwarden, served: HttpsServer
) -> None:
    clones.make("team-a/infra", {LOCK: texts["whole"], f"envs/prod/{LOCK}": texts["one"]})
    clones.make("team-b/infra", {f"live/{LOCK}": texts["whole"]})
    clones.bare("team-b/mirror.git", "team-b/infra")
    for number in range(6):
        clones.make(f"team-c/app{number}", {LOCK: texts["one"]})
    clones.make("docs", {"README": "nothing is locked here\n"})
    served.journal.clear()
    done = lockwarden.run("organisation", *ASKED, "--format", "json", "clones", folder=clones.folder.parent, expected=0)
    asked = [request.path for request in served.journal.requests]
    assert len([path for path in asked if path.endswith(".zip")]) == 9
    assert len(asked) == len(set(asked)), "no document is asked for twice"
    rows = by_label(done.report)
    assert rows.keys() == {
        "team-a/infra",
        "team-b/infra",
        "team-b/mirror.git",
        "docs",
        *(f"team-c/app{number}" for number in range(6)),
    }
    assert rows["docs"]["answer"] == "No lock file"
    assert [each["path"] for each in rows["team-a/infra"]["lock_files"]] == [LOCK, f"envs/prod/{LOCK}"]
    providers = {each["address"]: each for each in done.report["providers"]}
    assert {name.rpartition("/")[2]: each["repositories"] for name, each in providers.items()} == {
        "one": 9,
        "two": 3,
        "three": 3,
    }
    (key,) = done.report["keys"]
    assert (len(key["repositories"]), key["lock_files"], len(key["providers"]), key["hashes"]) == (9, 10, 3, 9)


def test_whatever_is_wrong_with_a_repository_is_told_in_its_row_and_the_others_are_reported(
    clones: Clones, texts: Mapping[str, str], lockwarden: Lockwarden, served: HttpsServer
) -> None:
    clones.make("sound", {LOCK: texts["planted"]})
    clones.make("odd@name", {LOCK: texts["one"]})
    clones.make("broken-file", {LOCK: "provider {\n", f"sub/{LOCK}": texts["one"]})
    damaged = clones.make("damaged", {LOCK: texts["one"]})
    (damaged / ".git" / "HEAD").write_text("nonsense\n")
    empty = clones.folder / "empty"
    empty.mkdir()
    clones.git("init", "--quiet", folder=empty)
    outside = clones.folder.parent / "outside"
    Clones(folder=clones.folder.parent, environment=clones.environment).make("outside", {LOCK: texts["one"]})
    (clones.folder / "link").symlink_to(outside)
    linked = clones.make("linked-file", {"README": "x"})
    (linked / LOCK).symlink_to("/etc/hostname")
    clones.commit("linked-file", {})
    listed = clones.folder.parent / "repositories.txt"
    listed.write_text(
        "\ufeff# what we own\r\nsound@refs/heads/main\n\nsound@refs/heads/gone\nnot-cloned\nodd@name@\n",
        encoding="utf-8",
    )
    done = lockwarden.run(
        *("organisation", *ASKED, "--format", "json", "--report", "markdown:report.md", "--clones", "clones"),
        *("repositories.txt", "clones", "clones/link", "clones/[nd]*"),
        folder=clones.folder.parent,
        expected=2,
    )
    rows = by_label(done.report)
    told = {
        label: (row["answer"], [each["code"] for each in row["problems"]])
        for label, row in rows.items()
        if row["problems"] or row["exit_code"]
    }
    unreadable = ("Cannot be read", ["repository-unreadable"])
    assert told == {
        "sound@refs/heads/main": ("Findings", []),
        "sound": ("Findings", []),
        "sound@refs/heads/gone": ("Cannot be read", ["revision-unknown"]),
        "not-cloned": ("Cannot be read", ["repository-missing"]),
        "broken-file": ("Not all of it can be read", []),
        "damaged": unreadable,
        "empty": ("Cannot be read", ["revision-unknown"]),
        "link": ("Not looked at", ["repository-is-a-link"]),
        "linked-file": ("Cannot be read", []),
    }
    assert rows["clones/link"]["answer"] == rows["odd@name"]["answer"] == "Nothing to object to"
    (planted,) = (each for each in done.report["findings"] if each["code"] == "disowned")
    assert planted["hash"] == MADE_UP
    assert [each["repository"] for each in planted["where"]] == ["sound@refs/heads/main", "sound"]
    assert "not-cloned: error: there is no folder" in done.err
    assert "/etc/hostname" not in done.out
    assert "`not-cloned`" in (clones.folder.parent / "report.md").read_text()
    assert done.report["exit_code"] == 2


def test_a_run_that_finds_nothing_to_look_at_is_not_good_and_wrong_words_are_told(
    clones: Clones, lockwarden: Lockwarden, tmp_path: Path
) -> None:
    clones.make("docs", {"README": "nothing\n"})
    done = lockwarden.run("organisation", "--offline", "clones", folder=tmp_path, expected=2)
    assert done.out.startswith("No lock file was found: 1 repository, 0 lock files")
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    (tmp_path / LOCK).write_text("")
    for words, sentence in (
        (("empty.txt",), "the list empty.txt names no repository"),
        (("bytes.txt",), "is not UTF-8"),
        ((LOCK,), "is a lock file, and no list of repositories"),
        (("nowhere/*",), "“nowhere/*” fits nothing"),
        (("clones", "--policy", "absent.hcl"), "there is no such file"),
        (("clones", "--policy", "clones/docs/README"), "lies in the working tree of a repository that is looked at"),
        (("clones", "--report", "sarif:x"), "FORM is one of text, json, markdown and html"),
    ):
        told = lockwarden.run("organisation", "--offline", *words, folder=tmp_path, expected=2)
        assert sentence in told.err
        assert "hint:" in told.err


POLICY = 'require {\n  providers = ["*/*/*"]\n  namespaces = ["nobody"]\n}\n'
APPROVAL = """\
approve "{address}" {{
  version = "1.4.0"
  hashes  = ["{hash}"]
  by      = "Ada Example <ada@example.test>"
  at      = "2026-01-02T03:04:05Z"
  until   = "2099-01-01"
  reason  = "a test"
}}
"""


def test_a_branch_brings_no_policy_of_its_own_and_the_organisations_counts_beside_the_repositorys(
    clones: Clones, texts: Mapping[str, str], lockwarden: Lockwarden, served: HttpsServer, tmp_path: Path
) -> None:
    clones.make("strict", {LOCK: texts["one"], ".lockwarden.hcl": POLICY})
    clones.git("checkout", "--quiet", "-b", "softer", folder=clones.folder / "strict")
    clones.commit("strict", {".lockwarden.hcl": "# asks for nothing\n"})
    clones.git("checkout", "--quiet", "main", folder=clones.folder / "strict")
    clones.make("broken", {LOCK: texts["one"], ".lockwarden.hcl": "require {\n"})
    clones.make("plain", {LOCK: texts["one"]})
    (tmp_path / "own.txt").write_text("strict\nstrict@refs/heads/softer\nbroken\nplain\n")
    words = ("organisation", *ASKED, "--format", "json", "--clones", "clones", "own.txt")
    rows = by_label(lockwarden.run(*words, folder=tmp_path, expected=1).report)
    assert {label: row["exit_code"] for label, row in rows.items()} == {
        "strict": 1,
        "strict@refs/heads/softer": 1,
        "broken": 3,
        "plain": 0,
    }
    (held,) = rows["strict@refs/heads/softer"]["lock_files"][0]["policies"]
    assert (held["path"], held["name"]) == (".lockwarden.hcl", "HEAD")
    assert [each["code"] for each in rows["broken"]["lock_files"][0]["problems"]] == ["base-standards-unreadable"]
    # The operator says which revision is the word of the repository.
    softer = ("--standards-at", "refs/heads/softer")
    rows = by_label(lockwarden.run(*words, *softer, folder=tmp_path, expected=2).report)
    assert (rows["strict"]["exit_code"], rows["plain"]["answer"]) == (0, "Cannot be read")
    (tmp_path / "organisation.hcl").write_text(POLICY)
    report = lockwarden.run(*words, "--policy", "organisation.hcl", folder=tmp_path, expected=1).report
    assert {each["exit_code"] for each in report["repositories"]} == {1}
    (finding,) = (
        each for each in report["findings"] if each["code"] == "namespace-not-allowed" and len(each["where"]) == 4
    )
    assert "organisation.hcl line 1" in finding["message"]
    assert [each["revision"] for each in report["policies"]] == ["outside"]
