"""What is odd about an archive. A package is refused by the clients, or read differently by different readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

ARCHIVES: Final[Mapping[ProblemCode, Meaning]] = {
    ProblemCode.ARCHIVE_ABSOLUTE_NAME: Meaning(
        "absolute name",
        "A name in the archive is absolute.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_BACKSLASH_NAME: Meaning(
        "backslash in a name",
        "A name in the archive has a backslash, which some systems take as a separator.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_CASE_COLLISION: Meaning(
        "names that differ in case",
        "Two names in the archive differ only in case, so that one replaces the other on some systems.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_CHECKSUM: Meaning(
        "wrong checksum",
        "The checksum of a file in the archive is wrong.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_CLIMBING_NAME: Meaning(
        "climbing name",
        "A name in the archive climbs out of the folder.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_CONFLICTING_NAMES: Meaning(
        "conflicting names",
        "A name in the archive is a file and a folder.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_DUPLICATE_NAME: Meaning(
        "duplicate name",
        "Two entries of the archive have one name, so that readers may see different contents.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_EMPTY_ARCHIVE: Meaning(
        "empty archive",
        "The archive has no entries.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_ENCRYPTED: Meaning(
        "encrypted archive",
        "An entry of the archive is encrypted.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_FOLDER_WITH_CONTENT: Meaning(
        "folder with content",
        "An entry for a folder has content.",
        "Compare with the package of the origin registry, and ask who made this one.",
        otherwise="An error where no h1 can be claimed because of it.",
    ),
    ProblemCode.ARCHIVE_JUNK_PREFIX: Meaning(
        "bytes before the archive",
        "Other bytes stand before the archive.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_LINE_FEED_IN_NAME: Meaning(
        "line feed in a name",
        "A name in the archive has a line feed, which no h1 can list.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_LINK: Meaning(
        "link in the archive",
        "An entry is a symbolic link, which the clients unpack as a file with the text of the link.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_LOCAL_HEADER: Meaning(
        "headers that differ",
        "The header of an entry and the central directory contradict each other.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_MISSING_CHECKSUM: Meaning(
        "missing checksum",
        "An entry of the archive has no checksum.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_NUL_IN_NAME: Meaning(
        "NUL byte in a name",
        "A name in the archive has a NUL byte.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_OVERLAP: Meaning(
        "overlapping entries",
        "Entries of the archive overlap.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_RATIO: Meaning(
        "zip bomb",
        "The archive unpacks to many times its size, as only a zip bomb does.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_SEVERAL_END_RECORDS: Meaning(
        "several end records",
        "The archive has several end records, so that readers may see different contents.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_SEVERAL_EXECUTABLES: Meaning(
        "several programs",
        "More than one file of the archive could be the provider's program.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_SPECIAL_FILE: Meaning(
        "special file",
        "The archive holds what is neither a file nor a folder.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_SPECIAL_MODE: Meaning(
        "special mode",
        "A file in the archive has a special mode, such as setuid.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_TOO_LARGE: Meaning(
        "archive unpacks too large",
        "The archive unpacks to more than the limit.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_TOO_LONG_NAME: Meaning(
        "too long name",
        "A name in the archive is too long for a file name.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_TOO_MANY_MEMBERS: Meaning(
        "too many entries",
        "The archive has more entries than the limit.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_TRAILING_BYTES: Meaning(
        "bytes after the archive",
        "Other bytes stand after the archive.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_UNLISTED_BYTES: Meaning(
        "unlisted bytes",
        "Bytes between the entries belong to none of them.",
        "Compare with the package of the origin registry, and ask who made this one.",
        otherwise="An error where no h1 can be claimed because of it.",
    ),
    ProblemCode.ARCHIVE_UNKNOWN_METHOD: Meaning(
        "unknown compression",
        "An entry of the archive is compressed in a way that the clients do not know.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_UNNAMED_FILE: Meaning(
        "file without a name",
        "An entry of the archive has no name.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_UNREADABLE_MODE: Meaning(
        "file that nobody may read",
        "A file in the archive has a mode by which its owner may not read it.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_UNUSED_DATA: Meaning(
        "unused data",
        "The compressed data of an entry goes on after its end.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.ARCHIVE_WRONG_DATA: Meaning(
        "damaged data",
        "The compressed data of an entry is damaged.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ARCHIVE_WRONG_SIZE: Meaning(
        "wrong size",
        "An entry of the archive does not have the size that is listed.",
        "Compare with the package of the origin registry, and ask who made this one.",
        severity=Severity.ERROR,
    ),
}
