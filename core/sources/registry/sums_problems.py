"""What a person should know about the lines of a list of checksums, in sentences with a hint each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lockwarden.core.findings import Problem
from lockwarden.core.severity import Severity
from lockwarden.core.sources.registry.package_names import FileKind
from lockwarden.core.sources.registry.signed_sums import SignedSums

_SHOWN: Final = 5


def sums_problems(listed: SignedSums, *, conflicts: frozenset[str], source: str) -> Iterator[Problem]:
    """The problems of one document's lines; `conflicts` are the file names that are given more than one hash."""
    for code, severity, message, hint in _problems(listed, conflicts):
        yield Problem(code=code, severity=severity, message=message, hint=hint, source=source)


_Told = tuple[str, Severity, str, str]


def _problems(listed: SignedSums, conflicts: frozenset[str]) -> Iterator[_Told]:
    yield from _conflicts(listed, conflicts)
    yield from _foreign(listed)
    yield from _unreadable(listed)
    yield from _markers(listed)


def _conflicts(listed: SignedSums, conflicts: frozenset[str]) -> Iterator[_Told]:
    here = sorted({line.file_name for line in listed.sums.lines if line.file_name in conflicts})
    for name in here[:_SHOWN]:
        lines = [line.number for line in listed.sums.lines if line.file_name == name]
        yield (
            "sums-conflict",
            Severity.ERROR,
            (
                f"the registry gives {_short(name)} more than one hash ({listed.document.name}, {_lines(lines)}), "
                "so none of them counts"
            ),
            "the clients take the first; ask who runs the registry which is right",
        )
    if len(here) > _SHOWN:
        yield (
            "sums-conflict",
            Severity.ERROR,
            f"the registry gives {len(here) - _SHOWN} more files of {listed.document.name} several hashes",
            "",
        )


def _foreign(listed: SignedSums) -> Iterator[_Told]:
    foreign = [line for line in listed.sums.lines if listed.label(line).kind is FileKind.FOREIGN]
    if not foreign:
        return
    release = f"{listed.address.type} {listed.version}"
    if listed.misplaced:
        yield (
            "sums-of-another-release",
            Severity.ERROR,
            f"{listed.document.name} names no file of {release}; it names {_names(line.file_name for line in foreign)}",
            "the registry serves the list of another provider or version; do not use it",
        )
        return
    yield (
        "sums-foreign-files",
        Severity.WARNING,
        (
            f"{listed.document.name} for {release} also lists files of other providers or versions: "
            f"{_names(line.file_name for line in foreign)}"
        ),
        "the clients record those hashes too; ask the author why they stand there",
    )


def _unreadable(listed: SignedSums) -> Iterator[_Told]:
    sums, name = listed.sums, listed.document.name
    silence = "both clients then drop the whole list; ask the author to release it with a digest and a name a line"
    if sums.bad_lines:
        told = "; ".join(f"line {bad.number} {bad.reason}" for bad in sums.bad_lines[:_SHOWN])
        more = f"; and {len(sums.bad_lines) - _SHOWN} more" if len(sums.bad_lines) > _SHOWN else ""
        yield ("sums-bad-line", Severity.WARNING, f"{name} has lines that list nothing: {told}{more}", silence)
    if sums.byte_order_mark:
        yield ("sums-byte-order-mark", Severity.WARNING, f"{name} starts with a byte order mark", silence)
    if sums.crash_line is not None:
        yield (
            "sums-empty-line",
            Severity.WARNING,
            f"line {sums.crash_line} of {name} is empty, and both clients crash on that",
            "ask the author to release the list without empty lines",
        )


def _markers(listed: SignedSums) -> Iterator[_Told]:
    sums, name = listed.sums, listed.document.name
    starred = [line for line in sums.lines if line.starred]
    if starred:
        yield (
            "sums-binary-marker",
            Severity.WARNING,
            (
                f"{name} marks file names with an asterisk ({_names(line.file_name for line in starred)}); "
                "the clients find no such files and refuse them"
            ),
            "ask the author to make the list without binary markers (sha256sum without -b)",
        )
    if sums.extra_words:
        yield (
            "sums-extra-words",
            Severity.NOTE,
            f"{name} has more than a digest and a name on {_lines(sums.extra_words)}; the rest is ignored",
            "",
        )


def _lines(numbers: Iterable[int]) -> str:
    known = list(numbers)
    shown = ", ".join(str(number) for number in known[:_SHOWN])
    return f"{'line' if len(known) == 1 else 'lines'} {shown}{', …' if len(known) > _SHOWN else ''}"


def _names(names: Iterable[str]) -> str:
    known = list(dict.fromkeys(names))
    shown = ", ".join(_short(name) for name in known[:_SHOWN])
    return f"{shown}{f' and {len(known) - _SHOWN} more' if len(known) > _SHOWN else ''}"


def _short(name: str) -> str:
    return name if len(name) <= 120 else f"{name[:120]}…"
