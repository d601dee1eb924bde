"""A change under review: what it takes away, whom it would have us trust, and the rules that it brings along itself."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, Answered, Scene, entry, packages, unsigned
from builders.three_providers import HOST
from fakes.git_commands import NO_UPKEEP

from lockwarden.demo.lockfile import lock_text

Commit = Callable[[], None]
BASE = ("--base", "HEAD", *BOTH)


@pytest.fixture
def commit(scene: Scene) -> Commit:
    """Commits everything in the scene's folder, which is a repository."""

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "-c", "commit.gpgsign=false", *NO_UPKEEP)
        subprocess.run(["git", *who, *arguments], cwd=scene.folder, check=True, capture_output=True)

    git("init", "-q", "-b", "main")

    def commit() -> None:
        git("add", "-A")
        git("commit", "-q", "-m", "one")

    return commit


def pin(scene: Scene, fingerprint: str, path: Path | None = None) -> Path:
    """A policy that trusts one key for everything and wants signatures."""
    file = path or scene.folder / ".lockwarden.hcl"
    file.write_text(
        f'signing_key "{fingerprint}" {{\n  owner     = "Acme"\n  providers = ["{HOST}/acme/*"]\n}}\n\n'
        f'require {{\n  providers = ["{HOST}/acme/*"]\n  signed    = true\n}}\n'
    )
    return file


def approve(scene: Scene, parties: Parties, address: str, text: str) -> None:
    """Record that somebody accepts a hash of version 1.0.0 of a provider."""
    folder = scene.folder / ".lockwarden"
    folder.mkdir()
    lines = [
        f'approval "{address}" {{',
        '  version   = "1.0.0"',
        f'  hashes    = ["{text}"]',
        '  verdict   = "unexplained"',
        f'  signed_by = ["{parties.author.fingerprint}"]',
        '  by        = "Ada <ada@example.test>"',
        '  at        = "2026-03-01T05:00:00Z"',
        '  reason    = "built by ourselves"',
        "}",
    ]
    (folder / "approvals.hcl").write_text("\n".join([*lines, ""]))


def message(done: Answered, name: str, code: str) -> str:
    """What the problem with this code says."""
    problems = {problem["code"]: str(problem["message"]) for problem in done.provider(name)["problems"]}
    assert code in problems, done.told
    return problems[code]


def test_a_registry_that_was_taken_over_is_found_out_by_the_pinned_key(scene: Scene, parties: Parties) -> None:
    taken = parties.sign(replace(unsigned("widget"), packages=packages("widget", build="hostile")), by=parties.intruder)
    scene.serve(taken)
    scene.lock(entry(taken))
    assert len(scene.check(*BOTH, expected=0).confirmed("widget")) == 4  # without a pin nothing can tell
    pin(scene, parties.author.fingerprint)
    done = scene.check_to_its_end(*BOTH, expected=1)
    assert set(done.verdicts("widget").values()) == {"unexplained"}
    assert parties.intruder.fingerprint in message(done, "widget", "key-changed")
    assert parties.author.fingerprint in message(done, "widget", "key-changed")


def test_another_signer_than_that_of_the_version_before_is_told(scene: Scene, parties: Parties, commit: Commit) -> None:
    before = parties.release("widget", version="0.9.0")
    after = parties.sign(unsigned("widget"), by=parties.intruder)
    scene.serve(before, after)
    scene.lock(entry(before))
    commit()
    scene.lock(entry(after))
    done = scene.check(*BASE, expected=0)
    told = message(done, "widget", "change-new-signer")
    assert parties.author.fingerprint in told
    assert parties.intruder.fingerprint in told


def test_a_registry_that_drops_its_keys_takes_protection_away(scene: Scene, parties: Parties, commit: Commit) -> None:
    host = "registry.opentofu.org"
    before = parties.release("widget", version="0.9.0", host=host)
    after = parties.sign(unsigned("widget", host=host), offered=False)
    scene.serve(before, after)
    scene.lock(entry(before))
    commit()
    scene.lock(entry(after))
    done = scene.check(*BASE, expected=1)
    assert {"change-protection-removed", "signing-skipped"} <= done.codes("widget")


