"""Folders of packages as sources: filesystem mirrors in both layouts, plugin caches, installed providers."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from builders.folders import (
    DARWIN,
    DEMO,
    EXAMPLE_H1,
    EXAMPLE_H1_WITH_FOLDER,
    FACTS,
    LINUX,
    PLAIN,
    VERSION,
    WINDOWS,
    MakeSource,
    archive_path,
    ask,
    cache,
    codes,
    everything_in,
    installed,
    mirror,
    package_of,
    plain_files,
    unpacked,
)
from builders.tables import table
from builders.zips import BINARY, Entry, Zip, plain
from servers.golden import RECORDINGS, WORLD

from lockwarden.core.evidence.events import AuditEvent, LookupStarted, PackageChecked, ignore
from lockwarden.core.evidence.observations import Basis, ComputedLocally
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, PackageFacts, SourceAnswer, SourceKind
from lockwarden.core.sources.local.mirror import FilesystemMirrorSource
from lockwarden.core.sources.local.unpacked import UnpackedProvidersSource
from lockwarden.core.store.packages import PackageStore
from lockwarden.core.values.addresses import ProviderAddress
from lockwarden.core.values.clients import Client, ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.platforms import Platform
from lockwarden.core.values.severity import Severity
from lockwarden.core.values.versions import Version

RECORDED: dict[str, Any] = json.loads((RECORDINGS / "recorded_opentofu.json").read_bytes())["filesystem"]


@table("host", ["example.test", "registry.opentofu.org"])
@table("layout", ["fs-packed", "fs-unpacked"])
@table("client", list(Client))
def test_what_is_recorded_from_a_folder_is_what_the_clients_record(host: str, layout: str, client: Client) -> None:
    address = ProviderAddress.parse(f"{host}/acme/plain")
    answer = ask(WORLD / layout, address)
    audit = Audit(address=address, version=VERSION, source_answers=(answer,))
    settings = ClientSettings(client=client)
    expected = {Hash(text) for text in RECORDED[f"{layout} lock"]["hashes"]}
    if layout == "fs-packed" and client is Client.OPENTOFU:
        # The one extension to OpenTofu's rule: an archive that was hashed here is verified locally.
        expected.add(Hash(FACTS["linux_amd64"]["zh"]))
    assert set(recorded(audit, settings=settings, platforms=frozenset({LINUX}))) == expected
    assert audit.summary == RECORDED[f"{layout} lock"]["summary"]


@pytest.mark.parametrize("platform", [LINUX, DARWIN, WINDOWS])
def test_every_platform_of_a_packed_mirror_is_hashed_in_place(platform: Platform) -> None:
    facts = FACTS[str(platform)]
    answer = ask(WORLD / "fs-packed", PLAIN, platforms=[platform])
    package = package_of(answer, platform)
    path = WORLD / "fs-packed/example.test/acme/plain" / f"terraform-provider-plain_1.2.3_{platform}.zip"
    assert package == PackageFacts(
        platform=platform,
        outcome=Outcome.ANSWERED,
        location=str(path),
        size=facts["size"],
        zh=Hash(facts["zh"]),
        h1_archive=Hash(facts["h1_archive"]),
        h1_directory=Hash(facts["h1_directory"]),
    )
    seen = ComputedLocally(
        source="fs-packed",
        platform=platform,
        basis=Basis.ARCHIVE,
        location=str(path),
        package_zh=Hash(facts["zh"]),
    )
    assert answer.observations == ((Hash(facts["zh"]), seen), (Hash(facts["h1_archive"]), seen))
    assert answer.platforms == frozenset({LINUX, DARWIN, WINDOWS})
    assert answer.problems == ()


@pytest.mark.parametrize("make", [mirror, cache, installed])
def test_every_platform_of_an_unpacked_folder_has_an_h1_and_no_zh(make: MakeSource) -> None:
    answer = ask(WORLD / "fs-unpacked", PLAIN, platforms=[LINUX, DARWIN, WINDOWS], make=make)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.platforms == frozenset({LINUX, DARWIN, WINDOWS})
    for platform in (LINUX, DARWIN, WINDOWS):
        expected = Hash(FACTS[str(platform)]["h1_directory"])
        path = str(WORLD / "fs-unpacked/example.test/acme/plain/1.2.3" / str(platform))
        assert package_of(answer, platform) == PackageFacts(
            platform=platform,
            outcome=Outcome.ANSWERED,
            location=path,
            basis=Basis.DIRECTORY,
            h1_directory=expected,
        )
        seen = ComputedLocally(
            source=answer.source.id, platform=platform, basis=Basis.DIRECTORY, location=path, package_zh=None
        )
        assert (expected, seen) in answer.observations
    assert len(answer.observations) == 3


def test_each_kind_of_folder_says_what_it_is(tmp_path: Path) -> None:
    folder = tmp_path / ".terraform" / "providers"
    sources = {make: asyncio.run(_ref(make, folder)) for make in (mirror, cache, installed)}
    assert sources == {
        mirror: ("providers", SourceKind.FILESYSTEM_MIRROR, str(folder)),
        cache: ("providers", SourceKind.PLUGIN_CACHE, str(folder)),
        installed: (".terraform/providers", SourceKind.INSTALLED, str(folder)),
    }


async def _ref(make: MakeSource, folder: Path) -> tuple[str, SourceKind, str]:
    async with PackageStore(None, now=time.time) as store:
        ref = make(folder, store).ref
    return ref.id, ref.kind, ref.location


def test_an_archive_with_entries_for_folders_has_two_h1_and_the_folders_is_the_one_recorded(tmp_path: Path) -> None:
    archive = Zip(entries=[*plain(), Entry(name="docs/", mode=0o040755)]).bytes()
    archive_path(tmp_path).write_bytes(archive)
    answer = ask(tmp_path)
    package = package_of(answer)
    assert package.zh == Hash(f"zh:{hashlib.sha256(archive).hexdigest()}")
    assert (package.h1_archive, package.h1_directory) == (EXAMPLE_H1_WITH_FOLDER, EXAMPLE_H1)
    bases = [(hash_, seen.basis) for hash_, seen in answer.observations if isinstance(seen, ComputedLocally)]
    assert bases == [
        (package.zh, Basis.ARCHIVE),
        (EXAMPLE_H1_WITH_FOLDER, Basis.ARCHIVE),
        (EXAMPLE_H1, Basis.DIRECTORY),
    ]
    assert codes(answer) == ["two-h1"]
    assert package.client_refusal == ""


def test_unpacked_wins_over_packed_and_the_copy_is_named(tmp_path: Path) -> None:
    archive_path(tmp_path).write_bytes(Zip(entries=plain()).bytes())
    place = unpacked(tmp_path, {BINARY: b"another program\n"})
    answer = ask(tmp_path)
    assert package_of(answer).location == str(place)
    assert package_of(answer).zh is None
    (problem,) = answer.problems
    assert (problem.code, problem.severity) == ("several-copies", Severity.WARNING)
    assert "terraform-provider-demo_1.2.3_linux_amd64.zip" in problem.message


def test_folders_whose_names_differ_in_case_only_are_told(tmp_path: Path) -> None:
    for name in ("Acme", "acme"):
        place = tmp_path / "example.test" / name / "demo" / "1.2.3" / "linux_amd64"
        place.mkdir(parents=True)
        (place / BINARY).write_bytes(name.encode())
    answer = ask(tmp_path)
    assert package_of(answer).location == str(tmp_path / "example.test/Acme/demo/1.2.3/linux_amd64")
    assert codes(answer) == ["twin-folders", "several-copies"]
    assert "“example.test/Acme/demo”, “example.test/acme/demo”" in answer.problems[0].message


def test_names_that_the_clients_pass_over_are_told(tmp_path: Path) -> None:
    unpacked(tmp_path, plain_files())
    for number in range(7):
        (tmp_path / str(DEMO) / f"v{number}" / "linux_amd64").mkdir(parents=True)
    answer = ask(tmp_path)
    (problem,) = answer.problems
    assert (problem.code, problem.severity) == ("entries-passed-over", Severity.NOTE)
    assert "v0/linux_amd64" in problem.message
    assert "and 2 more" in problem.message


def test_a_provider_that_is_not_there_differs_from_a_version_that_is_not(tmp_path: Path) -> None:
    nothing = ask(tmp_path)
    assert (nothing.outcome, nothing.platforms, nothing.packages) == (Outcome.NOT_THERE, None, ())
    assert "holds no package of example.test/acme/demo" in nothing.detail
    (tmp_path / str(DEMO) / "1.2.4" / "linux_amd64").mkdir(parents=True)
    other = ask(tmp_path)
    assert other.outcome is Outcome.NOT_THERE
    assert "none of version 1.2.3" in other.detail


def test_a_version_that_is_there_for_other_platforms_only_has_no_package_for_this_one(tmp_path: Path) -> None:
    unpacked(tmp_path, plain_files())
    answer = ask(tmp_path, platforms=[LINUX, DARWIN])
    assert (answer.outcome, answer.platforms) == (Outcome.ANSWERED, frozenset({LINUX}))
    package = package_of(answer, DARWIN)
    assert package.outcome is Outcome.NOT_THERE
    assert "available for darwin_arm64" in package.detail


@pytest.mark.parametrize("make", [mirror, cache, installed])
def test_a_missing_folder_gives_no_answer_which_is_not_absence(make: MakeSource, tmp_path: Path) -> None:
    answer = ask(tmp_path / "missing", make=make)
    assert (answer.outcome, answer.platforms, answer.packages) == (Outcome.NO_ANSWER, None, ())
    (problem,) = answer.problems
    assert problem.code == "folder-unreadable"
    assert problem.hint
    assert str(tmp_path / "missing") in answer.detail


@pytest.mark.parametrize("make", [cache, installed])
def test_archives_are_nothing_to_a_plugin_cache(make: MakeSource, tmp_path: Path) -> None:
    archive_path(tmp_path).write_bytes(Zip(entries=plain()).bytes())
    assert ask(tmp_path, make=make).outcome is Outcome.NOT_THERE


def test_what_is_installed_is_often_a_link_into_a_cache_and_is_hashed_there(tmp_path: Path) -> None:
    place = unpacked(tmp_path / "cache", plain_files())
    link = tmp_path / "installed" / place.relative_to(tmp_path / "cache")
    link.parent.mkdir(parents=True)
    link.symlink_to(place)
    answer = ask(tmp_path / "installed", make=installed)
    assert package_of(answer).h1s == {EXAMPLE_H1}
    assert package_of(answer).location == str(link)


def test_a_package_is_hashed_once_however_often_it_is_asked_for(tmp_path: Path) -> None:
    archive_path(tmp_path).write_bytes(Zip(entries=plain()).bytes())
    events: list[AuditEvent] = []

    async def run() -> SourceAnswer:
        async with PackageStore(None, now=time.time) as store:
            release = await FilesystemMirrorSource(tmp_path, store).open(
                DEMO, VERSION, platforms=(LINUX,), report=events.append
            )
            await asyncio.gather(*(release.check(LINUX) for _ in range(5)))
            archive_path(tmp_path).unlink()
            await release.check(LINUX)
            return release.source_answer()

    answer = asyncio.run(run())
    assert len(answer.packages) == 1
    assert events == [
        LookupStarted(address=DEMO, version=VERSION, source=tmp_path.name),
        PackageChecked(address=DEMO, version=VERSION, source=tmp_path.name, platform=LINUX, outcome="hashed"),
    ]


def test_a_folder_is_searched_once_a_provider(tmp_path: Path) -> None:
    unpacked(tmp_path, plain_files())

    async def run() -> list[Outcome]:
        source = UnpackedProvidersSource(tmp_path)
        first = await source.open(DEMO, VERSION, platforms=(), report=ignore)
        (tmp_path / str(DEMO) / "9.9.9" / "linux_amd64").mkdir(parents=True)
        later = await source.open(DEMO, Version(9, 9, 9), platforms=(), report=ignore)
        other = await source.open(PLAIN, VERSION, platforms=(), report=ignore)
        return [release.source_answer().outcome for release in (first, later, other)]

    assert asyncio.run(run()) == [Outcome.ANSWERED, Outcome.NOT_THERE, Outcome.NOT_THERE]


def test_words_for_the_screen_follow_the_outcome(tmp_path: Path) -> None:
    unpacked(tmp_path, {"README": b"no program"})
    os.mkfifo(unpacked(tmp_path, plain_files(), DARWIN) / "pipe")
    events: list[AuditEvent] = []
    ask(tmp_path, platforms=[LINUX, DARWIN, WINDOWS], report=events.append)
    words = {event.platform: event.outcome for event in events if isinstance(event, PackageChecked)}
    assert words == {LINUX: "refused", DARWIN: "not hashed", WINDOWS: "not there"}


@pytest.mark.parametrize("make", [mirror, cache, installed])
def test_nothing_in_the_folder_is_changed(make: MakeSource, tmp_path: Path) -> None:
    unpacked(tmp_path, plain_files())
    archive_path(tmp_path, platform=DARWIN).write_bytes(Zip(entries=plain()).bytes())
    before = everything_in(tmp_path)
    ask(tmp_path, platforms=[LINUX, DARWIN, WINDOWS], make=make)
    assert everything_in(tmp_path) == before


def test_a_folder_claims_no_hash_beforehand(tmp_path: Path) -> None:
    unpacked(tmp_path, plain_files())

    async def claims(folder: Path) -> list[object]:
        release = await UnpackedProvidersSource(folder).open(DEMO, VERSION, platforms=(), report=ignore)
        await release.check(LINUX)
        return [dict(release.claimed), release.platforms, len(release.source_answer().packages)]

    assert asyncio.run(claims(tmp_path)) == [{}, {LINUX}, 1]
    assert asyncio.run(claims(tmp_path / "missing")) == [{}, None, 0]
