"""Reads a dependency lock file from its bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from lockwarden.core.lockfile.checks import RESOLVE, checked_providers
from lockwarden.core.lockfile.confirm import disagreement
from lockwarden.core.lockfile.grammar import read_tree
from lockwarden.core.lockfile.model import LOCK_FILE_NAME, LockedProvider, LockFile
from lockwarden.core.lockfile.positions import Lines, decode
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.lockfile.summaries import LockFileDiagnostics, LockFileSummary
from lockwarden.core.lockfile.syntax import BlockNode
from lockwarden.core.lockfile.tokens import LockFileSyntaxProblem
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import LockFileError, LockFileInvalidError
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.severity import Severity

MAX_BYTES: Final = 32 * 1024 * 1024
"""Size of a lock file. One with 5,000 providers of 30 hashes each has 11 MB."""

_HEADER: Final = re.compile(r"(?:\ufeff)?(?:[ \t\r\n]|(?:#|//)[^\n]*\n)*?#[^\n]*\"(terraform|tofu) init\"")
_HEADER_SIZE: Final = 4096
"""Characters in which the header comment is looked for."""
_HEADER_BYTES: Final = 4 * _HEADER_SIZE
_CONFLICT: Final = LatePattern(r"^(?:<{7}|\|{7}|={7}|>{7})(?=[ \t\r\n]|\Z)", re.MULTILINE)
_MARKERS_SHOWN: Final = 12
_BYTE_ORDER_MARK: Final = "\ufeff"
_REPEATED: Final = LockFileSummary.DUPLICATE_PROVIDER_LOCK
_OF_OTHER_FILES: Final = frozenset(
    (
        *("terraform", "resource", "data", "variable", "output", "locals", "moved", "import", "removed", "check"),
        *("provider_installation", "credentials", "host", "signing_key", "mirror", "require"),
    )
)
"""Types of blocks of configurations, CLI configurations and policies; lock files may have module blocks one day."""
_NAME: Final = "name a lock file or the folder that holds it"


def parse(data: bytes, *, path: str, second_reader: SecondReader, client: Client | None = None) -> LockFile:
    """Read a lock file from its bytes; `path` is only for messages.

    `second_reader` confirms a file that is not in the form that the clients write. `client` says by whose rules it is
    read; without it, the header comment decides. Raises LockFileInvalidError with
    every problem that was found, when the client would refuse the file or its content cannot be confirmed. Success
    says nothing about the hashes: they may be wrong, useless or missing.
    """
    return parse_repeated(data, path=path, second_reader=second_reader, client=client, allowed=False)[0]


def parse_repeated(
    data: bytes, *, path: str, second_reader: SecondReader, client: Client | None = None, allowed: bool = True
) -> tuple[LockFile, tuple[LockedProvider, ...]]:
    """The same for a file that may lock a provider several times, as merges leave it: also the blocks after the first.

    Raises LockFileInvalidError for everything else that `parse` does.
    """
    refuse_oversize(data, path)
    _refuse_utf16(data, path)
    text = decode(data)
    lines = Lines.of(text)
    tree = read_tree(text)
    client = client or client_of(text)
    found = LockFileDiagnostics(lines)
    checked = checked_providers(tree.body, found, client=client)
    conflict = _merge_conflict(text, lines) if tree.problems else None
    if conflict is not None:
        _raise_for_errors([conflict], path)
    if (other := _no_lock_file(tree.body.blocks, lines)) is not None:
        _raise_for_errors([other], path)
    noted = (each for each in found.diagnostics if not allowed or each.summary != _REPEATED)
    diagnostics = [*(_diagnostic(problem, lines) for problem in tree.problems), *noted]
    if not any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
        second_opinion = disagreement(text, tree, second_reader)
        diagnostics += [] if second_opinion is None else [second_opinion]
    _raise_for_errors(diagnostics, path)
    read = LockFile(
        path=path, data=data, providers=checked.first, warnings=(*diagnostics, *_notes(text)), client=client
    )
    return read, checked.repeated


def refuse_oversize(data: bytes, name: str) -> None:
    """Raise LockFileError for a file that is larger than any lock file."""
    if len(data) > MAX_BYTES:
        raise LockFileError(
            f"{name} is larger than the limit of {MAX_BYTES} bytes",
            path=name,
            hint=f"a lock file is called {LOCK_FILE_NAME} and rarely has more than a few hundred kilobytes",
        )


def client_of(text: str) -> Client:
    """Who keeps the file, by the comment at its top; OpenTofu when it names nobody."""
    return named_client(text) or Client.OPENTOFU


def named_client(text: str) -> Client | None:
    """The client that the comment at a file's top names, or None."""
    found = _HEADER.match(text[:_HEADER_SIZE])
    return None if found is None else next(each for each in Client if each.command == found[1])


