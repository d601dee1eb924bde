"""Packages in folders that the clients cannot use, or that cannot be hashed."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
from pathlib import Path

import pytest
from builders.folders import (
    DARWIN,
    DEMO,
    LINUX,
    VERSION,
    archive_path,
    ask,
    codes,
    package_of,
    plain_files,
    unpacked,
)
from builders.zips import BINARY, Entry, Zip, plain

from lockwarden.core.evidence.events import ignore
from lockwarden.core.evidence.selection import recorded
from lockwarden.core.evidence.source_answers import Audit, Outcome, SourceAnswer
from lockwarden.core.sources.local.unpacked import UnpackedProvidersSource
from lockwarden.core.store.packages_on_disk import StoreLimits
from lockwarden.core.values.clients import ClientSettings
from lockwarden.core.values.hashes import Hash
from lockwarden.core.values.severity import Severity


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("terraform-provider-demo", True),
        ("terraform-provider-demo_v1.2.3", True),
        ("terraform-provider-demo.exe", True),
        ("terraform-provider-demolition", False),
        ("terraform-provider-demo-2", False),
        ("Terraform-Provider-demo", False),
        ("bin/terraform-provider-demo", False),
        ("opentofu-provider-demo", False),
    ],
)
def test_a_package_without_its_program_is_refused_by_the_clients(name: str, usable: bool, tmp_path: Path) -> None:
    unpacked(tmp_path, {name: b"x"})
    archive_path(tmp_path, platform=DARWIN).write_bytes(Zip(entries=[Entry(name=name, content=b"x")]).bytes())
    answer = ask(tmp_path, platforms=[LINUX, DARWIN])
    for platform in (LINUX, DARWIN):
        package = package_of(answer, platform)
        assert (package.client_refusal == "") is usable
        assert usable or "no executable" in package.client_refusal
        assert len(package.h1s) == 1
    assert codes(answer) == ([] if usable else ["no-executable", "no-executable"])
    # No check of a source failed, so the hashes are what they are.
    assert all(seen.vouches for _, seen in answer.observations)


@pytest.mark.parametrize(
    ("content", "word"),
    [(b"<html>Sign in</html>", "HTML"), (b"", "empty"), (b"PK\5\6" + bytes(18), "empty archive")],
)
def test_a_file_that_is_no_package_has_a_zh_and_is_refused(content: bytes, word: str, tmp_path: Path) -> None:
    archive_path(tmp_path).write_bytes(content)
    answer = ask(tmp_path)
    package = package_of(answer)
    zh = Hash(f"zh:{hashlib.sha256(content).hexdigest()}")
    assert (package.outcome, package.zh) == (Outcome.ANSWERED, zh)
    assert package.h1_directory is None
    assert word in package.client_refusal
    assert answer.problems
    audit = Audit(address=DEMO, version=VERSION, source_answers=(answer,))
    assert recorded(audit, settings=ClientSettings(), platforms=frozenset({LINUX})) == {}


def test_an_archive_that_climbs_out_of_its_folder_cannot_be_unpacked(tmp_path: Path) -> None:
    entries = [*plain(), Entry(name="../outside", content=b"x")]
    archive_path(tmp_path).write_bytes(Zip(entries=entries).bytes())
    answer = ask(tmp_path)
    assert "cannot be unpacked" in package_of(answer).client_refusal
    assert package_of(answer).h1_archive is not None
    assert package_of(answer).h1_directory is None
    assert "archive-climbing-name" in codes(answer)
    assert not (tmp_path / str(DEMO) / "outside").exists()


def test_an_archive_whose_content_lies_is_a_problem_and_has_no_h1(tmp_path: Path) -> None:
    archive_path(tmp_path).write_bytes(Zip(entries=[Entry(name=BINARY, content=b"x", crc=1)]).bytes())
    answer = ask(tmp_path)
    assert package_of(answer).h1s == frozenset()
    assert "cannot be hashed" in package_of(answer).client_refusal
    assert [(problem.code, problem.severity) for problem in answer.problems] == [("archive-checksum", Severity.ERROR)]


def test_a_package_over_the_limit_is_not_hashed_and_no_refusal_is_made_up(tmp_path: Path) -> None:
    archive_path(tmp_path).write_bytes(Zip(entries=plain()).bytes())
    answer = ask(tmp_path, limits=StoreLimits(package=10))
    package = package_of(answer)
    assert (package.outcome, package.hashes, package.client_refusal) == (Outcome.ANSWERED, frozenset(), "")
    assert "larger than the limit" in package.detail
    assert codes(answer) == ["package-too-large"]


def test_a_pipe_in_place_of_an_archive_gives_no_answer_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(archive_path(tmp_path))
    answer = ask(tmp_path)
    assert package_of(answer).outcome is Outcome.NO_ANSWER
    assert package_of(answer).detail
    assert len(answer.problems) == 1


@pytest.mark.parametrize(
    ("target", "code", "refused"), [("nowhere", "broken-link", True), (".", "link-to-folder", True)]
)
def test_a_folder_that_the_clients_cannot_hash_is_told(target: str, code: str, refused: bool, tmp_path: Path) -> None:
    place = unpacked(tmp_path, plain_files())
    (place / "link").symlink_to(target)
    answer = ask(tmp_path)
    package = package_of(answer)
    assert (package.outcome, package.h1s) == (Outcome.ANSWERED, frozenset())
    assert bool(package.client_refusal) is refused
    assert codes(answer) == [f"package-{code}"]


def test_a_folder_with_a_pipe_is_not_hashed_but_not_called_refused(tmp_path: Path) -> None:
    place = unpacked(tmp_path, plain_files())
    os.mkfifo(place / "pipe")
    package = package_of(ask(tmp_path))
    assert (package.outcome, package.h1s, package.client_refusal) == (Outcome.ANSWERED, frozenset(), "")
    assert "pipe" in package.detail


def test_a_folder_that_vanishes_after_the_search_gives_no_answer(tmp_path: Path) -> None:
    place = unpacked(tmp_path, plain_files())

    async def run() -> SourceAnswer:
        release = await UnpackedProvidersSource(tmp_path).open(DEMO, VERSION, platforms=(), report=ignore)
        shutil.rmtree(place)
        await release.check(LINUX)
        return release.source_answer()

    answer = asyncio.run(run())
    assert package_of(answer).outcome is Outcome.NO_ANSWER
    assert codes(answer) == ["package-unreadable"]
