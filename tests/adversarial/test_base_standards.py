"""By which policy and approvals a change is judged: those of its base, wherever it moves, links or plants anything."""

from __future__ import annotations

import pytest
from adversarial.changes import (
    APPROVALS,
    FROM_CHANGE,
    LOCK,
    PLANTED,
    POLICY,
    SIGNED,
    Forge,
    approving,
    other_key,
    pinning,
    problems_of,
)
from adversarial.parties import Parties
from adversarial.scene import Scene


@pytest.fixture
def forge(scene: Scene, parties: Parties) -> Forge:
    return Forge.of(scene, parties)


class TestApprovals:
    def test_an_approval_that_comes_with_the_change_counts_for_nothing_and_is_told(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock()})
        forge.branch()
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving()})
        done = forge.check()
        assert done.code == 1, done.told
        assert done.verdicts("widget")[PLANTED] == "unexplained"
        told = problems_of(done)
        assert told["approvals-proposed"]["severity"] == "note"
        assert "exit code 0, not 1" in told["proposed-standards"]["message"]
        (row,) = [each for each in done.provider("widget")["hashes"] if each["hash"] == PLANTED]
        assert row["approval"] is None
        assert any("Mallory" in reason and "does not count" in reason for reason in row["reasons"])
        assert forge.check(base="").code == 0, "without a base, it is the operator's own"

    def test_not_even_with_a_policy_out_of_reach(self, forge: Forge, parties: Parties) -> None:
        forge.commit({LOCK: forge.lock()})
        forge.branch()
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving(), POLICY: FROM_CHANGE})
        outside = forge.folder.parent / "own.hcl"
        outside.write_text(pinning(parties.author.fingerprint) + SIGNED)
        assert forge.check("--policy", outside).code == 1

    def test_one_that_the_base_has_counts_also_when_it_came_after_the_branch_left(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock()})
        forge.branch()
        forge.commit({LOCK: forge.lock(PLANTED)})
        assert forge.check().code == 1
        forge.on_main({APPROVALS: approving(by="Ada <ada@example.test>")})
        assert forge.check().code == 0

    def test_one_that_the_base_has_withdrawn_does_not_count(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving()})
        forge.branch()
        forge.commit({"README": "more\n"})
        assert forge.check().code == 0
        forge.on_main({APPROVALS: "# none any more\n"})
        assert forge.check().code == 1

    def test_a_policy_of_the_base_may_let_those_of_the_change_count(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock(), POLICY: FROM_CHANGE})
        forge.branch()
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving()})
        done = forge.check()
        assert done.code == 0, done.told
        assert problems_of(done)["approvals-changed"]["severity"] == "warning"
        forge.on_main({POLICY: "# nothing\n"})
        assert forge.check().code == 1, "one of two policies is not enough"

    def test_but_not_the_change_itself_nor_for_what_was_withdrawn(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving(), POLICY: FROM_CHANGE})
        forge.branch()
        forge.commit({"README": "more\n", APPROVALS: approving() + approving("h1:" + "A" * 43 + "=")})
        assert forge.check().code == 0
        forge.on_main({APPROVALS: "# withdrawn\n"})
        assert forge.check().code == 1, "what the base withdrew stays withdrawn"
        forge.on_main({POLICY: "# nothing\n"})
        assert forge.check().code == 1
        assert forge.check(base="main~2").code == 0, "the change is as it was"


