"""Hashes under a version that they do not belong to, as the base, its history, earlier runs or sources know."""

from __future__ import annotations

import re
from dataclasses import replace

from adversarial.committed import BASE, Commit, message
from adversarial.parties import Parties
from adversarial.scene import BOTH, Scene, entry, packages
from builders.three_providers import HOST

from lockwarden.demo.lockfile import lock_text


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
    # Where the origin was asked, it is known which of the two is wrong.
    asked = scene.run("check", ".", "beside", "--platform", "all", "--format", "json")
    assert "hashes of it belong to 1.0.0, as locked in " in message(asked, "widget", "hashes-of-another-version")
    assert "only one of the two" not in asked.out
    right = asked.report["lock_files"][1]["providers"][0]
    assert {row["verdict"] for row in right["hashes"]} == {"confirmed"}


def test_what_is_advised_for_hashes_of_another_version_mends_the_entry(
    scene: Scene, parties: Parties, commit: Commit
) -> None:
    old, new = parties.release("widget"), parties.release("widget", version="1.1.0")
    scene.serve(old, new)
    scene.lock(entry(old))
    commit()
    scene.lock(replace(entry(old), version="1.1.0"))
    done = scene.check(*BASE, expected=1)
    (problem,) = (each for each in done.provider("widget")["problems"] if each["code"] == "hashes-of-another-version")
    assert problem["hint"].startswith("remove “hashes” from the entry, and “lockwarden lock” makes them anew")
    lock_file = scene.folder / ".terraform.lock.hcl"
    lock_file.write_text(re.sub(r"\n  hashes = \[.*?\]", "", lock_file.read_text(), flags=re.DOTALL))
    assert scene.run("lock", "--platform", "all").code == 0
    done = scene.check(*BASE, expected=0)
    assert {row["verdict"] for row in done.provider("widget")["hashes"]} == {"confirmed"}


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


def test_another_providers_hashes_are_told_as_that_and_are_no_smaller_a_finding(scene: Scene, parties: Parties) -> None:
    widget, gadget = parties.release("widget"), parties.release("gadget", version="1.4.0")
    scene.serve(widget, gadget)
    theirs = [text for package in gadget.packages.values() for text in package.hashes]
    scene.lock(entry(widget, *theirs))
    alone = scene.check(*BOTH, expected=1)
    assert not any("belongs" in text for row in alone.provider("widget")["hashes"] for text in row["reasons"])
    beside = scene.folder / "beside"
    beside.mkdir()
    (beside / ".terraform.lock.hcl").write_text(lock_text([entry(gadget)]))
    two_files = scene.run("check", ".", "beside", *BOTH, "--format", "json")
    scene.lock(entry(widget, *theirs), entry(gadget))
    one_file = scene.check(*BOTH, expected=1)
    owner = f"belongs to {gadget.address} 1.4.0, whose own sources have it"
    for done in (two_files, one_file):
        assert done.code == 1
        assert done.verdicts("widget") == alone.verdicts("widget")
        assert done.codes("widget") == alone.codes("widget")
        locked = [row for row in done.provider("widget")["hashes"] if row["locked"]]
        assert [row["reasons"][0] for row in locked] == [owner] * 4
        assert all("in place of this one's" in row["reasons"][-1] for row in locked)
    assert done.codes("gadget") == set()
    assert set(done.confirmed("gadget")) == set(theirs)
    assert owner in scene.run("lock", *BOTH).out


def test_a_hash_that_is_planted_in_two_entries_belongs_to_neither(scene: Scene, parties: Parties) -> None:
    widget, gadget = parties.release("widget"), parties.release("gadget")
    scene.serve(widget, gadget)
    planted = [text for package in packages("widget", build="theirs").values() for text in package.hashes]
    scene.lock(*(entry(each, *planted) for each in (widget, gadget)))
    done = scene.check(*BOTH, expected=1)
    for name in ("widget", "gadget"):
        assert not any("belongs" in text for row in done.provider(name)["hashes"] for text in row["reasons"])
