"""Keys that are made on the spot are exactly as old as they are said to be, however slow the machine is."""

from __future__ import annotations

import os
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lockwarden.demo.keys import KeyMaker, SigningPart

MADE = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.mark.parametrize("use", SigningPart)
def test_the_clock_stands_still_while_a_key_is_made(
    use: SigningPart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpg = shutil.which("gpg")
    assert gpg
    program = tmp_path / "gpg"
    program.write_text(f'#!/bin/sh\necho "$@" >> "{tmp_path}/asked"\nexec "{gpg}" "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path), os.environ["PATH"]]))
    with KeyMaker() as maker:
        key = maker.make("Acme <acme@example.test>", created=MADE, use=use)
        listed = maker.run(["--with-colons", "--list-keys", key.fingerprint]).decode()
    made = [line.split(":")[5] for line in listed.splitlines() if line.startswith(("pub:", "sub:"))]
    assert set(made) == {f"{int(MADE.timestamp())}"}
    asked = (tmp_path / "asked").read_text().splitlines()
    making = [line for line in asked if re.search("--quick-(generate|add)-key", line)]
    assert len(making) == len(made)
    assert all(f"--faked-system-time {int(MADE.timestamp())}! " in line for line in making)
