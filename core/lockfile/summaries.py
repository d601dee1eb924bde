"""What can be wrong with a lock file, in a few words: the clients' own where they have some."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from lockwarden.core.lockfile.positions import Lines
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.late_patterns import LatePattern
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

_NOT_IN_A_CODE: Final = LatePattern(r"[^a-z0-9]+")


MAX_ERRORS: Final = 1000
"""Errors after which the rest of a file is not judged."""


class LockFileSummary(StrEnum):
    """Every kind of diagnostic of a lock file."""

    ARGUMENT_OR_BLOCK_DEFINITION_REQUIRED = "Argument or block definition required"
    ATTRIBUTE_REDEFINED = "Attribute redefined"
    BYTE_ORDER_MARK = "Byte order mark"
    CANNOT_BE_CONFIRMED = "Cannot be confirmed"
    DEPENDENCY_LOCKS_FOR_MODULES_ARE_NOT_YET_SUPPORTED = "Dependency locks for modules are not yet supported"
    DUPLICATE_PROVIDER_LOCK = "Duplicate provider lock"
    EXTRANEOUS_LABEL_FOR_MODULE = "Extraneous label for module"
    EXTRANEOUS_LABEL_FOR_PROVIDER = "Extraneous label for provider"
    FILE_TOO_LARGE = "File too large"
    FUNCTION_CALLS_NOT_ALLOWED = "Function calls not allowed"
    INVALID_ARGUMENT_NAME = "Invalid argument name"
    INVALID_BLOCK_DEFINITION = "Invalid block definition"
    INVALID_CHARACTER = "Invalid character"
    INVALID_CHARACTER_ENCODING = "Invalid character encoding"
    INVALID_ESCAPE_SEQUENCE = "Invalid escape sequence"
    INVALID_EXPRESSION = "Invalid expression"
    INVALID_PROVIDER_HASH_SET = "Invalid provider hash set"
    INVALID_PROVIDER_HASH_STRING = "Invalid provider hash string"
    INVALID_PROVIDER_SOURCE_ADDRESS = "Invalid provider source address"
    INVALID_PROVIDER_VERSION_CONSTRAINTS = "Invalid provider version constraints"
    INVALID_PROVIDER_VERSION_NUMBER = "Invalid provider version number"
    INVALID_SINGLE_ARGUMENT_BLOCK_DEFINITION = "Invalid single-argument block definition"
    INVALID_STRING_LITERAL = "Invalid string literal"
    MISSING_ITEM_SEPARATOR = "Missing item separator"
    MISSING_NEWLINE_AFTER_ARGUMENT = "Missing newline after argument"
    MISSING_NEWLINE_AFTER_BLOCK_DEFINITION = "Missing newline after block definition"
    MISSING_PATH_FOR_MODULE = "Missing path for module"
    MISSING_REQUIRED_ARGUMENT = "Missing required argument"
    MISSING_SOURCE_ADDR_FOR_PROVIDER = "Missing source_addr for provider"
    MIXED_LINE_ENDS = "Mixed line ends"
    NESTED_TOO_DEEPLY = "Nested too deeply"
    NON_NORMALIZED_PROVIDER_SOURCE_ADDRESS = "Non-normalized provider source address"
    NOT_A_LOCK_FILE = "Not a lock file"
    STRING_TOO_LONG = "String too long"
    TOO_MANY_ERRORS = "Too many errors"
    UNBALANCED_BRACKETS = "Unbalanced brackets"
    UNBALANCED_PARENTHESES = "Unbalanced parentheses"
    UNCLOSED_COMMENT = "Unclosed comment"
    UNCLOSED_CONFIGURATION_BLOCK = "Unclosed configuration block"
    UNRESOLVED_MERGE_CONFLICT = "Unresolved merge conflict"
    UNSUITABLE_VALUE_TYPE = "Unsuitable value type"
    UNSUPPORTED_ARGUMENT = "Unsupported argument"
    UNSUPPORTED_BLOCK_TYPE = "Unsupported block type"
    UNSUPPORTED_EXPRESSION = "Unsupported expression"
    UNTERMINATED_STRING = "Unterminated string"
    UNTERMINATED_TEMPLATE = "Unterminated template"
    VARIABLES_NOT_ALLOWED = "Variables not allowed"

    @property
    def code(self) -> ProblemCode:
        """The problem that it is in reports: its own words, in lower case and with hyphens."""
        return ProblemCode(_NOT_IN_A_CODE.sub("-", self.lower()))


IN_CONFLICT: Final = frozenset({LockFileSummary.DUPLICATE_PROVIDER_LOCK, LockFileSummary.UNRESOLVED_MERGE_CONFLICT})
"""What is said of a file in which several sides stand."""


class TooManyErrors(Exception):  # noqa: N818
    """MAX_ERRORS are collected."""


class LockFileDiagnostics:
    """A list of diagnostics that grows; places in the text become line numbers."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.diagnostics: list[Diagnostic] = []

    def error(self, offset: int, summary: LockFileSummary, message: str, *, hint: str = "") -> None:
        """Note something that the clients refuse. Raises TooManyErrors."""
        self._note(Severity.ERROR, offset, summary, message, hint)
        if len(self.diagnostics) >= MAX_ERRORS:
            more = f"after {MAX_ERRORS} errors the rest of the file was not judged"
            self._note(Severity.ERROR, offset, LockFileSummary.TOO_MANY_ERRORS, more, "")
            raise TooManyErrors

    def warning(self, offset: int, summary: LockFileSummary, message: str) -> None:
        """Note something that the clients warn of."""
        self._note(Severity.WARNING, offset, summary, message, "")

    def _note(self, severity: Severity, offset: int, summary: LockFileSummary, message: str, hint: str) -> None:
        line = self.lines.line_of(offset)
        self.diagnostics.append(Diagnostic(severity=severity, summary=summary, message=message, line=line, hint=hint))