def client_named_in(data: bytes) -> Client | None:
    """The client that the comment at the top of a file of these bytes names, or None."""
    return named_client(decode(data[:_HEADER_BYTES]))


def _no_lock_file(blocks: Sequence[BlockNode], lines: Lines) -> Diagnostic | None:
    """That the file is one of the configuration, or a policy, and locks nothing; None where it may be a lock file."""
    other = next((each for each in blocks if each.type in _OF_OTHER_FILES), None)
    locks = any(each.type == "provider" and any("/" in label.value for label in each.labels) for each in blocks)
    if other is None or locks:
        return None
    return Diagnostic(
        severity=Severity.ERROR,
        summary=LockFileSummary.NOT_A_LOCK_FILE,
        message=f"this is no lock file: it is a file with a {other.type} block, and locks no provider",
        line=lines.line_of(other.start),
        hint=f"name the lock file, which is called {LOCK_FILE_NAME}, or the folder that holds it",
    )


def _refuse_utf16(data: bytes, path: str) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        _raise_for_errors(
            [
                Diagnostic(
                    severity=Severity.ERROR,
                    summary=LockFileSummary.INVALID_CHARACTER_ENCODING,
                    message="the file is UTF-16, but lock files are UTF-8",
                    line=1,
                    hint="save it as UTF-8; in PowerShell, > writes UTF-16",
                )
            ],
            path,
        )


def _diagnostic(problem: LockFileSyntaxProblem, lines: Lines) -> Diagnostic:
    return Diagnostic(
        severity=Severity.ERROR,
        summary=problem.summary,
        message=problem.message,
        line=lines.line_of(problem.offset),
        hint=problem.hint,
    )


def _raise_for_errors(diagnostics: list[Diagnostic], path: str) -> None:
    errors = sorted(
        (diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR),
        key=lambda diagnostic: diagnostic.line,
    )
    if errors:
        raise LockFileInvalidError(path=path, diagnostics=tuple(errors))


def _notes(text: str) -> list[Diagnostic]:
    """What the clients accept in silence and rewrite sooner or later."""
    notes = []
    if text.startswith(_BYTE_ORDER_MARK):
        notes.append(
            (LockFileSummary.BYTE_ORDER_MARK, "the file begins with a byte order mark, which some tools cannot read")
        )
    crlf = text.count("\r\n")
    if crlf and crlf != text.count("\n"):
        notes.append((LockFileSummary.MIXED_LINE_ENDS, "some lines of the file end with CR LF and others with LF"))
    return [Diagnostic(severity=Severity.NOTE, summary=summary, message=message, line=1) for summary, message in notes]


def _merge_conflict(text: str, lines: Lines) -> Diagnostic | None:
    """The problem of a file in conflict, which names the lines of all markers, or None.

    A row of equals signs alone may stand in a comment; what tells is a marker that opens or closes a conflict. Ask only
    when the text cannot be read: within a block comment even those are harmless.
    """
    markers = list(_CONFLICT.finditer(text))
    if not any(marker[0][0] in "<>" for marker in markers):
        return None
    numbers = [lines.line_of(marker.start()) for marker in markers]
    shown = ", ".join(map(str, numbers[:_MARKERS_SHOWN])) + (" and more" if len(numbers) > _MARKERS_SHOWN else "")
    return Diagnostic(
        severity=Severity.ERROR,
        summary=LockFileSummary.UNRESOLVED_MERGE_CONFLICT,
        message=f"the file has an unresolved merge conflict, with markers at line{'s'[: len(numbers) != 1]} {shown}",
        line=numbers[0],
        hint=RESOLVE,
    )
