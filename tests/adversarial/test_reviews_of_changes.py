"""What a review of a change can and cannot read, and how it says so."""

from __future__ import annotations

from dataclasses import replace

import pytest
from adversarial.committed import BASE, Commit
from adversarial.parties import Parties
from adversarial.scene import Scene, entry, packages, unsigned

from lockwarden.demo.lockfile import lock_text

_LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{64 * 'a'}\nsize 1\n"
BROKEN = ["provider {\n", "<<<<<<< HEAD\n", _LFS]
REQUIRED = 'terraform {\n  required_providers {\n    widget = { source = "acme/widget" }\n  }\n}\n'


@pytest.mark.parametrize("broken", BROKEN)
def test_a_lock_file_that_could_not_be_read_at_the_base_is_reviewed_as_a_whole_and_stops_no_other(
    scene: Scene, parties: Parties, commit: Commit, broken: str
) -> None:
    release = parties.release("widget")
    scene.serve(release)
    beside = scene.folder / "beside" / ".terraform.lock.hcl"
    beside.parent.mkdir()
    beside.write_text(broken)
    scene.lock(entry(release))
    commit()
    beside.write_text(lock_text([entry(release)]))
    repaired = scene.run("check", ".", "beside", *BASE, "--format", "json")
    assert repaired.code == 0, repaired.told
    assert [each["code"] for each in repaired.report["lock_files"][1]["problems"]] == ["base-unreadable"]
    (before,) = repaired.report["lock_files"][1]["base"]["sides"]
    assert (before["present"], bool(before["unreadable"])) == (True, True)
    for form in ("text", "markdown", "explain"):
        words = ("--explain", "widget") if form == "explain" else ("--format", form)
        told = scene.run("check", "beside", *BASE, *words).out.replace("`", "")
        assert "the lock file cannot be read at" in told or "nothing is compared with the lock file at" in told, form
        assert not any(each in told for each in ("there is no lock file", "nothing changed", "Unchanged")), told
    planted = packages("widget", build="theirs")["linux_amd64"].h1
    scene.lock(entry(release, *(text for each in release.packages.values() for text in each.hashes), planted))
    assert scene.run("check", ".", "beside", *BASE, "--format", "json").code == 1
    scene.lock(entry(release))
    beside.write_text(broken)
    assert scene.run("check", ".", "beside", *BASE, "--format", "json").code == 2


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize(("configuration", "expected"), [(REQUIRED, 3), ("", 0)])
def test_what_a_lock_file_locked_that_goes_and_could_not_be_read_is_open_where_something_needs_it(
    scene: Scene, parties: Parties, commit: Commit, broken: str, configuration: str, expected: int
) -> None:
    release = parties.release("widget")
    scene.serve(release)
    beside = scene.folder / "beside" / ".terraform.lock.hcl"
    beside.parent.mkdir()
    beside.write_text(broken)
    (beside.parent / "main.tf").write_text(configuration)
    scene.lock(entry(release))
    commit()
    beside.unlink()
    done = scene.run("check", "-r", *BASE, "--format", "json")
    assert done.code == expected, done.told
    (gone,) = (each for each in done.report["lock_files"] if each["path"].startswith("beside"))
    codes = [each["code"] for each in gone["problems"]]
    assert codes == ["lock-file-gone", "base-unreadable", *(["requirement-open"] if expected else [])]
    assert gone["base"]["sides"][0]["present"]
    for words in ((), ("--format", "markdown")):
        told = scene.run("check", "-r", *BASE, *words).out
        assert "the lock file cannot be read at HEAD: nothing was compared with it" in told
        assert "there is no lock file at HEAD" not in told


