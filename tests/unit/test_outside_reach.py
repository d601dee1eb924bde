"""With a base, no editor or browser is run that the change under review could have written."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockwarden.cli.review_setup import ProgramsOfThisMachine
from lockwarden.core.git.reach import Reach
from lockwarden.core.values.errors import ToolError


def test_a_program_that_the_change_could_have_written_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, own = tmp_path / "tree", tmp_path / "own"
    for folder in (tree / ".git", tree / "bin", own):
        folder.mkdir(parents=True)
    for folder in (tree / "bin", own):
        (folder / "vi").write_text("#!/bin/sh\nexit 0\n")
        (folder / "vi").chmod(0o755)
    programs = ProgramsOfThisMachine(Reach.of([str(tree)]))
    lock_file = tree / ".terraform.lock.hcl"
    for editor in ("vi", f"{tree}/bin/vi", f"{own}/../tree/bin/vi"):
        monkeypatch.setenv("PATH", str(tree / "bin"))
        monkeypatch.setenv("EDITOR", editor)
        with pytest.raises(ToolError, match="the change could have written it"):
            programs.editor(lock_file, 3)
    monkeypatch.setenv("EDITOR", "vi")
    monkeypatch.setenv("PATH", str(own))
    assert programs.editor(lock_file, 3) == [str(own / "vi"), "+3", str(lock_file)]
    assert programs.run(programs.editor(lock_file, 3)) == 0
    assert ProgramsOfThisMachine(editor=f"{own}/vi -n").editor(lock_file, 1)[1] == "-n", "a setting counts first"
