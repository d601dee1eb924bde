"""Which platforms are wanted: what was asked for, what the policies name, and what was looked at. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.evidence.source_answers import Audit
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.platforms import Platform


def policy_choice(choice: PlatformChoice, standards: Iterable[Standards]) -> PlatformChoice:
    """With automatic platforms, those that the policies name are wanted, too."""
    if not choice.explain:
        return choice
    return replace(choice, wanted=choice.wanted.union(*(each.policy.platforms for each in standards)))


def wanted_platforms(choice: PlatformChoice, audit: Audit) -> frozenset[Platform]:
    """The platforms whose hashes the lock file should hold: those that were named, or every one that was looked at."""
    if not choice.every:
        return choice.wanted
    return choice.wanted | {package.platform for answer in audit.source_answers for package in answer.packages}
