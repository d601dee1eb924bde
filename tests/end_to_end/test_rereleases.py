"""A release that is made anew under its version: what `check` tells of the package that an earlier run kept, and
`package-diff`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from builders.three_providers import ThreeProviders, another_package
from end_to_end.merges import AMD, HEADER, LOCK, block, world_of
from servers.https import HttpsServer, of_world
from servers.installed import PATIENCE, PROGRAM, Lockwarden
from servers.terminal import in_terminal

from lockwarden.core.registry_metadata.journal_lines import JournalLine, State, Subject, written
from lockwarden.core.registry_metadata.model import package_key
from lockwarden.demo.keys import KeyMaker
from lockwarden.demo.releases import signed

ASKED = ("--source", "direct", "--platform", AMD, "--platform", "auto")


def test_what_was_kept_is_held_against_what_is_given_out_now(
    three_providers: ThreeProviders,
    key_maker: KeyMaker,
    https_server: HttpsServer,
    lockwarden: Lockwarden,
    tmp_path: Path,
) -> None:
    one = three_providers.releases[0]
    (tmp_path / LOCK).write_text(HEADER + block(one, AMD))
    https_server.serve(of_world(world_of([one])))
    lockwarden.run("check", *ASKED, folder=tmp_path, expected=0)

    rebuilt = replace(one, packages={**one.packages, AMD: another_package(one, AMD)})
    anew = signed(rebuilt, maker=key_maker, key=three_providers.key, at=datetime.now(UTC))
    https_server.serve(of_world(world_of([anew])))
    told = lockwarden.run("check", *ASKED, "--explain", "acme/one", folder=tmp_path, expected=1).out
    old, new = one.packages[AMD], anew.packages[AMD]
    assert f"    {old.zh} is kept; locked are " in told
    assert old.h1 in told.partition("is kept; locked are ")[2].splitlines()[0]
    assert "the release was made anew: registry.example.test had it when it was asked on" in told
    assert f"signed by the same key as then: {three_providers.key.fingerprint}" in told
    assert "seen at registry registry.example.test, last on" in told
    assert f"✗ other files, beside the {AMD} package of today, which is the most like it" in told
    assert f"      - {old.zh}\n      + {new.zh}\n" in told
    assert "changed: terraform-provider-one_v1.4.0 (the program, " in told

    with in_terminal((PROGRAM, *ASKED), folder=tmp_path, environment=lockwarden.environment) as terminal:
        terminal.wait_for(b"disowned", seconds=PATIENCE)
        terminal.press(b"n\r")
        terminal.wait_for(b"What earlier runs kept of its package", seconds=PATIENCE)
        terminal.wait_for(b"the release was made anew", seconds=PATIENCE)

    verbose = lockwarden.run("check", *ASKED, "-v", folder=tmp_path, expected=1).out
    assert "Kept packages of hashes that nothing vouches for" in verbose
    (found,) = lockwarden.run("check", *ASKED, "-v", "--format", "json", folder=tmp_path, expected=1).report[
        "rereleases"
    ]
    assert (found["old"], found["new"], found["relation"], found["key"]) == (
        old.zh,
        new.zh,
        "other files",
        "the same key",
    )
    assert [each["path"] for each in found["files"]] == ["terraform-provider-one_v1.4.0"]
    brief = lockwarden.run("check", *ASKED, "--format", "json", folder=tmp_path, expected=1).report
    unkept = lockwarden.run("check", *ASKED, "-v", "--no-cache", "--format", "json", folder=tmp_path, expected=1).report
    assert "rereleases" not in {**brief, **unkept}

    # Without the cache, the journal of a backfill is what is left of it.
    journal = tmp_path / "journal.jsonl"
    url = "https://dl.example.test/one.zip"
    line = JournalLine(
        key=package_key(url, old.zh[3:]),
        url=url,
        zh_expected=old.zh[3:],
        state=State.CHANGED,
        zh=new.zh[3:],
        finished="2026-10-01T00:00:00Z",
        subjects=(Subject("acme/one", "1.4.0", AMD),),
    )
    journal.write_bytes(written(line))
    with_journal = ("check", *ASKED, "--no-cache", "--journal", journal.name)
    told = lockwarden.run(*with_journal, "-v", folder=tmp_path, expected=1).out
    assert f"a backfill got other bytes from {url} on 2026-10-01: {new.zh}" in told
    assert "? what is other today is not known: its bytes are not kept, only what a backfill saw of it" in told
    assert "add -v" in lockwarden.run(*with_journal, folder=tmp_path, expected=2).err
    journal.write_text("{}\n")
    assert (
        "journal.jsonl:1: the journal is damaged here"
        in lockwarden.run(*with_journal, "-v", folder=tmp_path, expected=2).err
    )
    journal.unlink()
    assert "there is no journal" in lockwarden.run(*with_journal, "-v", folder=tmp_path, expected=2).err

    (tmp_path / "new.zip").write_bytes(new.archive)
    shown = lockwarden.run("package-diff", old.zh, "new.zip", folder=tmp_path, expected=1).out
    assert shown.splitlines()[:5] == [
        "other files",
        f"  - {old.zh}, {len(old.archive)} bytes",
        f"    {old.h1}",
        f"  + {new.zh}, {len(new.archive)} bytes",
        f"    {new.h1}",
    ]
    report = lockwarden.run("package-diff", "new.zip", new.zh, "--format", "json", folder=tmp_path, expected=0).report
    assert (report["relation"], report["files"]) == ("the same bytes", [])
    for wrong, why in (
        (f"zh:{'0' * 64}", "is not among the packages that are kept"),
        ("none.zip", "cannot be read"),
        (LOCK, f"{LOCK}: the file is not a zip archive"),
    ):
        assert why in lockwarden.run("package-diff", wrong, "new.zip", folder=tmp_path, expected=2).err
