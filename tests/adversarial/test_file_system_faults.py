"""A disk that is full, read-only or broken: what was there stays, nothing half-written is left, and it is told."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

import pytest
from adversarial.parties import Parties
from adversarial.scene import BOTH, Answered, Scene, entry

from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.system.own_files import save_own_file
from lockwarden.core.values.errors import SaveError
from lockwarden.demo.lockfile import NAME
from lockwarden.demo.releases import Release

OLD, NEW = b"# old\n", b"# new\n"


class Disk:
    """A small file system of its own, on which no more than `ROOM` fits."""

    ROOM = 64 * 1024

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Leave no room at all."""
        with (self.folder / "filling").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(1024))
        assert shutil.disk_usage(self.folder).free == 0

    def make_read_only(self) -> None:
        """From now on nobody can write, whoever they are."""
        self._mount("-o", "remount,ro", self.folder)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir() if path.name != "filling")

    def __enter__(self) -> Self:
        self.folder.mkdir()
        if shutil.which("mount") is None or self._mount("-t", "tmpfs", "-o", f"size={self.ROOM}", "tmpfs", self.folder):
            pytest.skip("needs the right to mount a file system")
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(["umount", self.folder], check=True)

    def _mount(self, *words: str | Path) -> int:
        return subprocess.run(["mount", *words], capture_output=True).returncode


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with Disk(tmp_path / "disk") as made:
        yield made


def incomplete(scene: Scene, parties: Parties) -> Release:
    """A lock file to which `lockwarden lock` would add something."""
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release, release.packages["linux_amd64"].zh))
    return release


def on(scene: Scene, disk: Disk) -> Path:
    """The lock file on that disk."""
    shutil.copy(scene.lock_file, disk.folder / NAME)
    return disk.folder / NAME


def locked(scene: Scene, folder: Path) -> Answered:
    """What the command says when it cannot write the lock file in a folder."""
    before = (folder / NAME).read_bytes()
    done = replace(scene, folder=folder).ended("lock", *BOTH)
    assert (folder / NAME).read_bytes() == before
    return done


def refused_in_a_sentence(done: Answered, why: str) -> None:
    assert done.code == 2, done.told
    sentence, hint = done.err.splitlines()
    assert sentence.startswith("lockwarden: error: ")
    assert sentence.endswith(f"could not be written, so the old file is still there: {why}")
    assert hint.startswith("  hint: check that you may write to its folder")


def test_a_full_disk_keeps_the_old_lock_file(scene: Scene, parties: Parties, disk: Disk) -> None:
    incomplete(scene, parties)
    on(scene, disk)
    disk.fill()
    refused_in_a_sentence(locked(scene, disk.folder), "No space left on device")
    assert disk.names() == [NAME]


def test_a_read_only_disk_keeps_the_old_lock_file(scene: Scene, parties: Parties, disk: Disk) -> None:
    incomplete(scene, parties)
    on(scene, disk)
    disk.make_read_only()
    refused_in_a_sentence(locked(scene, disk.folder), "Read-only file system")
    assert disk.names() == [NAME]


@pytest.mark.parametrize("call", ["open", "fchmod", "fsync", "replace"])
def test_a_disk_that_fails_keeps_the_old_lock_file(
    scene: Scene, parties: Parties, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    incomplete(scene, parties)
    before = scene.lock_file.read_bytes()
    scene.environment["XDG_CACHE_HOME"] = str(scene.folder.parent / "cache")
    break_down(monkeypatch, call, within=scene.folder)
    refused_in_a_sentence(scene.run("lock", *BOTH), os.strerror(errno.EIO))
    assert scene.lock_file.read_bytes() == before
    assert [path.name for path in scene.folder.iterdir()] == [NAME]


@pytest.mark.parametrize(
    ("kind", "call"),
    [(kind, call) for kind in ("lock file", "policy") for call in ("open", "fchmod", "fsync", "replace")]
    + [("new policy", call) for call in ("open", "fsync", "link")],
)
def test_a_disk_that_fails_changes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, call: str
) -> None:
    file = tmp_path / "file"
    if kind != "new policy":
        file.write_bytes(OLD)
    break_down(monkeypatch, call, within=tmp_path)
    saving = {
        "lock file": partial(save, expected=OLD),
        "policy": partial(save_own_file, expected=OLD),
        "new policy": partial(save_own_file, expected=None),
    }
    with pytest.raises(SaveError, match=os.strerror(errno.EIO)) as caught:
        saving[kind](file, NEW)
    assert caught.value.hint
    monkeypatch.undo()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if kind == "new policy" else [OLD])


def break_down(monkeypatch: pytest.MonkeyPatch, call: str, *, within: Path) -> None:
    """Let a call of the system fail as with a broken disk, for unfinished files in a folder."""
    real = getattr(os, call)

    def broken(first: str | Path | int, *others: object, **named: object) -> object:
        name = str(Path(f"/proc/self/fd/{first}").readlink() if isinstance(first, int) else first)
        if name.startswith(f"{within}/") and name.endswith(".tmp"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), name)
        return real(first, *others, **named)

    monkeypatch.setattr(os, call, broken)
    if call == "link":
        monkeypatch.setattr(os, "rename", broken)  # the way that is tried where there are no links


def test_a_full_disk_for_packages_is_an_honest_gap(scene: Scene, parties: Parties, disk: Disk) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    disk.fill()
    done = scene.check_to_its_end(*BOTH, expected=3, XDG_CACHE_HOME=str(disk.folder))
    zh = {package.zh for package in release.packages.values()}
    assert done.confirmed("widget") == zh
    assert {done.verdicts("widget")[package.h1] for package in release.packages.values()} == {"unchecked"}
    (problem,) = done.provider("widget")["problems"]
    assert problem["code"] == "store-failed"
    assert "No space left on device" in problem["message"]
    assert list(disk.folder.rglob("*.part")) == []


def test_a_read_only_disk_for_packages_is_done_without(scene: Scene, parties: Parties, disk: Disk) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    disk.make_read_only()
    done = scene.check_to_its_end(*BOTH, expected=0, XDG_CACHE_HOME=str(disk.folder))
    assert done.confirmed("widget") == set(entry(release).hashes)
    sentence, hint = done.err.splitlines()
    assert sentence.endswith("cannot be used: packages: Read-only file system")
    assert "it goes on without one" in hint


def test_a_temporary_folder_without_room_is_done_without(scene: Scene, parties: Parties, disk: Disk) -> None:
    release = parties.release("widget")
    scene.serve(release)
    scene.lock(entry(release))
    disk.fill()
    done = scene.check_to_its_end(*BOTH, "--no-cache", expected=0, TMPDIR=str(disk.folder))
    assert done.confirmed("widget") == set(entry(release).hashes)
