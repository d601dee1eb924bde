"""The difference between an accepted package of a module and today's, as lines of plain text; whoever shows them
reveals them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lockwarden.core.modules.listing import DiffedCall
from lockwarden.core.modules.package_diff import FileDiff, PackageDiff, PackageFile
from lockwarden.core.modules.resolution import Unresolved
from lockwarden.core.reports.bounds import shortened
from lockwarden.core.reports.module_report import call_name
from lockwarden.core.values.source_redaction import redacted_source

_LONGEST: Final = 200


def diff_lines(diffs: Iterable[DiffedCall] | None) -> Iterator[str]:
    """Each source that moved, with what is new in its package, file by file; nothing for None."""
    if diffs is None:
        return
    count = 0
    for each in diffs:
        count += 1
        call = each.listed.call
        yield ""
        yield f"{call.path}:{call.line}  {call_name(each.listed)}  {redacted_source(call.source)}"
        if isinstance(each.diff, Unresolved):
            yield f"  ? what is new in it is not known: {each.diff.reason}"
            yield f"    → {each.diff.hint}"
        else:
            yield from package_lines(each.diff)
    if not count:
        yield ""
        yield "No source that is known to mean something else than what was locked"


def package_lines(diff: PackageDiff) -> Iterator[str]:
    """Both packages, and every file that differs."""
    yield f"  - {diff.before}"
    yield f"  + {diff.after}"
    total = len(diff.files) + diff.left_out
    yield f"  {total} file{'s'[: total != 1]} differ{'s'[: total == 1]}, {diff.alike} alike"
    for file in diff.files:
        yield from _of_file(file)
    if diff.left_out:
        yield f"  … {diff.left_out} more files differ"


def _of_file(file: FileDiff) -> Iterator[str]:
    yield f"  {file.change}: {shortened(file.path, _LONGEST)}{_program(file)}{_sizes(file)}{modes_words(file)}"
    yield from (f"    {line}" for line in file.lines)
    if file.not_shown:
        yield f"    … {file.not_shown}"
        for sign, each in (("-", file.before), ("+", file.after)):
            if each is not None:
                yield f"    {sign} sha256 {each.digest}"


def _sizes(file: FileDiff) -> str:
    sizes = [_size(each) for each in (file.before, file.after) if each is not None and each.size is not None]
    return f", {' → '.join(sizes)} bytes" if sizes else ""


def _program(file: FileDiff) -> str:
    """That it is the program that a provider is, and what runs it."""
    found = dict.fromkeys(each.program for each in (file.before, file.after) if each is not None and each.program)
    return f" (the program, {' → '.join(found)})" if found else ""


def modes_words(file: FileDiff) -> str:
    """The permissions, where they differ."""
    modes = [each.mode for each in (file.before, file.after) if each is not None and each.mode is not None]
    return f", mode {' → '.join(f'{each:o}' for each in modes)}" if len(set(modes)) > 1 else ""


def _size(file: PackageFile) -> str:
    return str(file.size)
