"""Writes the man page from the commands themselves: python scripts/man_page.py docs/lockwarden.1"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
from program_facts import EXIT_CODES, FILES, VARIABLES

from lockwarden.cli.main import EXAMPLES, lockwarden
from lockwarden.cli.reviewing_commands import review_

_WIDTH: Final = 100
_HEAD: Final = r""".\" Made by scripts/man_page.py from the commands.
.TH LOCKWARDEN 1
.SH NAME
lockwarden \- audits the dependency lock file of OpenTofu and Terraform"""


def page() -> str:
    """The whole page, with a line feed at the end."""
    return "\n".join([*_lines(), ""])


def _lines() -> Iterator[str]:
    program = click.Context(lockwarden, info_name="lockwarden", max_content_width=_WIDTH)
    yield _HEAD
    yield ".SH SYNOPSIS"
    yield from _usage("lockwarden", review_, program)
    for name, command in sorted(lockwarden.commands.items()):
        yield from _usage(f"lockwarden {name}", command, program)
    yield ".SH DESCRIPTION"
    yield from _prose(lockwarden.help or "")
    yield ".SH OPTIONS OF THE REVIEW"
    yield from _options([*review_.params, *lockwarden.params], program)
    yield ".SH COMMANDS"
    for name, command in sorted(lockwarden.commands.items()):
        yield f".SS lockwarden {_text(name)}"
        yield from _prose(command.help or "")
        yield from _options(command.params, click.Context(command, info_name=name, parent=program))
    yield ".SH EXAMPLES"
    yield from _listed(EXAMPLES)
    for title, told in (("EXIT STATUS", EXIT_CODES), ("FILES", FILES), ("ENVIRONMENT", VARIABLES)):
        yield f".SH {title}"
        yield from _listed(told)
    yield ".SH KEYS OF THE REVIEW"
    yield "? or F1 lists them, with what every word on the screen means."


def _usage(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    pieces = " ".join(command.collect_usage_pieces(click.Context(command, info_name=name, parent=parent)))
    yield ".br" if name != "lockwarden" else ".nh"
    yield rf"\fB{_text(name)}\fR {_text(pieces)}"


def _options(params: list[click.Parameter], ctx: click.Context) -> Iterator[str]:
    told = (each.get_help_record(ctx) for each in params if isinstance(each, click.Option))
    yield from _listed(each for each in told if each is not None)


def _listed(told: object) -> Iterator[str]:
    assert isinstance(told, Iterator | tuple)  # noqa: S101
    for term, does in told:
        yield ".TP"
        yield rf"\fB{_text(term)}\fR"
        yield _text(does)


def _prose(text: str) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        as_it_stands = paragraph.startswith("\b\n")
        yield ".nf" if as_it_stands else ".PP"
        lines = paragraph.removeprefix("\b\n").splitlines()
        yield from map(_text, lines if as_it_stands else [" ".join(lines)])
        if as_it_stands:
            yield ".fi"


def _text(words: str) -> str:
    """Words of our own with nothing that the formatter would act on."""
    plain = (
        words.replace("\\", r"\e").replace("-", r"\-").replace("…", "...").replace("“", r"\(lq").replace("”", r"\(rq")
    )
    return rf"\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
