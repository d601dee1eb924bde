"""Versions of providers at two registries as Markdown: a table, and below it what does not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockwarden.core.reports.markdown_text import code, prose, table_row
from lockwarden.core.reports.registry_lines import IN_WORDS, MARKS, hash_lines, outcome_line, package_lines
from lockwarden.core.review.registry_comparison import (
    ComparedFile,
    Likeness,
    PackageComparison,
    RegistryComparison,
)

_COLUMNS = ("Provider", "Version", "Platforms", "Signers", "Packages", "Locked hashes")
_MOST_LINES = 2_000


def markdown_registries(files: Iterable[ComparedFile]) -> str:
    """All files."""
    return "".join(f"{line}\n" for file in files for line in _of_file(file))


def _of_file(file: ComparedFile) -> Iterator[str]:
    words = IN_WORDS[file.exit_code] if file.comparisons else "nothing was compared"
    yield f"### {code(file.path)}: {words}"
    yield ""
    if not file.comparisons:
        return
    hosts = dict.fromkeys(host for each in file.comparisons for host in (each.first.host, each.second.host))
    yield f"Compared: {', '.join(map(code, hosts))}"
    yield ""
    yield table_row(_COLUMNS)
    yield table_row("---" for _ in _COLUMNS)
    for each in file.comparisons:
        yield _row(each)
    yield ""
    told = [line for each in file.comparisons for line in _details(each)]
    yield from told[:_MOST_LINES]
    if len(told) > _MOST_LINES:
        yield f"- {len(told) - _MOST_LINES} more lines are left out"
    if told:
        yield ""


def _row(compared: RegistryComparison) -> str:
    same = sum(each.standing is PackageComparison.SAME_BYTES for each in compared.packages)
    held = sum(each.standing is Likeness.SAME for each in compared.hashes)
    packages = f"{same} of {len(compared.packages)} the same bytes" if compared.packages else "?"
    return table_row(
        (
            code(str(compared.locked)),
            code(str(compared.version)),
            f"{MARKS[compared.platforms]} {compared.platforms}",
            f"{MARKS[compared.signers]} {compared.signers}",
            packages,
            f"{held} of {len(compared.hashes)} hold at both",
        )
    )


def _details(compared: RegistryComparison) -> Iterator[str]:
    lines = [outcome_line(each) for each in (compared.first, compared.second)]
    lines = [] if compared.there is Likeness.SAME else lines
    for line in (*lines, *package_lines(compared), *hash_lines(compared)):
        if not line.startswith("✓"):
            yield f"- {code(f'{compared.locked.namespace}/{compared.locked.type}')} {prose(line)}"
