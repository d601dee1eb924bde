"""The parts of a backfill around its rules: files that change meanwhile, budgets, and answers of workers."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from builders.registry_metadata import MadeTarget, Registry, target
from builders.tables import table

from lockwarden.core.engine.registries import applying
from lockwarden.core.engine.registries.applying import apply_journal
from lockwarden.core.engine.registries.auditing import MetadataAudit
from lockwarden.core.engine.registries.cluster import _Batch, _checked
from lockwarden.core.engine.registries.journals import OpenJournal, read_journals, refuse_tracked
from lockwarden.core.engine.registries.metadata_files import metadata_files, read_file, replace_file
from lockwarden.core.engine.registries.pipeline import MayBegin, OnLine
from lockwarden.core.engine.registries.running import BackfillProgress, RunBudget, run_backfill
from lockwarden.core.registry_metadata.journal_lines import JournalLine, State, read_journal, written
from lockwarden.core.registry_metadata.model import package_key, read_metadata
from lockwarden.core.registry_metadata.plan import PlannedPackage, Planner
from lockwarden.core.values.errors import FileChangedError, InputError, MetadataError, ToolError


def line_of(made: MadeTarget) -> JournalLine:
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


def journal_of(*made: MadeTarget) -> dict[str, JournalLine]:
    return {line.key: line for line in map(line_of, made)}


def test_a_file_that_the_bump_changes_meanwhile_keeps_the_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = target("w", "1.0.0"), target("w", "1.1.0")
    Registry([old]).write(tmp_path)
    bumped = Registry([new, old])
    tries: list[Path] = []

    def bump(path: Path, data: bytes, *, expected: bytes) -> None:
        if not tries:
            bumped.write(tmp_path)
        tries.append(path)
        replace_file(path, data, expected=expected)

    monkeypatch.setattr(applying, "replace_file", bump)
    applied = apply_journal(metadata_files(tmp_path), journal_of(old))
    assert (applied.targets, len(tries), applied.refused) == (1, 2, [])
    old.h1, old.size = old.right_h1, len(old.body)
    assert read_file(tmp_path / "providers/a/acme/w.json") == bumped.file("acme", "w")

    # Somebody who writes all the time is told of, and nothing is lost.
    old.h1, old.size = "", 0
    bumped.write(tmp_path)

    def busy(path: Path, data: bytes, *, expected: bytes) -> None:
        path.write_bytes(expected + b"\n")
        replace_file(path, data, expected=expected)

    monkeypatch.setattr(applying, "replace_file", busy)
    applied = apply_journal(metadata_files(tmp_path), journal_of(old))
    (refused,) = applied.refused
    assert isinstance(refused, FileChangedError)
    assert applied.written == []


def test_a_file_that_is_gone_or_a_link_is_not_written(tmp_path: Path) -> None:
    made = target("w")
    Registry([made]).write(tmp_path)
    path = tmp_path / "providers/a/acme/w.json"
    data = read_file(path)
    elsewhere = tmp_path / "elsewhere.json"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    with pytest.raises(FileChangedError):
        replace_file(path, b"{}", expected=data)
    assert elsewhere.read_bytes() == data
    with pytest.raises(MetadataError, match="is a symbolic link, and was not followed"):
        read_file(path)


def test_a_dry_run_and_several_runs_write_once(tmp_path: Path) -> None:
    made = target("w")
    Registry([made]).write(tmp_path)
    before = read_file(tmp_path / "providers/a/acme/w.json")
    assert apply_journal(metadata_files(tmp_path), journal_of(made), dry_run=True).targets == 1
    assert read_file(tmp_path / "providers/a/acme/w.json") == before
    assert apply_journal(metadata_files(tmp_path), journal_of(made)).targets == 1
    assert apply_journal(metadata_files(tmp_path), journal_of(made)).written == []


def test_a_torn_line_is_dropped_before_the_journal_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    one, two = line_of(target("one")), line_of(target("two"))
    with OpenJournal(path) as journal:
        journal.add(one)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"key":"abc')
    assert list(read_journals([path])) == [one.key]
    with OpenJournal(path) as journal:
        assert journal.dropped == 11
        journal.add(two)
    assert path.read_bytes().startswith(whole)
    assert list(read_journals([path, tmp_path / "none"])) == [one.key, two.key]


class Instant:
    """An engine that is done with a package as soon as it begins."""

    def __init__(self, made: Iterable[MadeTarget]) -> None:
        self._lines = journal_of(*made)

    async def run(self, packages: Iterable[PlannedPackage], on_line: OnLine, may_begin: MayBegin) -> None:
        for package in packages:
            if not may_begin(package):
                return
            on_line(self._lines[package.key])


@pytest.mark.parametrize(
    ("budget", "ended", "spent"),
    [
        (RunBudget(), 6, ""),
        (RunBudget(packages=2), 2, "packages"),
        (RunBudget(bytes=700), 3, "bytes"),
        (RunBudget(seconds=3), 3, "time"),
    ],
)
def test_a_run_ends_with_its_budget_and_says_that_there_is_more(
    tmp_path: Path, budget: RunBudget, ended: int, spent: str
) -> None:
    made = [target(f"p{number}") for number in range(6)]
    planner = Planner({})
    for each in made:
        planner.add(f"acme/{each.name}", read_metadata(Registry([each]).file("acme", each.name), "x"))
    clock = iter(range(1000))
    progress = BackfillProgress(plan=planner.plan(), clock=lambda: next(clock) / 2, began=0)
    told: list[int] = []
    with OpenJournal(tmp_path / "j") as journal:
        asyncio.run(run_backfill(Instant(made), progress, journal, budget, lambda state: told.append(state.ended)))
    assert (progress.spent, len(read_journals([tmp_path / "j"]))) == (spent, progress.ended)
    assert told == list(range(progress.ended + 1))
    assert int(progress.exit_code) == (3 if spent else 0)
    if spent != "time":
        assert progress.ended == ended
    left = progress.seconds_left
    assert left is not None
    assert (left == 0) is (not spent)


def test_a_worker_is_believed_only_what_it_was_asked_for() -> None:
    one, two = target("one"), target("two")
    asked = _Batch(
        packages=(PlannedPackage(key=line_of(one).key, url=one.download_url, shasum=one.digest, subjects=()),)
    )
    good = line_of(one)
    assert _checked(asked, msgspec.json.encode([good])) == (good,)
    for answer, words in (
        (b"[]", "0 lines for 1 packages"),
        (b"{", "no line of a journal"),
        (msgspec.json.encode([good, good]), "nobody asked for it"),
        (msgspec.json.encode([line_of(two)]), "nobody asked for it"),
        (msgspec.json.encode([msgspec.structs.replace(good, size=0)]), "lacks a size or an h1"),
    ):
        with pytest.raises(ToolError, match=words):
            _checked(asked, answer)


def test_what_is_no_journal_is_told_at_once_and_one_that_came_with_a_checkout_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    os.mkfifo(path)
    with pytest.raises(InputError, match="is no file"):
        read_journals([path])
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        read_journals([path])
    path.rmdir()
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    refuse_tracked(path, environ)
    path.write_bytes(written(line_of(target("w"))))
    refuse_tracked(path, environ)

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=tmp_path, env=environ, check=True, capture_output=True)

    git("init", "--quiet")
    refuse_tracked(path, environ)
    git("add", "j.jsonl")
    with pytest.raises(InputError, match="is one that git tracks"):
        refuse_tracked(path, environ)
    (tmp_path / ".git" / "HEAD").write_text("nonsense")
    with pytest.raises(InputError, match="nobody knows who wrote the journal"):
        refuse_tracked(path, environ)


@table("number", ["9" * 19, "-" + "9" * 40, "1e400", "9" * 400])
def test_a_size_that_the_registrys_tools_cannot_read_is_refused(number: str) -> None:
    data = Registry([target("w")]).file("acme", "w")
    assert read_metadata(data.replace(b'"size": 0', b'"size": %d' % (2**63 - 1)), "x").listed[0].packages[0].size
    with pytest.raises(MetadataError):
        read_metadata(data.replace(b'"size": 0', b'"size": ' + number.encode()), "x")
    line = written(line_of(target("w"))).replace(b'"size":', b'"size":' + number.encode() + b',"x":', 1)
    with pytest.raises(MetadataError, match="the journal is damaged"):
        read_journal(line, "j")


DEEP = b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def test_what_nests_without_end_is_refused_wherever_it_comes_from(tmp_path: Path) -> None:
    with pytest.raises(MetadataError, match="the journal is damaged"):
        read_journal(DEEP + b"\n", "j")
    Registry([target("w")]).write(tmp_path)
    (tmp_path / "versions_blacklist.json").write_bytes(DEEP)
    audit = MetadataAudit(tmp_path, shown="x", now=datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(MetadataError, match="not a list of versions"):
        audit.check(None)
    with pytest.raises(MetadataError):
        read_metadata(DEEP, "x")
    for answer in (b"[" + DEEP + b"]", b"\xff"):
        with pytest.raises(ToolError, match="no line of a journal"):
            _checked(_Batch(packages=()), answer)
