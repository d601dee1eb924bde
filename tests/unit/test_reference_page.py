"""The page of reference is the one that the commands make, and has every variable that the sources read."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import click
import reference_page

from lockwarden.cli.main import lockwarden

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "reference.md"
VARIABLE: Final = re.compile(r"(?:LOCKWARDEN|OPENTOFU|TOFU|TF|TERRAFORM|SSL_CERT|XDG)_[A-Z_]+|NO_COLOR|VISUAL|EDITOR")
NO_VARIABLES: Final = frozenset({"TF_TOKEN_"})
"""Beginnings of names; the page has them with a star."""


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page.page(), "run: make reference"


def test_every_command_and_option_is_in_it() -> None:
    page = reference_page.page()
    for name, command in lockwarden.commands.items():
        assert f"## lockwarden {name}\n" in page
        shown = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
        assert [each for option in shown for each in option.opts if f"`{each}" not in page] == []


def test_every_variable_that_the_sources_read_is_in_it() -> None:
    texts = {
        node.value
        for folder in ("cli", "core", "demo", "tui")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    variables = {text for text in texts if VARIABLE.fullmatch(text)} - NO_VARIABLES
    page = reference_page.page().partition("## Variables")[2]
    assert len(variables) > 12
    assert sorted(each for each in variables if f"`{each}`" not in page) == []
