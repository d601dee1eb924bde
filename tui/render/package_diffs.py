"""What is new in the package of a module since it was accepted, as lines of a difference. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from lockwarden.core.modules.package_diff import FileDiff, PackageDiff
from lockwarden.core.reports.differences import DiffLine, Sign
from lockwarden.core.values.amounts import counted

_SIGNS = {each.value: each for each in (Sign.SAME, Sign.ADDED, Sign.REMOVED)}


def package_difference(diff: PackageDiff) -> tuple[DiffLine, ...]:
    """Every file that differs, with its lines, or why they are not shown and its digests."""
    return tuple(line for file in diff.files for line in _of_file(file))


def _of_file(file: FileDiff) -> Iterator[DiffLine]:
    sizes = [str(each.size) for each in (file.before, file.after) if each is not None and each.size is not None]
    told = f", {' → '.join(sizes)} bytes" if sizes else ""
    yield DiffLine(Sign.FILE, f"{file.change}: {file.path}{told}")
    for line in file.lines:
        if line.startswith("@"):
            yield DiffLine(Sign.PLACE, line)
        else:
            yield DiffLine(_SIGNS.get(line[:1], Sign.SAME), line[1:])
    if file.not_shown:
        yield DiffLine(Sign.PLACE, f"… {file.not_shown}")
        if file.before is not None:
            yield DiffLine(Sign.REMOVED, f"sha256 {file.before.digest}")
        if file.after is not None:
            yield DiffLine(Sign.ADDED, f"sha256 {file.after.digest}")


def package_notes(diff: PackageDiff) -> tuple[str, ...]:
    """What is compared with what, and how much differs."""
    total = len(diff.files) + diff.left_out
    more = f"; {diff.left_out} of them are not shown" if diff.left_out else ""
    return (
        f"{counted(total, 'file')} {'differs' if total == 1 else 'differ'}, {diff.alike} alike{more}",
        f"accepted: {diff.before}",
        f"today: {diff.after}",
    )
