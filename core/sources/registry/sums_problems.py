"""What a person should know about the lines of a list of checksums, in sentences with a hint each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.sources.registry.package_names import FileKind, Spelling
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums_observations import decisive
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_SHOWN: Final = 5


def sums_problems(listed: SignedSums, *, conflicts: frozenset[str], source: str) -> Iterator[Problem]:
    """The problems of one document's lines; `conflicts` are the file names that are given more than one hash."""
    for code, severity, message, hint in _problems(listed, conflicts):
        yield Problem(code=code, severity=severity, message=message, hint=hint, source=source)


def unsigned_problems(lists: Sequence[SignedSums], *, source: str) -> Iterator[Problem]:
    """Unsigned lists beside signed ones of the same release that name what no signed one does."""
    deciding = decisive(lists)
    known = frozenset().union(*(each.hashes for each in deciding))
    for listed in lists:
        beyond = len(listed.hashes - known)
        if beyond and not listed.refused and not any(listed is each for each in deciding):
            yield Problem(
                code=ProblemCode.SUMS_UNSIGNED_BESIDE_SIGNED,
                severity=Severity.ERROR,
                message=f"the registry also gives out a {listed.document.name} without a signature, with {beyond} "
                f"{'hash' if beyond == 1 else 'hashes'} that the signed one of {listed.release} does not have",
                hint="they do not count here, and a client may take them; ask who runs the registry",
                source=source,
            )


_Told = tuple[ProblemCode, Severity, str, str]


def _problems(listed: SignedSums, conflicts: frozenset[str]) -> Iterator[_Told]:
    yield from _conflicts(listed, conflicts)
    yield from _release(listed)
    yield from _spellings(listed)
    yield from _unreadable(listed)
    yield from _markers(listed)


def _conflicts(listed: SignedSums, conflicts: frozenset[str]) -> Iterator[_Told]:
    here = sorted({line.file_name for line in listed.sums.lines if line.file_name in conflicts})
    for name in here[:_SHOWN]:
        lines = [line.number for line in listed.sums.lines if line.file_name == name]
        yield (
            ProblemCode.SUMS_CONFLICT,
            Severity.ERROR,
            (
                f"the registry gives {_short(name)} more than one hash ({listed.document.name}, {_lines(lines)}), "
                "so none of them counts"
            ),
            "the clients take the first; ask who runs the registry which is right",
        )
    if len(here) > _SHOWN:
        yield (
            ProblemCode.SUMS_CONFLICT,
            Severity.ERROR,
            f"the registry gives {len(here) - _SHOWN} more files of {listed.document.name} several hashes",
            "",
        )


def _release(listed: SignedSums) -> Iterator[_Told]:
    """Which release the list is of, by its names."""
    name = listed.document.name
    if listed.misplaced:
        foreign = _of_kind(listed, FileKind.FOREIGN_PACKAGE) or _of_kind(listed, FileKind.FOREIGN)
        yield (
            ProblemCode.SUMS_OF_ANOTHER_RELEASE,
            Severity.ERROR,
            (
                f"{name} names no package of {listed.release}; it seems to be the list of {listed.other_releases}: "
                f"it names {_names(foreign)}"
            ),
            "the registry serves the list of another provider or version; do not use it",
        )
        return
    if listed.says_nothing:
        yield (
            ProblemCode.SUMS_OF_NO_RELEASE,
            Severity.WARNING,
            (
                f"{name} does not say that it is of {listed.release}: "
                f"it names {_names(line.file_name for line in listed.sums.lines)}"
            ),
            (
                "whoever made it may have meant another release; ask the author to name packages "
                "terraform-provider-TYPE_VERSION_OS_ARCH.zip"
            ),
        )
    if packages := _of_kind(listed, FileKind.FOREIGN_PACKAGE):
        yield (
            ProblemCode.SUMS_FOREIGN_FILES,
            Severity.WARNING,
            f"{name} for {listed.release} also lists packages of other providers or versions: {_names(packages)}",
            "the clients record those hashes too, and here they do not count; ask the author why they stand there",
        )
    if others := _of_kind(listed, FileKind.FOREIGN):
        yield (
            ProblemCode.SUMS_FOREIGN_FILES,
            Severity.WARNING,
            f"{name} for {listed.release} also lists files of other providers or versions: {_names(others)}",
            "the clients record those hashes too; ask the author why they stand there",
        )


def _of_kind(listed: SignedSums, kind: FileKind) -> list[str]:
    return [line.file_name for line in listed.sums.lines if listed.label(line).kind is kind]


def _spellings(listed: SignedSums) -> Iterator[_Told]:
    """Names that write the release in another way, or so that another one might be meant."""
    written: dict[Spelling, list[str]] = {Spelling.OTHER: [], Spelling.AMBIGUOUS: []}
    for line in listed.sums.lines:
        if (spelling := listed.label(line).spelling) in written:
            written[spelling].append(line.file_name)
    if names := written[Spelling.OTHER]:
        yield (
            ProblemCode.SUMS_RELEASE_SPELLED_OTHERWISE,
            Severity.NOTE,
            f"{listed.document.name} writes {listed.release} in another way: {_names(names)}",
            "",
        )
    if names := written[Spelling.AMBIGUOUS]:
        yield (
            ProblemCode.SUMS_RELEASE_AMBIGUOUS,
            Severity.WARNING,
            f"{listed.document.name} for {listed.release} names files as another version would: {_names(names)}",
            "forges write “.” for the “+” of a version; compare with the author's release",
        )


def _unreadable(listed: SignedSums) -> Iterator[_Told]:
    sums, name = listed.sums, listed.document.name
    silence = "both clients then drop the whole list; ask the author to release it with a digest and a name a line"
    if sums.web_page:
        yield (
            ProblemCode.SUMS_BAD_LINE,
            Severity.WARNING,
            f"{name} is a web page (HTML) and no list of checksums",
            "a proxy or a log-in page may answer in its place; look at what is given out there",
        )
        return
    if sums.bad_lines:
        told = "; ".join(f"line {bad.number} {bad.reason}" for bad in sums.bad_lines[:_SHOWN])
        more = f"; and {len(sums.bad_lines) - _SHOWN} more" if len(sums.bad_lines) > _SHOWN else ""
        yield (
            ProblemCode.SUMS_BAD_LINE,
            Severity.WARNING,
            f"{name} has lines that list nothing: {told}{more}",
            silence,
        )
    if sums.byte_order_mark:
        yield (ProblemCode.SUMS_BYTE_ORDER_MARK, Severity.WARNING, f"{name} starts with a byte order mark", silence)
    if sums.crash_line is not None:
        yield (
            ProblemCode.SUMS_EMPTY_LINE,
            Severity.WARNING,
            f"line {sums.crash_line} of {name} is empty, and both clients crash on that",
            "ask the author to release the list without empty lines",
        )


def _markers(listed: SignedSums) -> Iterator[_Told]:
    sums, name = listed.sums, listed.document.name
    starred = [line for line in sums.lines if line.starred]
    if starred:
        yield (
            ProblemCode.SUMS_BINARY_MARKER,
            Severity.WARNING,
            (
                f"{name} marks file names with an asterisk ({_names(line.file_name for line in starred)}); "
                "the clients find no such files and refuse them"
            ),
            "ask the author to make the list without binary markers (sha256sum without -b)",
        )
    if sums.extra_words:
        yield (
            ProblemCode.SUMS_EXTRA_WORDS,
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
