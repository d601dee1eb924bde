"""Policies and recorded approvals: no block is passed over; one more rule or record leaves the others as they are."""

from __future__ import annotations

import re
from pathlib import Path

from fuzzing.oracle import promise
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.approvals.record import with_approval
from lockwarden.core.policy.edit import with_signing_key
from lockwarden.core.policy.read import read_policy
from lockwarden.core.values.errors import ApprovalsError, OwnFileEditError, PolicyError
from lockwarden.core.values.provider_patterns import ProviderPattern

_FOLDER = Path("/repository")
_KEY = "0123456789ABCDEF0123456789ABCDEF01234567"
_PATTERNS = (ProviderPattern.parse("example.test/*/*"),)
_BLOCK = re.compile(rb"^(?:signing_key|mirror|require|approval)\b[^\n={}#/]*\{", re.MULTILINE)
_NOT_PLAIN = re.compile(rb"/\*|<<")
"""Where these stand, a line may be a part of a comment or a text."""


def policy(data: bytes) -> None:
    """Read a policy, and add a key to it."""
    try:
        found = read_policy(data, path="policy", folder=_FOLDER)
    except PolicyError as error:
        _lines_are_in(data, [diagnostic.line for diagnostic in error.diagnostics])
        return
    rules = len(found.keys) + len(found.mirrors) + len(found.requirements)
    _nothing_is_passed_over(data, rules)
    try:
        added = with_signing_key(found, _KEY, "An owner", _PATTERNS)
    except OwnFileEditError:
        return
    again = read_policy(added, path="policy", folder=_FOLDER)
    promise(added.startswith(data) and len(again.keys) == len(found.keys) + 1, "one key more, and no byte less")


def approvals(data: bytes) -> None:
    """Read approvals, and write each of them once more."""
    try:
        found = read_approvals(data, path="approvals")
    except ApprovalsError as error:
        _lines_are_in(data, [diagnostic.line for diagnostic in error.diagnostics])
        return
    _nothing_is_passed_over(data, len(found.records))
    for record in found.records[:1]:
        try:
            added = with_approval(found, record)
        except OwnFileEditError:
            return
        again = read_approvals(added, path="approvals")
        promise(again.records[: len(found.records)] == found.records, "the records before stay as they are")
        promise(len(again.records) == len(found.records) + 1, "one record more")


def _nothing_is_passed_over(data: bytes, rules: int) -> None:
    if not _NOT_PLAIN.search(data):
        promise(rules >= len(_BLOCK.findall(data)), "every block is a rule or a mistake that is named")


def _lines_are_in(data: bytes, lines: list[int]) -> None:
    promise(lines and all(0 <= line <= data.count(b"\n") + 1 for line in lines), "a mistake names a line of the file")
