"""A second opinion: another reader must find the same blocks, arguments and values in a lock file as our own reader.

Our reader knows positions and refuses what the clients refuse. A file in exactly the form that the clients write is
read once more by a rule for that form alone; any other by python-hcl2, which knows the language. Content that the two
read differently is never trusted. For python-hcl2, which takes more than a second for a megabyte, a large file is
shortened first by what cannot be read in two ways.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import Any, Final

from lockwarden.core.lockfile.grammar import SyntaxTree, read_tree
from lockwarden.core.lockfile.plain_form import PlainShape, plain_reading
from lockwarden.core.lockfile.positions import Lines
from lockwarden.core.lockfile.second_reader import SecondReader
from lockwarden.core.lockfile.summaries import LockFileSummary
from lockwarden.core.lockfile.syntax import AttributeNode, BlockNode, Expression, ListNode
from lockwarden.core.values.diagnostics import Diagnostic
from lockwarden.core.values.severity import Severity

FULL_SIZE: Final = 256 * 1024
"""Characters up to which a file is confirmed as it is; some hundred providers have that many."""
MAX_SIZE: Final = 4 * 1024 * 1024
"""Characters that may be left to confirm of a larger file."""
MAX_WORDS: Final = 250_000
"""Tokens that may be left to confirm, which take a few seconds. 5,000 providers of 30 hashes have 150,000."""
MAX_MODULE_SIZE: Final = 16 * 1024
"""Characters of the `module` blocks, which no client writes and which may hold any expression."""

_BYTE_ORDER_MARK: Final = "\ufeff"
_HASH_LINE: Final = r'[ \t]*"[A-Za-z0-9+/=:]{1,128}",[ \t]*\r?\n'
_HASH_LINES: Final = re.compile(rf"^((?:{_HASH_LINE}){{2}})(?:{_HASH_LINE})+", re.MULTILINE)
_NO_VALUES: Final = ("", "new_line_or_comment")
_BLANK_LINES: Final = re.compile(r"(\n)(?:[ \t]*+\r?\n)++")
_SPACE: Final = re.compile(r"\s+")
_ESCAPED: Final = re.compile(r"(\$\$|%%)\{")


def disagreement(text: str, tree: SyntaxTree, second_reader: SecondReader) -> Diagnostic | None:
    """What a second reader reads differently in a text that our reader finds free of mistakes, or None."""
    plain = plain_reading(text)
    if plain is not None:
        return _compared(text, text, tree, tree, plain)
    bare = without_comments(text, tree.comments)
    variants = [text, bare]
    if len(text) > FULL_SIZE:
        bare = _shortened(bare)
        variants = [bare]
    bare_tree = tree if bare is text else read_tree(bare)
    if len(bare) > MAX_SIZE or bare_tree.words > MAX_WORDS:
        return _diagnostic(1, "too much of it is not in the form that the clients write")
    modules = [block for block in tree.body.blocks if block.type == "module"]
    if sum(block.close - block.start for block in modules) > MAX_MODULE_SIZE:
        line = Lines.of(text).line_of(modules[0].start)
        return _diagnostic(line, f"its module blocks have more than {MAX_MODULE_SIZE} characters")
    theirs = _their_reading(variants, second_reader)
    if theirs is None:
        return _diagnostic(1, "python-hcl2, which confirms what Lockwarden reads, cannot read it")
    return _compared(text, bare, tree, bare_tree, theirs)


def _compared(
    text: str, bare: str, tree: SyntaxTree, bare_tree: SyntaxTree, theirs: list[PlainShape]
) -> Diagnostic | None:
    """The first difference between `bare_tree`, our reading of `bare`, and theirs; `tree` has its place in `text`."""
    index = _first_difference([_our_shape(bare, item) for item in bare_tree.body.items], theirs)
    if index is None:
        return None
    items = tree.body.items[index : index + 1]
    line = Lines.of(text).line_of(items[0].start if items else len(text))
    return _diagnostic(line, "two readers read this part of it differently")


def _their_reading(variants: list[str], second_reader: SecondReader) -> list[PlainShape] | None:
    """The first variant that python-hcl2 can read; it knows fewer places for comments than HCL does."""
    from lark.exceptions import LarkError

    for variant in variants:
        try:
            found = second_reader.tree(_with_plain_escapes(variant).removeprefix(_BYTE_ORDER_MARK))
        except (LarkError, RecursionError):
            continue
        return _their_items(found.children[0])
    return None


def _first_difference(ours: list[PlainShape], theirs: list[PlainShape]) -> int | None:
    """The number of the first block or argument that the two read differently."""
    pairs = zip_longest(ours, theirs)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), None)


def _shortened(text: str) -> str:
    """The text with less of the same.

    The third and every further line in a row that holds one plain hash and a comma leaves both readers in the state
    in which the second one left them, so that nothing behind it can be read differently. Blank lines mean nothing.
    """
    return _BLANK_LINES.sub(r"\1", _HASH_LINES.sub(r"\1", text))


def without_comments(text: str, comments: tuple[tuple[int, int], ...]) -> str:
    """The text without its comments; line ends stay."""
    if not comments:
        return text
    pieces: list[str] = []
    position = 0
    for start, end in comments:
        pieces += (text[position:start], " ")
        position = end
    return "".join((*pieces, text[position:]))


def _with_plain_escapes(text: str) -> str:
    """The text with other characters for `$${` and `%%{`, behind which python-hcl2 reads on to the next brace."""
    return _ESCAPED.sub(r"\1_", text)


def _our_shape(text: str, item: AttributeNode | BlockNode) -> PlainShape:
    if isinstance(item, AttributeNode):
        return (item.name, _our_value(text, item.value))
    labels = tuple(_words(text[label.start : label.end]) for label in item.labels)
    return (item.type, labels, tuple(_our_shape(text, inner) for inner in item.body.items))


def _our_value(text: str, value: Expression) -> str | PlainShape:
    if isinstance(value, ListNode):
        return tuple(_words(text[item.value.start : item.value.end]) for item in value.items)
    return _words(text[value.start : value.end])


def _their_items(body: Any) -> list[PlainShape]:
    return [_their_shape(item) for item in body.children if item.data != "new_line_or_comment"]


def _their_shape(item: Any) -> PlainShape:
    """The shape of one node of python-hcl2's tree."""
    parts = [child for child in item.children if getattr(child, "data", "") != "new_line_or_comment"]
    if item.data == "attribute":
        return (_their_words(parts[0]), _their_value(parts[-1]))
    content = next(part for part in parts if getattr(part, "data", "") == "body")
    head = [_their_words(part) for part in parts[: parts.index(content)] if getattr(part, "data", "")]
    return (head[0], tuple(head[1:]), tuple(_their_items(content)))


def _their_value(node: Any) -> str | PlainShape:
    inner = node.children[0] if node.data == "expr_term" else node
    if getattr(inner, "data", "") != "tuple" or len(node.children) > 1:
        return _their_words(node)
    return tuple(_their_words(child) for child in inner.children if getattr(child, "data", "") not in _NO_VALUES)


def _their_words(node: Any) -> str:
    """All words below a node of python-hcl2's tree, which may be deeper than Python's own stack."""
    words: list[str] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if hasattr(current, "children"):
            pending += reversed(current.children)
        elif current is not None and current.type != "NL_OR_COMMENT":
            words.append(str(current))
    return _words("".join(words))


def _words(source: str) -> str:
    return _with_plain_escapes(_SPACE.sub("", source))


def _diagnostic(line: int, reason: str) -> Diagnostic:
    return Diagnostic(
        severity=Severity.ERROR,
        summary=LockFileSummary.CANNOT_BE_CONFIRMED,
        message=f"the content of the file cannot be confirmed: {reason}",
        line=line,
        hint="write the file in the form that tofu init or terraform init gives it",
    )
