"""What is odd about network mirrors and folders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

MIRRORS: Final[Mapping[ProblemCode, Meaning]] = {
    # Network mirrors
    ProblemCode.MIRROR_HASH_MALFORMED: Meaning(
        "mirror lists no real hashes",
        "The mirror lists hashes without a scheme, which are none.",
        "The clients refuse these packages; whoever runs the mirror has to write h1:… or zh:….",
        severity=Severity.ERROR,
    ),
    ProblemCode.MIRROR_HASH_MISMATCH: Meaning(
        "mirror's hash does not match",
        "A hash that the mirror lists is not that of the package that it gives out.",
        "Do not approve this hash; ask who runs the mirror where it comes from.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MIRROR_HASH_OF_FOLDER: Meaning(
        "mirror lists the folder's h1",
        "The mirror lists the h1 of the unpacked folder, while the clients compare the archive's.",
        "Whoever runs the mirror should list the h1 of the archive.",
    ),
    ProblemCode.MIRROR_HASH_SCHEME: Meaning(
        "unknown scheme at the mirror",
        "The mirror lists a hash of a scheme that no client checks.",
        "Nothing has to be done.",
        severity=Severity.NOTE,
    ),
    ProblemCode.MIRROR_HASH_UNCHECKED: Meaning(
        "mirror's hash not compared",
        "A hash that the mirror lists could not be compared with its package.",
        "The reason stands in the message; check again when it is gone.",
    ),
    ProblemCode.MIRROR_HASHES_UNSUPPORTED: Meaning(
        "no hash of the mirror usable",
        "The mirror lists only hashes that no client can check.",
        "The clients refuse these packages; whoever runs the mirror has to write h1:… or zh:….",
    ),
    ProblemCode.MIRROR_OFFERS_NO_HASH: Meaning(
        "mirror offers no hash",
        "The mirror lists packages without any hash, and the clients install whatever it gives out.",
        "Compare with the origin registry.",
    ),
    ProblemCode.MIRROR_PLATFORM_MALFORMED: Meaning(
        "malformed platform at the mirror",
        "The mirror lists archives for names that are no platforms.",
        "No client ever asks for them; nothing has to be done.",
        severity=Severity.NOTE,
    ),
    ProblemCode.MIRROR_VERSION_MALFORMED: Meaning(
        "malformed version at the mirror",
        "The mirror lists versions that are not valid.",
        "The clients pass over them; nothing has to be done.",
        severity=Severity.NOTE,
    ),
    ProblemCode.MIRROR_HOST_UNUSABLE: Meaning(
        "unusable host of a mirror",
        "A network mirror is named by a host that no client can ask: they fail there, and it was not asked.",
        "Give the server a name of letters, digits and dashes, and write that name.",
    ),
    ProblemCode.MIRROR_CONTRADICTS_ITSELF: Meaning(
        "mirror contradicts itself",
        "The mirror lists the version in its index but does not have its list of archives.",
        "The mirror is incomplete, and the clients give up on it; ask who runs it.",
    ),
    ProblemCode.REGISTRY_INSTEAD_OF_MIRROR: Meaning(
        "registry in a mirror's place",
        "A provider registry answers at the URL that was given as a network mirror.",
        "Ask it as a registry: give the source direct, or a host block in the CLI configuration.",
    ),
    ProblemCode.HTML: Meaning(
        "web page instead of JSON",
        "A web page came where JSON was asked for.",
        "Look whether the URL is right; a proxy or a log-in page may answer in its place.",
    ),
    # Folders
    ProblemCode.TWIN_FOLDERS: Meaning(
        "twin folders",
        "Several folders stand for one provider: their names differ only in case or Unicode form.",
        "Keep one, or one day the other is taken.",
    ),
    ProblemCode.SEVERAL_COPIES: Meaning(
        "several copies",
        "The folder has more than one package of the platform: the clients use the first and never look at the others.",
        "Keep one of them; nothing says that they hold the same.",
    ),
    ProblemCode.ENTRIES_PASSED_OVER: Meaning(
        "entries passed over",
        "The clients pass over some of what lies in the folder.",
        "Rename or replace what should be found.",
        severity=Severity.NOTE,
    ),
    ProblemCode.FOLDER_UNREADABLE: Meaning(
        "folder not readable",
        "The folder cannot be searched.",
        "Check that it exists and that you may read it.",
    ),
    ProblemCode.FOLDER_TOO_LARGE: Meaning(
        "folder too large",
        "The search for the provider came across more names than the limit and was given up.",
        "Point at the folder that directly holds the registries' host names.",
    ),
}