class TestPolicies:
    def test_the_policy_of_the_change_never_helps(self, forge: Forge, parties: Parties) -> None:
        text = other_key(forge, parties)
        forge.commit({LOCK: text, POLICY: pinning(parties.author.fingerprint)})
        forge.branch()
        forge.commit({POLICY: pinning(parties.intruder.fingerprint)})
        done = forge.check()
        assert done.code == 1
        assert "key-changed" in done.codes("widget")
        assert "exit code 0, not 1" in problems_of(done)["proposed-standards"]["message"]
        (forge.folder / POLICY).unlink()
        done = forge.check()
        assert done.code == 1
        assert "removes the policy" in problems_of(done)["policy-proposed"]["message"]

    def test_a_change_of_the_policy_alone_is_no_error_and_what_it_would_say_is_told(
        self, forge: Forge, parties: Parties
    ) -> None:
        forge.commit({LOCK: forge.lock()})
        forge.branch()
        forge.commit({POLICY: pinning(parties.author.fingerprint) + SIGNED})
        done = forge.check()
        assert done.code == 0
        told = problems_of(done)
        assert {each["severity"] for each in told.values()} == {"note"}
        assert "adds the policy .lockwarden.hcl" in told["policy-proposed"]["message"]
        assert "exit code 0, too" in told["proposed-standards"]["message"]
        forge.commit({POLICY: pinning("AB" * 20)})
        assert "exit code 1, not 0" in problems_of(forge.check())["proposed-standards"]["message"]

    def test_a_key_that_was_pinned_after_the_branch_left_counts(self, forge: Forge, parties: Parties) -> None:
        text = other_key(forge, parties)
        forge.commit({LOCK: text})
        forge.branch()
        forge.commit({"README": "more\n"})
        assert forge.check().code == 0
        forge.on_main({POLICY: pinning(parties.author.fingerprint)})
        done = forge.check()
        assert done.code == 1
        assert "key-changed" in done.codes("widget")
        assert "policy-proposed" not in problems_of(done), "the change proposes nothing"

    def test_so_does_one_that_was_pinned_when_the_branch_left(self, forge: Forge, parties: Parties) -> None:
        text = other_key(forge, parties)
        forge.commit({LOCK: text, POLICY: pinning(parties.author.fingerprint)})
        forge.branch()
        forge.commit({"README": "more\n"})
        forge.on_main({POLICY: pinning(parties.intruder.fingerprint)})
        assert forge.check().code == 1

    def test_a_branch_that_starts_before_a_rule_was_made_gains_nothing(self, forge: Forge, parties: Parties) -> None:
        text = other_key(forge, parties)
        forge.commit({LOCK: text})
        forge.commit({POLICY: pinning(parties.author.fingerprint)})
        forge.git("switch", "-q", "-c", "topic", "main~1")
        forge.commit({"README": "more\n"})
        assert forge.check().code == 1

    def test_during_a_merge_what_this_side_had_is_the_standard(self, forge: Forge, parties: Parties) -> None:
        forge.commit({LOCK: forge.lock(), POLICY: pinning(parties.author.fingerprint)})
        forge.branch()
        forge.commit({POLICY: FROM_CHANGE, APPROVALS: approving(), LOCK: forge.lock(PLANTED)})
        forge.git("switch", "-q", "main")
        forge.commit({"README": "main\n"})
        forge.git("merge", "-q", "--no-commit", "--no-ff", "topic")
        done = forge.check(base="HEAD")
        assert done.code == 1
        assert {"policy-proposed", "approvals-proposed"} <= set(problems_of(done))


class TestWhereTheFileGoes:
    """`prod` has a policy of its own, and the change wants its lock file to be judged by another."""

    @pytest.fixture
    def nested(self, forge: Forge, parties: Parties) -> Forge:
        text = other_key(forge, parties)
        pin = pinning(parties.author.fingerprint)
        forge.commit({f"prod/{LOCK}": text, f"prod/{POLICY}": pin, "prod/main.tf": "# it\n", "other/main.tf": "# it\n"})
        forge.branch()
        return forge

    def held(self, forge: Forge, path: str) -> None:
        done = forge.check(path=path)
        assert done.code == 1, done.told
        assert "key-changed" in done.codes("widget"), done.told

    def test_moving_it_out_of_the_folder_takes_the_policy_along(self, nested: Forge) -> None:
        self.held(nested, "prod")
        nested.git("mv", f"prod/{LOCK}", f"other/{LOCK}")
        nested.commit()
        self.held(nested, "other")

    def test_so_does_moving_it_with_so_many_comments_that_it_is_no_rename(self, nested: Forge) -> None:
        text = "# padding\n" * 2_000 + (nested.folder / f"prod/{LOCK}").read_text()
        nested.git("rm", "-q", f"prod/{LOCK}")
        nested.commit({f"other/{LOCK}": text})
        self.held(nested, "other")

    def test_so_does_making_it_more_like_another_one_that_goes(self, nested: Forge) -> None:
        padding = "# padding\n" * 200
        nested.git("switch", "-q", "main")
        nested.commit({f"lax/{LOCK}": padding, "lax/main.tf": "# it\n"})
        nested.git("switch", "-q", "-C", "topic")
        text = padding + (nested.folder / f"prod/{LOCK}").read_text()
        nested.git("rm", "-q", f"prod/{LOCK}", f"lax/{LOCK}")
        nested.commit({f"other/{LOCK}": text})
        self.held(nested, "other")

    def test_a_link_in_the_place_of_the_file(self, nested: Forge) -> None:
        nested.git("mv", f"prod/{LOCK}", f"other/{LOCK}")
        (nested.folder / f"prod/{LOCK}").symlink_to(f"../other/{LOCK}")
        nested.commit()
        self.held(nested, "prod")

    def test_a_link_in_the_place_of_the_folder(self, nested: Forge) -> None:
        text = (nested.folder / f"prod/{LOCK}").read_text()
        nested.git("rm", "-q", "-r", "prod")
        (nested.folder / "prod").symlink_to("other")
        nested.commit({f"other/{LOCK}": text})
        self.held(nested, "prod")
        self.held(nested, f"prod/{LOCK}")
        self.held(nested, "other")

    def test_a_link_out_of_the_repository_in_the_place_of_the_folder(self, nested: Forge) -> None:
        elsewhere = nested.folder.parent / "elsewhere"
        nested.write({LOCK: (nested.folder / f"prod/{LOCK}").read_text()}, elsewhere)
        nested.git("rm", "-q", "-r", "prod")
        (nested.folder / "prod").symlink_to(elsewhere)
        nested.commit()
        done = nested.ended(path="prod")
        assert done.code == 1
        assert "lock-file-displaced" in {each["code"] for each in done.report["lock_files"][0]["problems"]}

    def test_a_submodule_in_the_place_of_the_folder(self, nested: Forge) -> None:
        module = nested.folder.parent / "module"
        module.mkdir()
        nested.git("init", "-q", "-b", "main", folder=module)
        nested.write({LOCK: (nested.folder / f"prod/{LOCK}").read_text(), POLICY: FROM_CHANGE}, module)
        nested.git("add", "-A", folder=module)
        nested.git("commit", "-q", "-m", "theirs", folder=module)
        nested.git("rm", "-q", "-r", "prod")
        nested.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(module), "prod")
        nested.commit()
        self.held(nested, "prod")
        self.held(nested, f"{nested.folder / 'prod'}")

    def test_a_policy_in_the_new_place_counts_as_well(self, nested: Forge) -> None:
        nested.git("switch", "-q", "main")
        nested.commit({f"other/{POLICY}": SIGNED.replace("signed    = true", 'hosts = ["elsewhere.example.test"]')})
        nested.git("switch", "-q", "-c", "another")
        nested.git("mv", f"prod/{LOCK}", f"other/{LOCK}")
        nested.commit()
        self.held(nested, "other")
        assert "host-not-allowed" in nested.check(path="other").codes("widget")


