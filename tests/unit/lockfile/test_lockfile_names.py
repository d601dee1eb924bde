"""Names that some disks take for that of a lock file."""

from __future__ import annotations

import pytest

from lockwarden.core.lockfile.names import is_lock_file_name
from lockwarden.core.review.lock_file_names import name_problems


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".terraform.lock.hcl", True),
        (".Terraform.lock.hcl", True),
        (".TERRAFORM.LOCK.HCL", True),
        (".terraform.loc\u212a.hcl", True),
        (".terra\u200cform.lock.hcl", True),
        ("\ufeff.terraform.lock.hcl", True),
        ("terraform.lock.hcl", False),
        (".terraform.lock.hcl.bak", False),
        (".terraform-lock.hcl", False),
        (".terraf\u00f6rm.lock.hcl", False),
        (".terraform.lock.hcl" + "\u200c" * 100, False),
        (".gitignore", False),
        ("", False),
    ],
)
def test_what_some_disk_cannot_tell_from_a_lock_file_is_one(name: str, expected: bool) -> None:
    assert is_lock_file_name(name) is expected


def test_only_a_name_that_is_not_the_lock_files_own_is_told() -> None:
    assert [*name_problems(".terraform.lock.hcl"), *name_problems("other.hcl")] == []
    (told,) = name_problems(".Terraform.lock.hcl")
    assert told.code == "lock-file-name-alike"
