"""Every command that the documentation shows runs as it is written there, and prints what the page says."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click
import pytest
from end_to_end.documented import PAGES, Scene, agrees, configured, scene, shown, world
from msgspec.structs import replace

from lockwarden.cli import process_runtime
from lockwarden.cli.main import lockwarden as program
from lockwarden.cli.reviewing_commands import review_
from lockwarden.core.engine.runtime import Runtime
from lockwarden.demo.building import DemoWorld
from lockwarden.demo.transport import WorldTransport

_INLINE: Final = re.compile(r"`(?P<command>lockwarden [a-z][^`]*)`")
_PLACEHOLDER: Final = re.compile(r"[…\[\]<>|]|\b(?:PATH|FILE|DIR|REV|COMMAND|ADDRESS|URL|SOURCE|LIST|FOLDER)\b|\.\.\.")
SHOWN: Final = tuple(dict.fromkeys(each for page in PAGES for each in shown(page)))
MENTIONED: Final = sorted(
    {
        (page.name, found["command"].removeprefix("lockwarden ").replace("\n", " "))
        for page in PAGES
        for found in _INLINE.finditer(page.read_text(encoding="utf-8"))
        if not _PLACEHOLDER.search(found["command"])
    }
)


def _parsed(words: list[str]) -> click.Context:
    """The context of the command that these words name, once its options are taken. Raises click.UsageError."""
    command: click.Command = program
    ctx = click.Context(program, info_name="lockwarden")
    while isinstance(command, click.Group) and words and words[0] in command.commands:
        command = command.commands[words[0]]
        ctx, words = click.Context(command, info_name=words[0], parent=ctx, **command.context_settings), words[1:]
    command = review_ if command is program else command
    command.make_parser(ctx).parse_args(words)
    return ctx


def test_commands_and_options_are_there_as_they_are_written() -> None:
    wrong = []
    for page, command in [*((each.page, each.command) for each in SHOWN), *MENTIONED]:
        try:
            _parsed(shlex.split(command))
        except click.UsageError as error:
            wrong.append(f"{page}: lockwarden {command}: {error.message}")
    assert wrong == []


def test_what_is_misspelt_is_found() -> None:
    with pytest.raises(click.UsageError):
        _parsed(["check", "--bsae", "origin/main"])


@pytest.mark.parametrize(
    ("sample", "printed", "same"),
    [
        ("a\nb", "a\nb\n", True),
        ("a", "a\nb\n", False),
        ("b", "a\nb\n", False),
        ("a\n…\nc", "a\nb\nb\nc\n", True),
        ("a\n…", "a\n", True),
        ("key …, valid", "key 99AF 71DF, valid\n", True),
        ("key …, valid", "key 99AF 71DF, expired\n", False),
        ("key …, valid", "key 99AF\n, valid\n", False),
        ("a.c", "abc\n", False),
    ],
)
def test_a_sample_is_what_is_printed_but_for_what_it_leaves_out(sample: str, printed: str, same: bool) -> None:
    assert agrees(sample.splitlines(), printed) is same


@pytest.fixture(scope="module")
def documented(demo_world: DemoWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One scene for all pages: what one example has fetched, the next one has in its cache. No socket is opened."""
    transport, runtime = WorldTransport(world(demo_world)), process_runtime.own_runtime

    def here(*given: Any) -> Runtime:
        return replace(runtime(*given), transport=transport)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lockwarden.cli.config.own_runtime", here)  # loaded before the other, so that it keeps nothing
        patch.setattr(process_runtime, "own_runtime", here)
        patch.setattr("lockwarden.cli.demo.build", lambda folder, *, now: demo_world)
        yield scene(tmp_path_factory.mktemp("documentation"), demo_world)


_NO_BUNDLE: Final = "no bundle lies there"
ENDS_OTHERWISE: Final[Mapping[str, str]] = {
    "approve-sign": "nobody has a key to sign with",
    "bundle . -o evidence.tar --sign-key ~/.ssh/id_ed25519": "nobody has that key",
    "check . --evidence evidence.tar --evidence-signers signers": _NO_BUNDLE,
    ". --evidence evidence.tar --evidence-signers signers": _NO_BUNDLE,
    "package-diff old.zip new.zip": "there are no two packages here",
    "package-diff old.zip new.zip --format json": "there are no two packages here",
    "package-diff zh:0f3c… new.zip": "nothing was kept here",
    "registry audit https://github.com/opentofu/registry/archive/refs/heads/main.tar.gz": "the archive is not here",
}
"""Examples that need what no test has here: the command, and why."""
SERVES: Final = "serve"
RUN: Final = sorted({each.command for each in SHOWN if not each.command.startswith(SERVES)} - {*ENDS_OTHERWISE, ""})


@pytest.mark.parametrize("command", RUN)
def test_what_is_shown_runs_as_it_is_written_and_prints_what_the_page_says(
    command: str, documented: Scene, tmp_path: Path
) -> None:
    home = configured(tmp_path) if command.startswith("config") else documented.lockwarden.environment["HOME"]
    ended = documented.lockwarden.run(
        *shlex.split(command), folder=documented.copy(tmp_path / "repository"), HOME=str(home)
    )
    assert ended.code in {0, 1, 3}, ended.err
    for each in SHOWN:
        if each.command == command and each.sample and not agrees(each.sample, ended.out):
            lines = difflib.unified_diff(each.sample, ended.out.splitlines(), each.page, "printed", lineterm="", n=99)
            pytest.fail("\n".join(lines))


def test_there_is_something_that_is_compared() -> None:
    assert len([each for each in SHOWN if each.sample]) > 6
    assert set(ENDS_OTHERWISE) <= {each.command for each in SHOWN}
