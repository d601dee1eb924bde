"""Adds one record to a file of approvals; everything else in it stays as it is, byte for byte.

What comes out is read again and must say what the file said before, and the new record at its end.
"""

from __future__ import annotations

from datetime import UTC
from typing import Final

from msgspec.structs import replace

from lockwarden.core.approvals.model import APPROVALS_FILE, Approval, Approvals
from lockwarden.core.approvals.read import APPROVAL, read_approvals
from lockwarden.core.hcl.writing import NamedValue, appended, block_text
from lockwarden.core.values.errors import ApprovalsError, OwnFileEditError

HEADER: Final = """\
# Hashes that a person accepts although nothing vouches for them, each for one version of one provider.
# Lockwarden writes a record when you record an approval; to withdraw it, remove its block.
"""


def with_approval(approvals: Approvals, approval: Approval) -> bytes:
    """The bytes of the file with one more record; the record's own path and line mean nothing here.

    Its time is kept to the second. Raises OwnFileEditError when the file would not say exactly what it should.
    """
    path = approvals.path or APPROVALS_FILE
    at = approval.at.astimezone(UTC).replace(microsecond=0)
    settings: list[NamedValue] = [
        ("version", str(approval.version)),
        ("hashes", sorted(each.text for each in approval.hashes)),
        ("verdict", approval.verdict),
        *([("signed_by", approval.signers)] if approval.signers else []),
        ("by", approval.by),
        ("at", at.isoformat().replace("+00:00", "Z")),
        ("reason", approval.reason),
        *([] if approval.until is None else [("until", approval.until.isoformat())]),
        *([] if approval.platform is None else [("platform", str(approval.platform))]),
    ]
    block = block_text(APPROVAL, str(approval.address), settings)
    data = appended(approvals.data, block if approvals.data else f"{HEADER}\n{block}")
    try:
        before = read_approvals(approvals.data, path=path)
        after = read_approvals(data, path=path)
    except ApprovalsError as error:
        raise OwnFileEditError(
            f"{path} cannot get this record: {error.diagnostics[0].message}", hint=error.diagnostics[0].hint
        ) from error
    added = [replace(each, path="", line=0) for each in after.records[len(before.records) :]]
    kept = after.records[: len(before.records)] == before.records and data.startswith(approvals.data)
    same = (after.serial, after.signer) == (before.serial, before.signer)
    if not kept or not same or added != [replace(approval, path="", line=0, at=at, signature=None)]:
        raise OwnFileEditError(f"{path} would not say exactly this record and what it said before")
    return data
