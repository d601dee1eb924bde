"""Every error Lockwarden raises on purpose, on one page.

::

    LockwardenError                 message for people, hint as data
    ├── InputError                  what the operator gave cannot be used (exit code 2)
    │   ├── InvalidAddressError     not a provider address
    │   ├── InvalidVersionError     not a version, or not version constraints
    │   ├── InvalidPlatformError    not OS_ARCH
    │   ├── InvalidHashError        not SCHEME:VALUE
    │   ├── InvalidFingerprintError not the full fingerprint of a key
    │   ├── ModuleSourceError       the clients refuse the source of a module
    │   ├── CliConfigError          a CLI configuration file cannot be read; carries every diagnostic
    │   ├── OwnFileError            a file of Lockwarden's own cannot be used; carries every diagnostic
    │   │   ├── PolicyError             the policy
    │   │   ├── ApprovalsError          the recorded approvals
    │   │   ├── ModuleLockError         the module lock
    │   │   └── SettingsError           the user's settings
    │   ├── MetadataError           a metadata file of a registry, or a journal of a backfill, cannot be used
    │   ├── GitError                a git repository, or a file at one of its revisions, cannot be read
    │   │   └── UnknownRevisionError    the repository has no such commit, as far as it was cloned
    │   └── LockFileError           the lock file cannot be read; names the path
    │       └── LockFileInvalidError    carries every diagnostic of the file
    ├── LockFileEditError           an edited lock file would not say what was decided
    ├── MetadataEditError           an edited metadata file of a registry would not say what it should
    ├── OwnFileEditError            an edited policy, record or configuration would not say what it should
    ├── FileChangedError            the file on disk is no longer the one that was read
    │   └── LockFileChangedError        the lock file
    ├── SaveError                   a file could not be written
    ├── SourceError                 one source, one provider; a value in a answer, never the end of an audit
    │   ├── NotThereError           the source answered: it does not have it
    │   ├── NoAnswerError           the source could not be asked, so absence proves nothing
    │   └── BadAnswerError          the source answered with something that cannot be used
    ├── ArchiveError                not a zip archive that can be hashed
    └── ToolError                   a program that is needed (gpg, git) is missing or failed

Messages never hold secrets: user information and queries are cut from URLs before they come here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from lockwarden.core.values.archive_faults import ArchiveFault
from lockwarden.core.values.problem_codes import ProblemCode

if TYPE_CHECKING:
    from lockwarden.core.values.diagnostics import Diagnostic


class LockwardenError(Exception):
    """Base of the tree: `message` is one clear sentence, `hint` says what to do about it."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InputError(LockwardenError):
    """What the operator gave (an option, a path, a file) cannot be used."""


class InvalidAddressError(InputError):
    """The text is not a provider address."""


class InvalidVersionError(InputError):
    """The text is not an exact version, or not version constraints."""


class InvalidPlatformError(InputError):
    """The text is not a platform."""


class InvalidHashError(InputError):
    """The text is not a hash with a scheme."""


class InvalidFingerprintError(InputError):
    """The text is not the full fingerprint of a key."""


class ModuleSourceError(InputError):
    """The clients refuse the source of a module."""


class CliConfigError(InputError):
    """A CLI configuration file cannot be read, so that it is unknown which sources the operator wants."""

    def __init__(self, *, diagnostics: tuple[Diagnostic, ...]) -> None:
        first, more = diagnostics[0], len(diagnostics) - 1
        suffix = f" (and {more} more file{'s'[: more != 1]})" if more else ""
        super().__init__(f"{first}{suffix}", hint=first.hint)
        self.diagnostics = diagnostics


