"""The rows of a review: every hash that is locked or seen, with its verdict, grouped by package.

Findings stand on top; then each platform's package with its `h1` and its `zh` side by side; last what is no package,
such as the manifest that a list of hashes names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lockwarden.core.dispositions import NOTHING, HashDisposition
from lockwarden.core.hashes import H1, ZH, Hash
from lockwarden.core.observations import ComputedLocally, Observation, ReportedByRegistry, SignedBy
from lockwarden.core.platforms import Platform, by_popularity
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.review.testimony import Testimony
from lockwarden.core.review.verdicts import Verdict, judge_locked, judge_unlocked

NOT_A_PACKAGE = "not a package"
UNKNOWN_PLATFORM = "unknown"
_WAITING = Reason(tone=Tone.OPEN, text="the audit of this provider has not ended yet")


@dataclass(frozen=True, slots=True, kw_only=True)
class HashRow:
    """One hash of the review and everything that is known of it."""

    hash: Hash
    locked: bool
    line: int | None
    """Line in the lock file, from 1; None for a hash that is not locked."""
    verdict: Verdict
    reasons: tuple[Reason, ...]
    disposition: HashDisposition
    observations: tuple[Observation, ...]
    platforms: frozenset[Platform]
    label: str
    """The platforms in words, or what the hash is instead of a platform's package."""
    package: str
    """Rows with the same non-empty value are hashes of one package."""
    computed: bool
    """Some package here hashed to it, whether or not that package counts."""


def rows_of(locked: Mapping[Hash, int], testimony: Testimony, recorded: Mapping[Hash, str]) -> tuple[HashRow, ...]:
    """All rows of one provider, in the order in which they are shown.

    `locked` gives the line of each locked hash, `recorded` the reason for each that a client would record.
    """
    seen = dict.fromkeys((*locked, *testimony.audit.observations))
    rows = [_row(hash_, locked.get(hash_), testimony, recorded.get(hash_, "")) for hash_ in seen]
    held = frozenset(row.package for row in rows if row.locked)
    return tuple(sorted(rows, key=lambda row: _order(row, held)))


def waiting_rows(locked: Mapping[Hash, int]) -> tuple[HashRow, ...]:
    """The rows of a provider whose audit has not ended: its locked hashes, of which nothing is known yet."""
    return tuple(
        HashRow(
            hash=hash_,
            locked=True,
            line=line,
            verdict=Verdict.UNCHECKED,
            reasons=(_WAITING,),
            disposition=NOTHING,
            observations=(),
            platforms=frozenset(),
            label="",
            package="",
            computed=False,
        )
        for hash_, line in locked.items()
    )


def _row(hash_: Hash, line: int | None, testimony: Testimony, recorded: str) -> HashRow:
    locked = line is not None
    judgement = judge_locked(hash_, testimony) if locked else judge_unlocked(hash_, testimony, recorded=recorded)
    observations = testimony.observations(hash_)
    platforms = testimony.platforms_of(hash_)
    return HashRow(
        hash=hash_,
        locked=locked,
        line=line,
        verdict=judgement.verdict,
        reasons=judgement.reasons,
        disposition=testimony.audit.dispositions.get(hash_, NOTHING),
        observations=observations,
        platforms=platforms,
        label=_label(platforms, observations),
        package=_package(hash_, observations),
        computed=any(isinstance(observation, ComputedLocally) for observation in observations),
    )


def _label(platforms: frozenset[Platform], observations: Iterable[Observation]) -> str:
    if platforms:
        return ", ".join(str(platform) for platform in sorted(platforms, key=by_popularity))
    if any(
        isinstance(observation, SignedBy | ReportedByRegistry) and observation.file_name for observation in observations
    ):
        return NOT_A_PACKAGE
    return UNKNOWN_PLATFORM


def _package(hash_: Hash, observations: Iterable[Observation]) -> str:
    """The archive that a hash belongs to: itself for a `zh`, the one it was computed from for an `h1`."""
    if hash_.scheme == ZH:
        return hash_.text
    archives = {o.package_zh.text for o in observations if isinstance(o, ComputedLocally) and o.package_zh is not None}
    return min(archives, default="")


def _order(row: HashRow, held: frozenset[str]) -> tuple[int, tuple[int, str], bool, str, bool, bool, str]:
    """Where a row stands; `held` names the packages of locked hashes, which come before others of their platform."""
    last = (row.hash.scheme != H1, not row.locked, row.hash.text)
    if row.verdict.is_finding:
        return (0 if row.verdict is Verdict.DISOWNED else 1, (0, ""), False, "", *last)
    if row.platforms:
        first = min(by_popularity(platform) for platform in row.platforms)
        return (3, first, row.package not in held, row.package, *last)
    return (4 if row.label == NOT_A_PACKAGE else 2, (0, ""), False, "", *last)
