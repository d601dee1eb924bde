"""Reads a dependency lock file: from bytes, or from a path."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lockwarden.core.lockfile.checks import checked_providers
from lockwarden.core.lockfile.complaints import LockFileDiagnostics
from lockwarden.core.lockfile.confirm import disagreement
from lockwarden.core.lockfile.conflicts import merge_conflict
from lockwarden.core.lockfile.grammar import read_tree
from lockwarden.core.lockfile.model import LOCK_FILE_NAME, LockFile
from lockwarden.core.lockfile.positions import Lines, decode
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.lockfile.syntax import Block
from lockwarden.core.lockfile.tokens import LockFileSyntaxProblem
from lockwarden.core.values.clients import Client
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.errors import LockFileError, LockFileInvalidError
from lockwarden.core.values.severity import Severity

MAX_BYTES: Final = 32 * 1024 * 1024
"""Size of a lock file. One with 5,000 providers of 30 hashes each has 11 MB."""

_HEADER: Final = re.compile(r"(?:\ufeff)?(?:[ \t\r\n]|(?:#|//)[^\n]*\n)*?#[^\n]*\"(terraform|tofu) init\"")
_HEADER_SIZE: Final = 4096
"""Characters in which the header comment is looked for."""
_BYTE_ORDER_MARK: Final = "\ufeff"
_INIT: Final = "run tofu init or terraform init to make one, or name a lock file or a folder that has one"
_OF_OTHER_FILES: Final = frozenset(
    (
        *("terraform", "resource", "data", "variable", "output", "locals", "moved", "import", "removed", "check"),
        *("provider_installation", "credentials", "host", "signing_key", "mirror", "require"),
    )
)
"""Types of blocks of configurations, CLI configurations and policies; lock files may have module blocks one day."""
_LINK: Final = "repair the link, or name the file itself"
_ACCESS: Final = "check that you may read it"
_NAME: Final = "name a lock file or the folder that holds it"


def parse(data: bytes, *, path: str, client: Client | None = None) -> LockFile:
    """Read a lock file from its bytes; `path` is only for messages.

    `client` says by whose rules it is read; without it, the header comment decides. Raises LockFileInvalidError with
    every problem that was found, when the client would refuse the file or its content cannot be confirmed. Success
    says nothing about the hashes: they may be wrong, useless or missing.
    """
    _refuse_oversize(data, path)
    _refuse_utf16(data, path)
    text = decode(data)
    lines = Lines.of(text)
    tree = read_tree(text)
    client = client or client_of(text)
    complaints = LockFileDiagnostics(lines)
    providers = checked_providers(tree.body, complaints, client=client)
    conflict = merge_conflict(text, lines) if tree.problems else None
    if conflict is not None:
        _raise_for_errors([conflict], path)
    if (other := _no_lock_file(tree.body.blocks, lines)) is not None:
        _raise_for_errors([other], path)
    diagnostics = [*(_diagnostic(problem, lines) for problem in tree.problems), *complaints.diagnostics]
    if not any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
        second_opinion = disagreement(text, tree)
        diagnostics += [] if second_opinion is None else [second_opinion]
    _raise_for_errors(diagnostics, path)
    return LockFile(
        path=path,
        data=data,
        providers=providers,
        warnings=(*diagnostics, *_notes(text)),
        client=client,
    )


def read(path: Path, *, client: Client | None = None) -> LockFile:
    """Read a lock file, or the one in a folder; symbolic links are followed. `client` is as for `parse`.

    Raises LockFileError when there is none or it cannot be read, LockFileInvalidError as `parse` does.
    """
    try:
        file = file_of(path)
    except OSError as error:
        raise LockFileError(f"{path} cannot be read: {error.strerror}", path=str(path), hint=_ACCESS) from error
    return parse(read_bytes(file), path=str(file), client=client)


def file_of(path: Path) -> Path:
    """The lock file that is named: a file, or the one in a folder. Raises OSError.

    A folder in the place of a lock file is no folder that has one.
    """
    return path / LOCK_FILE_NAME if path.name != LOCK_FILE_NAME and path.is_dir() else path


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most MAX_BYTES. Raises LockFileError."""
    name = str(path)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise LockFileError(f"{name} is not a regular file", path=name, hint=_NAME)
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(MAX_BYTES + 1)
        finally:
            os.close(descriptor)
    except (FileNotFoundError, NotADirectoryError) as error:
        if path.is_symlink():
            message, hint = f"{name} is a symbolic link to a file that is not there", _LINK
        else:
            message, hint = f"there is no lock file {name}", _INIT
        raise LockFileError(message, path=name, hint=hint) from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise LockFileError(f"{name} is a symbolic link that leads in a circle", path=name, hint=_LINK) from error
        raise LockFileError(f"{name} cannot be read: {error.strerror}", path=name, hint=_ACCESS) from error
    except ValueError as error:
        raise LockFileError(f"{name!r} is not a path", path=name, hint=_NAME) from error
    _refuse_oversize(data, name)
    return data


def _refuse_oversize(data: bytes, name: str) -> None:
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


def _no_lock_file(blocks: Sequence[Block], lines: Lines) -> Diagnostic | None:
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
