"""Gives a file of approvals a serial number, as it is signed; every record in it stays as it is, byte for byte."""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from lockwarden.core.approvals.model import APPROVALS_FILE, Approval, Approvals
from lockwarden.core.approvals.read import DOCUMENT, read_approvals
from lockwarden.core.hcl.writing import NamedValue, block_text
from lockwarden.core.values.errors import ApprovalsError, OwnFileEditError

_BLOCK: Final = re.compile(rb"^document[ \t]*\{[^{}#]*\}[ \t]*(?:\r?\n|\Z)", re.MULTILINE)
_LEADING: Final = re.compile(rb"(?:[ \t]*(?:(?:#|//)[^\n]*)?\r?\n)*")
"""Comments and empty lines that a file begins with."""


def with_serial(approvals: Approvals, serial: int, signer: str) -> bytes:
    """The bytes of the file with this serial number and this name of who signs; an empty name is left out.

    Raises OwnFileEditError when the file would not say exactly what it said before but for these.
    """
    path = approvals.path or APPROVALS_FILE
    settings: list[NamedValue] = [("serial", serial), *([("signer", signer)] if signer else [])]
    crlf = approvals.data.count(b"\r\n") * 2 > approvals.data.count(b"\n")
    block = block_text(DOCUMENT, "", settings).encode().replace(b"\n", b"\r\n" if crlf else b"\n")
    data = _placed(approvals, block, b"\r\n" if crlf else b"\n")
    try:
        before, after = (read_approvals(each, path=path) for each in (approvals.data, data))
    except ApprovalsError as error:
        raise OwnFileEditError(
            f"{path} cannot get a serial number: {error.diagnostics[0].message}", hint=error.diagnostics[0].hint
        ) from error
    same = [*map(_anywhere, before.records)] == [*map(_anywhere, after.records)]
    if not same or (after.serial, after.signer) != (serial, signer):
        raise OwnFileEditError(
            f"{path} would not say exactly what it said before, with the serial number {serial}",
            hint=f"write the block {DOCUMENT} in lines of its own: serial = {serial}",
        )
    return data


def _placed(approvals: Approvals, block: bytes, line_end: bytes) -> bytes:
    """The file with the block in the place of the one that it has, or else in front of its first record."""
    data = approvals.data
    if approvals.serial:
        found = _BLOCK.search(data)
        return data if found is None else data[: found.start()] + block + data[found.end() :]
    leading = _LEADING.match(data)
    at = 0 if leading is None else leading.end()
    return data[:at] + block + line_end + data[at:]


def _anywhere(record: Approval) -> Approval:
    return replace(record, line=0)
