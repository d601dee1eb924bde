"""A release that is made anew under its version: what `check` tells of the package that an earlier run kept, and
`package-diff`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from builders.three_providers import HOST, ThreeProviders, another_package
from end_to_end.merges import AMD, HEADER, LOCK, block, world_of
from servers.https import HttpsServer, of_world
from servers.installed import PATIENCE, PROGRAM, Lockwarden
from servers.terminal import in_terminal

from lockwarden.core.registry_metadata.journal_lines import JournalLine, State, Subject, written
from lockwarden.core.registry_metadata.model import package_key
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.packages import DemoPackage
from lockwarden.demo.releases import signed

ASKED = ("--source", "direct", "--platform", AMD, "--platform", "auto")


@dataclass(frozen=True)
class Replaced:
    """A lock file of a release that was checked, and was made anew since."""

    folder: Path
    old: DemoPackage
    """The package that is kept."""
    new: DemoPackage
    """What is given out now."""
    fingerprint: str
    """The key that signed both."""


@pytest.fixture
def replaced(
    three_providers: ThreeProviders,
    key_maker: KeyMaker,
    https_server: HttpsServer,
    lockwarden: Lockwarden,
    tmp_path: Path,
) -> Replaced:
    one = three_providers.releases[0]
    (tmp_path / LOCK).write_text(HEADER + block(one, AMD))
    https_server.serve(of_world(world_of([one])))
    lockwarden.run("check", *ASKED, folder=tmp_path, expected=0)
    rebuilt = dataclasses.replace(one, packages={**one.packages, AMD: another_package(one, AMD)})
    anew = signed(rebuilt, maker=key_maker, key=three_providers.key, at=datetime.now(UTC))
    https_server.serve(of_world(world_of([anew])))
    return Replaced(tmp_path, one.packages[AMD], anew.packages[AMD], three_providers.key.fingerprint)


def test_what_was_kept_is_held_against_what_is_given_out_now(lockwarden: Lockwarden, replaced: Replaced) -> None:
    told = lockwarden.run("check", *ASKED, "--explain", "acme/one", folder=replaced.folder, expected=1).out
    assert f"    {replaced.old.zh} is kept; locked are " in told
    assert replaced.old.h1 in told.partition("is kept; locked are ")[2].splitlines()[0]
    assert "the release was made anew: registry.example.test had it when it was asked on" in told
    assert f"signed by the same key as then: {replaced.fingerprint}" in told
    assert f"seen at registry registry.example.test as {HOST}/acme/one 1.4.0 for {AMD}, last on" in told
    assert f"✗ other files, beside the {AMD} package of today, which is the most like it" in told
    assert f"      - {replaced.old.zh}\n      + {replaced.new.zh}\n" in told
    assert "changed: terraform-provider-one_v1.4.0 (the program, " in told


def test_on_the_screen_it_stands_among_everything_about_a_hash(lockwarden: Lockwarden, replaced: Replaced) -> None:
    with in_terminal((PROGRAM, *ASKED), folder=replaced.folder, environment=lockwarden.environment) as terminal:
        terminal.wait_for(b"disowned", seconds=PATIENCE)
        terminal.press(b"n\r")
        terminal.wait_for(b"What earlier runs kept of its package", seconds=PATIENCE)
        terminal.wait_for(b"the release was made anew", seconds=PATIENCE)


def test_reports_tell_of_it_where_they_are_asked_for_more_and_something_is_kept(
    lockwarden: Lockwarden, replaced: Replaced
) -> None:
    verbose = lockwarden.run("check", *ASKED, "-v", folder=replaced.folder, expected=1).out
    assert "Kept packages of hashes that nothing vouches for" in verbose
    (found,) = lockwarden.run("check", *ASKED, "-v", "--format", "json", folder=replaced.folder, expected=1).report[
        "rereleases"
    ]
    assert (found["old"], found["new"], found["relation"], found["key"]) == (
        replaced.old.zh,
        replaced.new.zh,
        "other files",
        "the same key",
    )
    assert [each["path"] for each in found["files"]] == ["terraform-provider-one_v1.4.0"]
    brief = lockwarden.run("check", *ASKED, "--format", "json", folder=replaced.folder, expected=1).report
    unkept = lockwarden.run(
        "check", *ASKED, "-v", "--no-cache", "--format", "json", folder=replaced.folder, expected=1
    ).report
    assert "rereleases" not in {**brief, **unkept}


def test_without_the_cache_the_journal_of_a_backfill_is_what_is_left_of_it(
    lockwarden: Lockwarden, replaced: Replaced
) -> None:
    journal = replaced.folder / "journal.jsonl"
    url = "https://dl.example.test/one.zip"
    line = JournalLine(
        key=package_key(url, replaced.old.zh[3:]),
        url=url,
        zh_expected=replaced.old.zh[3:],
        state=State.CHANGED,
        zh=replaced.new.zh[3:],
        finished="2026-10-01T00:00:00Z",
        subjects=(Subject("acme/one", "1.4.0", AMD),),
    )
    journal.write_bytes(written(line))
    with_journal = ("check", *ASKED, "--no-cache", "--journal", journal.name)
    told = lockwarden.run(*with_journal, "-v", folder=replaced.folder, expected=1).out
    assert f"a backfill got other bytes from {url} on 2026-10-01: {replaced.new.zh}" in told
    assert "? what is other today is not known: its bytes are not kept, only what a backfill saw of it" in told
    assert "add -v" in lockwarden.run(*with_journal, folder=replaced.folder, expected=2).err
    journal.write_text("{}\n")
    assert (
        "journal.jsonl:1: the journal is damaged here"
        in lockwarden.run(*with_journal, "-v", folder=replaced.folder, expected=2).err
    )
    journal.unlink()
    assert "there is no journal" in lockwarden.run(*with_journal, "-v", folder=replaced.folder, expected=2).err


def test_two_packages_are_held_against_each_other(lockwarden: Lockwarden, replaced: Replaced) -> None:
    lockwarden.run("check", *ASKED, folder=replaced.folder, expected=1)  # keeps what is given out now, too
    (replaced.folder / "new.zip").write_bytes(replaced.new.archive)
    shown = lockwarden.run("package-diff", replaced.old.zh, "new.zip", folder=replaced.folder, expected=1).out
    assert shown.splitlines()[:5] == [
        "other files",
        f"  - {replaced.old.zh}, {len(replaced.old.archive)} bytes",
        f"    {replaced.old.h1}",
        f"  + {replaced.new.zh}, {len(replaced.new.archive)} bytes",
        f"    {replaced.new.h1}",
    ]
    report = lockwarden.run(
        "package-diff", "new.zip", replaced.new.zh, "--format", "json", folder=replaced.folder, expected=0
    ).report
    assert (report["relation"], report["files"]) == ("the same bytes", [])
    for wrong, why in (
        (f"zh:{'0' * 64}", "is not among the packages that are kept"),
        ("none.zip", "cannot be read"),
        (LOCK, f"{LOCK}: the file is not a zip archive"),
    ):
        assert why in lockwarden.run("package-diff", wrong, "new.zip", folder=replaced.folder, expected=2).err
