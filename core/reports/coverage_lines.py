"""Where a client would not install or run what a lock file entry locks, as lines of plain text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from lockwarden.core.coverage.cells import coverage_of
from lockwarden.core.coverage.chain import chain_of
from lockwarden.core.coverage.outcomes import Coverage, Installability
from lockwarden.core.review.provider_review import ProviderReview
from lockwarden.core.review.review import Review
from lockwarden.core.values.platforms import Platform

_TOLD: Final[Mapping[Installability, str]] = {
    Installability.FAILS: "✗",
    Installability.ANYTHING: "▲",
    Installability.NEEDS_WRITING: "▲",
}
"""What is told here, with its mark; what is not known stands among what was not checked."""


def coverage_lines(review: Review, provider: ProviderReview) -> Iterator[str]:
    """What stands in the way of an install on the platforms that were asked for; nothing where nothing does.

    Where the sources are the methods of a client, it is what the client meets that goes through them, once a platform.
    Sources with the same reason share a line. The lines are not indented and hold text from outside as it is: whoever
    shows them reveals it.
    """
    if provider.audit is None:
        return
    chain = chain_of(provider.entry, provider.audit, settings=review.settings, platforms=review.platforms)
    for each in chain:
        if (mark := _TOLD.get(each.standing)) is not None:
            yield f"{mark} {each.platform} by the configured methods: {each.word}: {each.reason}"
            yield f"  → {each.remedy}"
    if chain:
        return
    cells = coverage_of(provider.entry, provider.audit, settings=review.settings, platforms=review.platforms)
    for (mark, platform, what, remedy), sources in _grouped(cells).items():
        yield f"{mark} {platform} from {', '.join(sources)}: {what}"
        yield f"  → {remedy}"


def _grouped(cells: Iterable[Coverage]) -> Mapping[tuple[str, Platform, str, str], list[str]]:
    groups: defaultdict[tuple[str, Platform, str, str], list[str]] = defaultdict(list)
    for cell in cells:
        if (mark := _TOLD.get(cell.standing)) is not None:
            groups[mark, cell.platform, f"{cell.word}: {cell.reason}", cell.remedy].append(cell.source)
    return groups
