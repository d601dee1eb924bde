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
VARIABLE: Final = re.compile(
    r"(?:LOCKWARDEN|OPENTOFU|TOFU|TF|TERRAFORM|SSL_CERT|XDG|GIT|SSH|PYTHON)_?[A-Z_]+|(?:NO_|FORCE_|CLI)COLOR(?:_FORCE)?"
    r"|HOME|PATH|TMPDIR|VISUAL|EDITOR|BROWSER|TERM|LANG|LC_[A-Z]+|COLORFGBG|[A-Z_]*DISPLAY|XAUTHORITY|SUDO_UID"
)
IN_QUOTES: Final = re.compile(rf"[\"'}}](?:{VARIABLE.pattern})[\"'{{]")
SET_FOR_GIT: Final = frozenset(
    {
        *("GIT_ALLOW_PROTOCOL", "GIT_CEILING_DIRECTORIES", "GIT_GRAFT_FILE", "GIT_LFS_SKIP_SMUDGE"),
        *("GIT_NO_LAZY_FETCH", "GIT_NO_REPLACE_OBJECTS", "GIT_OPTIONAL_LOCKS", "GIT_TERMINAL_PROMPT"),
        *("GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE2_PERF"),
    }
)
"""What git is given by us, whatever the environment says."""
NO_VARIABLES: Final = SET_FOR_GIT | {"TF_TOKEN_", "GIT_AUTHOR_IDENT"}
"""The beginning of names, which the page has with a star, and what git calls a value of its own."""
OF_WINDOWS: Final = frozenset({"APPDATA", "PATHEXT", "USERPROFILE"})
"""Where the clients' files are on a system that is not supported."""


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page.page(), "run: make reference"


def test_every_command_and_option_is_in_it() -> None:
    page = reference_page.page()
    for name, command in lockwarden.commands.items():
        assert f"## lockwarden {name}\n" in page
        shown = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
        assert [each for option in shown for each in option.opts if f"`{each}" not in page] == []


def test_every_variable_that_the_sources_read_is_in_it() -> None:
    texts, read = set(), set()
    for folder in ("cli", "core", "demo", "tui"):
        for path in (ROOT / folder).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            if not (IN_QUOTES.search(source) or "environ" in source):
                continue
            for node in ast.walk(ast.parse(source)):
                texts |= _text(node)
                read |= _read_of_an_environment(node)
    variables = {text for text in texts if VARIABLE.fullmatch(text)} | read
    page = reference_page.page().partition("## Variables")[2]
    assert len(variables) > 40
    assert len(read) > 10
    assert sorted(each for each in variables - NO_VARIABLES - OF_WINDOWS if f"`{each}`" not in page) == []


def _text(node: ast.AST) -> set[str]:
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def _read_of_an_environment(node: ast.AST) -> set[str]:
    """The name of a variable that is read as `environ.get(NAME)`, `environment()[NAME]` and the like."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get", value=holder), args=[name, *_]) | ast.Subscript(holder, name):
            return _text(name) if "environ" in ast.unparse(holder) else set()
    return set()
