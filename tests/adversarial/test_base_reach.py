"""Policies and approvals of a base where repositories lie in others, and where policies are named by a path."""

from __future__ import annotations

from dataclasses import replace

import pytest
from adversarial.changes import (
    FROM_CHANGE,
    LOCK,
    POLICY,
    SIGNED,
    Forge,
    other_key,
    pinning,
    problems_of,
)
from adversarial.parties import Parties
from adversarial.scene import Scene

from lockwarden.core.values.errors import GitError, PolicyError


@pytest.fixture
def forge(scene: Scene, parties: Parties) -> Forge:
    return Forge.of(scene, parties)


class TestRepositoriesInRepositories:
    @pytest.fixture
    def inner(self, forge: Forge, parties: Parties) -> Forge:
        """A repository in the folder of another one, whose policy pins another key than the one that signs here."""
        text = other_key(forge, parties)
        forge.commit({POLICY: pinning(parties.author.fingerprint), ".gitignore": "own\n"})
        own = forge.folder / "own"
        forge.write({LOCK: text}, own)
        forge.git("init", "-q", "-b", "main", folder=own)
        forge.git("add", "-A", folder=own)
        forge.git("commit", "-q", "-m", "own", folder=own)
        return forge

    def test_one_that_the_outer_one_does_not_track_is_on_its_own(self, inner: Forge) -> None:
        assert inner.check(path="own").code == 0

    def test_what_a_submodule_was_at_the_outer_base_counts_and_no_branch_of_its_own(
        self, inner: Forge, parties: Parties
    ) -> None:
        own = inner.folder / "own"
        inner.write({POLICY: pinning(parties.author.fingerprint)}, own)
        inner.git("rm", "-q", POLICY, ".gitignore")
        inner.git("add", "-A", folder=own)
        inner.git("commit", "-q", "-m", "a pin", folder=own)
        inner.git("-c", "advice.addEmbeddedRepo=false", "add", "-f", "own")
        inner.git("commit", "-q", "-m", "as a submodule")
        inner.branch()
        assert "key-changed" in inner.check(path="own").codes("widget")
        inner.git("rm", "-q", POLICY, folder=own)
        inner.git("commit", "-q", "-m", "none, on its main as well", folder=own)
        inner.commit()
        done = inner.check(path="own")
        assert "key-changed" in done.codes("widget"), done.told
        assert "policy-proposed" in problems_of(done)
        own.rename(inner.folder / "elsewhere")
        inner.commit()
        assert "key-changed" in inner.check(path="elsewhere").codes("widget"), "it follows a submodule that moves"

    def test_a_commit_of_a_submodule_that_is_not_here_is_told_with_how_to_get_it(self, inner: Forge) -> None:
        inner.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},own")
        inner.git("commit", "-q", "-m", "as a submodule")
        with pytest.raises(GitError, match="main has the submodule own at 111111111111, which is not in this clone"):
            inner.check(path="own")

    def test_a_submodule_is_judged_by_the_outer_base_as_well(self, inner: Forge) -> None:
        inner.git("-c", "advice.addEmbeddedRepo=false", "add", "-f", "own")
        inner.git("commit", "-q", "-m", "as a submodule")
        done = inner.check(path="own")
        assert done.code == 1
        assert "key-changed" in done.codes("widget")
        assert done.report["lock_files"][0]["base"]["sides"][0]["present"], "it is compared with its own base"


class TestNamedPolicies:
    """A path that lies in the working tree by its name is in the change's reach, wherever links lead."""

    def test_a_folder_that_becomes_a_link_does_not_lead_out_of_reach(self, forge: Forge, parties: Parties) -> None:
        text = other_key(forge, parties)
        forge.commit({LOCK: text, "conf/p.hcl": pinning(parties.author.fingerprint)})
        forge.branch()
        outside = forge.folder.parent / "elsewhere"
        forge.write({"p.hcl": pinning(parties.intruder.fingerprint)}, outside)
        forge.git("rm", "-q", "-r", "conf")
        (forge.folder / "conf").symlink_to(outside)
        forge.commit()
        for name in ("conf/p.hcl", str(forge.folder / "conf" / "p.hcl"), "./conf/../conf/p.hcl"):
            done = forge.check("--policy", name)
            assert done.code == 1, done.told
            assert "key-changed" in done.codes("widget")
        assert "policy-proposed" in problems_of(done)

    @pytest.mark.parametrize(
        ("name", "code"), [("../../p.hcl", 1), ("./../../p.hcl", 1), ("../infra/../../p.hcl", None), ("../p.hcl", None)]
    )
    def test_dots_lead_out_of_reach_from_where_the_operator_stands_and_behind_no_other_name(
        self, forge: Forge, name: str, code: int | None
    ) -> None:
        forge.commit({f"infra/{LOCK}": forge.lock()})
        (forge.folder.parent / "p.hcl").write_text(SIGNED.replace("signed    = true", 'hosts = ["x.example.test"]'))
        standing = replace(forge.scene, folder=forge.folder / "infra")
        if code is not None:
            assert standing.run("check", "--base", "main", "--policy", name).code == code
            return
        with pytest.raises(PolicyError, match="at main, which counts"):
            standing.run("check", "--base", "main", "--policy", name)

    def test_one_that_the_base_does_not_have_is_refused(self, forge: Forge) -> None:
        forge.commit({LOCK: forge.lock()})
        forge.branch()
        forge.commit({"conf/p.hcl": FROM_CHANGE})
        with pytest.raises(PolicyError, match="at main, which counts"):
            forge.check("--policy", "conf/p.hcl")
        done = forge.ended("--policy", "conf/p.hcl")
        assert (done.code, "which counts for what a change can reach" in done.err) == (2, True)
        assert forge.check("--policy", "conf/p.hcl", base="").code == 0

    def test_one_out_of_reach_is_used_as_it_is_in_the_place_of_all_others(self, forge: Forge, parties: Parties) -> None:
        forge.commit({LOCK: forge.lock(), POLICY: pinning("AB" * 20)})
        forge.branch()
        forge.commit({"README": "more\n"})
        outside = forge.folder.parent / "own.hcl"
        outside.write_text(pinning(parties.author.fingerprint))
        assert forge.check().code == 1
        assert forge.check("--policy", outside).code == 0
