"""CLI configuration files as text: HCL 1, its JSON form, and every way in which they cannot be read."""

from __future__ import annotations

import json

import pytest
from builders.tables import table

from lockwarden.core.cli_config import json_grammar
from lockwarden.core.cli_config.reading import MAX_BYTES, parse
from lockwarden.core.hcl import words
from lockwarden.core.hcl.grammar import MAX_DEPTH
from lockwarden.core.hcl.syntax import HclBody, HclItem, HclList, Literal, LiteralKind, SyntaxProblem, Value


def plain(value: Value) -> object:
    match value:
        case Literal(kind=LiteralKind.TEXT):
            return value.value
        case Literal():
            return (value.kind.name.lower(), value.value)
        case HclList():
            return [plain(each) for each in value.elements]
        case HclBody():
            return shape(value.items)


def shape(items: tuple[HclItem, ...]) -> list[object]:
    return [(item.line, *item.keys, "=" if item.assigned else "{", plain(item.value)) for item in items]


def read(text: str) -> list[object]:
    return shape(parse(text.encode("utf-8"), path="rc").items)


def value_of(text: str) -> object:
    (item,) = parse(f"a = {text}\n".encode(), path="rc").items
    return plain(item.value)


def problem(data: str | bytes) -> SyntaxProblem:
    with pytest.raises(SyntaxProblem) as caught:
        parse(data if isinstance(data, bytes) else data.encode("utf-8"), path="rc")
    return caught.value


def test_blocks_may_stand_on_one_line_and_hold_quoted_names() -> None:
    assert read('installation { direct {} }\ncredentials "a.test" { "token" = "x" }\n') == [
        (1, "installation", "{", [(1, "direct", "{", [])]),
        (2, "credentials", "a.test", "{", [(2, "token", "=", "x")]),
    ]


def test_commas_may_separate_settings_and_comments_may_stand_anywhere() -> None:
    text = '# one\na = 1, // two\nb /* three\n */ = "x", /* */ c {\n}\r\nd = [1, "y", # four\n]'
    assert read(text) == [
        (2, "a", "=", ("number", "1")),
        (3, "b", "=", "x"),
        (4, "c", "{", []),
        (6, "d", "=", [("number", "1"), "y"]),
    ]


@table(
    ("source", "value"),
    [
        ('""', ""),
        (r'"\a\b\f\n\r\t\v\\\""', '\a\b\f\n\r\t\v\\"'),
        (r'"\x41\101\u00e9\U0001F600"', "AAé😀"),
        (r'"\xc3\xa9"', "é"),
        (r'"\ud800"', "?"),
        ('"${a{"b"}\\n}c"', '${a{"b"}\\n}c'),
        ('"$${hostname}"', "$${hostname}"),
        ('"$x"', "$x"),
        ('"a${\n}b"', "a${\n}b"),
        ("<<EOT\n x\nEOT\n", " x\n"),
        ("<<EOT\n x\n  EOT\n", " x\n  "),
        ("<<-EOT\n    x\n   y\n  EOT\n", "  x\n y\n"),
        ("<<-EOT\n x\n   y\n  EOT\n", " x\n   y\n"),
        ("true", ("bool", "true")),
        ("-7", ("number", "-7")),
        ("0x1F", ("number", "0x1F")),
        ("010", ("number", "010")),
        ("1.5e3", ("float", "1.5e3")),
        (".5", ("float", ".5")),
        ("[]", []),
        ("[,]", []),
        ("[[1], {}]", [[("number", "1")], []]),
    ],
)
def test_values_stand_for_what_the_clients_read(source: str, value: object) -> None:
    assert value_of(source) == value


