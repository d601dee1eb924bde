"""A change under review: what it takes away, whom it would have us trust, and what it lets in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from adversarial.committed import BASE, Commit, message
from adversarial.parties import Parties
from adversarial.scene import BOTH, Scene, entry, packages, unsigned
from builders.three_providers import HOST


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
