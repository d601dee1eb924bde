"""The module lock, `.lockwarden/modules.hcl`: what each source meant, and which files it was, when it was accepted.

::

    module "github.com/acme/vpc?ref=v1.2.0" {
      revision = "0123456789abcdef0123456789abcdef01234567"
      h1       = "h1:…"
      files = [
        "SHA-256  main.tf",
      ]
      by = "Ada <ada@example.test>"
      at = "2026-11-28T05:00:00Z"
    }

The clients know nothing of it. Whoever can change the file can write anything into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.hcl.blocks import BlockKind, BlockReader, read_blocks
from lockwarden.core.hcl.diagnostics import BlockDiagnostics, TooManyDiagnostics, shown_name
from lockwarden.core.hcl.writing import NamedValue, appended, block_text
from lockwarden.core.values.errors import ModuleLockError, OwnFileEditError
from lockwarden.core.values.hashes import h1_of_members

_T = TypeVar("_T")
MODULE_LOCK: Final = ".lockwarden/modules.hcl"
MAX_BYTES: Final = 16 * 1024 * 1024
"""Size of the file."""
MAX_FILES: Final = 2_000
"""Files of one module."""
HEADER: Final = """\
# What the sources of modules meant, and which files they were, when they were accepted. The clients do not read it.
# Lockwarden adds a block for each source that has none; to accept a change, remove the block and lock again.
"""
_KINDS: Final[Mapping[str, BlockKind]] = {
    "module": BlockKind(label="the source of the calls", settings=("version", "revision", "h1", "files", "by", "at"))
}
_REVISION: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}|sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}")
_FILE: Final = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<path>.+)", re.DOTALL)
_SHOWN: Final = 5
_AT: Final = "%Y-%m-%dT%H:%M:%SZ"


class LockedModule(Struct, frozen=True, kw_only=True):
    """What one source was when it was accepted."""

    source: str
    """As the calls have it."""
    version: str = ""
    """The constraint of the calls."""
    revision: str = ""
    """The commit or digest that it meant; empty where that was not known."""
    files: tuple[tuple[str, str], ...] = ()
    """Paths and SHA-256 digests of what was installed, sorted; none where nothing was."""
    by: str
    at: datetime
    line: int = 0

    @property
    def h1(self) -> str:
        """The `h1` of all files together, by the rules for packages of providers."""
        return str(h1_of_members((path.encode(), bytes.fromhex(digest)) for path, digest in self.files))


class ModuleLock(Struct, frozen=True, kw_only=True, dict=True):
    """All entries of one file, in its order."""

    data: bytes = b""
    modules: tuple[LockedModule, ...] = ()

    def of(self, source: str, version: str) -> LockedModule | None:
        """The entry of a source with a constraint."""
        return self._by_source.get((source, version))

    @cached_property
    def _by_source(self) -> Mapping[tuple[str, str], LockedModule]:
        return {(each.source, each.version): each for each in self.modules}


class HeldAgainst(Struct, frozen=True, kw_only=True):
    """One call beside its entry."""

    entry: LockedModule | None
    differences: tuple[str, ...] = ()
    """How the installed files differ from the locked ones; clauses."""
    open: str = ""
    """Why the installed files could not be compared; a clause."""


def differences_of(expected: Mapping[str, str], tree: Mapping[str, str]) -> tuple[str, ...]:
    """How an installed tree, by path its files' SHA-256, differs from what it should be; clauses, the first of them.

    A second copy of a package has nothing whose name begins with a dot, so that its absence counts only beside others
    of the kind.
    """
    wanted = as_copied(expected, tree)
    differences = [f"{path} is gone" for path in sorted(wanted.keys() - tree.keys())]
    differences += [f"{path} is new" for path in sorted(tree.keys() - wanted.keys())]
    differences += [f"{path} is changed" for path in sorted(wanted.keys() & tree.keys()) if wanted[path] != tree[path]]
    more = len(differences) - _SHOWN
    shown = tuple(differences[:_SHOWN])
    return (*shown, f"and {more} more") if more > 0 else shown


def as_copied(expected: Mapping[str, _T], tree: Iterable[str]) -> Mapping[str, _T]:
    """What should be there of a package in an installed tree.

    All of it; where the tree looks like a client's second copy of a package, all but names that begin with a dot.
    """
    if any(_hidden(path) for path in tree):
        return expected
    return {path: each for path, each in expected.items() if not _hidden(path)}


def held_against_entry(entry: LockedModule | None, tree: Mapping[str, str] | str | None) -> HeldAgainst:
    """How an installed tree, by path its files' SHA-256, differs from an entry; see `differences_of`.

    The tree is None where nothing is installed, and a text where it cannot be read.
    """
    if entry is None or tree is None:
        return HeldAgainst(entry=entry)
    if isinstance(tree, str):
        return HeldAgainst(entry=entry, open=tree)
    if not entry.files:
        return HeldAgainst(entry=entry, open="nothing was installed when it was locked")
    return HeldAgainst(entry=entry, differences=differences_of(dict(entry.files), tree))


def _hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def read_module_lock(data: bytes, *, path: str = MODULE_LOCK) -> ModuleLock:
    """Read the file. Raises ModuleLockError with all that is wrong."""
    diagnostics = BlockDiagnostics()
    modules: dict[tuple[str, str], LockedModule] = {}
    try:
        for block in read_blocks(data, _KINDS, diagnostics, limit=MAX_BYTES):
            entry = _entry(block)
            if entry is None:
                continue
            if (entry.source, entry.version) in modules:
                diagnostics.add(block.line, "the source has an entry already", hint="keep one of the two")
            modules[entry.source, entry.version] = entry
    except TooManyDiagnostics:
        pass
    if diagnostics.diagnostics:
        raise ModuleLockError(path=path, diagnostics=diagnostics.in_order)
    return ModuleLock(data=data, modules=tuple(modules.values()))


def _entry(block: BlockReader) -> LockedModule | None:
    version, revision, by = block.text("version"), block.text("revision"), block.text("by", required=True)
    if revision is not None and not _REVISION.fullmatch(revision.value):
        block.diagnostics.add(revision.line, f"{shown_name(revision.value)} is neither a commit nor a digest")
    files: list[tuple[str, str]] = []
    for text in block.texts("files") or ():
        match = _FILE.fullmatch(text.value)
        if match is None or "\n" in match["path"]:
            block.diagnostics.add(text.line, f"{shown_name(text.value)} is not a SHA-256, two blanks and a path")
        else:
            files.append((match["path"], match["digest"]))
    at = _time(block)
    if by is None or at is None:
        return None
    entry = LockedModule(
        source=block.label,
        version="" if version is None else version.value,
        revision="" if revision is None else revision.value,
        files=tuple(sorted(files)),
        by=by.value,
        at=at,
        line=block.line,
    )
    h1 = block.text("h1", required=bool(files))
    if h1 is not None and h1.value != entry.h1:
        block.diagnostics.add(
            h1.line, "the h1 is not that of the files below it", hint="remove the block and lock again"
        )
    return entry


def _time(block: BlockReader) -> datetime | None:
    text = block.text("at", required=True)
    if text is None:
        return None
    try:
        return datetime.strptime(text.value, _AT).replace(tzinfo=UTC)
    except ValueError:
        hint = "write it in UTC, such as 2026-11-28T05:00:00Z"
        block.diagnostics.add(text.line, f"{shown_name(text.value)} is not a time", hint=hint)
        return None


def with_modules(lock: ModuleLock, entries: Iterable[LockedModule]) -> bytes:
    """The bytes of the file with these entries, in the place of those that the same sources have; all else stays.

    Raises OwnFileEditError when the file would not say exactly what it should.
    """
    given = [replace(each, line=0, at=each.at.astimezone(UTC).replace(microsecond=0)) for each in entries]
    known = {(each.source, each.version): each for each in given if lock.of(each.source, each.version) is not None}
    data = lock.data
    for old in reversed(lock.modules):  # from the end, so that the lines of those before stay
        if (new := known.get((old.source, old.version))) is not None:
            data = _replaced(data, old.line, _block(new))
    added = [each for each in given if (each.source, each.version) not in known]
    for each in added:
        data = appended(data, _block(each) if data else f"{HEADER}\n{_block(each)}")
    try:
        after = read_module_lock(data)
    except ModuleLockError as error:
        problem = error.diagnostics[0]
        raise OwnFileEditError(f"{MODULE_LOCK} cannot say it: {problem.message}", hint=problem.hint) from error
    kept = [known.get((each.source, each.version)) or replace(each, line=0) for each in lock.modules]
    if [replace(each, line=0) for each in after.modules] != [*kept, *added]:
        raise OwnFileEditError(f"{MODULE_LOCK} would not say exactly what is to be locked")
    return data


def _block(entry: LockedModule) -> str:
    settings: list[NamedValue] = [("version", entry.version)] if entry.version else []
    settings += [("revision", entry.revision)] if entry.revision else []
    if entry.files:
        settings += [("h1", entry.h1), ("files", [f"{digest}  {path}" for path, digest in entry.files])]
    settings += [("by", entry.by), ("at", entry.at.strftime(_AT))]
    return block_text("module", entry.source, settings)


def _replaced(data: bytes, line: int, block: str) -> bytes:
    """The file with another block in the place of the one that begins on a line and ends with a brace on its own."""
    lines = data.split(b"\n")
    end = next((place for place in range(line - 1, len(lines)) if lines[place].rstrip() == b"}"), None)
    if end is None:
        raise OwnFileEditError(
            f"{MODULE_LOCK}:{line}: nobody can tell where the block ends", hint="put its last brace on a line"
        )
    crlf = b"\r" if lines[end].endswith(b"\r") else b""
    new = [each.encode("utf-8", "replace") + crlf for each in block.rstrip("\n").split("\n")]
    return b"\n".join([*lines[: line - 1], *new, *lines[end + 1 :]])
