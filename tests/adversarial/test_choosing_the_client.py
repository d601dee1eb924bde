"""A change that names another client at the top of a lock file, so that other rules would judge it.

Expected: OpenTofu takes an entry of `registry.terraform.io/hashicorp` for one of its own as well, without hashes, and
Terraform does not. With a base, the client is the one that the base's lock file names.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from adversarial.checkout import LOCK, Checkout, Told

OLD = "registry.terraform.io/hashicorp/null"
ENTRY = f'\nprovider "{OLD}" {{\n  version = "1.0.0"\n  hashes = ["zh:{1:064x}"]\n}}\n'
BY = {
    "tofu": '# This file is maintained automatically by "tofu init".\n',
    "terraform": '# This file is maintained automatically by "terraform init".\n',
    "nobody": "",
}
CONFIGURATION = 'terraform {\n  required_providers {\n    null = { source = "hashicorp/null" }\n  }\n}\n'
MOVED, CHANGED = "entry-read-as-opentofus", "lock-file-client-changed"


def checkout(folder: Path, before: str) -> Checkout:
    return Checkout.of(folder, {"main.tf": CONFIGURATION, LOCK: BY[before] + ENTRY})


def judged(told: Told) -> tuple[bool, list[str]]:
    """Whether the entry is read as OpenTofu's as well, and what is said of the client."""
    (file,) = told.report["lock_files"]
    codes = {each["code"] for provider in file["providers"] for each in provider["problems"]}
    return MOVED in codes, [each["severity"] for each in file["problems"] if each["code"] == CHANGED]


@pytest.mark.parametrize(
    ("before", "after", "as_opentofu", "told"),
    [
        ("tofu", "terraform", True, ["warning"]),
        ("tofu", "nobody", True, ["warning"]),
        ("terraform", "tofu", False, ["warning"]),
        ("nobody", "terraform", False, ["warning"]),
        ("nobody", "tofu", True, ["warning"]),
    ],
)
def test_the_client_is_the_one_that_the_base_names(
    before: str, after: str, as_opentofu: bool, told: list[str], tmp_path: Path
) -> None:
    made = checkout(tmp_path / "repository", before)
    made.write({LOCK: BY[after] + ENTRY})
    made.commit()
    done = made.check()
    assert judged(done) == (as_opentofu, told)
    assert (done.code == 1) is as_opentofu


def test_without_a_base_the_file_decides_and_the_operator_always(tmp_path: Path) -> None:
    made = checkout(tmp_path / "repository", "tofu")
    made.write({LOCK: BY["terraform"] + ENTRY})
    made.commit()
    assert judged(made.check(base="")) == (False, [])
    assert judged(made.check("--client", "terraform")) == (False, ["note"])


def test_what_the_client_of_the_base_refuses_is_told_as_unreadable(tmp_path: Path) -> None:
    made = checkout(tmp_path / "repository", "tofu")
    made.write({LOCK: BY["terraform"] + ENTRY.replace(OLD, "opentofu.org/builtin/x")})
    made.commit()
    assert made.check(base="").code == 3
    refused = made.check()
    assert (refused.code, refused.problems(LOCK)) == (2, ["invalid-provider-source-address"])


def test_a_lock_file_that_git_keeps_no_more_is_judged_as_the_base_has_it(tmp_path: Path) -> None:
    made = checkout(tmp_path / "repository", "tofu")
    made.git("rm", "--quiet", "--cached", LOCK)
    made.write({LOCK: BY["terraform"] + ENTRY, ".gitignore": LOCK + "\n"})
    made.commit()
    as_opentofu, told = judged(made.check("--recursive", "."))
    assert (as_opentofu, told) == (True, ["warning"])


def test_what_the_change_of_the_client_means_is_told_in_words(tmp_path: Path) -> None:
    made = checkout(tmp_path / "repository", "tofu")
    made.write({LOCK: BY["terraform"] + ENTRY})
    made.commit()
    told = made.check(form="text").out
    assert "the comment at the top names Terraform and named OpenTofu at main: the file is judged by OpenTofu's" in told
    assert "rules, as at main" in " ".join(told.split())
    assert "check with “--client terraform” as well" in " ".join(told.split())
