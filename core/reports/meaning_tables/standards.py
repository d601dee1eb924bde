"""What the policy, the approvals and the lock file on disk have to do with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

STANDARDS: Final[Mapping[ProblemCode, Meaning]] = {
    # The policy
    ProblemCode.KEY_CHANGED: Meaning(
        "signing key changed",
        "The release is signed, and not by a key that the policy names for the provider.",
        "Ask its maintainers whether they changed their key, by another way than the registry, and approve nothing"
        " before they answer.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PINNED_KEY_MISSING: Meaning(
        "pinned key missing",
        "The policy names the key that signs the provider, and nothing here is signed by it. A registry that drops"
        " its keys makes the clients skip the signature.",
        "Ask who runs the source why the signature is missing.",
        severity=Severity.ERROR,
    ),
    ProblemCode.NOT_SIGNED: Meaning(
        "no signature",
        "The policy requires signatures, and locked hashes are covered by none that counts.",
        "Ask the provider's maintainers to publish their signing key, or record an approval of the hashes.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SIGNATURE_REQUIRED: Meaning(
        "no signature of a scheme",
        "The policy requires signatures of a scheme, and locked hashes are covered by none of it that counts.",
        "See which signatures were found: lockwarden keys. Only a key or an identity that the policy names counts.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SCHEME_REQUIRED: Meaning(
        "missing scheme",
        "The policy requires a hash scheme of which the entry has no hash.",
        "“lockwarden lock” adds what the sources can vouch for.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PLATFORM_REQUIRED: Meaning(
        "missing platform",
        "The policy requires a platform of which no hash is locked, or which the release lacks.",
        "“lockwarden lock --platform” adds it; otherwise choose a version that has it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PLATFORM_UNCHECKED: Meaning(
        "platform not checked",
        "The policy requires a platform, and it is not known whether a hash of it is locked.",
        "Look at that platform, too, with --platform.",
    ),
    ProblemCode.HOST_NOT_ALLOWED: Meaning(
        "host not allowed",
        "The policy does not allow providers from this registry.",
        "Take the provider from a registry that the policy names, or change the policy.",
        severity=Severity.ERROR,
    ),
    ProblemCode.NAMESPACE_NOT_ALLOWED: Meaning(
        "namespace not allowed",
        "The policy does not allow providers of this namespace.",
        "Take the provider of a namespace that the policy names, or change the policy.",
        severity=Severity.ERROR,
    ),
    ProblemCode.POLICY_OF_ANOTHER_USER: Meaning(
        "policy of another user",
        "A policy lies above the lock file and belongs to another user, so that it does not count.",
        "Make the file your own, or name it with --policy.",
    ),
    ProblemCode.BASE_STANDARDS_UNREADABLE: Meaning(
        "standards unreadable at the base",
        "The base's own policy, or its approvals, cannot be read. Nothing is judged by them, so that the answer stays"
        " open.",
        "Repair them in a change of its own.",
    ),
    # What a change proposes
    ProblemCode.POLICY_PROPOSED: Meaning(
        "policy proposed",
        "The change brings another policy.",
        "What counts is the base's until the base has it.",
        severity=Severity.NOTE,
    ),
    ProblemCode.APPROVALS_PROPOSED: Meaning(
        "approvals proposed",
        "The change brings other approvals.",
        "What counts is the base's until the base has them.",
        severity=Severity.NOTE,
    ),
    ProblemCode.PROPOSED_STANDARDS: Meaning(
        "judged as proposed",
        "How the lock file would be judged if the base had what the change proposes.",
        "Nothing has to be done: it counts once the base has it.",
        severity=Severity.NOTE,
    ),
    ProblemCode.APPROVALS_CHANGED: Meaning(
        "approvals changed",
        "Recorded approvals change together with the lock file, and the base's policy lets them count.",
        "Read who approved what, and why.",
    ),
    # Signatures over approvals
    ProblemCode.APPROVALS_SIGNED: Meaning(
        "approvals signed",
        "The change brings approvals that are signed by a key that the base's policy names, and they count.",
        "Nothing has to be done: its author cannot make that signature.",
        severity=Severity.NOTE,
    ),
    ProblemCode.APPROVALS_SIGNATURE_BAD: Meaning(
        "bad signature over approvals",
        "The file of approvals is not the one that was signed.",
        "Find out who changed it; then sign it again: lockwarden approve-sign.",
        severity=Severity.ERROR,
    ),
    ProblemCode.APPROVALS_SIGNATURE_UNUSABLE: Meaning(
        "no usable signature over approvals",
        "What lies beside the approvals is broken, or a signature for something else, such as a Git commit.",
        "Sign them again: lockwarden approve-sign.",
        severity=Severity.ERROR,
    ),
    ProblemCode.APPROVALS_SIGNATURE_UNSUPPORTED: Meaning(
        "signature over approvals not checked",
        "The signature over the approvals is of a kind that is not verified here, such as by a certificate.",
        "Sign them with a key of another kind.",
    ),
    ProblemCode.APPROVALS_SIGNER_UNKNOWN: Meaning(
        "unknown signer of approvals",
        "The approvals are signed by a key that the policy does not name, so that the signature counts for nothing.",
        "Where it is the right one, name it in the policy, in a change of its own.",
        severity=Severity.NOTE,
    ),
    ProblemCode.APPROVALS_SIGNER_NOT_VALID: Meaning(
        "signer of approvals not valid now",
        "The approvals are signed by a key whose time is over or has not begun, or that was revoked.",
        "Have them signed by a key that is valid today.",
        severity=Severity.ERROR,
    ),
    ProblemCode.APPROVALS_REPLAYED: Meaning(
        "older approvals",
        "The approvals are signed, and their serial number is not higher than that of a file that the base had.",
        "Merge the base, and sign again.",
        severity=Severity.ERROR,
    ),
    ProblemCode.APPROVALS_AGE_UNKNOWN: Meaning(
        "approvals of unknown age",
        "The approvals are signed and count for nothing: the clone holds too little of the base's history to tell"
        " whether it had newer ones.",
        "Fetch the whole history: git fetch --unshallow.",
    ),
    ProblemCode.APPROVALS_NOT_SIGNED: Meaning(
        "approvals not signed",
        "The policy wants approvals to be signed, and records are not, so that they count for nothing.",
        "Sign them: lockwarden approve-sign.",
    ),
    ProblemCode.ALLOWED_SIGNERS_VOID: Meaning(
        "line of allowed signers not understood",
        "A line of the list of allowed signers lets nobody sign, because it is not understood or not taken here.",
        "Mend the line, or remove it.",
        severity=Severity.NOTE,
    ),
    # The lock file on disk
    ProblemCode.LOCK_FILE_NAME_ALIKE: Meaning(
        "name like a lock file's",
        "Disks that cannot tell some names apart, as on macOS and Windows, take it for the lock file of its folder.",
        "Remove it, or rename it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.LOCK_FILE_UNREADABLE: Meaning(
        "lock file not readable",
        "The lock file could not be read, and nothing was checked.",
        "See that it exists and that you may read it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.NOT_WRITTEN: Meaning(
        "lock file not written",
        "The lock file could not be written; the old one is whole.",
        "Remove what the message names, and run the command again.",
        severity=Severity.ERROR,
    ),
}