class OwnFileError(InputError):
    """A file of Lockwarden's own cannot be used, so nobody knows what it asks for.

    `path` is as people know the file; all its problems are in `diagnostics`.
    """

    def __init__(self, *, path: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        first, more = diagnostics[0], len(diagnostics) - 1
        suffix = f" (and {more} more problem{'s'[: more != 1]})" if more else ""
        place = f"{path}:{first.line}" if first.line else path
        super().__init__(f"{place}: {first.message}{suffix}", hint=first.hint)
        self.path = path
        self.diagnostics = diagnostics


class PolicyError(OwnFileError):
    """The policy cannot be used."""


class ApprovalsError(OwnFileError):
    """The recorded approvals cannot be used."""


class ModuleLockError(OwnFileError):
    """The module lock cannot be used."""


class MetadataError(InputError):
    """A metadata file of a registry, or a journal of a backfill, cannot be used."""


class SettingsError(OwnFileError):
    """The user's settings cannot be used."""


class GitError(InputError):
    """A git repository, or a file at one of its revisions, cannot be read; `code` is a stable word for why."""

    def __init__(self, message: str, *, code: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code


class UnknownRevisionError(GitError):
    """The repository has no such commit, or no single one, as far as it was cloned."""


class LockFileError(InputError):
    """The lock file at `path` cannot be read at all."""

    def __init__(self, message: str, *, path: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.path = path


class LockFileInvalidError(LockFileError):
    """The clients would refuse the lock file, or its content is uncertain; all its problems are in `diagnostics`."""

    def __init__(self, *, path: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        first, more = diagnostics[0], len(diagnostics) - 1
        suffix = f" (and {more} more problem{'s'[: more != 1]})" if more else ""
        super().__init__(f"{path}:{first.line}: {first.message}{suffix}", path=path, hint=first.hint)
        self.diagnostics = diagnostics


class LockFileEditError(LockwardenError):
    """An edited lock file does not say exactly what was decided, so it must not be written."""


class MetadataEditError(LockwardenError):
    """An edited metadata file would not say exactly what was to be filled in, so it must not be written."""


class OwnFileEditError(LockwardenError):
    """An edited policy, record or configuration would not say exactly what it should, so it must not be written."""


class FileChangedError(LockwardenError):
    """The file on disk is no longer the one that was read, so nothing was written."""


class LockFileChangedError(FileChangedError):
    """The lock file on disk is no longer the one that was read, so nothing was written."""


class SaveError(LockwardenError):
    """A file could not be written; the old one is still whole."""


class Stage(StrEnum):
    """The request of a source during which something went wrong."""

    DISCOVERY = "service discovery"
    VERSIONS = "list of versions"
    METADATA = "package metadata"
    SUMS = "SHA256SUMS"
    SIGNATURE = "signature"
    PACKAGE = "package"
    INDEX = "mirror index"
    ARCHIVES = "mirror archives"
    FOLDER = "folder"
    CREDENTIALS = "credentials"


class SourceError(LockwardenError):
    """One source failed at one `stage`; the other sources go on."""

    def __init__(self, message: str, *, stage: Stage, hint: str = "", code: ProblemCode | None = None) -> None:
        super().__init__(message, hint=hint)
        self.stage = stage
        self.code = code
        """What a problem that tells of it has as its code; None where none ever does."""


OWN_REFUSALS: Final = frozenset(
    {
        ProblemCode.CREDENTIALS_UNUSABLE,
        ProblemCode.CREDENTIALS_WITHHELD,
        ProblemCode.DOCUMENTS_TOO_LARGE,
        ProblemCode.FOLDER_TOO_LARGE,
        ProblemCode.GPG_TIME_SPENT,
        ProblemCode.HOST_PAUSED,
        ProblemCode.OFFLINE,
        ProblemCode.REDIRECT_REFUSED,
        ProblemCode.SIGNATURE_NOT_CHECKED,
        ProblemCode.TOKEN_REALM_REFUSED,
        ProblemCode.TOO_LARGE,
        ProblemCode.TOO_MANY_HASHES,
        ProblemCode.TOO_MANY_TAGS,
        ProblemCode.TOO_SLOW,
        ProblemCode.URL_REFUSED,
    }
)
"""Codes of failures that no client has: rules and limits of this program's own."""


class NotThereError(SourceError):
    """The source answered that it does not have what was asked for."""


class NoAnswerError(SourceError):
    """The source could not be asked or did not answer, so its silence proves nothing."""


class BadAnswerError(SourceError):
    """The source answered with something that cannot be used or that contradicts itself."""


class ArchiveError(LockwardenError):
    """The bytes are not a zip archive whose content can be hashed; their own hash still can."""

    def __init__(self, message: str, *, code: ArchiveFault, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code


class ToolError(LockwardenError):
    """A program that is needed is missing or failed in a way that says nothing about its input."""
