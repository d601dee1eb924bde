"""A record that is added to the approvals, and the file that they are kept in."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from builders.tables import table
from msgspec.structs import replace
from servers.terraform import terraform_or_skip

from lockwarden.core.approvals.model import APPROVALS_FILE, NO_APPROVALS, Approval
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.approvals.record import with_approval
from lockwarden.core.engine.approvals_files import approvals_path, read_approvals_file, save_approvals
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import ApprovalsError, FileChangedError, OwnFileEditError, SaveError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

H1 = Hash("h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
ZH = Hash("zh:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
FINGERPRINT = "0123456789ABCDEF0123456789ABCDEF01234567"
APPROVAL = Approval(
    path="",
    line=0,
    address=ProviderAddress.parse("registry.example.test/acme/widget"),
    version=Version.parse("1.2.3"),
    hashes=frozenset({H1}),
    verdict="unexplained",
    signers=(FINGERPRINT,),
    by="Ada <ada@example.test>",
    at=datetime(2026, 11, 28, 5, tzinfo=UTC),
    reason="we built it ourselves",
    until=date(2027, 1, 31),
)
BLOCK = """\
approval "registry.example.test/acme/widget" {
  version   = "1.2.3"
  hashes    = ["h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
  verdict   = "unexplained"
  signed_by = ["0123456789ABCDEF0123456789ABCDEF01234567"]
  by        = "Ada <ada@example.test>"
  at        = "2026-11-28T05:00:00Z"
  reason    = "we built it ourselves"
  until     = "2027-01-31"
}
"""


def test_a_record_is_added_as_one_block_behind_a_blank_line() -> None:
    old = b"# ours, in our own form\n" + BLOCK.replace("  ", "\t").encode()
    data = with_approval(read_approvals(old, path="p"), APPROVAL)
    assert data == old + b"\n" + BLOCK.encode()


def test_a_new_file_tells_what_it_is_for() -> None:
    lines = with_approval(NO_APPROVALS, APPROVAL).decode().splitlines(keepends=True)
    assert lines[0].startswith("# ")
    assert "".join(lines[2:]) == "\n" + BLOCK


def test_what_is_not_known_is_left_out() -> None:
    data = with_approval(NO_APPROVALS, replace(APPROVAL, signers=(), until=None))
    assert b"signed_by" not in data
    assert b"until" not in data


def test_a_time_is_written_in_utc_to_the_second() -> None:
    at = datetime(2026, 11, 28, 7, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    assert b'at        = "2026-11-28T05:00:00Z"' in with_approval(NO_APPROVALS, replace(APPROVAL, at=at))


def test_many_hashes_have_a_line_each() -> None:
    data = with_approval(NO_APPROVALS, replace(APPROVAL, hashes=frozenset({ZH, H1})))
    assert f'  hashes = [\n    "{H1}",\n    "{ZH}",\n  ]\n'.encode() in data


@pytest.mark.parametrize("hashes", [{H1}, {H1, ZH}])
def test_what_is_added_is_already_as_terraform_fmt_would_write_it(hashes: set[Hash]) -> None:
    data = with_approval(NO_APPROVALS, replace(APPROVAL, hashes=frozenset(hashes), reason='"${x}"\nthen %{y}'))
    done = subprocess.run([terraform_or_skip(), "fmt", "-"], input=data, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, data), done.stderr


@table(
    "wrong",
    [
        replace(APPROVAL, hashes=frozenset()),
        replace(APPROVAL, hashes=frozenset({Hash("h1:short")})),
        replace(APPROVAL, reason=""),
        replace(APPROVAL, until=date(2026, 1, 1)),
        replace(APPROVAL, signers=("89ABCDEF01234567",)),
        replace(APPROVAL, signers=(FINGERPRINT.lower(),)),
        replace(APPROVAL, by="\udc80"),
    ],
    ids=["no hash", "a useless hash", "no reason", "over already", "a key ID", "small letters", "no text"],
)
def test_a_record_that_could_not_be_read_again_as_it_is_is_not_added(wrong: Approval) -> None:
    with pytest.raises(OwnFileEditError, match=r"\.lockwarden/approvals\.hcl"):
        with_approval(NO_APPROVALS, wrong)


@pytest.fixture
def lock_file(tmp_path: Path) -> Path:
    folder = tmp_path / "repository" / "infra"
    folder.mkdir(parents=True)
    return folder / ".terraform.lock.hcl"


def test_approvals_lie_at_the_root_of_the_repository_or_else_beside_the_lock_file(lock_file: Path) -> None:
    root = lock_file.parent.parent
    assert approvals_path(lock_file, root=root) == root / ".lockwarden" / "approvals.hcl"
    assert approvals_path(lock_file, root=None) == lock_file.parent / ".lockwarden" / "approvals.hcl"


def test_a_record_that_was_saved_is_read_again(lock_file: Path) -> None:
    path = approvals_path(lock_file, root=None)
    before = read_approvals_file(lock_file, root=None)
    assert before == NO_APPROVALS
    save_approvals(path, with_approval(before, APPROVAL), before=before)
    once = read_approvals_file(lock_file, root=None)
    assert once.records == (replace(APPROVAL, path=APPROVALS_FILE, line=4),)
    save_approvals(path, with_approval(once, APPROVAL), before=once)
    assert len(read_approvals_file(lock_file, root=None).records) == 2
    assert [each.name for each in path.parent.iterdir()] == ["approvals.hcl"]


def test_approvals_that_were_changed_meanwhile_are_not_overwritten(lock_file: Path) -> None:
    path = approvals_path(lock_file, root=None)
    path.parent.mkdir()
    path.write_bytes(b"# ours\n")
    before = read_approvals_file(lock_file, root=None)
    path.write_bytes(b"# theirs\n")
    for old in (before, NO_APPROVALS):
        with pytest.raises(FileChangedError):
            save_approvals(path, with_approval(old, APPROVAL), before=old)
    assert path.read_bytes() == b"# theirs\n"


class TestHostilePlaces:
    def test_a_folder_that_is_a_link_is_neither_read_nor_written_through(self, lock_file: Path, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "approvals.hcl").write_bytes(b"")
        (lock_file.parent / ".lockwarden").symlink_to(elsewhere)
        with pytest.raises(ApprovalsError, match="its folder is a symbolic link"):
            read_approvals_file(lock_file, root=None)
        with pytest.raises(SaveError, match="is a symbolic link"):
            save_approvals(approvals_path(lock_file, root=None), b"# x\n", before=NO_APPROVALS)
        assert (elsewhere / "approvals.hcl").read_bytes() == b""

    @pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
    def test_what_is_no_plain_file_is_refused(self, lock_file: Path, kind: str) -> None:
        path = approvals_path(lock_file, root=None)
        path.parent.mkdir()
        match kind:
            case "link":
                path.symlink_to("/etc/passwd")
            case "folder":
                path.mkdir()
            case _:
                os.mkfifo(path)
        with pytest.raises(ApprovalsError, match="it is") as caught:
            read_approvals_file(lock_file, root=None)
        assert caught.value.path == APPROVALS_FILE

    def test_a_file_in_the_place_of_the_folder_means_no_approvals_and_is_kept(self, lock_file: Path) -> None:
        (lock_file.parent / ".lockwarden").write_bytes(b"mine")
        assert read_approvals_file(lock_file, root=None) == NO_APPROVALS
        with pytest.raises(SaveError, match="cannot be made"):
            save_approvals(approvals_path(lock_file, root=None), b"# x\n", before=NO_APPROVALS)
        assert (lock_file.parent / ".lockwarden").read_bytes() == b"mine"
