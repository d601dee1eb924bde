"""Twenty tasks in a real terminal by the keys that docs/tasks.md names, with the installed command."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from servers.installed import PROGRAM
from servers.tmux import Tmux, Window, running, shell

PAGE: Final = Path(__file__).parents[2] / "docs" / "tasks.md"
SIZES: Final = {(80, 24): 1, (120, 40): 2}
"""Which column of the table has the keys for a terminal of a size."""
NAMES: Final = {"enter": "Enter", "esc": "Escape", "→": "Right", "space": "Space", "ctrl+p": "C-p"}
KEY_LINE: Final = "q Leave"
LOCKED: Final = """# This file is maintained automatically by "tofu init".
# Manual edits may be lost in future updates.

provider "registry.opentofu.org/acme/widget" {
  version = "1.0.0"
  hashes = [
    "zh:%s",
  ]
}
"""


@dataclass(frozen=True)
class Task:
    """What is on the screen when it is done, while it is under way, and the keys that lead back."""

    shown: tuple[str, ...]
    meanwhile: dict[str, str]
    """After a key, what has to be on the screen before the next one is pressed; the second of a kind has a 2."""
    back: tuple[str, ...] = ()


def task(*shown: str, back: tuple[str, ...] = (), **meanwhile: str) -> Task:
    return Task(shown, meanwhile, back)


FILTER: Final = {"/": "text, verdict:new"}
TASKS: Final = (
    task("and this is not one of them", "line 33"),
    task("line 34"),
    task("Disposition", back=("esc",)),
    task("requests that failed in a way that may pass", back=("esc", "esc"), **{"/": "any word that you see"}),
    task("shown, esc clears", "Why unexplained", back=("esc",), **FILTER),
    task("shown, esc clears", back=("esc",), **FILTER),
    task("acme/gauge 0.3.7", "Why", gauge="Go to acme/gauge 0.3.7"),
    task("fingerprint", "t Trust", back=("esc",)),
    task("Would a client install with this lock file?", "acme/gauge 0.3.7", back=("esc",)),
    task("of acme/gauge", "1 decision unwritten"),
    task("undone: drop"),
    task("accepted; "),
    task("The decisions add", back=("esc",)),
    task("written: ", w="Writing adds"),
    task("taken back: the lock file is as it was", z="This takes the last write back", back=("z",)),
    task("written: approvals.hcl", R="Record an approval", enter2="One approval is recorded"),
    task(
        "written: ",
        s="Sources",
        t="Trust mirror.example.test for which providers?",
        enter="The policy gets one rule more",
        enter2="written: .lockwarden.hcl",
        esc=KEY_LINE,
        A="accepted",
        w="Writing adds",
    ),
    task("nothing was changed in the editor"),
    task("written: lockwarden-review.md", E="Export this review"),
    task("against", "hashes swapped", b="Compare the lock file with"),
)


def rows() -> list[list[str]]:
    """The cells of each task's row."""
    table = PAGE.read_text(encoding="utf-8").partition("| --- ")[2].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table if line.startswith("| ")]


def keys(cell: str) -> list[str]:
    """The keys of a cell; a typed text is one, in its quotation marks."""
    return re.findall(r"“[^”]*”|(?<=`)[^` ]+(?=`)", cell)


def test_the_table_counts_the_keys_that_it_names() -> None:
    assert len(rows()) == len(TASKS) == 20
    for cells in rows():
        for column in SIZES.values():
            assert sum(len(each) - 2 if each[0] == "“" else 1 for each in keys(cells[column])) == int(cells[3]), cells


@pytest.fixture(scope="module")
def tmux(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.fail("tmux is needed for this test")
    with running(tmp_path_factory.mktemp("t")) as made:
        yield made


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which a hash was swapped, and that is not committed yet."""
    folder = tmp_path_factory.mktemp("repository")
    lock_file = folder / ".terraform.lock.hcl"
    lock_file.write_text(LOCKED % ("ab" * 32))
    for words in (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "."),
        ("-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "--quiet", "-m", "Lock"),
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    lock_file.write_text(LOCKED % ("cd" * 32))
    return folder


def walk(window: Window, cell: str, done: Task) -> None:
    """Press the keys of a task, see what it shows, and go back to the review."""
    pressed = Counter[str]()
    for key in keys(cell):
        if key[0] == "“":
            window.write(key[1:-1])
        else:
            window.press(NAMES.get(key, key))
        if key == "esc":
            window.rest()
        name = key.strip("“”")
        pressed[name] += 1
        if wanted := done.meanwhile.get(f"{name}{pressed[name]}" if pressed[name] > 1 else name, ""):
            window.wait_for(wanted)
    window.wait_for(*done.shown)
    for key in done.back:
        window.rest()
        window.press(NAMES.get(key, key))
    window.rest()


# The keys are the same; that the wider layout takes them is seen by the tests of single screens.
@pytest.mark.parametrize(
    "size", [(80, 24), pytest.param((120, 40), marks=pytest.mark.thorough)], ids=["80x24", "120x40"]
)
def test_every_task_is_done_by_its_keys(tmux: Tmux, repository: Path, size: tuple[int, int], tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n  name = Ada Example\n  email = ada@example.test\n")
    editor = tmp_path / "vi"
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/edited"\n')
    editor.chmod(0o755)
    environment = {
        "HOME": str(home),
        "PATH": f"{PROGRAM.parent}:/usr/local/bin:/usr/bin:/bin",
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "TMPDIR": str(tmp_path),
        "EDITOR": str(editor),
        "PS1": "shell: ",
    }
    window = shell(tmux, size, tmp_path, environment)
    window.write("lockwarden demo")
    window.press("Enter")
    window.wait_for("11/11 providers", "line 33")
    *in_the_demo, in_the_repository = zip(rows(), TASKS, strict=True)
    for cells, done in in_the_demo:
        walk(window, cells[SIZES[size]], done)
    line, file = (tmp_path / "edited").read_text().splitlines()
    assert re.fullmatch(r"\+\d+", line)
    assert file.endswith("infra/.terraform.lock.hcl")
    assert "infra/.terraform.lock.hcl" in (tmp_path / "lockwarden-review.md").read_text()

    window.press("C-z")
    window.wait_for("Stopped")
    window.write("fg")
    window.press("Enter")
    window.wait_for("11/11 providers", KEY_LINE)
    window.press("q")
    window.wait_for_end("shell:")
    window.write(f"cd {repository}; clear; lockwarden --offline")
    window.press("Enter")
    window.wait_for("1/1 providers", KEY_LINE)
    cells, done = in_the_repository
    walk(window, cells[SIZES[size]], done)
    window.press("q")
    window.wait_for_end("shell:")
