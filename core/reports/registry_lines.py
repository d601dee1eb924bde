"""Versions of providers at two registries, as lines of plain text; whoever shows them reveals them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lockwarden.core.evidence.source_answers import Outcome
from lockwarden.core.review.exit_codes import ExitCode
from lockwarden.core.review.registry_comparison import (
    AtRegistry,
    ComparedFile,
    Likeness,
    MovedHash,
    PackageComparison,
    RegistryComparison,
)
from lockwarden.core.values.amounts import counted
from lockwarden.core.values.platforms import Platform

MARKS: Final = {Likeness.SAME: "✓", Likeness.OTHER: "✗", Likeness.UNKNOWN: "?"}
_PACKAGE_MARKS: Final = {PackageComparison.SAME_BYTES: "✓", PackageComparison.UNKNOWN: "?"}
_NAMED: Final = 6
IN_WORDS: Final = {
    ExitCode.NOTHING_TO_OBJECT: "the same at both",
    ExitCode.FINDINGS: "not the same at both",
    ExitCode.INCOMPLETE: "not everything could be compared",
}


def registry_lines(files: Iterable[ComparedFile]) -> Iterator[str]:
    """All files, each provider of them with what is the same and what is not."""
    for number, file in enumerate(files):
        if number:
            yield ""
        if not file.comparisons:
            yield f"{file.path}: it locks no provider of the registries that are compared"
        else:
            yield f"{file.path}: {IN_WORDS[file.exit_code]}"
        for each in file.comparisons:
            yield from (f"  {line}" for line in _comparison(each))
        for address in file.passed_over:
            yield f"  · {address} is of another registry, and was not compared"


def _comparison(compared: RegistryComparison) -> Iterator[str]:
    first, second = compared.first, compared.second
    yield f"{compared.locked} {compared.version}: {first.host} and {second.host}"
    if compared.there is not Likeness.SAME:
        yield from (f"  {outcome_line(each)}" for each in (first, second))
    else:
        yield f"  {platforms_line(compared)}"
        yield f"  {signers_line(compared)}"
        yield from (f"  {line}" for line in package_lines(compared))
    yield from (f"  {line}" for line in hash_lines(compared))


def outcome_line(at: AtRegistry) -> str:
    """Whether one registry has the version, and why that is not known."""
    detail = f": {at.detail}" if at.detail else ""
    match at.outcome:
        case Outcome.ANSWERED:
            return f"✓ {at.host} has it"
        case Outcome.NOT_THERE:
            return f"✗ {at.host} does not have it{detail}"
        case _:
            return f"? {at.host} did not answer{detail}"


def platforms_line(compared: RegistryComparison) -> str:
    """Whether both have the same platforms."""
    first, second = compared.first.platforms or frozenset(), compared.second.platforms or frozenset()
    if compared.platforms is Likeness.SAME:
        return f"✓ the same {counted(len(first), 'platform')}"
    if compared.platforms is Likeness.UNKNOWN:
        return "? a registry does not say which platforms there are"
    only = (
        f"{host} alone has {platforms_named(more)}"
        for host, more in ((compared.first.host, first - second), (compared.second.host, second - first))
        if more
    )
    return f"✗ other platforms: {'; '.join(only)}"


def signers_line(compared: RegistryComparison) -> str:
    """Whether the same keys signed at both."""
    first, second = (", ".join(sorted(each.signers)) or "nobody" for each in (compared.first, compared.second))
    if compared.signers is Likeness.SAME:
        return f"✓ the same signers: {first}" if compared.first.signers else "· signed at neither"
    return f"✗ other signers: {first} at {compared.first.host}, {second} at {compared.second.host}"


def package_lines(compared: RegistryComparison) -> Iterator[str]:
    """How many packages are the same, and which are not."""
    for standing in PackageComparison:
        found = [each.platform for each in compared.packages if each.standing is standing]
        if found and standing not in {PackageComparison.ONLY_FIRST, PackageComparison.ONLY_SECOND}:
            mark = _PACKAGE_MARKS.get(standing, "✗")
            named = "" if standing is PackageComparison.SAME_BYTES else f": {platforms_named(found)}"
            yield f"{mark} {counted(len(found), 'package')}, {standing}{named}"


def hash_lines(compared: RegistryComparison) -> Iterator[str]:
    """Which locked hashes hold at both, and which do not."""
    for standing in Likeness:
        found = [each for each in compared.hashes if each.standing is standing]
        if not found:
            continue
        if standing is Likeness.SAME:
            yield f"✓ {counted(len(found), 'locked hash', 'locked hashes')}, the same bytes at both"
        else:
            yield from (f"{MARKS[standing]} {hash_line(each, compared)}" for each in found)


def hash_line(moved: MovedHash, compared: RegistryComparison) -> str:
    """One locked hash that does not hold at both."""
    verdicts = f"{moved.first} at {compared.first.host}, {moved.second} at {compared.second.host}"
    return f"{moved.locked.hash} (line {moved.locked.line}): {verdicts}"


def platforms_named(platforms: Iterable[Platform]) -> str:
    """Platforms by name, or the first of them and how many more there are."""
    names = [str(each) for each in sorted(platforms)]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"
