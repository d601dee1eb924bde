"""Reads the values of one provider block: version, constraints and hashes."""

from __future__ import annotations

from typing import Final

from lockwarden.core.lockfile.lock_file_diagnostics import LockFileDiagnostics
from lockwarden.core.lockfile.model import LockedHash
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.lockfile.syntax import ComputedNode, Expression, Group, ListNode, Null, Scalar, TextNode
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.constraints import VersionConstraints
from lockwarden.core.values.errors import InvalidHashError, InvalidVersionError
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.versions import Version

_BLANK_VERSION: Final = Version(0, 0, 0)
_VERSION: Final = LockFileSummary.INVALID_PROVIDER_VERSION_NUMBER
_CONSTRAINTS: Final = LockFileSummary.INVALID_PROVIDER_VERSION_CONSTRAINTS


def read_version(address: ProviderAddress, value: Expression, diagnostics: LockFileDiagnostics) -> Version:
    """The version of an entry, which must be in its normalised form."""
    if isinstance(_bare(value), Null):
        diagnostics.error(
            value.start,
            LockFileSummary.MISSING_REQUIRED_ARGUMENT,
            f"the entry for {address} has no version",
            hint='write version = "…"',
        )
        return _BLANK_VERSION
    text = _read_string(value, diagnostics)
    if text is None:
        return _BLANK_VERSION
    try:
        version = Version.parse(text)
    except InvalidVersionError as error:
        message = f"the version of {address} is invalid: {error.message}"
        diagnostics.error(value.start, _VERSION, message, hint=error.hint)
        return _BLANK_VERSION
    if str(version) != text:
        message = f"the version “{text}” of {address} is not in its normalised form"
        diagnostics.error(value.start, _VERSION, message, hint=f'write "{version}"')
    return version


def read_constraints(address: ProviderAddress, value: Expression, diagnostics: LockFileDiagnostics) -> str:
    """The constraints of an entry, which must be in their canonical form."""
    text = _read_string(value, diagnostics)
    if text is None:
        return ""
    try:
        canonical = str(VersionConstraints.parse(text))
    except InvalidVersionError as error:
        message = f"the constraints of {address} are invalid: {error.message}"
        diagnostics.error(value.start, _CONSTRAINTS, message, hint=error.hint)
        return ""
    if canonical != text:
        message = f"the constraints “{text}” of {address} are not in their normalised form"
        diagnostics.error(value.start, _CONSTRAINTS, message, hint=f'write "{canonical}"')
    return canonical


def read_hashes(value: Expression, diagnostics: LockFileDiagnostics) -> tuple[LockedHash, ...]:
    """The hashes of an entry, whatever their schemes and values."""
    if not isinstance(value, ListNode):
        diagnostics.error(
            value.start,
            LockFileSummary.INVALID_EXPRESSION,
            "the hashes must be a list",
            hint='write hashes = ["h1:…", "zh:…"]',
        )
        return ()
    if not value.items:
        diagnostics.error(
            value.start,
            LockFileSummary.INVALID_PROVIDER_HASH_SET,
            "the list of hashes is empty",
            hint="remove the argument, or add a hash",
        )
    found = (_read_hash(item.value, value.start, diagnostics) for item in value.items)
    return tuple(locked for locked in found if locked is not None)


def _read_hash(value: Expression, list_start: int, diagnostics: LockFileDiagnostics) -> LockedHash | None:
    """One element; the clients name the line on which the list begins when it is no hash."""
    text = _read_string(value, diagnostics)
    if text is None:
        return None
    line = diagnostics.lines.line_of(value.start)
    try:
        return LockedHash(hash=Hash.parse(text), line=line)
    except InvalidHashError as error:
        message = f"{error.message} (line {line})"
        diagnostics.error(list_start, LockFileSummary.INVALID_PROVIDER_HASH_STRING, message, hint=error.hint)
        return None


def _read_string(value: Expression, diagnostics: LockFileDiagnostics) -> str | None:
    """The value as a string; numbers and booleans convert, as in the clients."""
    bare = _bare(value)
    match bare:
        case TextNode() | Scalar():
            return bare.value
        case ComputedNode():
            diagnostics.error(bare.at, bare.summary, bare.message, hint="write the value itself between quotes")
        case _:
            diagnostics.error(value.start, LockFileSummary.UNSUITABLE_VALUE_TYPE, "a string is required here")
    return None


def _bare(value: Expression) -> Expression:
    """The expression without the parentheses around it."""
    while isinstance(value, Group):
        value = value.inner
    return value
