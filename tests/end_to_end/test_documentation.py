"""Every command that the documentation shows exists as it is written there, and does not end as wrong usage."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click
import pytest
from builders.registry_metadata import SAMPLE, SAMPLE_H1, SAMPLE_PATH
from fakes.git_commands import git
from servers.installed import Lockwarden

from lockwarden.cli.commands.reviewing import review_
from lockwarden.cli.main import lockwarden as program
from lockwarden.demo.building import DemoWorld

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
_BLOCK: Final = re.compile(r"```(?:console|sh)\n(?P<lines>.*?)```", re.DOTALL)
_INLINE: Final = re.compile(r"`(?P<command>lockwarden [a-z][^`]*)`")
_STARTED: Final = re.compile(r"(?:^(?:\$ )?|xargs -0 (?:-r )?|-m )lockwarden(?:\.cli)?\b(?P<rest>.*)")
_PLACEHOLDER: Final = re.compile(r"[…\[\]<>|]|\b(?:PATH|FILE|DIR|REV|COMMAND|ADDRESS|URL|SOURCE|LIST|FOLDER)\b|\.\.\.")


def _commands(page: Path) -> Iterator[str]:
    """The arguments of each command in the blocks of a page."""
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        for line in block["lines"].replace("\\\n", " ").splitlines():
            if started := _STARTED.search(line):
                yield re.sub(r"\s+#.*", "", started["rest"]).strip()


SHOWN: Final = sorted({(page.name, command) for page in PAGES for command in _commands(page)})
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


@pytest.mark.parametrize(("page", "command"), [*SHOWN, *MENTIONED])
def test_commands_and_options_are_there_as_they_are_written(page: str, command: str) -> None:
    _parsed(shlex.split(command))


def test_what_is_misspelt_is_found() -> None:
    with pytest.raises(click.UsageError):
        _parsed(["check", "--bsae", "origin/main"])


@pytest.fixture(scope="module")
def made(demo_world: DemoWorld, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples stand in: a lock file in several folders, `origin/main`, modules, a package."""
    folder = tmp_path_factory.mktemp("documentation")
    for place in (".", "infra", "infra/prod", "infra/test"):
        (folder / place).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(demo_world.lock_file, folder / place / ".terraform.lock.hcl")
        (folder / place / "main.tf").write_text('module "m" {\n  source = "./modules/m"\n}\n')
        (folder / place / "modules/m").mkdir(parents=True)
        (folder / place / "modules/m/main.tf").write_text("")
    (package, *_) = sorted(demo_world.filesystem_mirror.rglob("*.zip"))
    shutil.copyfile(package, folder / "terraform-provider-widget_1.0.0_linux_amd64.zip")
    metadata = folder / "registry" / SAMPLE_PATH
    metadata.parent.mkdir(parents=True)
    # Filled, so that no backfill has anything to fetch.
    metadata.write_text(SAMPLE.replace('"h1": ""', f'"h1": "{SAMPLE_H1}"').replace('"size": 0', '"size": 295'))
    _committed(folder)
    _clones(folder, demo_world)
    return folder


def _clones(folder: Path, demo_world: DemoWorld) -> None:
    """A clone that locks one provider, lists that name it, and an organisation's policy."""
    clone = folder / "clones" / "payments" / "infra"
    clone.mkdir(parents=True)
    head, first, *_ = re.split(r"(?m)^(?=provider )", demo_world.lock_file.read_text(encoding="utf-8"))
    (clone / ".terraform.lock.hcl").write_text(f"{head}{first}", encoding="utf-8")
    _committed(clone)
    for name in ("repositories.txt", "names.txt"):
        (folder / name).write_text("payments/infra\n", encoding="utf-8")
    (folder / "organisation.hcl").write_text("", encoding="utf-8")


def _committed(folder: Path) -> None:
    """Everything in the folder as the commit that `origin/main` is, too."""
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "-c", "user.name=A", "-c", "user.email=a@example.test", "commit", "-q", "-m", "all")
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one example has fetched, the next one has in its cache."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def repository(made: Path, tmp_path: Path) -> Path:
    """A copy of its own, since some of the examples write."""
    return shutil.copytree(made, tmp_path / "repository")


_NO_BUNDLE: Final = "no bundle lies there"
ENDS_OTHERWISE: Final[Mapping[str, str]] = {
    "bundle . -o evidence.tar --sign-key ~/.ssh/id_ed25519": "nobody has that key",
    "check . --evidence evidence.tar --evidence-signers signers": _NO_BUNDLE,
    ". --evidence evidence.tar --evidence-signers signers": _NO_BUNDLE,
    "package-diff old.zip new.zip": "there are no two packages here",
    "package-diff old.zip new.zip --format json": "there are no two packages here",
    "package-diff zh:0f3c… new.zip": "nothing was kept here",
    "registry audit https://github.com/opentofu/registry/archive/refs/heads/main.tar.gz": "the archive is not here",
}
"""Examples that need what no test has here: the command, and why."""
RUN: Final = sorted({command for _, command in SHOWN if command and not command.startswith(("demo", "serve"))})


@pytest.mark.parametrize("command", [each for each in RUN if each not in ENDS_OTHERWISE])
def test_what_is_shown_runs_as_it_is_written(
    command: str, lockwarden: Lockwarden, repository: Path, kept: Path
) -> None:
    ended = lockwarden.run(
        *shlex.split(command),
        folder=repository,
        XDG_CACHE_HOME=str(kept / "cache"),
        XDG_STATE_HOME=str(kept / "state"),
    )
    assert ended.code in {0, 1, 3}, ended.err
    assert "Traceback" not in ended.err
