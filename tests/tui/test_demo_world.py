"""The app on the demo's world: real documents, real signatures, real packages, a real file on disk."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from builders.reading import read
from fakes.driving import Driver, drive

from lockwarden.cli.demo import demo_runtime, options_for
from lockwarden.cli.on_screen import ReviewOnScreen, app_for
from lockwarden.core.review.verdicts import Verdict
from lockwarden.demo.building import DemoWorld
from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.state.progress import Phase


@pytest.fixture
def lock_file(demo_world: DemoWorld, tmp_path: Path) -> Path:
    """A copy of the demo's lock file, to be written."""
    return Path(shutil.copy(demo_world.lock_file, tmp_path))


@pytest.fixture
def app(demo_world: DemoWorld, lock_file: Path) -> LockwardenApp:
    """The app on it, as `lockwarden demo` opens it."""
    opened = app_for(
        ReviewOnScreen(
            paths=(lock_file,),
            options=options_for(demo_world),
            runtime=demo_runtime(demo_world, latency=0.0),
            title="demo",
        )
    )
    opened.reaction = 0
    return opened


async def audited(d: Driver) -> None:
    def finished() -> bool:
        assert d.phase() is not Phase.FAILED, d.app.session.failure
        assert d.app.session.placeholder is None or d.app.session.review is None
        return d.phase() is Phase.FINISHED

    await d.until(finished)
    await d.settle()


def lines_of(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def test_every_verdict_is_the_one_that_its_story_tells_and_what_is_decided_of_it_is_written(
    app: LockwardenApp, demo_world: DemoWorld, lock_file: Path
) -> None:
    async def scenario(d: Driver) -> None:
        await audited(d)
        told = {(story.address, text): word for story in demo_world.stories for text, word in story.verdicts.items()}
        found = {
            (str(provider.address), row.hash.text): str(row.verdict)
            for provider in d.review.providers
            for row in provider.rows
        }
        assert {key: found.get(key) for key in told} == told
        for verdict in Verdict:
            await filtered(d, f"verdict:{verdict}")
            assert d.row.verdict is verdict
            assert f"Why {verdict}" in d.text
            await d.press("escape")
        await a_mirrors_package_stands_beside_the_origins_and_its_hash_alone_is_written(d, demo_world, lock_file)
        await a_planted_hash_is_dropped_with_one_key(d, lock_file)
        await a_file_that_another_program_changed_is_not_overwritten(d, lock_file)

    drive(app, scenario, settled=False, size=(120, 50))


async def filtered(d: Driver, text: str) -> None:
    await d.press("slash")
    await d.write(text)
    await d.press("enter")


async def a_mirrors_package_stands_beside_the_origins_and_its_hash_alone_is_written(
    d: Driver, demo_world: DemoWorld, lock_file: Path
) -> None:
    story = next(each for each in demo_world.stories if each.title == "A mirror with another package")
    before = lines_of(lock_file.read_bytes())
    await filtered(d, "ferry linux_amd64")
    rows = {row.hash.text: row for row in d.provider.rows if "linux_amd64" in row.label}
    zhs = [row for row in rows.values() if row.hash.scheme == "zh"]
    assert sorted(row.verdict for row in zhs) == [Verdict.CONFIRMED, Verdict.OFFERED]
    assert all(row.hash.text[:10] in d.text for row in zhs)
    assert "✗ other bytes" in d.text
    offered = next(row for row in zhs if row.verdict is Verdict.OFFERED)
    assert "does not list the archive" in " ".join(reason.text for reason in offered.reasons)
    while d.row.hash != offered.hash:
        await d.press("down")
    await d.press("space", "w")
    assert "comes in, though no rule would record it" in d.text
    await d.press("right", "enter")
    await d.settle()
    assert d.app.session.review is not None

    after = lines_of(lock_file.read_bytes())
    added = f'    "{offered.hash.text}",\n'.encode()
    assert after != before
    assert [line for line in after if line != added] == before
    assert after.count(added) == 1
    entry = next(each for each in read(lock_file).providers if str(each.address) == story.address)
    assert offered.hash.text in {each.hash.text for each in entry.hashes}


async def a_planted_hash_is_dropped_with_one_key(d: Driver, lock_file: Path) -> None:
    before = lines_of(lock_file.read_bytes())
    await d.press("escape")
    await filtered(d, "verdict:unexplained")
    removed = f'    "{d.row.hash.text}",\n'.encode()
    await d.press("space", "w", "right", "enter")
    await d.settle()
    assert lines_of(lock_file.read_bytes()) == [line for line in before if line != removed] != before


async def a_file_that_another_program_changed_is_not_overwritten(d: Driver, lock_file: Path) -> None:
    await d.press("escape")
    await filtered(d, "verdict:disowned")
    await d.press("space", "w")
    lock_file.write_bytes(lock_file.read_bytes() + b"# another hand\n")
    await d.press("right", "enter")
    await d.settle()
    assert "Nothing was written" in d.text
    await d.press("enter")
    await d.settle()
    assert lock_file.read_bytes().endswith(b"# another hand\n")


def test_leaving_in_the_middle_leaves_nothing_behind(
    demo_world: DemoWorld, lock_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    before = lock_file.read_bytes()
    slow = app_for(
        ReviewOnScreen(
            paths=(lock_file,), options=options_for(demo_world), runtime=demo_runtime(demo_world, latency=0.05)
        )
    )

    async def scenario(d: Driver) -> None:
        await d.until(lambda: d.app.session.progress.done)
        assert d.app.session.progress.running
        await d.press("q")
        await d.settle()

    drive(slow, scenario, settled=False)
    assert lock_file.read_bytes() == before
    assert list(temporary.iterdir()) == []
    assert sorted(each.name for each in lock_file.parent.iterdir()) == [lock_file.name, "temporary"]
