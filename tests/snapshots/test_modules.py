"""How the screen of modules looks. Every value is fixed; look at a changed picture before you accept it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from fakes.driving import Driver
from fakes.modules import MAIN, Meanings, configuration, modules_app
from textual.pilot import Pilot

from lockwarden.tui.app import LockwardenApp
from lockwarden.tui.screens.file_diff import FileDiffScreen

Compare = Callable[..., bool]
WIDE = [(120, 40), pytest.param((80, 24), marks=pytest.mark.thorough)]
SMALL = [pytest.param((120, 40), marks=pytest.mark.thorough), (80, 24)]
IDS = ["120x40", "80x24"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration that is called infra/prod, wherever it lies."""
    secret = '\nmodule "files" {\n  source = "https://ada:s3cret@example.test/files.zip"\n}\n'
    configuration(tmp_path, main=MAIN + secret)
    monkeypatch.chdir(tmp_path)
    return Path("infra/prod")


def after(app: LockwardenApp, *keys: str, writing: bool = False) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Open the modules, then press keys, each once what the one before began has ended."""

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(app, pilot)
        await driver.settle()
        for key in ("M", *(keys[:-1] if writing else keys)):
            await driver.press(key)
            await driver.settle()
        if writing:
            driver.hit(keys[-1])
            await driver.reach(FileDiffScreen)

    return before


@pytest.mark.parametrize("size", WIDE, ids=IDS)
def test_modules(snap_compare: Compare, folder: Path, size: tuple[int, int]) -> None:
    app = modules_app(folder)
    assert snap_compare(app, terminal_size=size, run_before=after(app, "r"))


@pytest.mark.parametrize("size", SMALL, ids=IDS)
def test_accepting_what_moved(snap_compare: Compare, folder: Path, size: tuple[int, int]) -> None:
    app = modules_app(folder)
    assert snap_compare(app, terminal_size=size, run_before=after(app, "r", "a", writing=True))


@pytest.mark.parametrize("size", WIDE, ids=IDS)
def test_what_is_new_in_a_package(snap_compare: Compare, folder: Path, size: tuple[int, int]) -> None:
    app = modules_app(folder)
    assert snap_compare(app, terminal_size=size, run_before=after(app, "r", "d"))


@pytest.mark.parametrize("size", SMALL, ids=IDS)
def test_pinning(snap_compare: Compare, folder: Path, size: tuple[int, int]) -> None:
    app = modules_app(folder)
    assert snap_compare(app, terminal_size=size, run_before=after(app, "r", "P", writing=True))


def test_asking(snap_compare: Compare, folder: Path) -> None:
    app = modules_app(folder, Meanings(held=True))

    async def before(pilot: Pilot[int]) -> None:
        driver = Driver(app, pilot)
        await driver.settle()
        await driver.press("M")
        await driver.settle()
        driver.hit("r")
        await driver.until_shown("asked 1 of 3")

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


def test_a_module_lock_that_cannot_be_read(snap_compare: Compare, folder: Path) -> None:
    Path(".lockwarden/modules.hcl").write_text("modul {}\n")
    app = modules_app(folder)
    assert snap_compare(app, terminal_size=(80, 24), run_before=after(app))
