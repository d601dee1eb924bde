"""What is odd about OCI registries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

OCI: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.OCI_WRONG_KIND: Meaning(
        "no provider package",
        "The tag leads to something else than a provider package.",
        "Look whether the repository template leads to the right repository; otherwise push it as OpenTofu expects it.",
    ),
    ProblemCode.OCI_INDEX_REFUSED: Meaning(
        "index refused",
        "The client refuses the index that the tag leads to.",
        "Whoever pushed it has to push it anew, as OpenTofu expects it.",
    ),
    ProblemCode.OCI_PACKAGE_REFUSED: Meaning(
        "package refused",
        "The client refuses the package that the index names.",
        "Whoever pushed it has to push it anew, as OpenTofu expects it.",
    ),
    ProblemCode.OCI_FOREIGN_URLS: Meaning(
        "content elsewhere",
        "The manifest names other places for its content, outside of the registry's control; nobody asks there.",
        "Ask who pushed it.",
    ),
    ProblemCode.OCI_REPOSITORY_ADDRESS: Meaning(
        "no repository for the provider",
        "The repository template cannot map the provider's address.",
        "Leave the provider out of this mirror: names with other letters cannot be mapped.",
    ),
    ProblemCode.OCI_TAG_MISSING: Meaning(
        "tag missing",
        "The client takes the tag for the version and does not find what it then asks for.",
        "Push the same content under the tag that the client asks for, or ask who runs the registry.",
    ),
    ProblemCode.OCI_TAGS_ALIKE: Meaning(
        "tags alike",
        "The repository has several tags for the version, of which the clients use one.",
        "Nothing says that they lead to the same; keep one.",
        severity=Severity.NOTE,
    ),
    ProblemCode.OCI_TAG_UNRESOLVED: Meaning(
        "tag not resolved",
        "The registry does not answer a request for the tag as the client needs it.",
        "The registry does not follow the distribution protocol; ask who runs it.",
    ),
    ProblemCode.OCI_TAG_GONE: Meaning(
        "tag gone",
        "The tag was taken away while it was audited.",
        "Audit again, and ask who moved it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.OCI_TAG_MOVED: Meaning(
        "tag moved",
        "The tag was moved while it was audited, so that a client would install something else.",
        "Audit again, and ask who moved it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.OCI_TAG_UNREAD: Meaning(
        "tag not read again",
        "Whether the tag still leads to what was audited could not be asked.",
        "Audit again.",
    ),
    ProblemCode.DIGEST_MISMATCH: Meaning(
        "digest does not match",
        "What the registry gave out does not have the digest that was asked for.",
        "Do not use this registry before somebody has found out who changed its answer.",
        severity=Severity.ERROR,
        otherwise="A warning where it is a document on the way to the package, so that nothing was had.",
    ),
    ProblemCode.DIGEST_UNSUPPORTED: Meaning(
        "digest not supported",
        "The registry names content by a digest that cannot be used.",
        "Ask who runs the registry.",
    ),
    ProblemCode.WRONG_SIZE: Meaning(
        "size does not match",
        "A manifest has another size than the registry says.",
        "The registry contradicts itself, or something on the way changed its answer; ask who runs it.",
    ),
    ProblemCode.LINK_ELSEWHERE: Meaning(
        "list goes on elsewhere",
        "A list of the registry goes on at another place; nothing was asked there.",
        "Tell whoever runs the registry.",
    ),
    ProblemCode.LINK_LOOP: Meaning(
        "list in a circle",
        "A list of the registry leads back to a page that was read.",
        "Tell whoever runs the registry.",
    ),
    ProblemCode.TOO_MANY_PAGES: Meaning(
        "too many pages",
        "A list of the registry has more pages than the limit.",
        "Tell whoever runs the registry.",
    ),
    ProblemCode.TOO_MANY_TAGS: Meaning(
        "too many tags",
        "The repository has more tags than the limit, and its list was not used.",
        "Ask who runs the registry to remove old ones.",
    ),
    ProblemCode.TOO_MANY_REPOSITORIES: Meaning(
        "too many repositories",
        "The registry names more repositories than the limit.",
        "Name the repository itself.",
    ),
}
