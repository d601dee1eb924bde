"""What other signatures than GPG's mean as problems. They are loud only where a rule names a signer.

Anybody who may push can lay something beside a document. So what is worth nothing weighs nothing once somebody whom the
policy names has signed the same document; and without a rule for the provider it is told as a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from lockwarden.core.evidence.seen_signatures import SeenSignature
from lockwarden.core.evidence.signature_words import signature_in_words
from lockwarden.core.evidence.source_answers import Audit, Problem, SourceAnswer
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.signature_schemes import EvidenceState

_CODES: Final[Mapping[EvidenceState, tuple[ProblemCode, Severity]]] = {
    EvidenceState.NO_KNOWN_KEY: (ProblemCode.OTHER_SIGNATURE_UNKNOWN, Severity.NOTE),
    EvidenceState.IDENTITY_MISMATCH: (ProblemCode.OTHER_SIGNATURE_IDENTITY, Severity.NOTE),
    EvidenceState.BAD: (ProblemCode.OTHER_SIGNATURE_BAD, Severity.ERROR),
    EvidenceState.MALFORMED: (ProblemCode.OTHER_SIGNATURE_MALFORMED, Severity.ERROR),
    EvidenceState.SOMETHING_ELSE: (ProblemCode.OTHER_SIGNATURE_OF_SOMETHING_ELSE, Severity.ERROR),
    EvidenceState.KEY_EXPIRED: (ProblemCode.OTHER_SIGNATURE_KEY_NOT_VALID, Severity.ERROR),
    EvidenceState.KEY_NOT_YET_VALID: (ProblemCode.OTHER_SIGNATURE_KEY_NOT_VALID, Severity.ERROR),
    EvidenceState.KEY_REVOKED: (ProblemCode.OTHER_SIGNATURE_KEY_NOT_VALID, Severity.ERROR),
    EvidenceState.CERTIFICATE_NOT_VALID: (ProblemCode.OTHER_SIGNATURE_CERTIFICATE, Severity.ERROR),
    EvidenceState.UNSUPPORTED: (ProblemCode.OTHER_SIGNATURE_UNSUPPORTED, Severity.WARNING),
    EvidenceState.LOG_PROOF_MISSING: (ProblemCode.OTHER_SIGNATURE_LOG, Severity.WARNING),
    EvidenceState.LOG_UNKNOWN: (ProblemCode.OTHER_SIGNATURE_LOG, Severity.WARNING),
}
_HINTS: Final[Mapping[ProblemCode, str]] = {
    ProblemCode.OTHER_SIGNATURE_UNKNOWN: "only a key that the policy names counts; get it from its owner, by another"
    " way than the registry",
    ProblemCode.OTHER_SIGNATURE_UNSUPPORTED: "ask whoever signs for a signature that can be checked here",
    ProblemCode.OTHER_SIGNATURE_IDENTITY: "compare the identity with the one that the policy names, letter by letter",
    ProblemCode.OTHER_SIGNATURE_LOG: "ask whoever signs for the log's proof, or take a newer trusted root",
}
_ASK: Final = "ask whoever signs these packages, by another way than the registry"


def signature_problems(audit: Audit, *, ruled: bool) -> Iterator[Problem]:
    """The problems of an audit as the policy has it; `ruled` says whether a rule names signers for the provider."""
    for answer in audit.source_answers:
        signed = {each.document.digest for each in answer.other_signatures if each.counts}
        for each in answer.other_signatures:
            yield from _of_signature(answer, each, ruled=ruled and each.document.digest not in signed)
        for gap in answer.signature_gaps:
            yield Problem(
                code=ProblemCode.SIGNATURES_UNASKED,
                severity=Severity.WARNING if ruled and not signed else Severity.NOTE,
                message=f"whether {answer.source.id} has other signatures is not fully known: {gap}",
                hint="ask again when the registry answers; nothing is unsigned because nobody could look",
                source=answer.source.id,
            )


def _of_signature(answer: SourceAnswer, seen: SeenSignature, *, ruled: bool) -> Iterator[Problem]:
    if seen.state is EvidenceState.GOOD:
        return
    code, severity = _CODES[seen.state]
    yield Problem(
        code=code,
        severity=severity if ruled else Severity.NOTE,
        message=f"{answer.source.id}: {signature_in_words(seen)}",
        hint=_HINTS.get(code, _ASK),
        source=answer.source.id,
    )
