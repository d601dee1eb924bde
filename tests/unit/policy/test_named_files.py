"""Files that a policy names, keys and trusted roots: from where the policy was read, and from nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.tables import table

from lockwarden.core.engine import policy_named_files
from lockwarden.core.engine.policy_named_files import committed_beside, on_disk
from lockwarden.core.values.errors import GitError, InputError


def test_a_file_of_a_commit_is_named_from_the_policys_folder() -> None:
    there = {b"infra/keys/acme.pub": b"a key", b"acme.pub": b"another"}
    read = committed_beside("infra/.lockwarden.hcl", there.get)
    assert read("keys/acme.pub") == read("./keys/../keys/acme.pub") == b"a key"
    assert read("../acme.pub") == b"another"


@table("name", ["gone.pub", "../../acme.pub", "/etc/acme.pub", "../.."])
def test_what_is_not_in_the_commit_is_nowhere(name: str) -> None:
    asked: list[bytes] = []
    with pytest.raises(InputError, match="at the policy's commit"):
        committed_beside("infra/.lockwarden.hcl", asked.append)(name)
    assert all(not each.startswith((b"/", b"..")) for each in asked)


def test_a_link_that_git_refuses_is_told() -> None:
    def refused(path: bytes) -> bytes:
        raise GitError("it is a link out of the tree", code="symlink-outside", hint="")

    with pytest.raises(InputError, match="a link out of the tree"):
        committed_beside(".lockwarden.hcl", refused)("keys/acme.pub")


def test_a_file_on_disk_is_plain_and_within_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "acme.pub").write_bytes(b"a key")
    (tmp_path / "empty.pub").write_bytes(b"")
    (tmp_path / "link.pub").symlink_to("acme.pub")
    strict, lenient = on_disk(tmp_path, follow_links=False), on_disk(tmp_path, follow_links=True)
    assert strict("acme.pub") == lenient("link.pub") == b"a key"
    for name, why in (
        ("link.pub", "it is a symbolic link"),
        ("gone.pub", "there is no file"),
        ("empty.pub", "is empty or larger"),
        (".", "it is a folder"),
    ):
        with pytest.raises(InputError, match=why):
            strict(name)
    monkeypatch.setattr(policy_named_files, "MAX_BYTES", 3)
    with pytest.raises(InputError, match="larger than the limit of 3"):
        strict("acme.pub")
