"""Reads a file of recorded approvals: from its bytes to records, or to everything that is wrong with it.

A record takes away an objection, so nothing in it is passed over, and a record that could never hold is refused. What
a signature over the file needs stands once, in a block of its own::

    document {
      serial = 7
      signer = "ada@example.test"
    }

    approval "registry.example.test/acme/widget" {
      version   = "1.2.3"
      hashes    = ["h1:…"]
      verdict   = "unexplained"
      signed_by = ["0123456789ABCDEF0123456789ABCDEF01234567"]
      by        = "Ada <ada@example.test>"
      at        = "2026-11-28T05:00:00Z"
      reason    = "built by ourselves"
      until     = "2027-01-31"
      platform  = "linux_amd64"
    }
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Final, TypeVar

from lockwarden.core.approvals.model import MAX_BYTES, Approval, Approvals
from lockwarden.core.hcl.blocks import BlockKind, BlockReader, PlacedText, read_blocks
from lockwarden.core.hcl.diagnostics import BlockDiagnostics, TooManyDiagnostics, shown_name
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.errors import ApprovalsError, InputError
from lockwarden.core.values.fingerprints import read_fingerprint
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import read_platform
from lockwarden.core.values.versions import Version

APPROVAL: Final = "approval"
DOCUMENT: Final = "document"
LONGEST_SIGNER: Final = 256
"""Characters in the name of who signs."""

_KINDS: Final[Mapping[str, BlockKind]] = {
    APPROVAL: BlockKind(
        label="the address of the provider",
        settings=("version", "hashes", "verdict", "signed_by", "by", "at", "reason", "until", "platform"),
    ),
    DOCUMENT: BlockKind(label="", settings=("serial", "signer")),
}
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_T = TypeVar("_T")


def read_approvals(data: bytes, *, path: str) -> Approvals:
    """Read approvals from the file's bytes; `path` names it in its records and in messages.

    Raises ApprovalsError with all that is wrong. Success proves nothing about who wrote the records: anyone who can
    change the file can write any name into it.
    """
    diagnostics = BlockDiagnostics()
    records: list[Approval] = []
    documents: list[BlockReader] = []
    serial, signer = 0, ""
    try:
        for block in read_blocks(data, _KINDS, diagnostics, limit=MAX_BYTES):
            if block.name == DOCUMENT:
                serial, signer = _document(block, documents)
                documents.append(block)
                continue
            record = _Reader(block, path).record()
            records += [] if record is None else [record]
    except TooManyDiagnostics:
        pass
    if diagnostics.diagnostics:
        raise ApprovalsError(path=path, diagnostics=diagnostics.in_order)
    return Approvals(path=path, data=data, records=tuple(records), serial=serial, signer=signer)


def _document(block: BlockReader, before: list[BlockReader]) -> tuple[int, str]:
    if before:
        block.diagnostics.add(
            block.line, f"the document is spoken of on line {before[0].line} already", hint="keep one of the two"
        )
    serial, signer = block.whole("serial", required=True), block.text("signer")
    if signer is not None and (len(signer.value) > LONGEST_SIGNER or not signer.value.isprintable()):
        block.diagnostics.add(
            signer.line, f"the signer is named by at most {LONGEST_SIGNER} characters, all of which can be printed"
        )
    return serial or 0, signer.value if signer else ""


class _Reader:
    """Reads one block."""

    def __init__(self, block: BlockReader, path: str) -> None:
        self._block = block
        self._path = path

    def record(self) -> Approval | None:
        """The record, or None when something is wrong with it."""
        block = self._block
        address = self._one(PlacedText(block.label, block.line), _address)
        version = self._one(block.text("version", required=True), Version.parse)
        hashes = self._each(block.texts("hashes", required=True), _hash)
        verdict = block.text("verdict", required=True)
        signers = self._each(block.texts("signed_by"), read_fingerprint)
        by = block.text("by", required=True)
        at = self._one(block.text("at", required=True), _time)
        reason = block.text("reason", required=True)
        until = self._one(block.text("until"), _day)
        platform = self._one(block.text("platform"), read_platform)
        if at is not None and until is not None and until < at.date():
            block.diagnostics.add(
                block.line_of("until"),
                f"the record ends on {until}, before it was made",
                hint="correct the year, or remove the record",
            )
        if address is None or version is None or verdict is None or by is None or at is None or reason is None:
            return None
        return Approval(
            path=self._path,
            line=block.line,
            address=address,
            version=version,
            hashes=frozenset(hashes),
            verdict=verdict.value,
            signers=signers,
            by=by.value,
            at=at,
            reason=reason.value,
            until=until,
            platform=platform,
        )

    def _one(self, text: PlacedText | None, read: Callable[[str], _T]) -> _T | None:
        found = self._each(() if text is None else (text,), read)
        return found[0] if found else None

    def _each(self, texts: Iterable[PlacedText] | None, read: Callable[[str], _T]) -> tuple[_T, ...]:
        values: list[_T] = []
        for text in texts or ():
            try:
                values.append(read(text.value))
            except InputError as error:
                self._block.diagnostics.add(text.line, error.message, hint=error.hint)
        return tuple(values)


def _address(text: str) -> ProviderAddress:
    address = ProviderAddress.parse(text)
    if text.count("/") < 2:
        raise InputError(f"{shown_name(text)} has no host", hint=f"write the whole address, such as {address}")
    return address


def _hash(text: str) -> Hash:
    hash_ = Hash.parse(text)
    if hash_.flaw:
        raise InputError(hash_.flaw, hint="write the whole hash as the lock file has it")
    return hash_


def _time(text: str) -> datetime:
    try:
        if _TIME.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"{shown_name(text)} is not a time", hint="write it in UTC, such as 2026-11-28T05:00:00Z")


def _day(text: str) -> date:
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise InputError(f"{shown_name(text)} is not a day", hint="write it as 2027-01-31; it is the last day in UTC")
