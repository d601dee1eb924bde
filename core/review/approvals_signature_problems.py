"""What is told of a signature over approvals: each state in its own words, and as loud as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lockwarden.core.approvals.model import APPROVALS_FILE, Approvals
from lockwarden.core.evidence.source_answers import Problem
from lockwarden.core.policy.model import Policy
from lockwarden.core.review.document_verdicts import DocumentVerdict
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import EvidenceState

SIGN: Final = "lockwarden approve-sign"
_MOST_LINES: Final = 3
"""Void lines of a list that are told one by one."""


def signature_problems(verdict: DocumentVerdict, approvals: Approvals, policy: Policy) -> Iterator[Problem]:
    """Why the signature over approvals does not count, where it does not; and lines that might have let it count."""
    path = approvals.path or APPROVALS_FILE
    if verdict.replayed:
        yield Problem(
            code=ProblemCode.APPROVALS_REPLAYED,
            severity=Severity.ERROR,
            message=f"the signature over {path} counts for nothing: {verdict.replayed}",
            hint=f"take in what the base has, look at what remains, and sign again: {SIGN}",
        )
    elif verdict.age_unknown:
        yield Problem(
            code=ProblemCode.APPROVALS_AGE_UNKNOWN,
            severity=Severity.WARNING,
            message=f"the signature over {path} counts for nothing: {verdict.age_unknown}",
            hint="fetch the whole history: git fetch --unshallow; in CI, check out without a depth",
        )
    elif not verdict.counts:
        yield _not_good(verdict, path)
    if not verdict.counts:
        yield from _void_lines(policy)


def _not_good(verdict: DocumentVerdict, path: str) -> Problem:
    by = f" by {verdict.who}" if verdict.who else ""
    code, severity, what, hint = _told(verdict)
    return Problem(code=code, severity=severity, message=f"{what} {path}{by}: {verdict.detail}", hint=hint)


def _told(verdict: DocumentVerdict) -> tuple[ProblemCode, Severity, str, str]:
    match verdict.state:
        case EvidenceState.BAD:
            hint = f"whoever signs looks at what it says now, and signs again: {SIGN}"
            return ProblemCode.APPROVALS_SIGNATURE_BAD, Severity.ERROR, "bad signature over", hint
        case EvidenceState.UNSUPPORTED:
            code = ProblemCode.APPROVALS_SIGNATURE_UNSUPPORTED
            return (
                code,
                Severity.WARNING,
                "not checked is the signature over",
                "sign it with another kind of key",
            )
        case EvidenceState.NO_KNOWN_KEY:
            code = ProblemCode.APPROVALS_SIGNER_UNKNOWN
            hint = "where it is the right one, name it in the policy, in a change of its own"
            return code, Severity.NOTE, "nobody known has signed", hint
        case EvidenceState.KEY_REVOKED:
            code = ProblemCode.APPROVALS_SIGNER_NOT_VALID
            return code, Severity.ERROR, "a revoked key has signed", "have it signed by another key"
        case EvidenceState.KEY_EXPIRED | EvidenceState.KEY_NOT_YET_VALID:
            code = ProblemCode.APPROVALS_SIGNER_NOT_VALID
            return code, Severity.WARNING, "a key that is not valid now has signed", "have it signed by a valid key"
        case _:
            code = ProblemCode.APPROVALS_SIGNATURE_UNUSABLE
            return code, Severity.ERROR, "no usable signature is over", f"sign it again: {SIGN}"


def _void_lines(policy: Policy) -> Iterator[Problem]:
    for each in policy.each:
        void = each.allowed_signers.void
        if not void:
            continue
        told = "; ".join(f"line {line.line}: {line.why}" for line in void[:_MOST_LINES])
        more = f"; and {len(void) - _MOST_LINES} more" if len(void) > _MOST_LINES else ""
        yield Problem(
            code=ProblemCode.ALLOWED_SIGNERS_VOID,
            severity=Severity.NOTE,
            message=f"lines of {each.allowed_signers.path} let nobody sign: {told}{more}",
            hint="mend them, or remove them",
        )


def signed_note(verdict: DocumentVerdict, approvals: Approvals, base: str) -> Problem:
    """That approvals of the change count, because of whose key has signed them."""
    return Problem(
        code=ProblemCode.APPROVALS_SIGNED,
        severity=Severity.NOTE,
        message=f"approvals that come with this change count: {approvals.path} is signed by {verdict.who}, serial"
        f" {verdict.serial}, and the policy of {base} names that key",
        hint="read who approved what; a record counts for exactly the hashes that it names",
    )


def unsigned_warning(approvals: Approvals, ignored: int, policy: Policy) -> Problem:
    """That records count for nothing, because the policy wants them signed."""
    rule = next((each.path for each in policy.each if each.approvals_signed), policy.path)
    records = "1 record" if ignored == 1 else f"{ignored} records"
    return Problem(
        code=ProblemCode.APPROVALS_NOT_SIGNED,
        severity=Severity.WARNING,
        message=f"{records} in {approvals.path} count for nothing: {rule} wants them signed by a key that it names",
        hint=f"whoever may sign them does: {SIGN}",
    )
