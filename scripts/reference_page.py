"""Writes the page of reference from the commands themselves: python scripts/reference_page.py docs/reference.md"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
from program_facts import EXIT_CODES, FILES, VARIABLES

from lockwarden.cli.main import lockwarden
from lockwarden.cli.reviewing_commands import review_

_WIDTH: Final = 100
_HEAD: Final = """# Reference

Every command with its options, every file and every variable. `scripts/reference_page.py` writes this page from the
commands; `lockwarden COMMAND --help` and `man lockwarden` say the same.
"""


def page() -> str:
    """The whole page, with a line feed at the end."""
    return "\n".join([*_lines(), ""])


def _lines() -> Iterator[str]:
    program = click.Context(lockwarden, info_name="lockwarden", max_content_width=_WIDTH)
    yield _HEAD
    yield "## Commands\n"
    yield from _table(("command", "what it does"), _contents())
    yield "\n## The review\n"
    yield from _command("lockwarden", review_, program, more=lockwarden.params, prose=lockwarden.help or "")
    for name, command in sorted(lockwarden.commands.items()):
        yield f"\n## lockwarden {name}\n"
        yield from _group(name, command, program)
    for title, told in (("Exit codes", EXIT_CODES), ("Files", FILES), ("Variables", VARIABLES)):
        yield f"\n## {title}\n"
        yield from _table(("", "meaning"), ((_code(term), _cell(does)) for term, does in told))


def _contents() -> Iterator[tuple[str, str]]:
    """Every command with its first sentence, as a link to the rest of it."""
    yield "[`lockwarden [PATH]...`](#the-review)", "Review lock files on the screen."
    for name, command in sorted(lockwarden.commands.items()):
        yield f"[`lockwarden {name}`](#lockwarden-{name})", _cell(command.get_short_help_str(_WIDTH))


def _group(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    """A command, and those below it."""
    yield from _command(f"lockwarden {name}", command, parent)
    if isinstance(command, click.Group):
        ctx = click.Context(command, info_name=name, parent=parent)
        for below, each in sorted(command.commands.items()):
            yield f"\n### lockwarden {name} {below}\n"
            yield from _command(f"lockwarden {name} {below}", each, ctx)


def _command(
    name: str, command: click.Command, parent: click.Context, *, more: Iterable[click.Parameter] = (), prose: str = ""
) -> Iterator[str]:
    ctx = click.Context(command, info_name=name, parent=parent, max_content_width=_WIDTH)
    yield "```text"
    yield " ".join([name, *command.collect_usage_pieces(ctx)])
    yield "```\n"
    yield from _prose(prose or command.help or "")
    told = [each.get_help_record(ctx) for each in (*command.params, *more) if isinstance(each, click.Option)]
    rows = sorted((_code(term), _cell(does)) for term, does in filter(None, told))
    yield from _table(("option", "what it does"), rows)


def _prose(text: str) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield "```text"
            yield paragraph.removeprefix("\b\n")
            yield "```\n"
        else:
            yield f"{_cell(' '.join(paragraph.splitlines()))}\n"


def _table(head: tuple[str, str], rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    rows = list(rows)
    if rows:
        yield f"| {head[0]} | {head[1]} |"
        yield "| --- | --- |"
        for row in rows:
            yield f"| {row[0]} | {row[1]} |"


def _code(term: str) -> str:
    """A name as code; alternatives after a bar would end the cell of a table."""
    return ", ".join(
        f"`{part.replace('|', chr(92) + '|')}`" for part in re.split(r", (?=\S)", term.replace("  / ", ", "))
    )


def _cell(words: str) -> str:
    """Words of our own in a table: no bar ends the cell, nothing in them is a tag or an emphasis."""
    escaped = re.sub(r"([|<>*\[\]])", r"\\\1", words)
    return " ".join(escaped.split())


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
