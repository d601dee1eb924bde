"""What is odd about the bytes of packages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

PACKAGES: Final[Mapping[ProblemCode, Meaning]] = {
    # Packages that could not be had
    ProblemCode.NO_EXECUTABLE: Meaning(
        "no program",
        "The package has no executable file of the provider's name, so that no client can start it.",
        "Compare with the package of the origin registry, and ask who made this one.",
    ),
    ProblemCode.TWO_H1: Meaning(
        "two h1",
        "The package has one h1 as an archive and another one as a folder, which is the one that the clients record.",
        "Nothing is wrong: the archive has entries for folders, or names written in an unusual way.",
        severity=Severity.NOTE,
    ),
    ProblemCode.PACKAGE_NOT_AN_ARCHIVE: Meaning(
        "package is no archive",
        "What the source gives out is no archive that can be hashed.",
        "Look at what is given out there; a proxy may answer in place of a server.",
        severity=Severity.ERROR,
    ),
    ProblemCode.PACKAGE_FAILED: Meaning(
        "package failed",
        "The package could not be had or hashed, for the reason that the message gives.",
        "Follow the hint, and check again.",
    ),
    ProblemCode.STORE_FAILED: Meaning(
        "package not stored",
        "The package cannot be stored on this machine.",
        "Make room in the package store, or do without a store.",
    ),
    ProblemCode.LONG_BODY: Meaning(
        "too many bytes",
        "The server sent more bytes of the package than it announced.",
        "A proxy may have changed it; try again.",
    ),
    ProblemCode.URL_MISSING: Meaning(
        "no URL of the package",
        "The source's answer names no URL for what has to be fetched.",
        "Ask who runs the source to correct its answer.",
    ),
    # Packages in folders
    ProblemCode.PACKAGE_BROKEN_LINK: Meaning(
        "broken link in a folder",
        "The package holds a link that leads nowhere.",
        "Replace the link by the file itself.",
    ),
    ProblemCode.PACKAGE_CHANGED: Meaning(
        "package changed while it was read",
        "A file of the package changed while it was read.",
        "Check again when nobody writes to it.",
    ),
    ProblemCode.PACKAGE_LINE_FEED_IN_NAME: Meaning(
        "line feed in a folder's name",
        "A file name of the package has a line feed, which no h1 can list.",
        "Ask who made the package.",
    ),
    ProblemCode.PACKAGE_LINK_TO_FOLDER: Meaning(
        "link to a folder",
        "The package holds a link to a folder, which the clients cannot hash.",
        "Replace the link by the folder itself.",
    ),
    ProblemCode.PACKAGE_NOT_A_FILE: Meaning(
        "package is no file",
        "Something else than a regular file has the name of a package.",
        "Look at what lies there.",
    ),
    ProblemCode.PACKAGE_NOT_A_FOLDER: Meaning(
        "package is no folder",
        "Something else than a folder has the name of an unpacked package.",
        "Look at what lies there.",
    ),
    ProblemCode.PACKAGE_SPECIAL_FILE: Meaning(
        "special file in a folder",
        "The package holds what is neither a file nor a folder.",
        "Remove it, and ask who put it there.",
    ),
    ProblemCode.PACKAGE_STOPPED: Meaning(
        "hashing called off",
        "The package was not hashed to its end, because that was called off.",
        "Check again.",
    ),
    ProblemCode.PACKAGE_TOO_LARGE: Meaning(
        "package over the limit",
        "The package in the folder is larger than the limit.",
        "Look at what lies there; a larger package is not looked into.",
    ),
    ProblemCode.PACKAGE_TOO_MANY_FILES: Meaning(
        "too many files",
        "The folder of the package holds more entries than the limit.",
        "Look at what lies there; a package is a folder of plain files.",
    ),
    ProblemCode.PACKAGE_UNREADABLE: Meaning(
        "package not readable",
        "The package in the folder cannot be read.",
        "Check that you may read it.",
    ),
    # Container images
    ProblemCode.IMAGE_UNUSABLE: Meaning(
        "image not usable",
        "The image cannot be a package: its manifest, its configuration or its layers do not fit together.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_DIGEST_MISMATCH: Meaning(
        "layer does not match",
        "A layer of the image does not have the digest by which it is named.",
        "Do not use this registry before somebody has found out who changed its answer.",
        severity=Severity.ERROR,
    ),
    ProblemCode.IMAGE_BROKEN_LINK: Meaning(
        "broken link in an image",
        "The image holds a link that leads nowhere or in a circle.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_BROKEN_TAR: Meaning(
        "broken layer",
        "A layer is no tar archive that can be read.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_CLIMBING_NAME: Meaning(
        "climbing name in an image",
        "A name in the image climbs out of it.",
        "Do not use this image; ask who made it.",
    ),
    ProblemCode.IMAGE_CONFLICTING_NAMES: Meaning(
        "conflicting names in an image",
        "A name in the image is a file and a folder.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_LEAVING_LINK: Meaning(
        "leaving link in an image",
        "A link in the image leads out of it.",
        "Do not use this image; ask who made it.",
    ),
    ProblemCode.IMAGE_LINE_FEED_IN_NAME: Meaning(
        "line feed in an image's name",
        "A file name of the image has a line feed, which no h1 can list.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_LINK_TO_FOLDER: Meaning(
        "link to a folder in an image",
        "The image holds a link to a folder, which the clients cannot hash.",
        "Ask who made this image to put the folder itself there.",
    ),
    ProblemCode.IMAGE_NUL_IN_NAME: Meaning(
        "NUL byte in an image's name",
        "A file name of the image has a NUL byte.",
        "Do not use this image; ask who made it.",
    ),
    ProblemCode.IMAGE_RATIO: Meaning(
        "image is a bomb",
        "A layer unpacks to many times its size, as only a bomb does.",
        "Do not use this image; ask who made it.",
    ),
    ProblemCode.IMAGE_SPECIAL_FILE: Meaning(
        "special file in an image",
        "The image holds what is neither a file nor a folder nor a link.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_STOPPED: Meaning(
        "image not hashed",
        "The image was not hashed to its end, because that was called off.",
        "Check again.",
    ),
    ProblemCode.IMAGE_THROUGH_LINK: Meaning(
        "write through a link",
        "Something in the image would be written through a link.",
        "Do not use this image; ask who made it.",
    ),
    ProblemCode.IMAGE_TOO_LARGE: Meaning(
        "image too large",
        "The image unpacks to more than the limit.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_TOO_LONG_NAME: Meaning(
        "too long name in an image",
        "A name in the image is too long for a file name.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_TOO_MANY_LAYERS: Meaning(
        "too many layers",
        "The image has more layers than the limit.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_TOO_MANY_MEMBERS: Meaning(
        "too many entries in an image",
        "The image holds more entries, or longer names and links together, than the limit.",
        "Ask who made this image.",
    ),
    ProblemCode.IMAGE_UNREADABLE: Meaning(
        "layer not readable",
        "A layer that was fetched cannot be read on this machine.",
        "Look at the package store, and check again.",
    ),
    ProblemCode.IMAGE_WRONG_DATA: Meaning(
        "damaged layer",
        "The compressed data of a layer is damaged, or not what the image's configuration says.",
        "Do not use this image before somebody has explained it.",
    ),
    ProblemCode.WRONG_PLATFORM: Meaning(
        "image of another platform",
        "The image says of itself that it is for another platform.",
        "It was put under the wrong platform; ask who pushed it.",
    ),
}
