"""What `check` looks like on a terminal, in a job's log, in a pipe, and where there is no Unicode."""

from __future__ import annotations

import json
import re
from pathlib import Path

from servers.installed import PATIENCE, Lockwarden

REVERSED = re.compile(rb"\x1b\[(?:\d+;)*7(?:;\d+)*m")
OFFLINE = ("check", "--offline", "--no-cache")
COLOURED = re.compile(rb"\x1b\[[0-9;]*m")
OPEN = "\x1b[33;1mNot everything was checked\x1b[0m"


def test_on_a_terminal_the_report_is_coloured_and_laid_out_for_its_width(lockwarden: Lockwarden, folder: Path) -> None:
    with lockwarden.in_terminal(*OFFLINE, folder=folder, columns=60) as terminal:
        assert terminal.process.wait(timeout=PATIENCE) == 3
        terminal.wait_for(b"Configuration:", seconds=PATIENCE)
        shown = terminal.shown.partition(b".terraform.lock.hcl: ")[2]
    assert OPEN.encode() in shown
    lines = COLOURED.sub(b"", shown).decode().split("\r\n")
    words = [line for line in lines if not re.search(r"\S{40}", line)]
    assert max(map(len, words)) <= 60
    assert any(line.startswith("      ") and "→" not in line for line in words)


def test_colours_are_for_people_and_signs_for_those_who_have_them(lockwarden: Lockwarden, folder: Path) -> None:
    piped = lockwarden.run_apart(*OFFLINE, folder=folder, expected=3)
    log = lockwarden.run_apart(*OFFLINE, folder=folder, expected=3, GITHUB_ACTIONS="true")
    document = lockwarden.run(
        *OFFLINE, "--color", "always", "--format", "json", folder=folder, expected=3, FORCE_COLOR="1"
    )
    bare = lockwarden.run_apart(*OFFLINE, folder=folder, expected=3, LC_ALL="C")

    assert "\x1b" not in piped.out
    assert "? unchecked" in piped.out
    assert "→" in piped.out
    assert OPEN in log.out
    assert re.sub(r"\x1b\[[0-9;]*m", "", log.out) == piped.out
    assert "\x1b" not in document.out
    assert json.loads(document.out)["exit_code"] == 3
    assert bare.out.isascii()
    assert bare.out.replace("->", "→") == piped.out.replace("“", '"').replace("”", '"')


def test_the_review_on_an_old_terminal_shows_cursor_and_keys_without_colours_of_its_own_in_ascii(
    lockwarden: Lockwarden, folder: Path
) -> None:
    with lockwarden.in_terminal("--offline", "--no-cache", folder=folder, TERM="xterm", LC_ALL="C") as terminal:
        terminal.wait_for(b"checked", seconds=PATIENCE)
        terminal.wait_until(lambda shown: len(REVERSED.findall(shown)) > 5, seconds=PATIENCE)
        terminal.press(b"q")
        assert terminal.process.wait(timeout=PATIENCE) == 3
        shown = terminal.shown
    assert shown.isascii()
    assert b"38;2;" not in shown
    assert b"38;5;" not in shown
