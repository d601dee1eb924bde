"""What a pull request does to a lock file, and what `lockwarden check --base` says of it."""

from __future__ import annotations

import base64
import hashlib
import json
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from builders.three_providers import MIRROR, ThreeProviders, another_package
from end_to_end.pull_requests import PullRequest, lock_text
from servers.https import HttpsServer, of_world
from servers.installed import HELD_AGAINST_NOTHING, Ended, Lockwarden

from lockwarden.core.approvals.read import read_approvals
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.packages import provider_package
from lockwarden.demo.releases import Release, registry_sites, signed
from lockwarden.demo.world import World

PLANTED = "h1:" + base64.b64encode(hashlib.sha256(b"planted").digest()).decode()
LOCK = ".terraform.lock.hcl"


@pytest.fixture
def change(three_providers: ThreeProviders, lockwarden: Lockwarden, served: HttpsServer, tmp_path: Path) -> PullRequest:
    return PullRequest.on(tmp_path / "repository", lockwarden, {LOCK: lock_text(three_providers.releases)})


def h1_of(providers: ThreeProviders, platform: str = "linux_amd64") -> str:
    return providers.releases[0].packages[platform].h1


def answer(done: Ended) -> str:
    """All that is said before what it was held against, which is nothing, and the configuration."""
    told, _, rest = done.out.partition(f"\n{HELD_AGAINST_NOTHING}\nConfiguration: ")
    assert rest.count("\n") == 1
    return told


def test_without_a_change_there_is_nothing_to_object_to(change: PullRequest) -> None:
    assert answer(change.check(expected=0)) == f"{LOCK}: Nothing to object to: 18 confirmed"


class TestOneSwappedHash:
    @pytest.fixture
    def swapped(self, change: PullRequest, three_providers: ThreeProviders) -> PullRequest:
        change.swap(h1_of(three_providers), PLANTED)
        return change

    def test_every_report_of_one_run_says_it_first(self, swapped: PullRequest, tmp_path: Path) -> None:
        wanted = {form: tmp_path / f"report.{form}" for form in ("sarif", "junit", "markdown", "json")}
        done = swapped.check(*(f"--report={form}:{path}" for form, path in wanted.items()), expected=1)
        first = done.out.splitlines()[0]
        assert first.startswith(f"{LOCK}: Do not commit yet: hashes swapped in ")
        assert "acme/one 1.4.0" in first
        first = wanted["markdown"].read_text().splitlines()[0]
        assert "Do not commit yet" in first
        assert "hashes swapped" in first
        report = Ended(code=1, out=wanted["json"].read_text(), err="").report
        assert list(report)[:3] == ["schema", "answer", "loudest"]
        assert "change-hashes-swapped" in json.dumps(report["loudest"])
        assert report["exit_code"] == 1
        sarif = json.loads(wanted["sarif"].read_text())
        assert sarif["version"] == "2.1.0"
        results = sarif["runs"][0]["results"]
        assert results[0]["ruleId"] == "change-hashes-swapped"
        line = next(n for n, text in enumerate(swapped.lock_file.read_text().splitlines(), 1) if PLANTED in text)
        planted = next(each for each in results if each["ruleId"] == "unexplained")
        assert planted["locations"][0]["physicalLocation"]["region"]["startLine"] == line
        assert wanted["junit"].read_text().startswith("<?xml")
        failure = next(ET.fromstring(wanted["junit"].read_text()).iter("failure"))
        assert failure.get("type") == "change-hashes-swapped"

    def test_explain_tells_the_whole_reasoning_or_names_what_is_there(self, swapped: PullRequest) -> None:
        told = swapped.check("--explain", "registry.example.test/acme/one", expected=1).out
        assert PLANTED in told
        assert "added in this change" in told
        assert "acme/two" not in told
        done = swapped.check("--explain", "acme/nothing", expected=2)
        assert "registry.example.test/acme/one" in done.err


def test_a_lock_file_that_loses_every_hash_is_protection_removed(change: PullRequest) -> None:
    text = change.lock_file.read_text()
    start = text.index("  hashes = [")
    end = text.index("  ]\n", start) + len("  ]\n")
    change.lock_file.write_text(text[:start] + text[end:])
    assert "protection removed" in change.check(expected=1).out.splitlines()[0]


def test_a_new_lock_file_is_told_as_new(change: PullRequest, three_providers: ThreeProviders) -> None:
    other = change.folder / "other"
    other.mkdir()
    (other / LOCK).write_text(lock_text(three_providers.releases[:1]))
    told = change.check("other", "--format", "json", expected=0).report
    assert "lock-file-new" in json.dumps(told)


