"""The rows of a review: every hash that is locked or seen, with its verdict, grouped by package.

Findings stand on top. Then comes each platform's package, its `h1` and its `zh` side by side. Last is what is no
package, such as the manifest that a list of hashes names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approval
from lockwarden.core.evidence.dispositions import NOTHING, HashDisposition
from lockwarden.core.evidence.observations import ComputedLocally, Observation, ReportedByRegistry, SignedBy
from lockwarden.core.lockfile.model import LockedProvider
from lockwarden.core.review.changes import comparable
from lockwarden.core.review.evidence import Evidence
from lockwarden.core.review.locked_elsewhere import ONE_IS_RIGHT, LockedElsewhere, alarming
from lockwarden.core.review.sentences import Reason, Tone
from lockwarden.core.review.standards import NO_STANDARDS, Standards
from lockwarden.core.review.verdicts import Verdict, judge_locked, judge_unlocked
from lockwarden.core.values.hashes import H1, ZH, Hash
from lockwarden.core.values.platforms import Platform, by_popularity
from lockwarden.core.values.signature_schemes import Signer

NOT_A_PACKAGE = "not a package"
UNKNOWN_PLATFORM = "unknown"
_WAITING = Reason(tone=Tone.OPEN, text="the audit of this provider has not ended yet")


class Moved(StrEnum):
    """How a hash moved against the state that the lock file is reviewed against."""

    ADDED = "added"
    REMOVED = "removed"


class HashRow(Struct, frozen=True, kw_only=True):
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
    beyond_the_client: bool = False
    """It is new by a signature that no client reads, and that a rule of the policy lets count."""
    moved: Moved | None = None
    """None when it did not move, or when there is nothing to compare with."""
    approval: Approval | None = None
    """The record that accepts the hash today, whatever its verdict."""

    @property
    def objects(self) -> bool:
        """Whether the row speaks against committing; a record accepts an unexplained hash, never a disowned one."""
        return self.verdict is Verdict.DISOWNED or (self.verdict is Verdict.UNEXPLAINED and self.approval is None)


def first_lines(entry: LockedProvider) -> dict[Hash, int]:
    """The locked hashes in their order, each with the first line that it stands in."""
    locked: dict[Hash, int] = {}
    for each in entry.hashes:
        locked.setdefault(each.hash, each.line)
    return locked


def rows_of(
    locked: Mapping[Hash, int],
    evidence: Evidence,
    recorded: Mapping[Hash, str],
    removed: Iterable[Hash] = (),
) -> tuple[HashRow, ...]:
    """All rows of one provider, in the order in which they are shown.

    `locked` gives the line of each locked hash, `recorded` the reason for each that a client would record; `removed`
    are hashes that were locked once and have rows, too.
    """
    seen = dict.fromkeys((*locked, *sorted(removed), *evidence.audit.observations))
    return in_order(_row(hash_, locked.get(hash_), evidence, recorded.get(hash_, "")) for hash_ in seen)


def in_order(rows: Iterable[HashRow]) -> tuple[HashRow, ...]:
    """The rows of one provider as they are shown."""
    found = list(rows)
    held = frozenset(row.package for row in found if row.locked)
    return tuple(sorted(found, key=lambda row: _order(row, held)))


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


def held_against(
    rows: Iterable[HashRow],
    entry: LockedProvider,
    standards: Standards = NO_STANDARDS,
    foreign: Mapping[Hash, LockedElsewhere] = MappingProxyType({}),
) -> tuple[HashRow, ...]:
    """The rows with how each moved, who has approved it, and which other version it is of; told among the reasons."""
    added, removed = standards.added(entry), standards.removed(entry)
    told = (_of_another_version(row, foreign) if row.hash in foreign else row for row in rows)
    return tuple(_held_against(row, entry, standards, added, removed) for row in told)


def _of_another_version(row: HashRow, foreign: Mapping[Hash, LockedElsewhere]) -> HashRow:
    """A row of a hash that is known for another version, with what that means in place of the advice."""
    way = foreign[row.hash]
    alarmed = alarming(foreign)
    if not alarmed or (row.hash not in alarmed and not way.undecided):
        text = f"also of {way.version}, {way.how}: it may be of a file that both releases have"
        return replace(row, reasons=(*row.reasons, Reason(tone=Tone.NOTE, text=text)))
    place = f"{way.version}, {way.how}"
    text = f"also of {place}: {ONE_IS_RIGHT}" if way.undecided else f"belongs to {place}"
    belongs = Reason(tone=Tone.AGAINST, text=text)
    advice = Reason(tone=Tone.ADVICE, text=way.remedy)
    kept = tuple(each for each in row.reasons if each.tone is not Tone.ADVICE)
    return replace(row, reasons=(belongs, *kept, advice))


def _held_against(
    row: HashRow, entry: LockedProvider, standards: Standards, added: frozenset[Hash], removed: frozenset[Hash]
) -> HashRow:
    reasons = row.reasons
    moved = Moved.ADDED if row.hash in added else Moved.REMOVED if row.hash in removed else None
    approval = standards.approval(entry, row.hash, row.platforms) if row.locked else None
    expired = standards.expired_approval(entry, row.hash, row.platforms) if row.locked else None
    if approval is not None and row.verdict is Verdict.DISOWNED:
        text = f"the approval of {approval.by} does not count: what the origin disowns is never accepted"
        reasons = (*reasons, Reason(tone=Tone.NOTE, text=text, evidence=(str(approval),)))
    elif approval is not None:
        text = f"approved by {approval.by} on {approval.at:%Y-%m-%d}, until {approval.ends}: {approval.reason}"
        advised = (each for each in reasons if each.tone is not Tone.ADVICE)
        reasons = (Reason(tone=Tone.FOR, text=text, evidence=(str(approval),)), *_signed(approval), *advised)
    elif expired is not None:
        over = f"held until {expired.ends} and no longer counts"
        if expired.is_to_come(standards.today):
            over = f"claims to be made on {expired.at:%Y-%m-%d}, which is still to come, and does not count"
        text = f"the approval of {expired.by} {over}"
        reasons = (*reasons, Reason(tone=Tone.NOTE, text=text, evidence=(str(expired),)))
    elif (proposed := standards.proposed_approval(entry, row.hash, row.platforms)) is not None and row.locked:
        text = f"the approval of {proposed.by} comes with this change and does not count before the base has it"
        reasons = (*reasons, Reason(tone=Tone.NOTE, text=text, evidence=(str(proposed),)))
    if moved is not None:
        text = f"{moved} in this change: {_where_it_was(row.hash, entry, standards, moved)}"
        reasons = (*reasons, Reason(tone=Tone.NOTE, text=text))
    disposition = _with_signer(row.disposition, approval)
    return replace(row, reasons=reasons, moved=moved, approval=approval, disposition=disposition)


def _where_it_was(hash_: Hash, entry: LockedProvider, standards: Standards, moved: Moved) -> str:
    """How the sides had a hash that came or went; also under the registry that the provider moved from."""
    moves = ((side.name, side.moved.get(entry.address)) for side in standards.sides)
    places = [f"at {name} it was locked for {old.address}" for name, old in moves if old and hash_ in old.hash_set]
    if moved is Moved.ADDED and places:
        return " and ".join(dict.fromkeys(places))
    sides = " and ".join(dict.fromkeys(side.name for side in comparable(standards.sides)))
    return f"it {'is not locked' if moved is Moved.ADDED else 'was locked'} at {sides}"


def _with_signer(disposition: HashDisposition, approval: Approval | None) -> HashDisposition:
    """Approvals are signed documents as well: who signed one is among the hash's signers, and vouches for nothing."""
    signature = None if approval is None else approval.signature
    if signature is None:
        return disposition
    signer = Signer(scheme=signature.scheme, fingerprint=signature.signer)
    return replace(disposition, signed_otherwise_by=disposition.signed_otherwise_by | {signer})


