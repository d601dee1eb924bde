"""What is wrong with a signature of another scheme than GPG. Where no rule names a signer, each is a note."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_NOTE: Final = (
    "A note where no rule of the policy names a signer for the provider, or where one that it names has signed the same"
    " document."
)
_ASK: Final = "Ask whoever signs these packages, by another way than the registry."

OTHER_SIGNATURES: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.SIGNATURES_UNASKED: Meaning(
        "signatures not asked for",
        "A place where signatures can be could not be looked at, or listed something wrongly.",
        "Ask again when the registry answers. Nothing is unsigned because nobody could look.",
        severity=Severity.WARNING,
        otherwise=_NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_UNKNOWN: Meaning(
        "signed by a key that no policy names",
        "A signature was made by no key that the policy names, as far as can be told. It counts for nothing.",
        "Get the key from its owner, by another way than the registry, and name it in the policy.",
        severity=Severity.NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_BAD: Meaning(
        "bad signature beside GPG's",
        "A signature fails under the very key that it names: what it lies beside is not what that key signed.",
        "Do not use the release before that is explained.",
        severity=Severity.ERROR,
        otherwise=_NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_MALFORMED: Meaning(
        "malformed signature",
        "A signature, its bundle or what it signs is not written as its format says.",
        _ASK,
        severity=Severity.ERROR,
        otherwise=_NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_UNSUPPORTED: Meaning(
        "unsupported signature",
        "A signature is of a kind that is not checked here, so that nothing is known of it.",
        "Ask whoever signs for a signature that can be checked here, or install what the message names.",
        severity=Severity.WARNING,
        otherwise=_NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_OF_SOMETHING_ELSE: Meaning(
        "signature of something else",
        "A signature is right, and what it signs is another document, or no signature of one.",
        _ASK,
        severity=Severity.ERROR,
        otherwise=_NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_KEY_NOT_VALID: Meaning(
        "key not valid",
        "A signature is by a key whose time is over or has not come, or that was revoked.",
        "Ask for a signature by the current key, and name that in the policy.",
        severity=Severity.ERROR,
        otherwise=_NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_CERTIFICATE: Meaning(
        "certificate not valid at signing",
        "No proven time of the signature lies within the life of its certificate.",
        _ASK,
        severity=Severity.ERROR,
        otherwise=_NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_IDENTITY: Meaning(
        "another identity",
        "A signature is right, and by an identity that the policy does not name for the provider.",
        "Compare it with the one that the policy names, letter by letter.",
        severity=Severity.NOTE,
    ),
    ProblemCode.OTHER_SIGNATURE_LOG: Meaning(
        "no proof of a log",
        "A signature has no proof that a log of the trusted root holds it, so that its time is not proven either.",
        "Ask whoever signs for the proof, or take a newer trusted root.",
        severity=Severity.WARNING,
        otherwise=_NOTE,
    ),
}
