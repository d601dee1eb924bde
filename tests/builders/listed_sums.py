"""What lists of checksums are seen to say, and what is told of them."""

from __future__ import annotations

from lockwarden.core.evidence.observations import ReportedByRegistry, SignedBy
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.sources.registry.signed_sums import SignedSums
from lockwarden.core.sources.registry.sums_observations import (
    conflicting_files,
    sums_observations,
)
from lockwarden.core.sources.registry.sums_problems import sums_problems

MANIFEST = "terraform-provider-widget_1.0.0_manifest.json"
FOREIGN = "terraform-provider-other_1.0.0_linux_amd64.zip"


def observations(*lists: SignedSums) -> list[tuple[str, SignedBy | ReportedByRegistry]]:
    found = []
    for hash_, seen in sums_observations(lists, source="direct", conflicts=conflicting_files(lists)):
        assert isinstance(seen, SignedBy | ReportedByRegistry)
        found.append((hash_.value[:1], seen))
    return found


def vouching(*lists: SignedSums) -> list[tuple[str, str]]:
    return [(digit, seen.kind.value) for digit, seen in observations(*lists) if seen.vouches]


def lines_problems(*lists: SignedSums) -> list[Problem]:
    conflicts = conflicting_files(lists)
    return [problem for each in lists for problem in sums_problems(each, conflicts=conflicts, source="direct")]
