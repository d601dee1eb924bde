"""Verdicts, and what changed against the base."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

JUDGEMENT: Final[Mapping[ProblemCode, Meaning]] = {
    # Verdicts
    ProblemCode.DISOWNED: Meaning(
        "disowned hash",
        "The origin registry's own list, complete and signed, does not contain the locked hash.",
        "Drop it, unless you know where it came from: a client would accept the package that it stands for.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNEXPLAINED: Meaning(
        "unexplained hash",
        "Everyone who could vouch for the locked hash was asked and answered, and nobody did; or no package can have"
        " it, such as a zh hash in capitals.",
        "Drop it, or record an approval once you know where it came from.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNCHECKED: Meaning(
        "unchecked hash",
        "Whoever could vouch for the locked hash was not asked or did not answer, so that nothing is known of it.",
        "The reasons name the check that would settle it.",
    ),
    ProblemCode.INCOMPLETE: Meaning(
        "not everything checked",
        "A source or a package was not asked or did not answer, so that the verdicts say less than they could.",
        "Check again when it answers.",
    ),
    ProblemCode.APPROVED: Meaning(
        "approved hash",
        "A recorded approval accepts the hash while it holds.",
        "The record says who approved it, when and why.",
        severity=Severity.NOTE,
    ),
    ProblemCode.MORE_RESULTS: Meaning(
        "more results",
        "There is more than the report can hold; the JSON report has all of it.",
        "Read the JSON report before you conclude that there is nothing else.",
        severity=Severity.ERROR,
        otherwise="As loud as the loudest result that was left out.",
    ),
    # Changes against the base
    ProblemCode.CHANGE_HASHES_SWAPPED: Meaning(
        "hashes swapped",
        "At the same version, hashes of one scheme (h1 or zh) were replaced by others.",
        "A release keeps its packages, so find out who changed the hashes and why before you merge.",
        severity=Severity.ERROR,
        otherwise="A warning where all that came was locked for the version before, in the base's history.",
    ),
    ProblemCode.CHANGE_PROTECTION_REMOVED: Meaning(
        "protection removed",
        "The entry protects less than before: no usable hash is left, the last one of a scheme is gone, a platform is"
        " not covered any more, or a release that comes in has lost its signature.",
        "Ask why, and put back what went unless there is a reason.",
        severity=Severity.ERROR,
        otherwise="A warning where only platforms are lost, or where a new version is locked with the hashes of one"
        " scheme alone.",
    ),
    ProblemCode.CHANGE_VERSION_DOWN: Meaning(
        "version down",
        "A newer version was replaced by an older one.",
        "It may have faults that the newer one fixed; ask why.",
    ),
    ProblemCode.CHANGE_NEW_SIGNER: Meaning(
        "new signer",
        "The version that comes in is signed by another key than the one that was locked.",
        "Compare the fingerprints with what the provider's maintainers say.",
        otherwise="A note where the policy names keys for the provider.",
    ),
    ProblemCode.CHANGE_NEW_PROVIDER: Meaning(
        "new provider",
        "A provider is locked that the base did not lock.",
        "Check that the configuration needs the provider, and that its address is the one that was meant.",
        severity=Severity.NOTE,
    ),
    ProblemCode.CHANGE_NEAR_NAME: Meaning(
        "look-alike name",
        "A part of a new provider's address looks like a known one.",
        "Read it letter by letter: a package of somebody else may hide behind it.",
    ),
    ProblemCode.CHANGE_REGISTRY_MOVED: Meaning(
        "registry moved",
        "A provider of one default registry is locked from the other one now.",
        "Nothing of the old entry speaks for the new hashes.",
        severity=Severity.NOTE,
    ),
    ProblemCode.CHANGE_VERSION_UP: Meaning(
        "version up",
        "An older version was replaced by a newer one.",
        "Read what changed in the provider before you merge.",
        severity=Severity.NOTE,
    ),
    ProblemCode.CHANGE_PLATFORMS_ADDED: Meaning(
        "platforms added",
        "Confirmed hashes of further platforms came in.",
        "Nothing has to be done.",
        severity=Severity.NOTE,
    ),
    ProblemCode.CHANGE_HASHES_ADDED: Meaning(
        "hashes added",
        "Hashes were added at the same version.",
        "Read the verdict of each.",
        severity=Severity.NOTE,
    ),
    ProblemCode.CHANGE_HASHES_REMOVED: Meaning(
        "hashes removed",
        "Hashes were removed at the same version.",
        "Look whether a platform that you use is among them.",
        severity=Severity.NOTE,
    ),
    ProblemCode.CHANGE_CONSTRAINTS_CHANGED: Meaning(
        "constraints changed",
        "The configuration asks for other versions.",
        "Look whether the change of the configuration is meant.",
        severity=Severity.NOTE,
    ),
    # Entries and lock files that went
    ProblemCode.PROVIDER_REMOVED: Meaning(
        "provider removed",
        "The earlier state locks a provider that the lock file does not hold any more.",
        "Look whether the configuration still needs it.",
        severity=Severity.NOTE,
    ),
    ProblemCode.ENTRY_REMOVED: Meaning(
        "entry removed",
        "The lock file, or an entry of it, is gone while the configuration still requires the provider. A client"
        " locks whatever it is given for it.",
        "Put it back, or remove the requirement as well.",
        severity=Severity.ERROR,
    ),
    ProblemCode.REQUIREMENT_OPEN: Meaning(
        "requirement not known",
        "An entry is gone, and the configuration cannot be read far enough to know that nothing requires the provider;"
        " or a whole lock file is that could not be read.",
        "“tofu providers” or “terraform providers” tells what all modules require.",
    ),
    ProblemCode.LOCK_FILE_NEW: Meaning(
        "new lock file",
        "The earlier state has no such lock file, so that everything is new.",
        "Review the whole file.",
        severity=Severity.NOTE,
    ),
    ProblemCode.LOCK_FILE_RENAMED: Meaning(
        "renamed lock file",
        "The lock file had another path in the earlier state.",
        "Look whether the move is meant.",
        severity=Severity.NOTE,
    ),
    ProblemCode.LOCK_FILE_CLIENT_CHANGED: Meaning(
        "another client named",
        "The comment at the top of the lock file names another client than it did in the earlier state. The file is"
        " judged by the rules of the one that was named there, unless the operator names one.",
        "Where the other client installs from now on, check by its rules, too.",
    ),
    ProblemCode.LOCK_FILE_DISPLACED: Meaning(
        "lock file displaced",
        "A link or a submodule stands in the way of a lock file of the base, so that clients read another one, which"
        " is not in this repository and was not checked.",
        "Check submodules out, and put files in the place of links that lead out of the repository.",
        severity=Severity.ERROR,
    ),
    ProblemCode.LOCK_FILE_GONE: Meaning(
        "lock file gone",
        "The base has a lock file that git does not keep there any more.",
        "Look whether something still requires its providers.",
        severity=Severity.NOTE,
    ),
    ProblemCode.LOCK_FILE_NOT_LOOKED_AT: Meaning(
        "lock file not looked at",
        "A lock file that differs from the base is not on disk, such as in a sparse checkout, or was part of a"
        " submodule at the base. It could not be compared.",
        "Check it out, and check again; compare with a submodule by hand.",
    ),
    ProblemCode.BASE_UNREADABLE: Meaning(
        "unreadable at the base",
        "The lock file could not be read at the base, so that nothing was compared with it.",
        "Look at the whole file as if it were new, or choose a base at which it was sound.",
        otherwise="An error where git lacks the file and it is out of sight, so that it can be read nowhere.",
    ),
    ProblemCode.HASHES_OF_ANOTHER_VERSION: Meaning(
        "hashes of another version",
        "The version line and the hashes of an entry do not belong together.",
        "Make the entry anew, or go back.",
        severity=Severity.ERROR,
    ),
    # What is known across sources
    ProblemCode.OTHER_BYTES: Meaning(
        "other bytes",
        "A mirror gives out another package than the origin registry under the same version and platform.",
        "Ask who runs it, and approve its hash only when you know why.",
        severity=Severity.ERROR,
        otherwise="A warning where the operator trusts the mirror in the origin's place.",
    ),
    ProblemCode.REGISTRY_H1_DIFFERS: Meaning(
        "wrong h1 reported",
        "The registry reports an h1 that its own package does not have.",
        "Do not record it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MIRROR_LISTS_OTHER: Meaning(
        "trusted mirror lists other hashes",
        "A mirror that is trusted in the origin's place lists hashes that the origin registry does not have.",
        "Look at the package of that platform, and ask who runs the mirror why it differs.",
    ),
    ProblemCode.NOT_AT_ORIGIN: Meaning(
        "unknown at the origin",
        "The origin registry does not know the release.",
        "Check the address and the version; where they are right, ask who published the release.",
    ),
    ProblemCode.PLATFORM_MISSING: Meaning(
        "platform not in the release",
        "The origin registry has no package of the release for a platform that was asked for or that its own lists"
        " name.",
        "Leave the platform out, or choose another version.",
    ),
    ProblemCode.INTERNATIONAL_HOST: Meaning(
        "international host name",
        "The registry's host name has letters beyond ASCII.",
        "Read it letter by letter: letters of other alphabets can look like those that you expect.",
        severity=Severity.NOTE,
    ),
    ProblemCode.INTERNATIONAL_NAME: Meaning(
        "international name of a provider",
        "The namespace or the type of the provider has letters beyond ASCII.",
        "Read it letter by letter: letters of other alphabets can look like those that you expect.",
        severity=Severity.NOTE,
    ),
    ProblemCode.ACCEPTS_ANY_PACKAGE: Meaning(
        "no protection",
        "The entry has no hash of a scheme that the clients know, so that they accept any package.",
        "Add its hashes, or remove the entry when nothing needs the provider.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ENTRY_READ_AS_OPENTOFUS: Meaning(
        "entry that OpenTofu takes for its own",
        "The lock file has an entry of registry.terraform.io/hashicorp and none of the same provider for"
        " registry.opentofu.org: OpenTofu adds that one, with the version and without hashes.",
        "Add its hashes, as “lockwarden lock” does, before OpenTofu installs by the lock file; init then removes the"
        " entry that nothing requires.",
        severity=Severity.ERROR,
        otherwise="A warning of the entry that is there: the set of providers changes, so that init"
        " with -lockfile=readonly fails.",
    ),
    ProblemCode.REFUSES_EVERY_ARCHIVE: Meaning(
        "no package can match",
        "No hash of the entry can ever match, so that every client refuses every package.",
        "Put the right hashes in their place: “lockwarden lock” adds what the sources can vouch for.",
        severity=Severity.ERROR,
    ),
    ProblemCode.AUDIT_OUT_OF_TIME: Meaning(
        "audit out of time",
        "The audit of the release was ended at the limit of time, before everything was asked.",
        "Give it more time with --timeout, or look why a source is slow.",
    ),
    ProblemCode.EVIDENCE_UNSIGNED: Meaning(
        "evidence that nobody vouches for",
        "The evidence bundle is not signed by anybody whom the operator named, so of what it says only the signatures"
        " of keys that the policy pins count.",
        "Have its maker sign it and name their key with --evidence-signers, or pin the providers' keys in the policy.",
    ),
    ProblemCode.NOT_IN_EVIDENCE: Meaning(
        "not in the evidence",
        "The evidence bundle has no answer to the question, since it was not asked then or must not leave the machine.",
        "Make the evidence anew, with the same options as the check.",
    ),
    ProblemCode.NO_SOURCE: Meaning(
        "no source",
        "No installation method of the CLI configuration serves the provider, so that nothing was asked.",
        "“lockwarden config” with the address shows all methods; name a source, such as --source direct.",
    ),
    ProblemCode.DEV_OVERRIDE: Meaning(
        "development override",
        "The CLI configuration replaces the provider with a folder of this machine, so that clients here do not hold"
        " it against the lock file.",
        "Nothing has to be done; elsewhere the clients do.",
        severity=Severity.NOTE,
    ),
}