@table(
    ("text", "line", "message"),
    [
        ("a", 1, "“=” or “{” is expected here, not the end of the file"),
        ("a {\nb = 1\n", 1, "a block begins here and never ends"),
        ("\na = [1,\n2", 3, "a comma or the end of the list is expected here, not the end of the file"),
        ("\na = [1,\n", 2, "a list begins here and never ends"),
        ("a = [1 2]", 1, "a comma or the end of the list is expected here, not a number"),
        ("a =\nhidden", 2, "a value is expected here, not a word without quotation marks"),
        ('a "hidden"\n"more"', 2, "“=” or “{” is expected here, not the end of the file"),
        ('a "b" = 1', 1, "a setting with labels is a block and takes no equals sign"),
        ("a = 1\n}", 2, "the name of a setting is expected here, not “}”"),
        ("true = 1", 1, "the name of a setting is expected here, not a word without quotation marks"),
        ('a = 1\nb = 2\na = "hidden"', 3, "this setting is on line 1 already"),
        ("a = 1 a = 1", 1, "this setting is on line 1 already"),
        ('a = "x\n', 1, "a text begins here and does not end on its line"),
        ('\na = "${x', 2, "a text with ${ begins here and never ends"),
        (r'a = "\q"', 1, "there is no such escape sequence in a text"),
        (r'a = "\777"', 1, "there is no such escape sequence in a text"),
        (r'a = "\UFFFFFFFF"', 1, "there is no character U+FFFFFFFF"),
        ("a = <<EOT\nx\n", 1, "the text that begins here must end with a line “EOT”"),
        ("a = <<-EOT\nx\nEOT\n", 1, "the text that begins here must end with a line “EOT”"),
        ("a = << EOT\n", 1, "“<<” must be followed by a word and the end of the line"),
        ("<<EOT\nx\nEOT\n = 1", 1, "the name of a setting is expected here, not a text"),
        ("/* a\n", 1, "a comment begins here and never ends"),
        ("\n a / b", 2, "the character U+002F cannot stand here"),
        ("a = 0x", 1, "the character U+0030 cannot stand here"),
        ("\n\0", 2, "the character U+0000 may not stand in it"),
        ("[" * 3, 1, "the name of a setting is expected here, not “[”"),
        ("a = " + "[" * 40, 1, f"braces and brackets are nested more than {MAX_DEPTH} deep here"),
        ("a {\n" * 40, MAX_DEPTH + 1, f"braces and brackets are nested more than {MAX_DEPTH} deep here"),
    ],
)
def test_what_is_no_hcl_is_named_with_its_line_and_without_any_value(text: str, line: int, message: str) -> None:
    found = problem(text)
    assert (found.line, found.message) == (line, message)
    assert "hidden" not in found.message + found.hint


@table(
    ("data", "line", "message"),
    [
        (b'a = 1\nb = "\xff"\n', 2, "there is a byte here that is not UTF-8"),
        ("a = 1".encode("utf-16"), 1, "it is UTF-16, and only UTF-8 can be read"),
        ("\ufeffa = 1".encode(), 1, "it begins with a byte order mark, which may not stand there"),
        (b" " * (MAX_BYTES + 1), 1, f"it is larger than the limit of {MAX_BYTES} bytes"),
    ],
)
def test_bytes_that_are_no_text_are_named(data: bytes, line: int, message: str) -> None:
    assert (problem(data).line, problem(data).message) == (line, message)


def test_the_first_character_makes_it_json() -> None:
    text = ' \n{"a": "é\\ud83d\\ude00\\ud800", "b": [1, 2.5, {"c": null}],\n "d": {"e": true, "f": {}}}'
    document = parse(text.encode(), path="rc.tfrc")
    assert document.json
    assert shape(document.items) == [
        (2, "a", "{", "é😀\ufffd"),
        (2, "b", "{", [("number", "1"), ("float", "2.5"), [(2, "c", "{", "")]]),
        (3, "d", "{", [(3, "e", "{", ("bool", "true")), (3, "f", "{", [])]),
    ]
    assert not parse(b"a {}", path="rc.tfrc.json").json


def test_objects_of_objects_are_read_as_labels_and_lists_of_objects_as_repeated_blocks() -> None:
    text = json.dumps({"credentials": {"a.test": {"token": "x"}, "b.test": {}}, "i": [{"direct": [{"p": 1}]}]})
    assert read(text) == [
        (1, "credentials", "a.test", "{", [(1, "token", "{", "x")]),
        (1, "credentials", "b.test", "{", []),
        (1, "i", "{", [(1, "direct", "{", [(1, "p", "{", ("number", "1"))])]),
    ]


@table(
    ("text", "line", "message"),
    [
        ('{"a": 1,}', 1, "a name in quotation marks is expected here, not “}”"),
        ('{"a" 1}', 1, "“:” is expected here, not a number"),
        ('{"a": 1\n"b": 2}', 2, "“,” is expected here, not a text"),
        ('{"a": }', 1, "a value is expected here, not “}”"),
        ('{"a": 1} {', 1, "the end of the file is expected here, not “{”"),
        ("{", 1, "a name in quotation marks is expected here, not the end of the file"),
        ('{"a": 1\n// b\n}', 2, "the character U+002F cannot stand here"),
        ('{"a": "x\n"}', 1, "a text begins here and does not end on its line"),
        (r'{"a": "\q"}', 1, "there is no such escape sequence in a text"),
        ('{"a": [[1]]}', 1, "a list in a list is nothing that the clients can read"),
        ('{"a": [null]}', 1, "true, false or null in a list is nothing that the clients can read"),
        ('{"a":\n' * 40, MAX_DEPTH + 1, f"braces and brackets are nested more than {MAX_DEPTH} deep here"),
    ],
)
def test_what_is_no_json_is_named_with_its_line(text: str, line: int, message: str) -> None:
    found = problem(text)
    assert (found.line, found.message) == (line, message)


@pytest.mark.parametrize("begin", ["a = [", '{"a": ['])
def test_too_many_words_are_not_read(begin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (words, json_grammar):
        monkeypatch.setattr(module, "MAX_WORDS", 2_000)
    found = problem(begin + "1," * 2_000)
    assert (found.line, found.message) == (1, "it has more than 2000 words")
