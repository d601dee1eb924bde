"""Which recorded approvals count for a lock file, and what else there is; for a change, see `approvals_of_a_change`."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from lockwarden.core.approvals.model import Approvals
from lockwarden.core.engine.standards_on_disk import StandardsOnDisk, sha256_of
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.review.standards import StandardFile
from lockwarden.core.values.errors import InputError


class JudgedApprovals(Struct, frozen=True, kw_only=True):
    """The approvals that count, and what else there is."""

    counting: Approvals
    proposed: Approvals | None = None
    """What would count if the base had what the change brings; None where that makes no difference."""
    taken: bool = False
    """The base's policy lets those of the change count, whoever wrote them."""
    before: str = ""
    """The base's file of approvals; empty where it has none."""
    files: tuple[StandardFile, ...] = ()
    problems: tuple[Problem, ...] = ()
    unreadable: tuple[InputError, ...] = ()
    """Why others of the base do not count."""


def approvals_on_disk(disk: StandardsOnDisk, now: datetime) -> JudgedApprovals:
    """The approvals on one's own machine: all count, unless the policy wants them signed."""
    marked, verdict = judged(disk.approvals, disk.signature, disk.policy, now)
    problems: list[Problem] = []
    if verdict is not None:
        from lockwarden.core.review.approvals_signature_problems import signature_problems

        problems += signature_problems(verdict, disk.approvals, disk.policy)
    counting, unsigned = as_wanted(marked, disk.policy)
    return JudgedApprovals(counting=counting, files=file_on_disk(disk, verdict), problems=(*problems, *unsigned))


def as_wanted(approvals: Approvals, policy: Policy) -> tuple[Approvals, list[Problem]]:
    """The records that count by themselves: where one of the policies wants them signed, those that are."""
    if not any(each.approvals_signed for each in policy.each):
        return approvals, []
    signed = tuple(each for each in approvals.records if each.signature is not None)
    ignored = len(approvals.records) - len(signed)
    problems: list[Problem] = []
    if ignored:
        from lockwarden.core.review.approvals_signature_problems import unsigned_warning

        problems.append(unsigned_warning(approvals, ignored, policy))
    return replace(approvals, records=signed), problems


def judged(
    approvals: Approvals, signature: bytes | None, policy: Policy, now: datetime
) -> tuple[Approvals, DocumentVerdict | None]:
    """As `judge_signature` judges them; what reads signatures is loaded where there is one."""
    if signature is None:
        return approvals, None
    from lockwarden.core.review.signed_approvals import judge_signature

    return judge_signature(approvals, signature, policy, now)


def file_on_disk(disk: StandardsOnDisk, verdict: DocumentVerdict | None) -> tuple[StandardFile, ...]:
    """The file of approvals on disk as it is told of; none where there is none."""
    found = disk.approvals
    if not found.path:
        return ()
    return (StandardFile(path=found.path, digest=sha256_of(found.data), signature=verdict),)