def test_one_that_moves_while_it_is_repaired_is_compared_with_nothing(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    release = parties.release("widget")
    scene.serve(release)
    before, after = (scene.folder / name / ".terraform.lock.hcl" for name in ("before", "after"))
    before.parent.mkdir()
    before.write_text(lock_text([entry(release)]).replace("  version", "  version = 1\n  version"))
    scene.lock(entry(release))
    commit()
    before.parent.rename(after.parent)
    after.write_text(lock_text([entry(release)]))
    done = scene.run("check", "-r", *BASE, "--format", "json")
    assert done.code == 0, done.told
    files = {each["path"]: each for each in done.report["lock_files"]}
    assert "before/.terraform.lock.hcl" not in files
    (problem,) = files["after/.terraform.lock.hcl"]["problems"]
    assert (problem["code"], problem["message"].partition(" cannot")[0]) == (
        "base-unreadable",
        "before/.terraform.lock.hcl at HEAD",
    )
    explained = scene.run("check", "after", *BASE, "--explain", "acme/widget").out
    assert "the lock file cannot be read at HEAD: nothing was compared with it" in explained
    assert "not locked at HEAD" not in explained
    assert "nothing changed" not in explained


def test_a_lock_file_that_was_a_link_out_of_the_repository_at_the_base_stops_no_other(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    release = parties.release("widget")
    scene.serve(release)
    beside = scene.folder / "beside" / ".terraform.lock.hcl"
    beside.parent.mkdir()
    beside.symlink_to("/nowhere/.terraform.lock.hcl")
    scene.lock(entry(release))
    commit()
    beside.unlink()
    beside.write_text(lock_text([entry(release)]))
    done = scene.run("check", ".", "beside", *BASE, "--format", "json")
    assert done.code == 0, done.told
    (told,) = done.report["lock_files"][1]["problems"]
    assert (told["code"], "leads out of the repository" in told["message"]) == ("base-unreadable", True)


def test_explain_takes_a_short_name_and_gives_json_and_sarif_paths_start_at_the_root(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    widget, gauge, twin = parties.release("widget"), parties.release("gauge"), unsigned("gauge", host="example.test")
    scene.serve(widget, gauge)
    scene.lock(entry(widget), entry(gauge), entry(twin))
    commit()
    for name in ("widget", "acme/widget", widget.address):
        done = scene.run("check", "--offline", "--explain", name, "--format", "json")
        assert (done.report["address"], done.report["exit_code"]) == (widget.address, 3)
        assert done.report["tool"]["version"]
        assert any("widget" in line for each in done.report["lock_files"] for line in each["lines"])
    ambiguous = scene.check_to_its_end("--offline", "--explain", "gauge", expected=2)
    assert gauge.address in ambiguous.err
    assert twin.address in ambiguous.err
    assert scene.check("--offline", expected=3).report["tool"] == done.report["tool"]
    below = scene.folder / "infra"
    below.mkdir()
    scene.lock_file.rename(below / scene.lock_file.name)
    inside, outside = replace(scene, folder=below), replace(scene, folder=scene.folder.parent)
    for ran, named in ((inside, "."), (outside, str(below))):
        run = ran.run("check", "--offline", "--format", "sarif", named).report["runs"][0]
        places = {
            place["physicalLocation"]["artifactLocation"]["uri"]
            for found in run["results"]
            for place in found["locations"]
        }
        assert places == {"infra/.terraform.lock.hcl"}


@pytest.mark.parametrize("broken", ["policy", "CLI configuration"])
def test_what_is_broken_ends_each_command_that_would_use_it_the_same_way(
    scene: Scene, parties: Parties, broken: str
) -> None:
    scene.lock(entry(parties.release("widget")))
    file = scene.folder / (".lockwarden.hcl" if broken == "policy" else "broken.tfrc")
    file.write_text("nonsense {\n")
    extra = {} if broken == "policy" else {"TF_CLI_CONFIG_FILE": str(file)}
    commands = (["check", "--offline"], ["lock", "--offline"], ["keys", "--offline"], ["--offline"])
    told = set()
    for command in (*commands, *([] if broken == "policy" else [["config"], ["init", "--offline"]])):
        done = scene.ended(*command, **extra)
        assert done.code == 2, (command, done.err)
        told.add(done.err)
    (words,) = told
    assert f"{file.name}:1: error: " in words
