"""What is wrong with a signature of an origin registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

SIGNATURES: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.SIGNING_SKIPPED: Meaning(
        "signature check skipped",
        "The registry offers no signing key, so that the client checks no signature and nobody vouches for the list.",
        "Compare with a registry that has the author's key, and set OPENTOFU_ENFORCE_GPG_VALIDATION=true to refuse.",
    ),
    ProblemCode.SIGNING_KEY_MISSING: Meaning(
        "signing key missing",
        "The registry offers no signing key for the provider, and the client refuses that.",
        "Ask who runs the registry to add the author's public key.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SIGNATURE_BAD: Meaning(
        "bad signature",
        "The signature was made over another document: the list was changed after it was signed, or is of another"
        " version. Or it asks for what nobody here knows, as the message says.",
        "Do not use the release before that is explained.",
        severity=Severity.ERROR,
        otherwise="A warning where another key's signature counts.",
    ),
    ProblemCode.SIGNING_KEY_REVOKED: Meaning(
        "signing key revoked",
        "The list is signed with a key that its holder revoked.",
        "Ask the author for a release that is signed with their current key.",
        severity=Severity.ERROR,
        otherwise="A warning where another key's signature counts.",
    ),
    ProblemCode.SIGNING_KEY_EXPIRED: Meaning(
        "signing key expired",
        "The key or the signature has expired since it signed.",
        "Ask the author to extend it, and who runs the registry to offer the key anew.",
        otherwise="An error where the settings refuse it and no other signature counts.",
    ),
    ProblemCode.SIGNED_OUTSIDE_VALIDITY: Meaning(
        "signed outside of validity",
        "The key or the signature was not valid when it signed.",
        "Ask the author to sign the list again with a valid key.",
        severity=Severity.ERROR,
        otherwise="A warning where another key's signature counts.",
    ),
    ProblemCode.SIGNATURE_UNDECODABLE: Meaning(
        "signature not decodable",
        "The signature cannot be decoded.",
        "It has to be a binary OpenPGP signature, detached from the document; ask the author.",
        severity=Severity.ERROR,
        otherwise="A warning where another key's signature counts.",
    ),
    ProblemCode.SIGNING_KEY_UNDECODABLE: Meaning(
        "signing key not decodable",
        "A signing key that the registry offers cannot be decoded.",
        "The clients give up at such a key when no earlier one fits; ask who runs the registry to replace it.",
        otherwise="An error where the client gives up.",
    ),
    ProblemCode.SIGNATURE_UNKNOWN_ISSUER: Meaning(
        "signed by an unknown key",
        "The list is signed by a key that the registry does not offer.",
        "The author may have changed keys, or somebody else made the release; ask the author for the fingerprint.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SIGNATURE_WEAK_DIGEST: Meaning(
        "weak signature",
        "A signature rests on a digest for which forgeries can be computed.",
        "Ask the provider's author to sign with SHA-256 or better.",
    ),
    ProblemCode.CLIENT_REFUSES_SIGNATURE: Meaning(
        "client refuses the signature",
        "The client refuses the release, though another offered key stands behind it.",
        "Ask who runs the registry to remove the key that is in the way.",
    ),
    ProblemCode.SIGNATURE_NOT_CHECKED: Meaning(
        "signature not checked",
        "The signature could not be checked on this machine, such as without gpg.",
        "Install gpg, or mend what the message names, and check again.",
    ),
    ProblemCode.GPG_TIME_SPENT: Meaning(
        "gpg out of time",
        "gpg has worked as long for the release as the limit allows; the rest of its keys and signatures was not"
        " checked.",
        "Ask who runs the registry why there are so many.",
    ),
}
