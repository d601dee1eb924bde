"""The serial number of a file of approvals: written once, raised in its place, and nothing else changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from unit.approvals.test_approvals_recording import APPROVAL, BLOCK

from lockwarden.core.approvals.model import NO_APPROVALS
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.approvals.record import HEADER, with_approval
from lockwarden.core.approvals.serial import with_serial
from lockwarden.core.engine.approvals_signing import approvals_to_sign
from lockwarden.core.values.errors import InputError, OwnFileEditError

FIRST = HEADER + '\ndocument {\n  serial = 1\n  signer = "ada@example.test"\n}\n\n' + BLOCK


def numbered(text: str, serial: int, signer: str = "ada@example.test") -> str:
    return with_serial(read_approvals(text.encode(), path="p"), serial, signer).decode()


def test_the_first_one_stands_above_the_records() -> None:
    assert numbered(HEADER + "\n" + BLOCK, 1) == FIRST
    assert numbered(BLOCK, 1, "") == "document {\n  serial = 1\n}\n\n" + BLOCK


def test_a_higher_one_takes_its_place() -> None:
    assert numbered(FIRST, 2, "bob@example.test") == FIRST.replace("= 1", "= 2").replace("ada@", "bob@", 1)
    assert numbered(FIRST, 2, "") == FIRST.replace("= 1", "= 2").replace('  signer = "ada@example.test"\n', "")


def test_a_record_is_added_below_and_the_number_stays_until_it_is_signed_again() -> None:
    data = with_approval(read_approvals(FIRST.encode(), path="p"), APPROVAL)
    assert data.decode() == FIRST + "\n" + BLOCK
    assert read_approvals(data, path="p").serial == 1


def test_line_ends_stay_as_they_are() -> None:
    text = (HEADER + "\n" + BLOCK).replace("\n", "\r\n")
    once = numbered(text, 1)
    assert once == FIRST.replace("\n", "\r\n")
    assert numbered(once, 2) == FIRST.replace("= 1", "= 2").replace("\n", "\r\n")


def test_a_file_of_comments_alone_can_have_one() -> None:
    """That is how everything is withdrawn."""
    assert numbered("# none any more", 3, "").startswith("document")


def test_a_block_with_a_comment_in_it_is_not_guessed_at() -> None:
    with pytest.raises(OwnFileEditError, match="serial number 2"):
        numbered(FIRST.replace("  serial = 1", "  # not yet\n  serial = 1"), 2)


def test_what_cannot_be_read_cannot_get_one() -> None:
    with pytest.raises(OwnFileEditError, match="cannot get a serial number"):
        numbered(BLOCK, 1, "a\u202eb")
    assert with_serial(NO_APPROVALS, 1, "") == b"document {\n  serial = 1\n}\n\n"


def test_a_number_that_would_use_up_all_others_is_not_signed_unless_somebody_names_it(tmp_path: Path) -> None:
    """Whoever writes approvals for somebody else to sign writes their number, too."""
    place = tmp_path / ".lockwarden" / "approvals.hcl"
    place.parent.mkdir()
    place.write_text("document {\n  serial = 999999999999998\n}\n")

    def number(serial: int) -> int:
        environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        return approvals_to_sign(str(tmp_path), serial=serial, signer="ada@example.test", environ=environ).serial

    with pytest.raises(InputError, match="few higher ones would be left"):
        number(0)
    assert number(999999999999999) == 999999999999999
    place.write_text("document {\n  serial = 7\n}\n")
    assert number(0) == 8