def test_a_renamed_lock_file_is_compared_with_what_it_was(change: PullRequest) -> None:
    (change.folder / "infra").mkdir()
    change.git("mv", LOCK, f"infra/{LOCK}")
    told = change.check("infra", "--format", "json", expected=0).report
    assert "lock-file-renamed" in json.dumps(told)
    assert "change-new-provider" not in json.dumps(told)


def test_what_the_base_became_after_this_branch_left_it_is_no_change_of_this_branch(
    change: PullRequest, three_providers: ThreeProviders
) -> None:
    change.git("switch", "--quiet", "--create", "topic")
    change.write({"README": "of the topic\n"})
    change.commit("of the topic")
    change.git("switch", "--quiet", "main")
    change.write({LOCK: lock_text(three_providers.releases[1:])})
    change.commit("main locks one provider less")
    change.git("switch", "--quiet", "topic")
    assert answer(change.check(base="main", expected=0)) == f"{LOCK}: Nothing to object to: 18 confirmed"


class TestBadBases:
    def test_an_unknown_revision_is_said_plainly(self, change: PullRequest) -> None:
        done = change.check(base="no-such-branch", expected=2)
        assert "no-such-branch" in done.err
        assert "hint: " in done.err

    def test_so_is_a_folder_outside_of_any_repository(
        self, change: PullRequest, lockwarden: Lockwarden, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / LOCK).write_text(change.lock_file.read_text())
        done = lockwarden.run("check", "--base", "HEAD", folder=outside, expected=2)
        assert "no git repository" in done.err

    def test_a_shallow_clone_says_how_to_fetch_the_base(self, change: PullRequest, tmp_path: Path) -> None:
        change.write({"README": "more\n"})
        change.commit("another commit")
        change.git("clone", "--quiet", "--depth=1", f"file://{change.folder}", str(tmp_path / "shallow"))
        shallow = PullRequest(folder=tmp_path / "shallow", lockwarden=change.lockwarden)
        done = shallow.check(base="HEAD~1", expected=2)
        assert "depth" in done.err


class TestPolicy:
    def pinned(self, fingerprint: str) -> str:
        return f'signing_key "{fingerprint}" {{\n  providers = ["registry.example.test/acme/*"]\n}}\n'

    def test_the_pinned_key_is_named_with_its_rule(self, change: PullRequest, three_providers: ThreeProviders) -> None:
        change.write({".lockwarden.hcl": self.pinned(three_providers.key.fingerprint)})
        change.commit("a policy")
        told = change.check("--explain", "registry.example.test/acme/one", expected=0).out
        assert ".lockwarden.hcl line 1 trusts this key" in told

    def test_another_key_is_an_alarm_and_nothing_signed_by_it_is_confirmed(self, change: PullRequest) -> None:
        change.write({".lockwarden.hcl": self.pinned("AB" * 20)})
        change.commit("a policy")
        done = change.check("--format", "json", expected=1)
        assert "key-changed" in json.dumps(done.report["loudest"])
        assert set(done.verdicts("one").values()) == {"unexplained"}

    def test_a_policy_that_the_change_brings_is_proposed_and_counts_for_nothing(
        self, change: PullRequest, three_providers: ThreeProviders
    ) -> None:
        change.write({".lockwarden.hcl": self.pinned(three_providers.key.fingerprint)})
        told = change.check(expected=0).out
        assert "note: this change adds the policy .lockwarden.hcl" in told
        assert "it would end with exit code 0, too" in told
        assert "Held against: no policy; no approvals; proposed, and not counted: .lockwarden.hcl (working tree" in told

    def test_a_policy_out_of_its_reach_is_none(
        self, change: PullRequest, three_providers: ThreeProviders, tmp_path: Path
    ) -> None:
        outside = tmp_path / "policy.hcl"
        outside.write_text(self.pinned(three_providers.key.fingerprint))
        change.write({".lockwarden.hcl": self.pinned("AB" * 20)})
        change.check("--policy", str(outside), expected=0)

    def test_a_policy_that_cannot_be_read_ends_with_its_line(self, change: PullRequest) -> None:
        for text, told in (
            ('signing_key "FCAC63569E8F3F24" {\n  providers = ["*/*/*"]\n}\n', "fingerprint"),
            ('signing_kye "A" {\n}\n', "signing_key"),
            ('require {\n  providers = ["acme"]\n}\n', "pattern"),
            ("require {\n", ":1"),
        ):
            change.write({".lockwarden.hcl": text})
            done = change.check(expected=2)
            assert ".lockwarden.hcl:" in done.err
            assert told in done.err

    def test_a_trusted_mirror_vouches_in_the_place_of_the_origin(
        self, change: PullRequest, three_providers: ThreeProviders, served: HttpsServer
    ) -> None:
        release = three_providers.releases[0]
        rebuilt = {platform: another_package(release, platform) for platform in release.packages}
        served.serve(of_world(three_providers.world(at_mirror={release.address: rebuilt})))
        for platform, package in rebuilt.items():
            change.swap(release.packages[platform].zh, package.zh)
            change.swap(release.packages[platform].h1, package.h1)
        change.commit("the team's own builds")
        sources = ("--source", "direct", "--source", MIRROR)
        change.check(*sources, expected=1)
        change.write(
            {".lockwarden.hcl": f'mirror "{MIRROR}" {{\n  trusted = true\n  providers = ["{release.address}"]\n}}\n'}
        )
        change.commit("trust the mirror")
        assert set(change.check(*sources, "--format", "json", expected=0).verdicts("one").values()) >= {"confirmed"}


