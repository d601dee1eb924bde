"""Which platforms are wanted: what was asked for, what the policies name, what was looked at; and whether a lock file
came to hold a hash of the package of each that was named. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.engine.audit import PlatformChoice
from lockwarden.core.evidence.platform_names import meant_platform
from lockwarden.core.evidence.source_answers import Audit, Outcome, PackageFacts, SourceAnswer
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import Standards
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.platforms import Platform, by_popularity

_SILENT: Final = frozenset({Outcome.NO_ANSWER, Outcome.NOT_ASKED})
_LATER: Final = "look at what the report says of it, and lock again"


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


class NotLocked(Struct, frozen=True, kw_only=True):
    """A platform that was asked for and that an entry holds no hash for, as far as that is known."""

    address: ProviderAddress
    platform: Platform
    heard: bool
    """Whether a source answered for its package. Where none did, a locked hash may well be of it."""
    why: str
    """What the sources said of its package, or why they said nothing."""
    hint: str


def named_ones(choice: PlatformChoice, current: Platform) -> frozenset[Platform]:
    """The platforms that were named; with automatic ones this machine's is not, as far as that can be told."""
    return choice.wanted - {current} if choice.explain else choice.wanted


def not_locked(review: Review, named: Iterable[Platform]) -> Iterator[NotLocked]:
    """Each provider of a review after its audit, and each named platform whose package it has no hash of."""
    asked = sorted(named, key=by_popularity)
    for provider in review.providers:
        source_answers = () if provider.audit is None else provider.audit.source_answers
        known = frozenset[Platform]().union(*(answer.platforms or () for answer in source_answers))
        for platform in asked:
            packages = [each for answer in source_answers if (each := answer.package(platform)) is not None]
            if any(package.hashes & provider.entry.hash_set for package in packages):
                continue
            # Where no source has the release, or answers, none speaks of its packages, and what each says counts.
            told: Sequence[SourceAnswer | PackageFacts] = packages or source_answers
            unheard = _SILENT if packages else _SILENT | {Outcome.NOT_THERE}
            heard = not told or any(each.outcome not in unheard for each in told)
            details = [each.detail or each.client_refusal for each in packages]
            if not heard and not packages:
                details = [f"{each.source.id}: {each.detail}" for each in source_answers if each.detail]
            hints = dict.fromkeys(each.hint for each in told if each.hint)
            meant = meant_platform(platform, provider.audit)
            yield NotLocked(
                address=provider.address,
                platform=platform,
                heard=heard,
                why="; ".join(dict.fromkeys(each for each in details if each)),
                hint=_hint(platform, known, meant) if heard else "; ".join(hints) or _LATER,
            )


def _hint(platform: Platform, known: frozenset[Platform], meant: str) -> str:
    if platform in known:
        return _LATER
    if meant:
        return f"there may be no such platform; did you mean {meant}?"
    return "leave out the platform, or choose a version that has a package for it"
