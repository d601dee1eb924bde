"""What the stable codes of reports mean, for people: a short name, and what the finding is about.

A code is that of a problem, a verdict that is told, or something about the report itself. Codes that have no entry here
are explained by the message and the hint that come with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from lockwarden.core.policy.applied_policy import KEY_CHANGED
from lockwarden.core.review.absence_rules import DISPLACED, ENTRY_REMOVED, GONE, NOT_LOOKED_AT, REQUIREMENT_OPEN
from lockwarden.core.review.change_kinds import ChangeKind
from lockwarden.core.review.requirements import PLATFORM_OPEN
from lockwarden.core.review.standards import POLICY_OF_ANOTHER_USER, STANDARDS_UNREADABLE
from lockwarden.core.review.verdicts import Verdict

INCOMPLETE: Final = "incomplete"
"""A source or a package was not asked or did not answer."""
APPROVED: Final = "approved"
"""A recorded approval accepts a hash that nothing else speaks against."""
PROVIDER_REMOVED: Final = "provider-removed"
"""The base locks a provider that the lock file does not."""
MORE: Final = "more-results"
"""A report had to leave something out, and says how much."""


class Meaning(Struct, frozen=True):
    """A code in words."""

    name: str
    """A few words, in lower case, that read well before “in acme/widget 1.2.3”."""
    help: str
    """What it is about and what to do, whatever the case at hand."""


_GENERAL: Final = "The message says what was found, and the hint what to do about it."
_VERDICTS: Final[Mapping[str, Meaning]] = {
    Verdict.DISOWNED: Meaning(
        "disowned hash",
        "The origin registry's own list, complete and signed, does not contain the locked hash. Drop it, unless you"
        " know where it came from: a client would accept the package that it stands for.",
    ),
    Verdict.UNEXPLAINED: Meaning(
        "unexplained hash",
        "Everyone who could vouch for the locked hash was asked and answered, and nobody did. Drop it, or record an"
        " approval once you know where it came from.",
    ),
    Verdict.UNCHECKED: Meaning(
        "unchecked hash",
        "Whoever could vouch for the locked hash was not asked or did not answer, so that nothing is known of it. The"
        " reasons name the check that would settle it.",
    ),
    INCOMPLETE: Meaning(
        "not everything checked",
        "A source or a package was not asked or did not answer, so that the verdicts say less than they could. Check"
        " again when it answers.",
    ),
    APPROVED: Meaning(
        "approved hash",
        "A recorded approval accepts the hash while it holds. The record says who approved it, when and why.",
    ),
    PROVIDER_REMOVED: Meaning(
        "provider removed", "The earlier state locks a provider that the lock file does not hold any more."
    ),
    MORE: Meaning("more results", "There is more than the report can hold; the JSON report has all of it."),
}
_CHANGES: Final[Mapping[ChangeKind, Meaning]] = {
    ChangeKind.HASHES_SWAPPED: Meaning(
        "hashes swapped",
        "The version stays, and hashes of one scheme came for others. A release keeps its packages, so find out who"
        " changed the hashes and why before you merge.",
    ),
    ChangeKind.PROTECTION_REMOVED: Meaning(
        "protection removed",
        "The entry protects less than before: no usable hash is left, the last one of a scheme went, a platform is not"
        " covered any more, or a release that comes in has lost its signature.",
    ),
    ChangeKind.VERSION_DOWN: Meaning(
        "version down", "An older version comes for a newer one. It may have faults that the newer one mended; ask why."
    ),
    ChangeKind.NEW_SIGNER: Meaning(
        "new signer",
        "The version that comes in is signed by another key than the one that was locked. Compare the fingerprints with"
        " what the provider's maintainers say.",
    ),
    ChangeKind.NEW_PROVIDER: Meaning(
        "new provider",
        "Check that the configuration needs the provider, and that its address is the one that was meant.",
    ),
    ChangeKind.NEAR_NAME: Meaning(
        "look-alike name",
        "A part of a new provider's address looks like a known one. Read it letter by letter: a package of somebody"
        " else may hide behind it.",
    ),
    ChangeKind.REGISTRY_MOVED: Meaning(
        "registry moved",
        "A provider of one default registry is locked from the other one now. Nothing of the old entry speaks for the"
        " new hashes.",
    ),
    ChangeKind.UPGRADE: Meaning("version up", "A newer version comes for an older one."),
    ChangeKind.PLATFORMS_ADDED: Meaning("platforms added", "Confirmed hashes of further platforms came in."),
    ChangeKind.HASHES_ADDED: Meaning("hashes added", "Hashes came in while the version stayed."),
    ChangeKind.HASHES_REMOVED: Meaning("hashes removed", "Hashes went while the version stayed."),
    ChangeKind.CONSTRAINTS_CHANGED: Meaning("constraints changed", "The configuration asks for other versions."),
}
_ENTRIES: Final[Mapping[str, Meaning]] = {
    KEY_CHANGED: Meaning(
        "signing key changed",
        "The release is signed, and not by a key that the policy names for the provider. Ask its maintainers whether"
        " they changed their key, by another way than the registry, and approve nothing before they answer.",
    ),
    "pinned-key-missing": Meaning(
        "pinned key missing",
        "The policy names the key that signs the provider, and nothing here is signed by it. A registry that drops its"
        " keys makes the clients skip the signature.",
    ),
    "not-signed": Meaning(
        "no signature", "The policy requires signatures, and locked hashes are covered by none that counts."
    ),
    "scheme-required": Meaning("missing scheme", "The policy requires a hash scheme of which the entry has no hash."),
    "platform-required": Meaning(
        "missing platform", "The policy requires a platform of which no hash is locked, or which the release lacks."
    ),
    "host-not-allowed": Meaning("host not allowed", "The policy does not allow providers from this registry."),
    "namespace-not-allowed": Meaning("namespace not allowed", "The policy does not allow providers of this namespace."),
    "accepts-any-package": Meaning(
        "no protection",
        "The entry has no hash of a scheme that the clients know, so that they accept any package. Add its hashes, or"
        " remove the entry when nothing needs the provider.",
    ),
    PLATFORM_OPEN: Meaning(
        "platform not checked", "The policy requires a platform, and it is not known whether a hash of it is locked."
    ),
    "policy-proposed": Meaning(
        "policy proposed", "The change brings another policy. What counts is the base's until the base has it."
    ),
    "approvals-proposed": Meaning(
        "approvals proposed", "The change brings other approvals. What counts is the base's until the base has them."
    ),
    "proposed-standards": Meaning(
        "judged as proposed", "How the lock file would be judged if the base had what the change proposes."
    ),
    STANDARDS_UNREADABLE: Meaning(
        "unreadable at the base",
        "The base's own policy, or its approvals, cannot be read. Nothing is judged by them, so that the answer stays"
        " open. Repair them in a change of its own.",
    ),
    POLICY_OF_ANOTHER_USER: Meaning(
        "policy of another user",
        "A policy lies above the lock file and belongs to another user, so that it does not count. Take it over, or"
        " name it, so that it is known by what the lock file is to be judged.",
    ),
    "approvals-changed": Meaning(
        "approvals changed",
        "Recorded approvals change together with the lock file, and the base's policy lets them count. Read who"
        " approved what, and why.",
    ),
    "lock-file-new": Meaning("new lock file", "The earlier state has no such lock file, so that everything is new."),
    ENTRY_REMOVED: Meaning(
        "protection removed",
        "The lock file, or an entry of it, is gone while the configuration still requires the provider. A client locks"
        " whatever it is given for it. Put it back, or remove the requirement as well.",
    ),
    REQUIREMENT_OPEN: Meaning(
        "requirement not known",
        "An entry is gone, and the configuration cannot be read far enough to know that nothing requires the provider."
        " “tofu providers” or “terraform providers” tells what all modules require.",
    ),
    DISPLACED: Meaning(
        "lock file displaced",
        "A link or a submodule stands in the way of a lock file of the base, so that clients read another one, which is"
        " not in this repository and was not checked.",
    ),
    GONE: Meaning("lock file gone", "The base has a lock file that git does not keep there any more."),
    NOT_LOOKED_AT: Meaning(
        "lock file not looked at",
        "A lock file that differs from the base is not on disk, such as in a sparse checkout, or was part of a"
        " submodule at the base. It could not be compared.",
    ),
    "lock-file-renamed": Meaning("renamed lock file", "The lock file had another path in the earlier state."),
    "other-bytes": Meaning(
        "other bytes",
        "A mirror gives out another package than the origin registry under the same version and platform. Ask who runs"
        " it, and approve its hash only when you know why.",
    ),
    "registry-h1-differs": Meaning(
        "wrong h1 reported", "The registry reports an h1 that its own package does not have. Do not record it."
    ),
    "hashes-of-another-version": Meaning(
        "hashes of another version",
        "The version line and the hashes of an entry do not belong together. Make the entry anew, or go back.",
    ),
    "base-unreadable": Meaning(
        "unreadable at the base",
        "The lock file could not be read at the base, so that nothing was compared with it.",
    ),
    "not-at-origin": Meaning("unknown at the origin", "The origin registry does not know the release."),
    "lock-file-unreadable": Meaning(
        "lock file not readable", "The lock file could not be read, and nothing was checked."
    ),
}
_KNOWN: Final[Mapping[str, Meaning]] = {
    **_VERDICTS,
    **{kind.code: meaning for kind, meaning in _CHANGES.items()},
    **_ENTRIES,
}


def meaning_of(code: str) -> Meaning:
    """The meaning of a code; of one that is not explained here, its own words."""
    return _KNOWN.get(code) or Meaning(code.replace("-", " "), _GENERAL)
