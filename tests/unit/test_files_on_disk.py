"""A lock file that is another one by now is noticed, and read again only where its time or size say so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockwarden.core.engine import lock_file_reading
from lockwarden.core.engine.lock_file_reading import SeenFiles


def test_what_changed_goes_or_comes_back_is_noticed(tmp_path: Path) -> None:
    file, known = tmp_path / ".terraform.lock.hcl", b"before"
    file.write_bytes(known)
    disk = SeenFiles()
    assert not disk.differs(file, known)
    file.write_bytes(b"after, and longer")
    assert disk.differs(file, known)
    assert disk.differs(file, known)
    file.write_bytes(known)
    assert not disk.differs(file, known)
    file.unlink()
    assert disk.differs(file, known)
    os.mkfifo(file)
    assert disk.differs(file, known), "nobody waits for a pipe"


def test_a_file_whose_time_and_size_stay_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, known = tmp_path / "x", b"before"
    file.write_bytes(known)
    disk, reads = SeenFiles(), list[Path]()

    def read(path: Path) -> bytes:
        reads.append(path)
        return path.read_bytes()

    monkeypatch.setattr(lock_file_reading, "read_bytes", read)
    for _ in range(5):
        assert not disk.differs(file, known)
    assert reads == [file]
    other = b"another one is known by now"
    assert disk.differs(file, other)
    assert len(reads) == 2