def test_an_entry_whose_hashes_went_is_an_error_with_its_consequence(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    commit()
    text = scene.lock_file.read_text()
    scene.lock_file.write_text(text[: text.index("  hashes")] + "}\n")
    done = scene.check_to_its_end(*BASE, expected=1)
    assert "every client accepts any package" in message(done, "widget", "change-protection-removed")


def test_an_entry_whose_h1_went_is_an_error_with_its_consequence(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    commit()
    scene.lock(entry(release, *(package.zh for package in release.packages.values())))
    done = scene.check(*BASE, expected=1)
    assert "an unpacked mirror is no longer checked" in message(done, "widget", "change-protection-removed")


def test_a_hash_that_is_swapped_while_the_version_stays_is_the_loudest_change(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    release = parties.release("widget")
    hostile = packages("widget", build="hostile")["linux_amd64"].h1
    zh = [package.zh for package in release.packages.values()]
    scene.serve(release)
    scene.lock(entry(release, *zh, release.packages["linux_amd64"].h1))
    commit()
    scene.lock(entry(release, *zh, hostile))
    done = scene.check(*BASE, expected=1)
    assert hostile in message(done, "widget", "change-hashes-swapped")
    assert done.verdicts("widget")[hostile] == "unexplained"


def test_a_version_that_goes_down_within_its_constraints_is_told(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    newer, older = parties.release("widget", version="1.4.0"), parties.release("widget", version="1.3.9")
    scene.serve(newer, older)
    scene.lock(entry(newer, constraints="~> 1.3"))
    commit()
    scene.lock(entry(older, constraints="~> 1.3"))
    done = scene.check(*BASE, expected=0)
    assert "from 1.4.0 at HEAD to 1.3.9" in message(done, "widget", "change-version-down")


def test_a_version_that_its_registry_has_withdrawn_is_told(scene: Scene, parties: Parties) -> None:
    release, locked = parties.release("widget"), parties.release("widget", version="0.9.0")
    scene.serve(release)
    scene.lock(entry(locked))
    done = scene.check(*BOTH, expected=1)
    assert done.codes("widget") == {"version-withdrawn"}


@pytest.mark.parametrize(("known", "near"), [("acme", "acrne"), ("hashicorp", "hashic0rp"), ("hello", "he1lo")])
def test_a_new_provider_whose_name_looks_like_another_is_told(
    scene: Scene, parties: Parties, commit: Commit, known: str, near: str
) -> None:
    own = parties.sign(replace(unsigned("widget"), address=f"{HOST}/{known}/widget"))
    other = parties.sign(replace(unsigned("widget"), address=f"{HOST}/{near}/widget"), by=parties.intruder)
    scene.serve(own, other)
    scene.lock(entry(own))
    commit()
    scene.lock(entry(other))
    required = f'terraform {{\n  required_providers {{\n    widget = {{ source = "{other.address}" }}\n  }}\n}}\n'
    (scene.folder / "main.tf").write_text(required)
    done = scene.check(*BASE, expected=0)
    assert f"{near} " in message(done, "widget", "change-near-name")


def test_an_approval_holds_for_its_hash_and_for_no_other(scene: Scene, parties: Parties, commit: Commit) -> None:
    release = parties.release("widget")
    approved, other = (packages("widget", build=build)["linux_amd64"].h1 for build in ("ours", "theirs"))
    zh = [package.zh for package in release.packages.values()]
    scene.serve(release)
    scene.lock(entry(release, *zh, approved))
    approve(scene, parties, release.address, approved)
    commit()
    scene.check(*BASE, expected=0)
    scene.lock(entry(release, *zh, other))
    done = scene.check(*BASE, expected=1)
    assert done.verdicts("widget")[other] == "unexplained"
    scene.lock(entry(release, *zh, approved, other))
    assert scene.check(*BASE, expected=1).verdicts("widget")[other] == "unexplained"


def test_a_version_line_that_changes_while_hashes_stay_is_an_error_offline_too(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    old, new = parties.release("widget"), parties.release("widget", version="1.1.0")
    scene.serve(old, new)
    scene.lock(entry(old))
    commit()
    scene.lock(replace(entry(old), version="1.1.0"))
    for words in ((), ("--offline",)):
        done = scene.check(*BASE, *words, expected=1)
        told = message(done, "widget", "hashes-of-another-version")
        assert "4 of 4 hashes of it belong to 1.0.0, as locked at HEAD" in told
        reasons = [text for row in done.provider("widget")["hashes"] if row["locked"] for text in row["reasons"]]
        assert "belongs to 1.0.0, as locked at HEAD" in reasons
        assert not any("drop it" in text for text in reasons)
    beside = scene.folder / "beside"
    beside.mkdir()
    (beside / ".terraform.lock.hcl").write_text(lock_text([entry(old)]))
    one_run = scene.run("check", ".", "beside", "--offline", "--format", "json")
    assert one_run.code == 1
    assert "hashes-of-another-version" in one_run.codes("widget")


def test_hashes_that_the_bases_history_has_for_another_version_are_an_error_offline_too(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    old, now = parties.release("widget"), parties.release("widget", version="1.1.0")
    for each in (old, now):
        scene.lock(entry(each))
        commit()
    wrong = replace(entry(old), version="1.2.0")
    scene.lock(wrong)
    told = message(scene.check(*BASE, "--offline", expected=1), "widget", "hashes-of-another-version")
    assert "4 of 4 hashes of it belong to 1.0.0, as locked in the history of HEAD" in told
    # So it is in a file that comes new, and not for the version that the history has them for.
    for version, codes in (("1.2.0", {"hashes-of-another-version"}), ("1.0.0", set[str]())):
        scene.lock(entry(now))
        beside = scene.folder / "beside"
        beside.mkdir(exist_ok=True)
        (beside / ".terraform.lock.hcl").write_text(lock_text([replace(wrong, version=version)]))
        done = scene.run("check", "beside", *BASE, "--offline", "--format", "json")
        assert done.codes("widget") - {"change-new-provider"} == codes, done.told
        assert done.code == (1 if codes else 3)


def test_an_entry_with_another_versions_hashes_can_be_mended(scene: Scene, parties: Parties, commit: Commit) -> None:
    old, new = parties.release("widget"), parties.release("widget", version="1.1.0")
    scene.serve(old, new)
    for each in (entry(old), replace(entry(old), version="1.1.0")):
        scene.lock(each)
        commit()
    scene.lock(entry(new))
    for words, expected in ((BASE, 0), ((*BASE, "--offline"), 3)):
        told = message(scene.check(*words, expected=expected), "widget", "change-hashes-swapped")
        assert "those that went belong to 1.0.0, as locked in the history of HEAD" in told
    # What comes in its place counts by itself, as after a bump.
    scene.lock(entry(new, *(package.h1 for package in packages("widget", build="theirs").values())))
    assert "unexplained" in scene.check(*BASE, expected=1).verdicts("widget").values()


def test_hashes_that_an_earlier_run_saw_for_another_version_are_told_as_that(scene: Scene, parties: Parties) -> None:
    old, new = parties.release("widget"), parties.release("widget", version="1.1.0")
    scene.serve(old, new)
    scene.lock(entry(old))
    scene.check(*BOTH, expected=0)
    scene.lock(replace(entry(old), version="1.1.0"))
    for words in (("--offline",), BOTH):
        done = scene.check(*words, expected=1)
        told = message(done, "widget", "hashes-of-another-version")
        assert f"4 of 4 hashes of it belong to 1.0.0, as {HOST.partition(':')[0]}" in told
        reasons = [row["reasons"][0] for row in done.provider("widget")["hashes"] if row["locked"]]
        assert all(reason.startswith("belongs to 1.0.0, as ") for reason in reasons)
    # Where nothing of earlier runs is believed, only the sources speak.
    for doubts, code in (("--offline --no-cache", 3), ("--offline --fresh", 3), (" ".join((*BOTH, "--fresh")), 1)):
        assert "hashes-of-another-version" not in scene.check(*doubts.split(), expected=code).codes("widget")
    # What the release has after all is no alarm, and what belongs together neither.
    scene.lock(entry(new))
    assert scene.check("--offline", expected=3).codes("widget") == set()
    assert scene.run("cache", "--clear").code == 0
    scene.lock(replace(entry(old), version="1.1.0"))
    assert scene.check("--offline", expected=3).codes("widget") == set()


def test_hashes_that_come_back_from_the_bases_history_are_a_quieter_swap(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    release = parties.release("widget")
    linux, darwin = (release.packages[name] for name in ("linux_amd64", "darwin_arm64"))
    planted = packages("widget", build="theirs")["linux_amd64"].h1
    scene.serve(release)

    def lock(h1: str) -> None:
        scene.lock(entry(release, h1, linux.zh, darwin.zh))

    for package in (linux, darwin):
        lock(package.h1)
        commit()
    lock(linux.h1)
    done = scene.check(*BASE, "--offline", expected=3)
    assert "locked for 1.0.0 before, in the history of HEAD" in message(done, "widget", "change-hashes-swapped")
    # The change's own commits are no history to rely on.
    lock(planted)
    commit()
    lock(linux.h1)
    commit()
    lock(planted)
    theirs = scene.check("--base", "HEAD~2", "--offline", expected=1)
    assert "before" not in message(theirs, "widget", "change-hashes-swapped")


def test_a_bump_whose_every_hash_is_confirmed_is_no_error_for_having_no_zh(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    old, new = parties.release("widget"), parties.release("widget", version="1.1.0")
    scene.serve(old, new)
    scene.lock(entry(old))
    commit()
    scene.lock(entry(new, *(package.h1 for package in new.packages.values())))
    done = scene.check(*BASE, expected=0)
    assert "last zh hash" in message(done, "widget", "change-protection-removed")
    scene.lock(entry(old, *(package.h1 for package in old.packages.values())))
    assert "last zh hash" in message(scene.check(*BASE, expected=1), "widget", "change-protection-removed")


@pytest.mark.parametrize("broken", ["provider {\n", "<<<<<<< HEAD\n"])
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
    planted = packages("widget", build="theirs")["linux_amd64"].h1
    scene.lock(entry(release, *(text for each in release.packages.values() for text in each.hashes), planted))
    assert scene.run("check", ".", "beside", *BASE, "--format", "json").code == 1
    scene.lock(entry(release))
    beside.write_text(broken)
    assert scene.run("check", ".", "beside", *BASE, "--format", "json").code == 2


def test_a_move_from_one_default_registry_to_the_other_is_one_change(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    old, new = (unsigned("widget", host=f"registry.{name}") for name in ("terraform.io", "opentofu.org"))
    scene.lock(entry(old))
    commit()
    scene.lock(entry(new))
    done = scene.check(*BASE, "--offline", expected=3)
    (entry_of,) = done.report["lock_files"][0]["providers"]
    assert [each["kind"] for each in entry_of["changes"]] == ["registry moved"]
    assert done.report["lock_files"][0]["base"]["removed"] == []


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
    inside = replace(scene, folder=below)
    run = inside.run("check", "--offline", "--format", "sarif").report["runs"][0]
    places = {
        place["physicalLocation"]["artifactLocation"]["uri"] for found in run["results"] for place in found["locations"]
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
