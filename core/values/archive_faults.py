"""Why bytes are no package that can be hashed, and which problem that is, by where they lay."""

from __future__ import annotations

from enum import StrEnum

from lockwarden.core.values.problem_codes import ProblemCode


class ArchiveFault(StrEnum):
    """What is wrong with an archive, a folder or an image. The values are kept in the package store."""

    BROKEN_LINK = "broken-link"
    BROKEN_TAR = "broken-tar"
    CHANGED = "changed"
    CLIMBING_NAME = "climbing-name"
    CONFLICTING_NAMES = "conflicting-names"
    CUT_OFF = "cut-off"
    DIGEST_MISMATCH = "digest-mismatch"
    DIRECTORY_COUNT = "directory-count"
    DIRECTORY_DAMAGED = "directory-damaged"
    DIRECTORY_MISPLACED = "directory-misplaced"
    EMPTY_ARCHIVE = "empty-archive"
    EMPTY_FILE = "empty-file"
    END_RECORD = "end-record"
    GONE = "gone"
    HTML = "html"
    LEAVING_LINK = "leaving-link"
    LINE_FEED_IN_NAME = "line-feed-in-name"
    LINK_TO_FOLDER = "link-to-folder"
    NO_SUBDIRECTORY = "no-subdirectory"
    NOT_A_FILE = "not-a-file"
    NOT_A_FOLDER = "not-a-folder"
    NOT_UNPACKED = "not-unpacked"
    NOT_ZIP = "not-zip"
    NUL_IN_NAME = "nul-in-name"
    RATIO = "ratio"
    SEVERAL_DISKS = "several-disks"
    SPECIAL_FILE = "special-file"
    STOPPED = "stopped"
    THROUGH_LINK = "through-link"
    TOO_LARGE = "too-large"
    TOO_LONG_NAME = "too-long-name"
    TOO_MANY_FILES = "too-many-files"
    TOO_MANY_LAYERS = "too-many-layers"
    TOO_MANY_MEMBERS = "too-many-members"
    UNNAMED_FILE = "unnamed-file"
    UNREADABLE = "unreadable"
    WRONG_DATA = "wrong-data"


def package_code(fault: ArchiveFault) -> ProblemCode:
    """The problem of a package in a folder: `package-` and the fault, for each that can be met there."""
    return _with_prefix("package", fault)


def image_code(fault: ArchiveFault) -> ProblemCode:
    """The problem of a container image: `image-` and the fault, for each that can be met there."""
    return _with_prefix("image", fault)


def _with_prefix(prefix: str, fault: ArchiveFault) -> ProblemCode:
    """Of a fault that is never met there, that the package could not be had, so that nothing ends an audit."""
    try:
        return ProblemCode(f"{prefix}-{fault}")
    except ValueError:
        return ProblemCode.PACKAGE_FAILED