def _signed(approval: Approval) -> Iterator[Reason]:
    """Whose key has signed the record, whoever its author says they are."""
    found = approval.signature
    if found is not None:
        text = f"the approval is signed by {found.who}, {found.scheme}, serial {found.serial}"
        yield Reason(tone=Tone.FOR, text=text, evidence=found.rules)


def _row(hash_: Hash, line: int | None, evidence: Evidence, recorded: str) -> HashRow:
    locked = line is not None
    judgement = judge_locked(hash_, evidence) if locked else judge_unlocked(hash_, evidence, recorded=recorded)
    observations = evidence.observations(hash_)
    platforms = evidence.platforms_of(hash_)
    return HashRow(
        hash=hash_,
        locked=locked,
        line=line,
        verdict=judgement.verdict,
        reasons=judgement.reasons,
        disposition=_disposition(hash_, evidence),
        observations=observations,
        platforms=platforms,
        label=_label(platforms, observations),
        package=_package(hash_, observations),
        computed=any(isinstance(observation, ComputedLocally) for observation in observations),
        beyond_the_client=judgement.beyond_the_client,
    )


def _disposition(hash_: Hash, evidence: Evidence) -> HashDisposition:
    """What the sources said, of the mirrors whom the policy trusts, and the signers beside GPG's whom it names."""
    before, judged = (each.dispositions.get(hash_, NOTHING) for each in (evidence.before_policy, evidence.audit))
    return replace(
        before,
        reported_by_trusted_mirror=judged.reported_by_trusted_mirror,
        signed_otherwise_by=judged.signed_otherwise_by,
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
