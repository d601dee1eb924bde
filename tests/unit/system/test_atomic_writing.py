"""The temporary file that takes over a name: nobody has put anything in its place, and nobody can read it early."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

import pytest

from lockwarden.core.system.atomic_writing import written_beside


@pytest.mark.parametrize("planted", ["a file", "a link", "a link to nowhere"])
def test_what_somebody_has_put_in_its_place_is_neither_written_to_nor_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    monkeypatch.setattr(secrets, "token_hex", lambda size: "00" * size)
    elsewhere = tmp_path / "elsewhere"
    place = tmp_path / "file.0000000000000000.tmp"
    if planted == "a file":
        place.write_bytes(b"theirs")
    else:
        place.symlink_to(elsewhere)
    if planted == "a link":
        elsewhere.write_bytes(b"theirs")
    with pytest.raises(FileExistsError), written_beside(tmp_path / "file", b"ours"):
        pass
    assert os.path.lexists(place)
    assert elsewhere.exists() is (planted == "a link")
    assert b"ours" not in {each.read_bytes() for each in (place, elsewhere) if each.exists()}


def test_each_has_a_name_of_its_own_that_nobody_knows_before(tmp_path: Path) -> None:
    with written_beside(tmp_path / "file", b"1") as one, written_beside(tmp_path / "file", b"2") as other:
        assert one != other
        assert len(one.name) == len("file.") + 16 + len(".tmp")


def test_nobody_else_can_open_it_before_it_has_the_mode_of_the_file_that_it_replaces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tmp_path / "before"
    before.write_bytes(b"")
    before.chmod(0o640)
    modes: list[int] = []
    chmod = os.fchmod

    def noted(file: int, mode: int) -> None:
        modes.append(stat.S_IMODE(os.fstat(file).st_mode))
        chmod(file, mode)

    monkeypatch.setattr(os, "fchmod", noted)
    with written_beside(tmp_path / "file", b"", like=before.stat()) as temporary:
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o640
    assert modes == [0o600]
