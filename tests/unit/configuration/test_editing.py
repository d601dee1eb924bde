"""Other texts in a configuration file: at their places, and nothing else differs by a byte."""

from __future__ import annotations

import pytest

from lockwarden.core.configuration.editing import read_body, with_texts
from lockwarden.core.configuration.syntax import Attribute, Body, Span, UnreadableProblem
from lockwarden.core.values.errors import OwnFileEditError

NATIVE = """\ufeff# source = "a"
locals {
  text = <<-EOT
    source = "a"
    ${ { source = "a" }.source }
  EOT
}
module "one" { source = "a" } # "a"
module "two" {
  /* source = "a" */
  source   =   "\\u0061" // "a"
  with     = ("a")
  pieces   = "${var.a}"
}
"""
JSON = '{"module": {"one": {"//": "a", "source" : "a"},\n "two": [{"source":\t"\\u0061", "list": ["a"], "x": 1}]}}\n'


def spans(body: Body) -> list[Span]:
    """The places of all sources of calls."""

    def of(attributes: tuple[Attribute, ...]) -> list[Span]:
        return [each.span for each in attributes if each.name == "source" and each.span is not None]

    return [span for block in body.of_type("module") for span in of(block.body.attributes)]


@pytest.mark.parametrize("text", [NATIVE, NATIVE.replace("\n", "\r\n")], ids=["lf", "crlf"])
def test_only_the_text_that_is_meant_is_replaced(text: str) -> None:
    first, second = spans(read_body(text, in_json=False))
    assert (text[slice(*first)], text[slice(*second)]) == ('"a"', '"\\u0061"')
    after = with_texts(text, {second: 'b"${'}, in_json=False)
    assert after == text.replace('"\\u0061"', '"b\\"\\u0024{"')
    assert with_texts(text, {first: "b"}, in_json=False) == text.replace('{ source = "a" } #', '{ source = "b" } #')


def test_in_json_too() -> None:
    first, second = spans(read_body(JSON, in_json=True))
    assert (JSON[slice(*first)], JSON[slice(*second)]) == ('"a"', '"\\u0061"')
    assert with_texts(JSON, {second: "bö"}, in_json=True) == JSON.replace('"\\u0061"', '"bö"')
    assert with_texts(JSON, {first: "b\u202e"}, in_json=True) == JSON.replace('e" : "a"', 'e" : "b\\u202e"')


@pytest.mark.parametrize("value", ["${var.a}", "%{ if true }"])
def test_a_text_that_would_be_an_expression_in_json_is_refused(value: str) -> None:
    first, _ = spans(read_body(JSON, in_json=True))
    with pytest.raises(OwnFileEditError, match="exactly"):
        with_texts(JSON, {first: value}, in_json=True)


def test_what_could_not_be_read_any_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lockwarden.core.configuration.editing.quoted", lambda value: f'"{value}')
    first, _ = spans(read_body(NATIVE, in_json=False))
    with pytest.raises(OwnFileEditError, match="could not be read any more: line 8"):
        with_texts(NATIVE, {first: "b"}, in_json=False)


def test_a_place_without_a_text_is_refused() -> None:
    with pytest.raises(OwnFileEditError, match="no text stands"):
        with_texts(NATIVE, {(1, 2): "b"}, in_json=False)
    with pytest.raises(UnreadableProblem):
        with_texts("{", {}, in_json=False)
