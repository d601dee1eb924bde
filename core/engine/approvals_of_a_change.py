"""Which approvals count for a change: those of the base, and of the change what it cannot have made itself.

An approval that comes with the change counts where the base's policy lets those of changes count, or where it is signed
by a key that the base's policy names. Its author can write any record, and not that signature.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from msgspec.structs import replace

from lockwarden.core.approvals.model import APPROVALS_FILE, SIGNATURE_FILES, Approval, Approvals
from lockwarden.core.approvals.read import read_approvals
from lockwarden.core.engine.base_grounds import Ground
from lockwarden.core.engine.base_standards import BaseApprovals, Readings, approvals_of, identity_of, signature_at
from lockwarden.core.engine.judged_approvals import JudgedApprovals, as_wanted, file_on_disk, judged
from lockwarden.core.engine.standards_on_disk import StandardsOnDisk
from lockwarden.core.git.model import Commit
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.approvals_signature_problems import signature_problems, signed_note
from lockwarden.core.values.errors import ApprovalsError, GitError
from lockwarden.core.values.line_ends import with_line_feeds
from lockwarden.core.values.signature_schemes import EvidenceState

_OF_A_KNOWN_KEY: Final = frozenset({EvidenceState.GOOD, EvidenceState.KEY_EXPIRED, EvidenceState.KEY_NOT_YET_VALID})
"""Good signatures by keys that the policy names, whatever it says of today. One that was revoked may be anybody's."""


def approvals_at_base(
    ground: Ground, disk: StandardsOnDisk, policy: Policy, readings: Readings, *, settled: bool, now: datetime
) -> JudgedApprovals:
    """The approvals for a change: `policy` is the base's, and `settled` says that all of its standards are known.

    Raises GitError when nobody can tell what a revision has.
    """
    base = approvals_of(ground, disk.approvals_place, readings)
    unreadable = tuple(each for each in base.unreadable if each is not None)
    settled = settled and not unreadable
    at_base, base_verdict = judged(base.counting, base.signatures[0], policy, now)
    counting, problems = as_wanted(at_base, policy)
    changed = _document(disk.approvals_place, disk.signature) not in {
        _document(None if file is None else file.place, signature)
        for file, signature in zip(base.files, base.signatures, strict=True)
    }
    tip = base.files[0]
    told = () if tip is None or base.unreadable[0] else (replace(tip.told(), signature=base_verdict),)
    before = base.counting.path
    if not changed:
        return JudgedApprovals(
            counting=counting, before=before, files=told, problems=tuple(problems), unreadable=unreadable
        )
    marked, verdict = judged(disk.approvals, disk.signature, policy, now)
    if verdict is not None and verdict.counts and settled:
        replayed, age_unknown = _replayed(ground, base, disk, policy, readings, now)
        verdict = replace(verdict, replayed=replayed, age_unknown=age_unknown)
    own, _ = as_wanted(marked, policy)
    open_to_change = settled and policy.lets_changes_approve
    signed = verdict is not None and verdict.counts and settled
    taken = own.records if open_to_change else tuple(each for each in own.records if signed and each.signature)
    with_change = _with_those_of_the_change(counting, own, taken, base.withdrawn)
    proposes = not open_to_change and not (signed and _says_all_of(with_change, counting, own))
    if verdict is not None:
        problems += signature_problems(verdict, disk.approvals, policy)
        if signed and len(with_change.records) > len(counting.records):
            problems.append(signed_note(verdict, disk.approvals, ground.base))
    on_disk = tuple(replace(each, proposed=proposes) for each in file_on_disk(disk, verdict))
    return JudgedApprovals(
        counting=with_change,
        proposed=own if proposes else None,
        taken=open_to_change,
        before=before,
        files=(*told, *on_disk),
        problems=tuple(problems),
        unreadable=unreadable,
    )


def _document(place: object, signature: bytes | None) -> tuple[object, bytes | None]:
    """A file of approvals with what lies beside it."""
    return (place, None if signature is None else with_line_feeds(signature))


def _with_those_of_the_change(
    counting: Approvals, own: Approvals, taken: tuple[Approval, ...], withdrawn: Approvals
) -> Approvals:
    """The base's approvals and some of those that the change brings; none that the base withdrew."""
    gone = {identity_of(each) for each in withdrawn.records}
    known = {(identity_of(each), each.signature is None) for each in counting.records}
    more = tuple(
        each
        for each in taken
        if identity_of(each) not in gone and (identity_of(each), each.signature is None) not in known
    )
    if not more:
        return counting
    return Approvals(path=own.path, data=own.data, records=(*counting.records, *more))


def _says_all_of(counted: Approvals, before: Approvals, own: Approvals) -> bool:
    """Whether everything that the change's file says counts already, and it takes nothing away."""
    there = {identity_of(each) for each in own.records}
    return (
        there <= {identity_of(each) for each in counted.records}
        and {identity_of(each) for each in before.records} <= there
    )


def _replayed(
    ground: Ground, base: BaseApprovals, disk: StandardsOnDisk, policy: Policy, readings: Readings, now: datetime
) -> tuple[str, str]:
    """Why a signed file of the change is older than one that the base had, and why that is not known; empty otherwise.

    Every file counts that the base's history had under a signature of a key that is still named, though its time may
    be over, by whichever parents: a fast-forward to somebody's merge makes their branch the first parents. The tip's
    own is no older one. Where the history ends early, what lies before the files that are there is older than they are.
    """
    tip = base.files[0]
    if tip is not None and tip.place == disk.approvals_place:
        return "", ""
    known = (ground.repository.root, ground.revisions, tuple(each.rules for each in policy.each))
    if known not in readings.serials:
        past, whole = ground.repository.past_of(ground.tip, (APPROVALS_FILE, *SIGNATURE_FILES))
        readings.serials[known] = max(_signed_serials(ground, past, policy, now), default=0), whole
    highest, whole = readings.serials[known]
    if not highest and not whole:
        return "", f"whether {ground.base} has had a newer file is not known, since its history is not all here"
    if disk.approvals.serial > highest:
        return "", ""
    return f"its serial number {disk.approvals.serial} is not higher than {highest}, which {ground.base} has had", ""


def _signed_serials(ground: Ground, past: Iterable[Commit], policy: Policy, now: datetime) -> Iterator[int]:
    for revision in {each.id: each for each in (*ground.revisions, *past)}.values():
        try:
            data = ground.repository.plain_file(revision, APPROVALS_FILE)
            approvals = None if data is None else read_approvals(data, path=APPROVALS_FILE)
        except (GitError, ApprovalsError):
            continue
        if approvals is not None and approvals.serial:
            _, verdict = judged(approvals, signature_at(ground, revision), policy, now)
            if verdict is not None and verdict.state in _OF_A_KNOWN_KEY:
                yield approvals.serial
