"""By which policy and approvals lock files were judged, in words: path, revision and digest, or that there is none.

A path alone says little: the change under review may have another file there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockwarden.core.reports.result import RunResult
from lockwarden.core.review.standards import StandardFile, Standards

_DIGITS = 12
"""Of a commit ID or a digest, as many are told; the JSON report has all of them."""
ON_DISK = "working tree"
OUTSIDE = "outside"
"""The place of a file that the operator named and that no change of the repository reaches."""


def where_read(file: StandardFile) -> str:
    """Where a file was read: the commit ID, the working tree, or outside of it."""
    return OUTSIDE if file.outside else file.commit or ON_DISK


def standards_line(standards: Standards) -> str:
    """What a lock file was held against, as one sentence without a full stop."""
    parts = [
        _those("policy", "no policy", (each for each in standards.policy_files if not each.proposed)),
        _those("approvals", "no approvals", (each for each in standards.approval_files if not each.proposed)),
    ]
    proposed = [each for each in (*standards.policy_files, *standards.approval_files) if each.proposed]
    if proposed:
        parts.append(f"proposed, and not counted: {', '.join(map(_file, proposed))}")
    return "; ".join(parts)


def files_line(what: str, files: Iterable[StandardFile]) -> str:
    """Some files after the word for what they are; empty where there are none."""
    return _those(what, "", files)


def _those(what: str, none: str, files: Iterable[StandardFile]) -> str:
    told = " and ".join(map(_file, files))
    return f"{what} {told}" if told else none


def _file(file: StandardFile) -> str:
    where = f"{file.revision}, {file.commit[:_DIGITS]}" if file.commit else where_read(file)
    return f"{file.path} ({where}, sha256 {file.digest[:_DIGITS]}{_signature(file)})"


def _signature(file: StandardFile) -> str:
    """Who signed a file of approvals; of a signature that does not count, only that."""
    found = file.signature
    if found is None:
        return ""
    if found.counts:
        return f", serial {found.serial}, signed by {found.who}"
    why = "an older file" if found.replayed else "its age is not known" if found.age_unknown else found.state
    return f", its signature does not count: {why}"


def by_standards(result: RunResult) -> dict[str, list[str]]:
    """The paths of the lock files by what they were held against, in their order."""
    found: dict[str, list[str]] = {}
    for each in result.files:
        if each.review is not None:
            found.setdefault(standards_line(each.review.standards), []).append(each.path)
    return found


def standards_lines(result: RunResult) -> Iterator[str]:
    """One line for each distinct set of standards, with the files that it is of where there are several sets."""
    found = by_standards(result)
    for line, paths in found.items():
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        yield f"Held against{f' ({paths[0]}{more})' if len(found) > 1 else ''}: {line}"
