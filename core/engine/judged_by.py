"""Puts together what counts for a lock file with a base, and what its change proposes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import APPROVALS_FILE, Approvals
from lockwarden.core.engine.approvals_of_a_change import approvals_at_base
from lockwarden.core.engine.base_grounds import Ground
from lockwarden.core.engine.base_standards import BaseFile, Readings, governing, named_at
from lockwarden.core.engine.policy_files import named_from, not_there
from lockwarden.core.engine.standards_on_disk import StandardsOnDisk
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.git.places import way_of
from lockwarden.core.lockfile.model import LockFile
from lockwarden.core.policy.model import NO_POLICY, POLICY_FILE_NAME, Policy, together
from lockwarden.core.review.standards import StandardFile, Standards
from lockwarden.core.values.errors import InputError, PolicyError
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity


class _Policies(Struct, frozen=True, kw_only=True):
    """The policies that count, and whether the one on disk is another."""

    policy: Policy
    files: tuple[StandardFile, ...]
    differs: bool
    unreadable: tuple[InputError, ...] = ()
    """Why others of the base do not count."""


def judged_by(
    grounds: Sequence[Ground],
    lock_file: LockFile,
    disk: StandardsOnDisk,
    readings: Readings,
    *,
    named: tuple[str, str] | None,
    directory: Path,
    now: datetime,
) -> Standards:
    """Everything but the sides and the day: policies and approvals of the base, and what is proposed beside them.

    What of the base cannot be read counts for nothing, and lets nothing of the change count. The answer stays open: a
    change that repairs it can be reviewed, and never ends well. `now` is the time at which keys hold or have expired.
    Raises InputError when nobody can tell what there is.
    """
    policies = _policies(grounds, lock_file, disk, readings, named, directory)
    ground = grounds[0]
    _refuse_list_in_reach(disk, ground)
    approvals = approvals_at_base(ground, disk, policies.policy, readings, settled=not policies.unreadable, now=now)
    unreadable = (*policies.unreadable, *approvals.unreadable)
    proposed = None
    if policies.differs or approvals.proposed is not None:
        proposed = Standards(
            policy=disk.policy if policies.differs else policies.policy,
            approvals=approvals.counting if approvals.proposed is None else approvals.proposed,
        )
    return Standards(
        policy=policies.policy,
        approvals=approvals.counting,
        problems=(
            *disk.problems,
            *_not_judged_by(unreadable, ground),
            *_told(policies.differs, disk.policy.path, _before(policies), "policy", ground),
            *_told(
                approvals.proposed is not None,
                disk.approvals.path,
                approvals.before or (APPROVALS_FILE if approvals.unreadable else ""),
                "approvals",
                ground,
            ),
            *_taken(approvals.taken, disk.approvals, policies.policy),
            *approvals.problems,
        ),
        policy_files=(
            *policies.files,
            *(replace(each, proposed=True) for each in (disk.policy_files if policies.differs else ())),
        ),
        approval_files=approvals.files,
        policy_on_disk=disk.policy,
        approvals_on_disk=disk.approvals,
        proposed=proposed,
    )


def _refuse_list_in_reach(disk: StandardsOnDisk, ground: Ground) -> None:
    """A policy out of the change's reach must not be led by a list of signers that the change can write."""
    found, name = disk.found, disk.policy.allowed_signers.path
    if found is not None and disk.outside and name and way_of(found.path.parent / name, ground.repository.root).enters:
        raise InputError(
            f"{found.name} names the list of allowed signers {name}, which lies in the working tree under review",
            hint="keep the list outside of it, beside the policy",
        )


def _policies(
    grounds: Sequence[Ground],
    lock_file: LockFile,
    disk: StandardsOnDisk,
    readings: Readings,
    named: tuple[str, str] | None,
    directory: Path,
) -> _Policies:
    if disk.outside:
        return _Policies(policy=disk.policy, files=disk.policy_files, differs=False)
    at_its_place: frozenset[tuple[Path, bytes] | None]
    unreadable: list[InputError] = []
    if named is not None:
        files = named_at(grounds, named_from(directory, named[0]))
        if not files:
            raise not_there(*named, where=f" at {grounds[0].base}, which counts for what a change can reach")
        at_its_place = frozenset(file.place for file in files)
    else:
        found = governing(grounds, lock_file)
        files, at_its_place = found.files, found.at_its_place
        unreadable += found.unreadable
    read: list[tuple[BaseFile, Policy]] = []
    for file in files:
        try:
            read.append((file, readings.policy(file, on_disk=disk.policy_place)))
        except PolicyError as error:
            unreadable.append(error)
    known = {*at_its_place, *(file.place for file in files)}
    return _Policies(
        policy=together(policy for _, policy in read) if read else NO_POLICY,
        files=tuple(file.told() for file, _ in read),
        differs=disk.policy_place not in known,
        unreadable=tuple(unreadable),
    )


def _not_judged_by(unreadable: Iterable[InputError], ground: Ground) -> Iterator[Problem]:
    for each in unreadable:
        yield Problem(
            code=ProblemCode.BASE_STANDARDS_UNREADABLE,
            severity=Severity.WARNING,
            message=f"nothing is judged by what {ground.base} has here, and what it asks for is not known: {each}",
            hint="repair it in a change of its own, which can end with nothing better than this; whoever may merge it"
            " without a green check looks at it as at a first policy, and every other branch then takes it in",
        )


def _before(policies: _Policies) -> str:
    """What the base's policy is called, be it one that cannot be read."""
    return policies.policy.path or (POLICY_FILE_NAME if policies.unreadable else "")


def _told(proposed: bool, now: str, before: str, what: str, ground: Ground) -> Iterator[Problem]:
    if not proposed:
        return
    if not now:
        verb, name = "removes", before
    else:
        verb, name = ("changes" if before else "adds"), now
    yield Problem(
        code=_PROPOSED[what],
        severity=Severity.NOTE,
        message=f"this change {verb} {_NAMES[what]} {name}; what counts here is what {ground.base} has",
        hint="it counts once the base has it",
    )


_NAMES = {"policy": "the policy", "approvals": "the approvals"}
_PROPOSED = {"policy": ProblemCode.POLICY_PROPOSED, "approvals": ProblemCode.APPROVALS_PROPOSED}


def _taken(taken: bool, own: Approvals, policy: Policy) -> Iterator[Problem]:
    if taken:
        yield Problem(
            code=ProblemCode.APPROVALS_CHANGED,
            severity=Severity.WARNING,
            message=f"{own.path or APPROVALS_FILE} changes with it, and {policy.path} lets that count",
            hint="read who approved what; a record counts for exactly the hashes that it names",
        )
