"""What is odd about the metadata files of a registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

REGISTRY_METADATA: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.METADATA_UNREADABLE: Meaning(
        "metadata not read",
        "A metadata file is not JSON, or values of it have the wrong type, or a link or a folder that cannot be read is"
        " in its place, so that nothing of it was checked.",
        "Compare it with the file in the registry's repository.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_FORM: Meaning(
        "form of the metadata",
        "The bytes of the file, or the names and the order of its keys, are not what the registry's tools write.",
        "Find out what wrote it; the next tool that writes the whole file changes more than it means to.",
        otherwise="An error where an object has a name twice, or one in another case, so that the registry's tools read"
        " something else than was checked.",
    ),
    ProblemCode.METADATA_RULE: Meaning(
        "rule of the registry broken",
        "The file has what the registry's own checks refuse: no version, a version or a platform that is none, a URL"
        " that does not end with the file's name.",
        "Have the registry index the version anew.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_PATH: Meaning(
        "metadata of another provider",
        "Names in URLs are not those of the provider that the file's path is of.",
        "Find out whether the provider was moved, or its file is mistaken.",
    ),
    ProblemCode.METADATA_TWIN: Meaning(
        "path twice but for the case",
        "Two files differ in the case of their paths alone, and published paths are in lower case.",
        "Find out which of them is published, and remove the other.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_HASH: Meaning(
        "hash field cannot be right",
        "A digest, an h1 or a size is malformed, or an h1 and a size are not both there.",
        "Compute it again from the package.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_EMPTY: Meaning(
        "hash of nothing",
        "A hash is that of no content at all, as when a file that was missing was hashed.",
        "Compute it again from the package.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_UNFILLED: Meaning(
        "hashes not filled in",
        "Versions have no h1 and size for some or all of their packages, which OpenTofu from 1.12 on does not install.",
        "lockwarden registry backfill fills them in.",
    ),
    ProblemCode.METADATA_REPEATED: Meaning(
        "same hash for two platforms",
        "Two targets of one version have the same digest or the same h1, over which clients may crash.",
        "Find out which platform the package is for.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_ORDER: Meaning(
        "order of the metadata",
        "Versions or targets stand in another order than the registry writes them.",
        "Find out what wrote the file.",
    ),
    ProblemCode.METADATA_RELEASE: Meaning(
        "URLs of another release",
        "The URLs of a version lead to several folders, or to one that does not name the version.",
        "Look whether they are of the same release.",
    ),
    ProblemCode.METADATA_DISCOVERED: Meaning(
        "time of discovery",
        "The time at which a version was found is none, or lies ahead.",
        "Correct it, or leave it out.",
    ),
    ProblemCode.METADATA_CONTRADICTION: Meaning(
        "metadata files contradict each other",
        "The same URL has two digests, or the same digest has two h1 or two sizes, in two places.",
        "At most one is right: compute it again from the package.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_LISTED: Meaning(
        "listed version",
        "A version is given out although it is on the list of versions that must not be added.",
        "Find out why it was listed; that list alone removes nothing.",
        otherwise="A note where it is only still among those that failed.",
    ),
    ProblemCode.METADATA_KEY: Meaning(
        "signing key in the registry",
        "A key file cannot be used, so that the registry or the clients fail over it; or it matches no provider; or a"
        " link, or a folder that cannot be read, is in the place of keys.",
        "Have the provider's author submit the key anew, or remove the file.",
        severity=Severity.ERROR,
        otherwise="A warning for a key that is past its end or that matches no provider, a note where there is none.",
    ),
    ProblemCode.METADATA_SAMPLE_DIFFERS: Meaning(
        "sample differs",
        "A package was fetched and hashed again, and it is not what the metadata says.",
        "Find out what wrote the value, and do anew all that it wrote.",
        severity=Severity.ERROR,
    ),
    ProblemCode.METADATA_SAMPLE_OPEN: Meaning(
        "sample not checked",
        "Packages of the sample could not be had, or none could be drawn, so that it says less.",
        "Draw it again with the same seed when their servers answer.",
    ),
    ProblemCode.METADATA_SAMPLED: Meaning(
        "sample agrees",
        "So many packages were fetched and hashed again, and all of them are what the metadata says.",
        "A larger sample says more.",
        severity=Severity.NOTE,
    ),
}
