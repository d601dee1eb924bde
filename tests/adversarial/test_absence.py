"""Lock files and entries that a change takes away or hides: told, and judged by what is still required."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from adversarial.checkout import LOCK, Checkout, locked, requiring
from adversarial.hiding import HIDING, delete, link_outwards, link_to_another, submodule

INFRA = f"infra/{LOCK}"
FILES = {"infra/main.tf": requiring("one", "two"), INFRA: locked("one", "two"), "README.md": "text\n"}


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout.of(tmp_path / "checkout", FILES)


def test_a_lock_file_out_of_sight_is_an_error_where_its_providers_are_still_required(tmp_path: Path) -> None:
    names = {act: act.__name__.replace("_", "-") for act in HIDING}
    files: dict[str, str] = {}
    for name in names.values():
        files |= {
            f"{name}/main.tf": requiring(f"{name}-one", f"{name}-two"),
            f"{name}/{LOCK}": locked(f"{name}-one", f"{name}-two"),
        }
    checkout = Checkout.of(tmp_path / "checkout", files)
    for act, name in names.items():
        act(checkout, name)
    for committed in (False, True):
        if committed:
            checkout.commit()
        told = checkout.check("--recursive", ".")
        assert told.code == 1
        for act, name in names.items():
            assert HIDING[act] in told.problems(f"{name}/{LOCK}"), name
            assert told.paths.count(f"{name}/{LOCK}") == 1
    for name in names.values():
        named = checkout.check(name)
        assert (named.code, named.paths) == (1, [f"{name}/{LOCK}"]), name
    for act in (link_outwards, link_to_another, submodule):
        told = checkout.check("-r", names[act])
        assert (told.code, HIDING[act] in told.problems(f"{names[act]}/{LOCK}")) == (1, True)


@pytest.mark.parametrize("named", [("--recursive", "."), ("infra",), (INFRA,)])
def test_a_file_that_some_disks_take_for_the_lock_file_is_looked_at_and_told(
    checkout: Checkout, named: tuple[str, ...]
) -> None:
    """Of the two, macOS keeps the one that comes last: the letter before the last dot is KELVIN SIGN."""
    alike = "infra/.terraform.loc\u212a.hcl"
    assert checkout.check(*named).paths == [INFRA]
    checkout.write({alike: locked("one", "three")})
    checkout.commit()
    told = checkout.check(*named)
    assert (told.code, sorted(told.paths)) == (1, sorted([INFRA, alike]))
    assert "lock-file-name-alike" in told.problems(alike)
    assert told.problems(INFRA) == []
    checkout.git("switch", "--quiet", "main")
    checkout.git("merge", "--quiet", "topic")
    checkout.git("switch", "--quiet", "--create", "next")
    checkout.git("rm", "--quiet", alike)
    checkout.commit()
    assert "lock-file-name-alike" not in str(checkout.check(*named).report)


def test_every_report_has_the_path_of_a_lock_file_that_was_deleted(checkout: Checkout) -> None:
    delete(checkout)
    text = checkout.check("-r", form="text").out
    assert text.startswith(f"{INFRA}: Do not commit yet: entry removed")
    both = "registry.example.test/acme/one, registry.example.test/acme/two"
    assert f"2 providers are locked at main and not here: {both}, and the configuration still requires them" in text
    assert f"`{INFRA}`" in checkout.check("-r", form="markdown").out
    results = json.loads(checkout.check("-r", form="sarif").out)["runs"][0]["results"]
    (loud,) = (each for each in results if each["ruleId"] == "entry-removed")
    assert loud["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == INFRA
    (suite,) = ET.fromstring(checkout.check("-r", form="junit").out).iter("testsuite")
    assert (suite.get("name"), suite.get("failures")) == (INFRA, "1")
    for named in (INFRA, "infra"):
        told = checkout.check(named)
        assert (told.code, told.paths) == (1, [INFRA])
    way = checkout.folder.parent / "way"
    way.symlink_to(checkout.folder)
    for arguments in ((str(way / INFRA),), (str(way / "infra"),), ("-r", str(way))):
        assert checkout.check(*arguments).code == 1


def test_one_entry_that_is_still_required_is_an_error_and_one_whose_requirement_went_is_a_note(
    checkout: Checkout,
) -> None:
    checkout.write({INFRA: locked("one")})
    told = checkout.check("infra")
    assert (told.code, told.problems(INFRA)) == (1, ["entry-removed"])
    assert "registry.example.test/acme/two is locked at main and not here" in checkout.check("infra", form="text").out
    checkout.write({"infra/main.tf": requiring("one")})
    told = checkout.check("infra")
    assert (told.code, told.problems(INFRA)) == (3, [])  # the entry that is left is unchecked, offline
    assert [each["address"] for each in told.report["lock_files"][0]["base"]["removed"]] == [
        "registry.example.test/acme/two"
    ]


CALLING = 'module "x" {\n  source = "../parts/x"\n}\n'
REQUIRED: dict[str, tuple[dict[str, str], int]] = {
    "there": ({"infra/main.tf": CALLING, "parts/x/x.tf": requiring("two")}, 1),
    "elsewhere": ({"infra/main.tf": CALLING, "parts/x/x.tf": requiring("three")}, 0),
    "no-module": ({"infra/main.tf": CALLING}, 3),
    "registry": ({"infra/main.tf": 'module "x" {\n  source = "acme/x/cloud"\n}\n'}, 3),
    "template": ({"infra/main.tf": 'module "x" {\n  source = "${path.module}/x"\n}\n'}, 3),
    "broken": ({"infra/main.tf": "terraform {\n"}, 3),
    "json": ({"infra/main.tf": "", "infra/x.tf.json": '{"terraform": {"required_providers": {"two": "1.0.0"}}}'}, 0),
    "terragrunt": ({"infra/main.tf": "", "infra/terragrunt.hcl": ""}, 3),
}
"""What is beside a lock file that went, and the exit code."""


def test_what_is_required_is_read_through_local_modules_and_what_cannot_be_read_is_open(tmp_path: Path) -> None:
    before = {f"{case}/{name}": text for case in REQUIRED for name, text in FILES.items()}
    checkout = Checkout.of(tmp_path / "checkout", before)
    for case, (files, _) in REQUIRED.items():
        checkout.write({f"{case}/{name}": text for name, text in files.items()})
        delete(checkout, f"{case}/infra")
    codes = {0: ["lock-file-gone"], 1: ["entry-removed", "lock-file-gone"], 3: ["lock-file-gone", "requirement-open"]}
    told = checkout.check("-r")
    assert told.code == 1
    for each in told.report["lock_files"]:
        code = REQUIRED[each["path"].partition("/")[0]][1]
        assert told.problems(each["path"]) == codes[code], each["path"]
        if code == 3:
            assert "providers" in each["problems"][-1]["hint"]
    assert len(told.paths) == len(REQUIRED)
    for case in ("elsewhere", "broken"):
        assert checkout.check("-r", case).code == REQUIRED[case][1]


def test_a_module_that_is_removed_with_its_lock_file_is_a_note(checkout: Checkout) -> None:
    checkout.git("rm", "--quiet", "-r", "infra")
    for named in (("-r",), ("-r", "infra"), ("infra",), (INFRA,)):
        told = checkout.check(*named)
        assert (told.code, told.paths, told.problems(INFRA)) == (0, [INFRA], ["lock-file-gone"]), named


def test_a_lock_file_that_had_no_configuration_beside_it_leaves_it_open(tmp_path: Path) -> None:
    checkout = Checkout.of(tmp_path / "checkout", {INFRA: locked("one")})
    delete(checkout)
    assert (checkout.check("-r").code, checkout.check("-r").problems(INFRA)) == (
        3,
        ["lock-file-gone", "requirement-open"],
    )


def test_a_folder_that_moves_with_its_lock_file_is_compared_there_and_no_alarm(checkout: Checkout) -> None:
    checkout.git("mv", "infra", "stacks")
    told = checkout.check("-r")
    assert (told.code, told.paths) == (3, [f"stacks/{LOCK}"])
    assert told.problems(f"stacks/{LOCK}") == ["lock-file-renamed"]
    (checkout.folder / "infra").symlink_to("stacks")
    told = checkout.check("-r")
    assert told.code == 3
    assert told.problems(INFRA) == ["lock-file-gone"]
    assert told.problems(f"stacks/{LOCK}") == ["lock-file-renamed"]


def test_the_default_registry_of_the_other_client_is_no_loss(tmp_path: Path) -> None:
    short = 'terraform {\n  required_providers {\n    one = { source = "acme/one" }\n  }\n}\n'
    files = {"main.tf": short, LOCK: locked("one", host="registry.terraform.io")}
    checkout = Checkout.of(tmp_path / "checkout", files)
    checkout.write({LOCK: locked("one", host="registry.opentofu.org")})
    assert checkout.check(".").problems(LOCK) == []
    checkout.write({LOCK: ""})
    assert checkout.check(".").problems(LOCK) == ["entry-removed"]


def test_a_sparse_checkout_is_no_deletion_unless_what_is_tracked_differs(checkout: Checkout) -> None:
    checkout.git("update-index", "--skip-worktree", INFRA)
    delete(checkout)
    told = checkout.check("-r")
    assert told.code == 2  # there is nothing else to look at
    assert "one lock file that git tracks is not there" in told.err
    checkout.git("update-index", "--no-skip-worktree", INFRA)
    checkout.write({INFRA: locked("one")})
    checkout.commit()
    checkout.git("update-index", "--skip-worktree", INFRA)
    delete(checkout)
    told = checkout.check("-r")
    assert (told.code, told.problems(INFRA)) == (3, ["lock-file-not-looked-at"])


def test_what_git_tracks_is_looked_at_in_caches_and_the_rest_is_counted(checkout: Checkout) -> None:
    caches = ("infra/.terraform/modules/a", "infra/.terraform/modules/b", "infra/.terragrunt-cache/c")
    checkout.write({f"{each}/{LOCK}": locked("one") for each in caches})
    checkout.git("add", "--force", f"{caches[0]}/{LOCK}", f"{caches[2]}/{LOCK}")
    checkout.write({f"scratch/{LOCK}": locked("one"), ".gitignore": "scratch/\n"})
    (checkout.folder.parent / "elsewhere").mkdir()
    (checkout.folder / "out").symlink_to("../elsewhere")
    (checkout.folder / "round").symlink_to("infra")
    told = checkout.check("-r", base="")
    assert told.paths == [INFRA, f"{caches[0]}/{LOCK}", f"{caches[2]}/{LOCK}"]
    expected = [
        "one link to a folder leads out of the tree and was not followed",
        "one lock file below .terraform that git does not track was left out",
        "one lock file that git ignores was left out",
    ]
    assert [each["message"] for each in told.report["left_out"]] == expected
    assert [line.removeprefix("lockwarden: note: ") for line in told.err.splitlines()] == expected
    for form in ("markdown", "sarif", "junit"):
        assert "that git does not track was left out" in checkout.check("-r", base="", form=form).out


def test_ignore_rules_that_take_for_ever_are_told_and_nothing_is_left_out(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lockwarden.core.engine.tracked_lock_files._SECONDS", 0.0)
    checkout.write({f"scratch/{LOCK}": locked("one"), ".gitignore": "scratch/\n"})
    told = checkout.check("-r", base="")
    assert told.paths == [INFRA, f"scratch/{LOCK}"]
    assert "nothing was left out for being ignored: git could not tell which files are ignored within" in told.err


@pytest.mark.parametrize(("client", "hiding"), [("terraform", ".tofu"), ("tofu", ".tf")])
def test_a_requirement_in_a_file_that_only_the_other_client_reads_is_open(
    tmp_path: Path, client: str, hiding: str
) -> None:
    header = f'# This file is maintained automatically by "{client} init".\n'
    files = {"infra/main.tf": requiring("one", "two"), INFRA: header + locked("one", "two")}
    checkout = Checkout.of(tmp_path / "checkout", files)
    if hiding == ".tofu":
        checkout.git("mv", "infra/main.tf", "infra/main.tofu")
    else:
        checkout.write({"infra/main.tofu": requiring("one")})
    checkout.write({INFRA: header + locked("one")})
    told = checkout.check("-r")
    assert (told.code, told.problems(INFRA)) == (3, ["requirement-open"])


class TestSubmodules:
    """A submodule that the base has: what is compared is the commit that the base has of it."""

    @pytest.fixture
    def outer(self, tmp_path: Path) -> Checkout:
        inner = Checkout.of(tmp_path / "inner", FILES)
        made = Checkout.of(tmp_path / "checkout", {"README.md": "text\n", LOCK: ""})
        made.git("switch", "-q", "main")
        made.git("submodule", "--quiet", "add", str(inner.folder), "sub")
        made.commit()
        made.git("switch", "-q", "-C", "topic")
        return made

    @pytest.mark.parametrize("act", ["delete", "shorten"])
    def test_one_that_moves_to_a_commit_without_its_lock_file_or_with_less_is_held_against_it(
        self, outer: Checkout, act: str
    ) -> None:
        inner = Checkout(folder=outer.folder / "sub")
        if act == "delete":
            delete(inner)
        else:
            inner.write({INFRA: locked("one")})
        inner.git("add", "--all")
        inner.git("commit", "-q", "-m", "less")
        # Where the submodule is fetched from is for the change to say, and so is what its branches are.
        inner.git("branch", "-q", "-f", "main", "HEAD")
        outer.commit()
        told = outer.check("-r", ".")
        assert (told.code, told.paths.count(f"sub/{INFRA}")) == (1, 1)
        assert "entry-removed" in told.problems(f"sub/{INFRA}")
        assert outer.check("sub/infra").code == 1

    def test_one_that_did_not_move_has_nothing_to_tell(self, outer: Checkout) -> None:
        told = outer.check("-r", ".")
        assert told.problems(f"sub/{INFRA}") == []


def test_files_in_the_place_of_a_submodule_leave_open_what_it_had(tmp_path: Path) -> None:
    other = Checkout.of(tmp_path / "other", {LOCK: locked("one", "two"), "main.tf": requiring("one", "two")})
    checkout = Checkout.of(tmp_path / "checkout", {"README.md": "text\n"})
    checkout.git("submodule", "--quiet", "add", str(other.folder), "infra")
    checkout.commit()
    checkout.git("branch", "--force", "main")
    checkout.git("rm", "--quiet", "--cached", "infra")
    shutil.rmtree(checkout.folder / "infra")
    checkout.write({INFRA: locked("one"), "infra/main.tf": requiring("one", "two")})
    checkout.commit()
    for named in (("--recursive",), ("infra",)):
        told = checkout.check(*named)
        assert told.code == 3
        assert told.problems(INFRA) == ["lock-file-not-looked-at"]
        assert "infra is a submodule there, a repository of its own" in told.out
    assert json.loads(checkout.check("--recursive").out)["exit_code"] == 3


def test_a_folder_in_the_place_of_a_lock_file_is_told_as_one(checkout: Checkout) -> None:
    delete(checkout, "infra")
    checkout.write({f"{INFRA}/more.txt": "text\n"})
    checkout.commit()
    for named in (("--recursive",), ("infra",), (INFRA,)):
        told = checkout.check(*named)
        assert told.code == 2
        (file,) = told.report["lock_files"]
        assert file["path"] == INFRA
        assert file["problems"][0]["message"] == f"{INFRA} is not a regular file"


def test_in_a_folder_that_another_one_calls_as_a_module_it_is_as_loud(tmp_path: Path) -> None:
    """Whether anybody runs init there stands in no file, and a call is easily added."""
    called = {"main.tf": 'module "x" {\n  source = "./infra/"\n}\n', "broken.tf": "infra = ("}
    checkout = Checkout.of(tmp_path / "checkout", FILES | called)
    checkout.write({INFRA: locked("one")})
    told = checkout.check("-r")
    assert (told.code, told.problems(INFRA)) == (1, ["entry-removed"])
    (problem,) = told.report["lock_files"][0]["problems"]
    assert problem["hint"].endswith(
        "; at main the folder is a module that main.tf calls: unless somebody runs “init” in it, too, no client reads a"
        " lock file here"
    )


def test_of_a_call_that_the_change_brings_nothing_is_said(checkout: Checkout) -> None:
    checkout.write({INFRA: locked("one"), "main.tf": 'module "x" {\n  source = "./infra"\n}\n'})
    (problem,) = checkout.check("-r").report["lock_files"][0]["problems"]
    assert problem["code"] == "entry-removed"
    assert "is a module" not in problem["hint"]
