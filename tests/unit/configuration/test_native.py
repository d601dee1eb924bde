"""HCL native syntax of configurations: where texts, here-documents and expressions end."""

from __future__ import annotations

import pytest
from builders.tables import table

from lockwarden.core.configuration import words
from lockwarden.core.configuration.native import read_native
from lockwarden.core.configuration.syntax import (
    COMPUTED,
    Attribute,
    Block,
    Body,
    Reference,
    Table,
    Text,
    UnreadableProblem,
)

A = Attribute("a", Text("x"))


@table(
    ("text", "expected"),
    [
        ("", Body()),
        ("\ufeff# only a comment", Body()),
        ('a = "x"', Body((A,))),
        ('a = "x" // why\r\n\r\n/* b = "y"\n */ c {}\n', Body((A,), (Block("c", (), Body()),))),
        ('c "one" two {\n  a = "x"\n}\n', Body((), (Block("c", ("one", "two"), Body((A,))),))),
        ('c { a = "x" }\n', Body((), (Block("c", (), Body((A,))),))),
        ('a = aws.west[0].x\nb = aws\nc = aws.*.x', Body((
            Attribute("a", Reference(("aws", "west"))), Attribute("b", Reference(("aws",))),
            Attribute("c", Reference(("aws",))),
        ))),
        ("a = 1.5e3 + -2", Body((Attribute("a", COMPUTED),))),
        ('a = "${b}"', Body((Attribute("a", COMPUTED),))),
        ('a = "$${b} %%{c} $d % $"', Body((Attribute("a", Text("${b} %{c} $d % $")),))),
        (r'a = "\n\r\t\"\\\u0041\U00000042"', Body((Attribute("a", Text('\n\r\t"\\AB')),))),
        ('a = { b = "x", "c" : 1\n (d) = 2 \n e }', Body((
            Attribute("a", Table((("b", Text("x")), ("c", COMPUTED), (None, COMPUTED), (None, COMPUTED)))),
        ))),
        ('a = {}', Body((Attribute("a", Table(())),))),
        ('a = { b = [1,\n2] }', Body((Attribute("a", Table((("b", COMPUTED),))),))),
        ('a = { b = "x" }["b"]', Body((Attribute("a", COMPUTED),))),
    ],
)  # fmt: skip
def test_structure_and_constants_are_read(text: str, expected: Body) -> None:
    assert read_native(text) == expected


@table(
    "value",
    [
        '<<E\nb = "y"\nE',
        "<<-E\n  }\n  E  ",
        '<<E\n${join(",", ["E", <<F\nE\nF\n])}E\n E x\n$${ %%{ $ %\nE',
        "<<E\r\nx\r\nE\r",
        "<<E\n%{ if x }\nE",
        "f(<<E\nx\nE\n, 1)",
        '"${ { a = "}" }["a"] } %{ if x }"',
        '"${"${"${1}"}"}"',
        '[for x in y : "${x}}" if x != "}"]',
        '"${ # }\n 1 /* } */ }"',
    ],
)
def test_nothing_in_a_text_is_taken_for_structure(value: str) -> None:
    assert read_native(f'a = {value}\nb = "x"\n') == Body((Attribute("a", COMPUTED), Attribute("b", Text("x"))))


@table(
    ("text", "why"),
    [
        ("a = \x00", "line 1: it has a character that cannot stand there"),
        ("\n/* a", "line 2: a comment never ends"),
        ('a = "x\n"', "a text does not end on its line"),
        ('a = "${', "an expression in a text never ends"),
        ("a = <<E\nx", "the text up to “E” never ends"),
        ("a = <<E\n\u2003E\nE\n", "it is not plain where the text up to “E” ends"),
        (r'a = "\q"', "there is no such escape sequence"),
        (r'a = "\U00110000"', "there is no such character"),
        ("}", "a brace closes nothing"),
        ('"a" = 1', "the name of a setting or block is missing"),
        ("a", "“=” or “{” is missing"),
        ("a {", "a block never ends"),
        ("a {} b {}", "a line goes on where it should end"),
        ("a = (", "a bracket never closes"),
        ("a = (]", "brackets do not match"),
        ("a = ]", "brackets do not match"),
        ("<<<<<<< HEAD", "the name of a setting or block is missing"),
        ("a {\n" * 70 + "}\n" * 70, "nested more than 64 deep"),
        ("a = " + "[" * 70 + "]" * 70, "nested more than 64 deep"),
        ("a = " + '"${' * 70 + '}"' * 70, "nested more than 64 deep"),
    ],
)
def test_what_is_no_configuration_is_an_error_with_its_line(text: str, why: str) -> None:
    with pytest.raises(UnreadableProblem, match=r"^line \d+: ") as caught:
        read_native(text)
    assert why in str(caught.value)


def test_a_file_has_only_so_many_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MAX_WORDS", 3)
    with pytest.raises(UnreadableProblem, match="more than 3 words"):
        read_native("a = 1 + 1")
