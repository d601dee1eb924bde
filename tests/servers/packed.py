"""Many small recorded files as one archive: the same files give the same list, whoever packed them and when."""

from __future__ import annotations

import atexit
import fcntl
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_SESSION: Final = "TESTS_UNPACKED"
"""The variable that tells the workers of a session where its archives are unpacked."""
_MODES: Final = (0o644, 0o755)


def contents(archive: Path) -> dict[str, bytes]:
    """Name → content of every file, in the order of their names."""
    with tarfile.open(archive) as opened:
        files = [member for member in opened if member.isreg()]
        return {member.name: _content(opened, member) for member in sorted(files, key=lambda each: each.name)}


def pack(archive: Path, files: Mapping[str, tuple[int, bytes]]) -> None:
    """Write an archive of these files (name → mode and content), of which only the owner's right to run one counts."""
    with tarfile.open(archive, "w:xz", preset=9) as opened:
        for name, (mode, content) in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), _MODES[bool(mode & 0o100)]
            opened.addfile(member, io.BytesIO(content))


def packable(archive: Path) -> dict[str, tuple[int, bytes]]:
    """What `pack` would take to write the same again."""
    with tarfile.open(archive) as opened:
        return {each.name: (each.mode, _content(opened, each)) for each in opened if each.isreg()}


def flaws(archive: Path) -> list[str]:
    """What `pack` would have written otherwise: order, times, owners, modes, or anything that is no file."""
    with tarfile.open(archive) as opened:
        members = opened.getmembers()
    names = [each.name for each in members]
    found = [] if names == sorted(set(names)) else ["the names are not in order, or not different"]
    for each in members:
        owner = (each.uid, each.gid, each.uname, each.gname, each.mtime)
        if not each.isreg() or each.mode not in _MODES or owner != (0, 0, "", "", 0):
            found.append(f"{each.name}: not a plain file without owner and time")
        if each.name.startswith("/") or {"", ".", ".."} & set(each.name.split("/")):
            found.append(f"{each.name}: leads elsewhere")
    return found


def unpack(archive: Path, folder: Path) -> None:
    """Write every file below a folder that is there."""
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")


def begin_session() -> Path:
    """The folder for what is unpacked; the first process of a session makes it and removes it at its end."""
    if _SESSION not in os.environ:
        folder = tempfile.mkdtemp(prefix="lw-unpacked-")
        os.environ[_SESSION] = folder
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(os.environ[_SESSION])


def unpacked(archive: Path) -> Path:
    """Where the files of an archive are for the whole session. Tests that write there copy it first."""
    session = begin_session()
    folder = session / archive.name.partition(".")[0]
    with (session / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = Path(tempfile.mkdtemp(dir=session))
            unpack(archive, unfinished)
            unfinished.rename(folder)
    return folder


def _content(opened: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = opened.extractfile(member)
    assert file is not None
    return file.read()