class TestUnreadableAtTheBase:
    """What repairs it can be reviewed, and no check of it is green."""

    @pytest.mark.parametrize("broken", ["require {\n", "a link"])
    def test_a_policy_is_repaired_with_an_open_answer_and_lets_nothing_count(
        self, forge: Forge, parties: Parties, broken: str
    ) -> None:
        forge.write({LOCK: forge.lock(), "real.hcl": SIGNED})
        if broken == "a link":
            (forge.folder / POLICY).symlink_to("real.hcl")
        else:
            forge.write({POLICY: broken})
        forge.commit()
        forge.branch()
        (forge.folder / POLICY).unlink()
        forge.commit({POLICY: pinning(parties.author.fingerprint) + FROM_CHANGE})
        done = forge.ended()
        assert done.code == 3, done.told
        told = problems_of(done)["base-standards-unreadable"]
        assert told["message"].startswith("nothing is judged by what main has here")
        assert ".lockwarden.hcl" in told["message"]
        assert "repair it in a change of its own" in told["hint"]
        assert "changes the policy .lockwarden.hcl;" in problems_of(done)["policy-proposed"]["message"]
        assert [each["proposed"] for each in done.report["lock_files"][0]["standards"]["policies"]] == [True]
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving()})
        assert forge.check().code == 1, "nothing of the change helps meanwhile"
        (forge.folder / POLICY).unlink()
        left = problems_of(forge.check())
        assert broken == "a link" or "removes the policy .lockwarden.hcl;" in left["policy-proposed"]["message"]

    def test_one_where_the_branch_left_leaves_it_open_and_that_of_the_tip_counts(
        self, forge: Forge, parties: Parties
    ) -> None:
        forge.commit({LOCK: forge.lock(), POLICY: "require {\n"})
        forge.branch()
        forge.commit({"README": "more\n", POLICY: SIGNED})
        forge.on_main({POLICY: SIGNED})
        assert forge.check().code == 3
        forge.on_main({POLICY: pinning(parties.intruder.fingerprint)})
        assert "key-changed" in forge.check().codes("widget")
        forge.git("merge", "-q", "-X", "theirs", "main")
        assert "base-standards-unreadable" not in problems_of(forge.check())

    def test_nothing_of_the_change_counts_then_though_the_policy_of_the_tip_lets_it(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock(), POLICY: "require {\n"})
        forge.branch()
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving(), POLICY: SIGNED})
        forge.on_main({POLICY: FROM_CHANGE})
        assert forge.check().code == 1

    def test_approvals_count_for_nothing_then_and_none_of_the_change_do(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock(), APPROVALS: "approval {\n", POLICY: FROM_CHANGE})
        forge.branch()
        forge.commit({APPROVALS: "# repaired\n"})
        done = forge.check()
        assert done.code == 3, done.told
        assert "approvals.hcl" in problems_of(done)["base-standards-unreadable"]["message"]
        (forge.folder / APPROVALS).unlink()
        told = problems_of(forge.check())["approvals-proposed"]["message"]
        assert "removes the approvals .lockwarden/approvals.hcl;" in told
        forge.commit({LOCK: forge.lock(PLANTED), APPROVALS: approving()})
        assert forge.check().code == 1
        forge.on_main({APPROVALS: "# repaired\n"})
        assert forge.check().code == 1, "what was withdrawn is not known where the branch left"
