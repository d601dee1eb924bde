"""What is odd about the answers of an origin registry, and about its lists of checksums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

REGISTRY: Final[Mapping[ProblemCode, Meaning]] = {
    # The registry's answers
    ProblemCode.ANSWER_FOR_OTHER_RELEASE: Meaning(
        "answer for another release",
        "Asked for one release, the registry answers with a file of another one.",
        "Nothing that the answer leads to counts; ask who runs the registry.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ANSWER_FOR_OTHER_PLATFORM: Meaning(
        "answer for another platform",
        "Asked for one platform, the registry answers with a package for another one.",
        "Nothing that the answer leads to counts; ask who runs the registry.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ANSWER_WITHOUT_DIGEST: Meaning(
        "answer without a digest",
        "The registry's answer has no SHA-256 digest of the package.",
        "The clients refuse it; ask who runs the registry.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ANSWER_MALFORMED: Meaning(
        "malformed answer",
        "The registry's answer is not what the protocol says.",
        "A proxy or a log-in page may answer in its place; otherwise ask who runs the registry.",
    ),
    ProblemCode.PROTOCOL_UNSUPPORTED: Meaning(
        "protocol not supported",
        "The clients cannot talk to this version of the provider.",
        "Choose a newer version of the provider.",
    ),
    ProblemCode.TOO_MANY_SIGNING_KEYS: Meaning(
        "too many signing keys",
        "The registry offers more signing keys than are looked at; only the first count.",
        "Ask who runs the registry.",
    ),
    ProblemCode.PACKAGES_INCOMPLETE: Meaning(
        "platform not among the “packages”",
        "The registry's “packages” lack the platform.",
        "OpenTofu refuses it; ask who runs the registry.",
    ),
    ProblemCode.PACKAGE_SIZE_INVALID: Meaning(
        "impossible package size",
        "The registry's “packages” give an impossible size for the package.",
        "OpenTofu refuses it; ask who runs the registry.",
    ),
    ProblemCode.PACKAGE_SIZE_DIFFERS: Meaning(
        "package size differs",
        "The package has another size than the registry's “packages” say.",
        "OpenTofu refuses it; ask who runs the registry to read the package anew.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PACKAGE_NOT_LISTED: Meaning(
        "package not listed",
        "The list of checksums has no hash for the package's file name.",
        "Nothing signed speaks of the package, and the clients refuse it; ask who runs the registry.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PACKAGE_LISTED_OTHERWISE: Meaning(
        "package listed under another name",
        "The registry calls the package by another file name than the list of checksums does.",
        "The clients refuse it; ask who runs the registry.",
    ),
    ProblemCode.SHASUM_CONTRADICTS_SUMS: Meaning(
        "answer contradicts SHA256SUMS",
        "The registry's answer promises another digest of the package than its list of checksums.",
        "Do not use the release before somebody has explained it: the registry may be stale, or somebody changed one"
        " of them.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PACKAGE_CONTRADICTS_SHASUM: Meaning(
        "package contradicts its digest",
        "The package has another digest than the registry promises.",
        "Do not use the package; a proxy may have answered, or somebody changed it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.REPORTED_HASHES_CONTRADICT_SUMS: Meaning(
        "reported hashes contradict SHA256SUMS",
        "The hashes that the registry reports are not those of its list of checksums.",
        "The registry may be stale, or somebody changed one of the two; compare with the author's release.",
        severity=Severity.ERROR,
    ),
    ProblemCode.REPORTED_HASHES_UNREADABLE: Meaning(
        "reported hashes not readable",
        "Hashes that the registry means to report cannot be read and are not used.",
        "Ask who runs the registry.",
    ),
    ProblemCode.REGISTRY_WARNING: Meaning(
        "registry warning",
        "The registry has a message for those who use the provider.",
        "Read it; it is the registry's own text.",
        severity=Severity.NOTE,
    ),
    ProblemCode.VERSIONS_INVALID: Meaning(
        "list of versions refused",
        "The clients refuse the registry's list of versions, so that they cannot install the provider.",
        "Ask who runs the registry to correct the list.",
    ),
    ProblemCode.VERSION_WITHDRAWN: Meaning(
        "version not listed",
        "The registry does not list the version that is locked.",
        "The release was withdrawn, or the lock file names another registry's; choose a listed version.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PROVIDER_UNKNOWN: Meaning(
        "provider unknown",
        "The source does not have the provider.",
        "Check the address; some registries hide what they have from those without credentials.",
    ),
    ProblemCode.PLATFORM_UNKNOWN: Meaning(
        "platform unknown",
        "The registry does not have the release for the platform.",
        "Leave the platform out, or choose another version.",
    ),
    ProblemCode.NO_PROVIDER_REGISTRY: Meaning(
        "no provider registry",
        "The host does not offer a provider registry.",
        "Check the host in the provider's address; a mirror's URL has to be given as a source of its own.",
    ),
    ProblemCode.REGISTRY_PROTOCOL_UNKNOWN: Meaning(
        "unknown registry protocol",
        "The host offers its provider registry only in another version of the protocol.",
        "A newer version of this program or another client may know it.",
    ),
    ProblemCode.HOST_BLOCK_UNUSABLE: Meaning(
        "unusable host block",
        "A host block in the CLI configuration names a service that cannot be used.",
        "Correct the block, or remove it so that the host itself is asked.",
    ),
    # Lists of checksums
    ProblemCode.SUMS_CONFLICT: Meaning(
        "two hashes for one file",
        "The list of checksums gives a file more than one hash, so that none of them counts.",
        "The clients take the first; ask who runs the registry which is right.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SUMS_OF_ANOTHER_RELEASE: Meaning(
        "list of another release",
        "The list of checksums names no package of this release, but packages of another one.",
        "Do not use the list; ask who runs the registry.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SUMS_OF_NO_RELEASE: Meaning(
        "list of no release",
        "The list of checksums does not say which release it is of.",
        "Ask the author to name packages terraform-provider-TYPE_VERSION_OS_ARCH.zip.",
    ),
    ProblemCode.SUMS_FOREIGN_FILES: Meaning(
        "files of other releases listed",
        "The list of checksums also lists files of other providers or versions.",
        "The clients record those hashes, too; ask the author why they stand there.",
    ),
    ProblemCode.SUMS_RELEASE_SPELLED_OTHERWISE: Meaning(
        "release spelled otherwise",
        "The list of checksums writes the release in another way.",
        "Nothing has to be done.",
        severity=Severity.NOTE,
    ),
    ProblemCode.SUMS_RELEASE_AMBIGUOUS: Meaning(
        "ambiguous release names",
        "The list of checksums names files as another version would.",
        "Forges write “.” for the “+” of a version; compare with the author's release.",
    ),
    ProblemCode.SUMS_BAD_LINE: Meaning(
        "unusable line in SHA256SUMS",
        "The list of checksums has lines that list nothing, for which the clients drop all of it.",
        "Ask the author to release it with a digest and a name a line.",
    ),
    ProblemCode.SUMS_BYTE_ORDER_MARK: Meaning(
        "byte order mark in SHA256SUMS",
        "The list of checksums starts with a byte order mark, for which the clients drop all of it.",
        "Ask the author to release it without one.",
    ),
    ProblemCode.SUMS_EMPTY_LINE: Meaning(
        "empty line in SHA256SUMS",
        "The list of checksums has an empty line, on which the clients crash.",
        "Ask the author to release the list without empty lines.",
    ),
    ProblemCode.SUMS_BINARY_MARKER: Meaning(
        "binary markers in SHA256SUMS",
        "The list of checksums marks file names with an asterisk, so that the clients find no such files.",
        "Ask the author to make the list without them (sha256sum without -b).",
    ),
    ProblemCode.SUMS_EXTRA_WORDS: Meaning(
        "extra words in SHA256SUMS",
        "Lines of the list of checksums have more than a digest and a name; the rest is ignored.",
        "Nothing has to be done.",
        severity=Severity.NOTE,
    ),
    ProblemCode.SUMS_UNSIGNED_BESIDE_SIGNED: Meaning(
        "unsigned list beside a signed one",
        "The registry also gives out an unsigned list of checksums, with hashes that the signed one does not have.",
        "They do not count here, and a client may take them; ask who runs the registry.",
        severity=Severity.ERROR,
    ),
    ProblemCode.SUMS_TOO_LARGE: Meaning(
        "list of checksums too large",
        "The list of checksums has more lines or bytes than the limit and was not used.",
        "Ask who runs the registry what this is.",
    ),
    ProblemCode.TOO_MANY_SIGNERS: Meaning(
        "too many signers",
        "Lines times keys of a list are more than the limit, so that some keys are not counted for its lines.",
        "The signature is shown with every key; ask who runs the registry.",
    ),
}
