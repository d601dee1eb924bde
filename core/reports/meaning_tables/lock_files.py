"""What the clients refuse, warn of or rewrite in a lock file. The codes are the summaries of the diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lockwarden.core.reports.meaning_tables.meaning import Meaning
from lockwarden.core.values.problem_codes import ProblemCode
from lockwarden.core.values.severity import Severity

LOCK_FILES: Final[Mapping[ProblemCode, Meaning]] = {
    # Entries
    ProblemCode.INVALID_PROVIDER_SOURCE_ADDRESS: Meaning(
        "invalid provider address",
        "The label of an entry is no address of a provider that can be locked.",
        "Correct the address, or remove the entry.",
        severity=Severity.ERROR,
    ),
    ProblemCode.NON_NORMALIZED_PROVIDER_SOURCE_ADDRESS: Meaning(
        "provider address not normalised",
        "The label of an entry is not the full address in the form that the clients write.",
        "Write HOST/NAMESPACE/TYPE in lower case, or make the file anew.",
        severity=Severity.ERROR,
    ),
    ProblemCode.NOT_A_LOCK_FILE: Meaning(
        "no lock file",
        "The file is one of a configuration, or a policy, and locks no provider.",
        "Name the lock file, or the folder that holds it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MISSING_SOURCE_ADDR_FOR_PROVIDER: Meaning(
        "entry without an address",
        "An entry has no label that names its provider.",
        "Write the address between quotes behind “provider”.",
        severity=Severity.ERROR,
    ),
    ProblemCode.EXTRANEOUS_LABEL_FOR_PROVIDER: Meaning(
        "entry with two labels",
        "An entry has more than one label.",
        "Keep the address and remove the others.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MISSING_PATH_FOR_MODULE: Meaning(
        "module block without a path",
        "A block for modules has no label.",
        "Remove the block: no released client knows it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.EXTRANEOUS_LABEL_FOR_MODULE: Meaning(
        "module block with two labels",
        "A block for modules has more than one label.",
        "Remove the block: no released client knows it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_PROVIDER_VERSION_NUMBER: Meaning(
        "invalid version",
        "The version of an entry is none, or not in the form that the clients write.",
        "Write the exact version that was selected.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_PROVIDER_VERSION_CONSTRAINTS: Meaning(
        "invalid constraints",
        "The constraints of an entry cannot be read, or are not in the form that the clients write.",
        "Write them as the client does, or remove the line.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_PROVIDER_HASH_STRING: Meaning(
        "invalid hash",
        "A hash has no scheme.",
        "Write h1:… or zh:…, or remove the hash.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_PROVIDER_HASH_SET: Meaning(
        "invalid list of hashes",
        "The list of hashes of an entry is empty or holds what no list may hold.",
        "Put hashes into it, or remove the line.",
        severity=Severity.ERROR,
    ),
    ProblemCode.DUPLICATE_PROVIDER_LOCK: Meaning(
        "provider locked twice",
        "Two entries lock the same provider.",
        "“lockwarden resolve” shows what each side locks, and writes what is confirmed of it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MISSING_REQUIRED_ARGUMENT: Meaning(
        "missing argument",
        "An entry lacks an argument that it must have, or gives it no value.",
        "Add it, or make the file anew.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNSUPPORTED_ARGUMENT: Meaning(
        "unsupported argument",
        "The file has an argument that no lock file has.",
        "Remove it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNSUPPORTED_BLOCK_TYPE: Meaning(
        "unsupported block",
        "The file has a block that no lock file has.",
        "Remove it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.DEPENDENCY_LOCKS_FOR_MODULES_ARE_NOT_YET_SUPPORTED: Meaning(
        "block for modules",
        "The file has a block for modules, which the clients warn of and pass over.",
        "Remove it.",
    ),
    ProblemCode.UNSUITABLE_VALUE_TYPE: Meaning(
        "value of another type",
        "A string is required, and something else stands there.",
        "Write a string between quotes.",
        severity=Severity.ERROR,
    ),
    # Expressions
    ProblemCode.INVALID_EXPRESSION: Meaning(
        "invalid expression",
        "Something stands where a value is expected, and it is none that a lock file may have.",
        "Write the value itself.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNSUPPORTED_EXPRESSION: Meaning(
        "computed expression",
        "The value would have to be computed.",
        "Write the value itself.",
        severity=Severity.ERROR,
    ),
    ProblemCode.VARIABLES_NOT_ALLOWED: Meaning(
        "variable",
        "A variable stands where a value is expected.",
        "Write the value itself between quotes.",
        severity=Severity.ERROR,
    ),
    ProblemCode.FUNCTION_CALLS_NOT_ALLOWED: Meaning(
        "function call",
        "A function call stands where a value is expected.",
        "Write the value itself between quotes.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_ESCAPE_SEQUENCE: Meaning(
        "invalid escape sequence",
        "A string has an escape sequence that does not exist.",
        "Write the characters themselves.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MISSING_ITEM_SEPARATOR: Meaning(
        "missing comma",
        "Two items of a list have no comma between them.",
        "Put a comma there.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNBALANCED_BRACKETS: Meaning(
        "unbalanced brackets",
        "A bracket is opened and not closed.",
        "Close it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNBALANCED_PARENTHESES: Meaning(
        "unbalanced parentheses",
        "A parenthesis is opened and not closed.",
        "Close it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNTERMINATED_STRING: Meaning(
        "unterminated string",
        "A string does not end on its line.",
        "Close it with a quotation mark.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNTERMINATED_TEMPLATE: Meaning(
        "unterminated template",
        "A template in a string never ends.",
        "Write the value itself between quotes.",
        severity=Severity.ERROR,
    ),
    ProblemCode.STRING_TOO_LONG: Meaning(
        "string too long",
        "A string has more characters than the limit.",
        "Make the file anew, and ask who wrote it.",
        severity=Severity.ERROR,
    ),
    # The file as a whole
    ProblemCode.ARGUMENT_OR_BLOCK_DEFINITION_REQUIRED: Meaning(
        "no argument or block",
        "Something stands where only an argument or a block may begin.",
        "Correct the line, or make the file anew.",
        severity=Severity.ERROR,
    ),
    ProblemCode.ATTRIBUTE_REDEFINED: Meaning(
        "argument given twice",
        "An argument has two values in one block.",
        "Keep the right one.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_ARGUMENT_NAME: Meaning(
        "quoted argument name",
        "The name of an argument is quoted.",
        "Remove the quotation marks.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_BLOCK_DEFINITION: Meaning(
        "invalid block",
        "The head of a block cannot be read.",
        "Write it as the clients do, or make the file anew.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_SINGLE_ARGUMENT_BLOCK_DEFINITION: Meaning(
        "invalid block in one line",
        "A block in one line has more than one argument, or does not end on it.",
        "Put every argument on a line of its own.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_STRING_LITERAL: Meaning(
        "template in a label",
        "The label of a block is no plain string.",
        "Write the address itself between quotes.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MISSING_NEWLINE_AFTER_ARGUMENT: Meaning(
        "no line end after an argument",
        "Something follows an argument on its line.",
        "Put it on a line of its own.",
        severity=Severity.ERROR,
    ),
    ProblemCode.MISSING_NEWLINE_AFTER_BLOCK_DEFINITION: Meaning(
        "no line end after a block",
        "Something follows a block on its line.",
        "Put it on a line of its own.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNCLOSED_CONFIGURATION_BLOCK: Meaning(
        "unclosed block",
        "A block is opened and not closed.",
        "Close it with a brace.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNCLOSED_COMMENT: Meaning(
        "unclosed comment",
        "A comment begins and never ends.",
        "Close it with */.",
        severity=Severity.ERROR,
    ),
    ProblemCode.NESTED_TOO_DEEPLY: Meaning(
        "nested too deeply",
        "Blocks and brackets are nested deeper than the limit.",
        "Make the file anew, and ask who wrote it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.FILE_TOO_LARGE: Meaning(
        "lock file too large",
        "The file has more words than the limit.",
        "Make the file anew, and ask who wrote it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.TOO_MANY_ERRORS: Meaning(
        "too many errors",
        "After so many errors the rest of the file was not judged.",
        "Correct those that are listed, and check again.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_CHARACTER: Meaning(
        "invalid character",
        "A character stands where none like it may.",
        "Remove it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.INVALID_CHARACTER_ENCODING: Meaning(
        "invalid character encoding",
        "The file is not UTF-8.",
        "Save it as UTF-8.",
        severity=Severity.ERROR,
    ),
    ProblemCode.UNRESOLVED_MERGE_CONFLICT: Meaning(
        "merge conflict",
        "The file has the marks of a merge conflict.",
        "“lockwarden resolve” shows what each side locks, and writes what is confirmed of it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.CANNOT_BE_CONFIRMED: Meaning(
        "content not confirmed",
        "Two readers do not read the file alike, or it is in a form that only one of them can read.",
        "Write the file in the form that tofu init or terraform init gives it.",
        severity=Severity.ERROR,
    ),
    ProblemCode.BYTE_ORDER_MARK: Meaning(
        "byte order mark",
        "The file begins with a byte order mark, which some tools cannot read.",
        "Save it without one.",
        severity=Severity.NOTE,
    ),
    ProblemCode.MIXED_LINE_ENDS: Meaning(
        "mixed line ends",
        "Some lines end with CR LF and others with LF.",
        "Save it with one kind of line end.",
        severity=Severity.NOTE,
    ),
}
