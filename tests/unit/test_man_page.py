"""The man page is the one that the commands make, and says what they do."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import click
import man_page
import pytest

from lockwarden.cli.main import lockwarden

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "lockwarden.1"


@pytest.fixture(scope="module")
def made() -> str:
    return man_page.page()


def test_the_page_is_current(made: str) -> None:
    assert PAGE.read_text(encoding="utf-8") == made, "run: make reference"


def test_every_command_and_option_is_in_it(made: str) -> None:
    page = made.replace("\\-", "-")
    for name, command in lockwarden.commands.items():
        assert f".SS lockwarden {name}\n" in page
        shown = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
        assert [each for option in shown for each in option.opts if each not in page] == []
    assert "--names-follow" not in page


def test_no_line_is_a_request_that_nobody_meant(made: str) -> None:
    known = {".TH", ".SH", ".SS", ".TP", ".PP", ".br", ".nh", ".nf", ".fi"}
    requests = {line.split()[0] for line in made.splitlines() if line.startswith((".", "'")) and line[:3] != '.\\"'}
    assert requests <= known
    assert re.search(r"(?<!\\)-", made.partition(".SH NAME")[2].partition(".SH SYNOPSIS")[2]) is None
    if shutil.which("man") is not None:
        done = subprocess.run(["man", "--warnings", "-l", str(PAGE)], capture_output=True, text=True)
        assert done.stderr == ""
