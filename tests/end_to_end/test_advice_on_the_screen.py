"""What a real audit advises, as the screen has it: keys, and no word of the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from end_to_end.configuring import run
from servers.installed import Lockwarden

from lockwarden.tui.render.advice import on_screen

COMMAND_LINE = re.compile(r"(?<![\w-])--[a-z][a-z-]+|\blockwarden (?:lock|check|config|keys)\b")


def sentences(value: Any) -> Iterator[str]:
    """Every text in a JSON report."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from sentences(each)
    elif isinstance(value, list):
        for each in value:
            yield from sentences(each)


def test_what_an_audit_without_the_network_advises_names_keys_on_the_screen(
    lockwarden: Lockwarden, folder: Path
) -> None:
    done = run(lockwarden, "check", "--offline", "--format", "json", folder=folder)
    told = {each for each in sentences(done.report["lock_files"]) if COMMAND_LINE.search(each)}
    assert len(told) > 1
    shown = {each: on_screen(each) for each in told}
    assert [each for each in shown.values() if COMMAND_LINE.search(each)] == []
    assert any("begin the review anew with the network" in each for each in shown.values())
