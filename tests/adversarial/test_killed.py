"""Killed at each step of what it writes: files are the old or the new ones, whole, and the cache says nothing wrong."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from adversarial.dying import JOURNAL, LINK, OWN_FILE, backfill
from adversarial.parties import Parties
from adversarial.scene import BOTH, Scene, entry, packages
from builders.registry_metadata import MadeTarget, Registry, target
from builders.thorough import THOROUGH
from servers.installed import PATIENCE
from servers.warm import started

from lockwarden.core.engine.lock_file_saving import save
from lockwarden.core.lockfile.model import LOCK_FILE_NAME
from lockwarden.core.policy.edit import with_signing_key
from lockwarden.core.policy.model import NO_POLICY
from lockwarden.core.policy.read import read_policy
from lockwarden.core.registry_metadata.journal_lines import JournalLine, State, written
from lockwarden.core.registry_metadata.model import package_key
from lockwarden.core.store.kept_facts import clear_facts, clear_packages
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.store.user_key import KEY_FILE, UserKey
from lockwarden.core.system.own_files import save_own_file
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.provider_patterns import ProviderPattern
from lockwarden.demo.lockfile import LockEntry, lock_text
from lockwarden.demo.packages import DemoPackage

IMPORTING = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r})"
HOURS = 2 * 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """A piece of work that was killed at each step."""

    folder: Path

    @property
    def before(self) -> Path:
        """The files that the work finds."""
        return self.folder / "before"

    @property
    def after(self) -> Path:
        """What it shall write."""
        return self.folder / "after"

    def of(self, work: str) -> tuple[Path, ...]:
        """What each killed run left behind, and last what the run did that nothing happened to."""
        run = f"from adversarial import dying; dying.run({work!r}, {str(self.folder)!r})"
        process = started([], folder=self.folder, environment=os.environ, before=f"{IMPORTING}; {run}; sys.exit()")
        out, err = process.communicate(PATIENCE)
        assert process.returncode == 0, err
        left = tuple(sorted((self.folder / "killed").iterdir()))
        assert len(left) == int(out) + 1
        return left


@pytest.fixture
def kills(tmp_path: Path) -> Kills:
    made = Kills(folder=tmp_path / "kills")
    made.before.mkdir(parents=True)
    made.after.mkdir()
    return made


def lock_files() -> tuple[bytes, bytes]:
    """A lock file of a usual size, and the same with more hashes."""
    some = [f"zh:{number:064x}" for number in range(40)]
    names = [f"registry.example.test/acme/p{number}" for number in range(6)]
    old, new = (
        lock_text([LockEntry(address=name, version="1.0.0", hashes=tuple(some[:count])) for name in names])
        for count in (30, 40)
    )
    return old.encode(), new.encode()


def policies() -> tuple[bytes, bytes]:
    """A policy, and the same with one more key."""
    patterns = [ProviderPattern.parse("registry.example.test/acme/*")]
    old = with_signing_key(NO_POLICY, "A" * 40, "Acme", patterns)
    new = with_signing_key(read_policy(old, path=OWN_FILE, folder=Path("/")), "B" * 40, "Acme, later", patterns)
    return old, new


def others(folder: Path, *expected: str) -> list[str]:
    """What else lies in a folder."""
    return [path.name for path in folder.iterdir() if path.name not in expected]


def contents(paths: Iterable[Path]) -> list[bytes | None]:
    return [path.read_bytes() if path.exists() else None for path in paths]


@pytest.mark.parametrize("work", ["lock_file", "linked_lock_file"])
def test_a_lock_file_is_the_old_or_the_new_one_whenever_the_process_is_killed(kills: Kills, work: str) -> None:
    old, new = lock_files()
    (kills.before / LOCK_FILE_NAME).write_bytes(old)
    (kills.before / LOCK_FILE_NAME).chmod(0o640)
    (kills.before / "elsewhere").mkdir()
    (kills.before / "elsewhere" / LINK).symlink_to(f"../{LOCK_FILE_NAME}")
    (kills.after / LOCK_FILE_NAME).write_bytes(new)
    *killed, survived = kills.of(work)
    found = contents(place / LOCK_FILE_NAME for place in killed)
    assert set(found) == {old, new}
    assert found == sorted(found, key=lambda data: data == new), "once it is new it stays new"
    assert len(killed) >= 10
    for place in (*killed, survived):
        lock = place / LOCK_FILE_NAME
        assert lock.stat().st_mode & 0o777 == 0o640
        assert (place / "elsewhere" / LINK).readlink() == Path("..") / LOCK_FILE_NAME
        left = others(place, LOCK_FILE_NAME, "elsewhere")
        assert len(left) <= 1
        assert all(name.startswith(f"{LOCK_FILE_NAME}.") and name.endswith(".tmp") for name in left)
        save(place / "elsewhere" / LINK, new, expected=lock.read_bytes())
        assert lock.read_bytes() == new
    assert others(survived, LOCK_FILE_NAME, "elsewhere") == []


def test_a_backfill_goes_on_from_wherever_it_was_killed(kills: Kills) -> None:
    made = Registry([target("one"), target("one", platform="darwin_arm64"), target("two")])
    made.write(kills.before)
    lines = [journal_line(each) for each in made.targets]
    (kills.after / JOURNAL).write_bytes(b"".join(map(written, lines)))
    *killed, survived = kills.of("backfill")
    assert len(killed) >= 20

    def files(place: Path) -> list[bytes]:
        return [path.read_bytes() for path in sorted(place.rglob("*.json"))]

    old, new = files(kills.before), files(survived)
    assert any([*place.rglob("*.tmp")] for place in killed), "or there is nothing to clean up"
    for place in killed:
        assert all(data in {before, after} for data, before, after in zip(files(place), old, new, strict=True))
        backfill(place)
        assert files(place) == new
        assert list(place.rglob("*.tmp")) == []
        assert (place / JOURNAL).read_bytes() == (kills.after / JOURNAL).read_bytes()
    for each in made.targets:
        each.h1, each.size = each.right_h1, len(each.body)
    assert new == [made.file("acme", name) for name in ("one", "two")]


def journal_line(made: MadeTarget) -> JournalLine:
    """What a backfill writes of a package."""
    return JournalLine(
        key=package_key(made.download_url, made.digest),
        url=made.download_url,
        zh_expected=made.digest,
        state=State.DONE,
        zh=made.digest,
        size=len(made.body),
        h1_archive=made.right_h1,
        h1_dir=made.right_h1,
    )


@pytest.mark.parametrize("work", ["own_file", "new_own_file"])
def test_a_policy_is_the_old_or_the_new_one_whenever_the_process_is_killed(kills: Kills, work: str) -> None:
    written, new = policies()
    old = written if work == "own_file" else None
    if old is not None:
        (kills.before / OWN_FILE).write_bytes(old)
    (kills.after / OWN_FILE).write_bytes(new)
    *killed, survived = kills.of(work)
    found = contents(place / OWN_FILE for place in killed)
    assert set(found) == {old, new}
    assert found == sorted(found, key=lambda data: data == new)
    assert len(killed) >= 10
    for place, data in zip((*killed, survived), (*found, new), strict=True):
        left = others(place, OWN_FILE)
        assert len(left) <= 1
        assert all(name.startswith(f"{OWN_FILE}.") and name.endswith(".tmp") for name in left)
        save_own_file(place / OWN_FILE, new, expected=data)
        assert (place / OWN_FILE).read_bytes() == new
    assert others(survived, OWN_FILE) == []


def test_a_cache_serves_nothing_wrong_whenever_the_process_that_fills_it_is_killed(
    kills: Kills, scene: Scene, parties: Parties
) -> None:
    release = parties.release("widget")
    hostile = packages("widget", build="by nobody")["linux_amd64"]
    another = packages("gadget")["linux_amd64"]
    for name, package in {**release.packages, "hostile": hostile, "another": another}.items():
        (kills.after / f"{name}.zip").write_bytes(package.archive)
    scene.serve(release)
    own = entry(release).hashes
    scene.lock(entry(release, *own, *hostile.hashes))
    right = dict.fromkeys(own, "confirmed") | {hostile.zh: "disowned", hostile.h1: "unexplained"}
    *killed, survived = kills.of("cache")
    assert len(killed) > 50
    different = list({left_in(place): place for place in (*killed, survived)}.values())
    assert {facts_of(place, *release.packages.values()) for place in (killed if THOROUGH else different)} == {0, 1, 2}
    assert [facts_of(place, hostile) for place in (killed[0], survived)] == [0, 1]
    for place in different if THOROUGH else (*different[:2], *different[2:-1:3], different[-1]):
        folder = place / "cache" / "lockwarden"
        scene.environment |= {"XDG_CACHE_HOME": str(place / "cache"), "XDG_STATE_HOME": str(place / "state")}
        done = scene.check(*BOTH, expected=1)
        assert done.verdicts("widget") == right
        assert done.codes("widget") == set()
        opened_later(folder)
        assert [path.name for path in folder.rglob("*.part")] == []
        clear_packages(folder)
        clear_facts(folder)
        assert [path for path in folder.rglob("*") if not path.is_dir()] == []


def key_of(place: Path) -> UserKey | None:
    return UserKey.at(place / "state" / "lockwarden" / KEY_FILE)


def left_in(place: Path) -> tuple[tuple[str, str, int], ...]:
    """What lies there, without its random names; two that are equal need not both be looked at."""
    files = [path for path in place.rglob("*") if path.is_file()]
    unnamed = {path: path.suffix if path.name.startswith("tmp") else path.name for path in files}
    return tuple(sorted((path.parent.name, name, path.stat().st_size) for path, name in unnamed.items()))


def facts_of(place: Path, *packages: DemoPackage) -> int:
    """How many packages a copy of the cache knows, which what is found does not change; that has to be right."""
    copied = place.parents[1] / "copied"
    shutil.rmtree(copied, ignore_errors=True)
    shutil.copytree(place, copied)

    async def find() -> int:
        async with PackageStore(copied / "cache" / "lockwarden", key=key_of(copied), now=time.time) as store:
            found = [(package, await store.find(Hash(package.zh))) for package in packages]
        for package, known in found:
            if known is not None:
                assert known.facts is not None
                assert known.size == len(package.archive)
                assert known.facts.h1_archive == known.facts.h1_directory == Hash(package.h1)
        return sum(known is not None for _, known in found)

    return asyncio.run(find())


def opened_later(folder: Path) -> None:
    """Open the cache when what lies there unfinished is old."""

    async def open_it() -> None:
        async with PackageStore(folder, key=key_of(folder.parents[1]), now=lambda: time.time() + HOURS):
            pass

    asyncio.run(open_it())