class TestAnotherKeyOfTheSameName:
    """1.4.0 is signed by one key, 1.5.0 by another with the same user ID."""

    @pytest.fixture
    def upgraded(
        self,
        change: PullRequest,
        three_providers: ThreeProviders,
        key_maker: KeyMaker,
        served: HttpsServer,
    ) -> PullRequest:
        old = three_providers.releases[0]
        now = datetime.now(UTC)
        other = key_maker.make("Three Providers <three@example.test>", created=now - timedelta(days=3))
        packages = {
            platform: provider_package(old.name, "1.5.0", platform, size=3_000, modified=now)
            for platform in old.packages
        }
        release = Release(address=old.address, version="1.5.0", packages=packages, offered=(other,))
        new = signed(release, maker=key_maker, key=other, at=now - timedelta(days=1))
        releases = (*three_providers.releases, new)
        served.serve(of_world(World.of(registry_sites(releases))))
        change.lock_file.write_text(lock_text((new, *three_providers.releases[1:])))
        return change

    def test_without_a_policy_it_is_a_warning_and_with_the_old_key_pinned_it_is_the_alarm(
        self, upgraded: PullRequest, three_providers: ThreeProviders, tmp_path: Path
    ) -> None:
        done = upgraded.check("--format", "json", expected=0)
        codes = {problem["code"]: problem["severity"] for problem in done.provider("one")["problems"]}
        assert codes["change-new-signer"] == "warning"
        assert set(done.verdicts("one").values()) == {"confirmed"}
        policy = tmp_path / "policy.hcl"
        pin = (
            f'signing_key "{three_providers.key.fingerprint}" {{\n  providers = ["registry.example.test/acme/*"]\n}}\n'
        )
        policy.write_text(pin)
        done = upgraded.check("--policy", str(policy), "--format", "json", expected=1)
        assert done.provider("one")["alarmed"] is True
        assert all(row["signed_by_gpg_key_ids"] for row in done.provider("one")["hashes"] if row["hash"][:2] == "zh")
        assert "confirmed" not in done.verdicts("one").values()
        assert set(done.verdicts("two").values()) == {"confirmed"}


class TestRecordedApprovals:
    def record(self, change: PullRequest, hash_: str, *, until: str = "2999-12-31") -> None:
        change.write(
            {
                ".lockwarden/approvals.hcl": f"""\
approval "registry.example.test/acme/one" {{
  version = "1.4.0"
  hashes  = ["{hash_}"]
  verdict = "unexplained"
  by      = "Ada Example <ada@example.test>"
  at      = "2025-11-28T05:00:00Z"
  reason  = "our own build, see the ticket"
  until   = "{until}"
}}
"""
            }
        )
        assert read_approvals((change.folder / ".lockwarden/approvals.hcl").read_bytes(), path="approvals").records

    def test_a_record_accepts_its_hash_in_a_fresh_clone_and_no_other(self, change: PullRequest, tmp_path: Path) -> None:
        change.swap("  hashes = [\n", f'  hashes = [\n    "{PLANTED}",\n')
        change.check(expected=1)
        self.record(change, PLANTED)
        change.commit("the hash, and who approves it")
        clone = change.clone(tmp_path / "clone")
        clone.check(base="HEAD~1", expected=1)
        told = clone.check(expected=0).out
        assert "approved by Ada Example" in told
        other = PLANTED.replace(PLANTED[5], "A" if PLANTED[5] != "A" else "B", 1)
        clone.swap(PLANTED, other)
        clone.check(expected=1)

    def test_an_expired_record_accepts_nothing(self, change: PullRequest) -> None:
        change.swap("  hashes = [\n", f'  hashes = [\n    "{PLANTED}",\n')
        self.record(change, PLANTED, until="2026-01-01")
        told = change.check(base="", expected=1).out
        assert "no longer counts" in told
