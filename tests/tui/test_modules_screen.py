"""The screen of modules, pressed: what it lists, asking, keys that do nothing, and its other faces."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from fakes.driving import Driver, app_of, drive
from fakes.lock_files import every_verdict
from fakes.many_files import files_app, repository
from fakes.modules import (
    DIGEST,
    FIRST,
    MAIN,
    OCI,
    SECOND,
    Meanings,
    configuration,
    key_of,
    lock_in,
    modules_app,
    opened_modules,
)
from msgspec.structs import replace

from lockwarden.core.engine.module_resolving import OnAnswered
from lockwarden.core.modules.listing import ModuleListing
from lockwarden.core.modules.resolution import Resolved
from lockwarden.tui.screens.confirm import ConfirmScreen
from lockwarden.tui.screens.file_diff import FileDiffScreen
from lockwarden.tui.screens.files import FilesScreen
from lockwarden.tui.screens.help import HelpScreen
from lockwarden.tui.screens.modules import ModulesScreen
from lockwarden.tui.screens.review import ReviewScreen

SECRET = 'module "secret" {\n  source = "https://ada:s3cret@example.test/vpc.zip"\n}\n'


def test_it_lists_every_call_with_its_place_and_its_class(tmp_path: Path) -> None:
    folder = configuration(tmp_path, main=MAIN + SECRET)

    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        assert d.shows(ModulesScreen)
        assert "5 module calls" in d.text
        assert "▲ network  named, mutable, git" in d.text
        assert f"Accepted            {SECOND}" in d.text
        assert "by Grace <grace@example.test> on 2026-05-01" in d.text
        assert "not asked yet: r asks" in d.text
        await d.press("j", "j")
        assert key_of(d) == "bucket"
        assert "Version             ~> 3.0" in d.text
        assert "the module lock has no entry for it" in d.prose
        await d.press("G")
        assert "https://(secret)@example.test/vpc.zip" in d.text
        assert "s3cret" not in d.text
        await d.press("question_mark")
        assert d.shows(HelpScreen)
        assert "On the screen of modules" in d.lines[2]
        await d.press("escape", "n")
        assert key_of(d) == "cluster"
        await d.press("N")
        assert key_of(d) == "secret"
        await d.press("escape")
        assert d.shows(ReviewScreen)

    drive(modules_app(folder), scenario, size=(120, 40))


def test_asking_shows_how_far_it_is_and_esc_gives_it_up(tmp_path: Path) -> None:
    files = Meanings(held=True)

    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        d.hit("r")
        await d.until_shown("asked 1 of 3", "being asked")
        await d.press("r")
        assert "the sources are being asked; esc cancels it" in d.lines[-1]
        await d.press("escape")
        await d.settle()
        assert d.shows(ModulesScreen)
        assert "cancelled; r asks again" in d.lines[-1]
        assert "not asked yet" in d.text
        files.gate.set()
        await d.press("r")
        await d.settle()
        assert f"Today               {FIRST}" in d.text
        assert f"{SECOND} when it was locked, {FIRST} today" in d.prose
        assert "✗ module moved" in d.text
        await d.press("j")
        assert f"package{DIGEST}" in "".join(d.prose.split())
        await d.press("j")
        assert "what it means today is not known: the registry hangs" in d.prose

    drive(modules_app(configuration(tmp_path), files), scenario, size=(120, 40))


def test_leaving_gives_the_asking_up(tmp_path: Path) -> None:
    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        d.hit("r")
        await d.until_shown("asked 1 of 3")
        await d.press("q")
        await d.settle()
        assert d.shows(ReviewScreen)
        assert d.app.modules.asking is None

    drive(modules_app(configuration(tmp_path), Meanings(held=True)), scenario)


def test_asking_that_has_run_for_a_while_is_cancelled_after_a_question(tmp_path: Path) -> None:
    files = Meanings(held=True)

    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        d.hit("r")
        await d.until_shown("asked 1 of 3", "being asked")
        begun = d.app.module_work.begun_at
        assert begun is not None
        d.app.setup = replace(d.app.setup, now=lambda: begun + timedelta(seconds=6))
        for key, asked in (("escape", "Cancel what is being asked?"), ("q", "Leave, and cancel what is running?")):
            await d.press(key)
            assert asked in d.prose
            await d.press("escape")
            assert d.app.modules.asking is not None
        await d.press("q", "y")
        await d.until(lambda: d.shows(ReviewScreen))
        files.gate.set()

    drive(modules_app(configuration(tmp_path), files), scenario, size=(120, 40))


def test_a_fault_of_our_own_is_told_where_the_person_is(tmp_path: Path) -> None:
    class Broken(Meanings):
        async def resolved(self, listing: ModuleListing, told: OnAnswered) -> ModuleListing:
            raise ZeroDivisionError

    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        d.hit("r")
        await d.until_shown("ZeroDivisionError")
        assert isinstance(d.app.screen, ConfirmScreen)

    drive(modules_app(configuration(tmp_path), Broken()), scenario, size=(120, 40))


def test_keys_that_do_nothing_say_why(tmp_path: Path) -> None:
    folder = configuration(tmp_path, main='module "a" {\n  source = "./names"\n}\nmodule {\n', lock="")
    (folder / "b.tf").write_text('module "b" {\n  source = "./names"\n}\n')

    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        assert "main.tf:5" in d.text
        assert "What could not be read" in d.text
        assert "the others are listed all the same; r reads them again" in d.prose
        for key, why in (
            ("a", "no call is selected"),
            ("p", "no call is selected"),
            ("A", "nothing can be accepted together"),
            ("P", "nothing can be pinned; ask first"),
        ):
            await d.press(key)
            assert why in d.lines[-1]
        await d.press("j", "a")
        assert "part of the package that calls it, so that there is nothing to accept" in d.lines[-1]
        await d.run_from_palette(
            "Ask what all", "Ask what all sources mean today; where nothing could be read, read again"
        )
        await d.until(lambda: "asked: each call says what it means today" in d.lines[-1])

    drive(modules_app(folder), scenario, size=(120, 40))


def test_it_says_that_it_reads_that_there_is_nothing_and_that_something_cannot_be_read(tmp_path: Path) -> None:
    folder, files = configuration(tmp_path, lock="modul {}\n"), Meanings()

    async def scenario(d: Driver) -> None:
        files.may_read.clear()
        await d.press("M")
        assert f"Reading the module calls in {folder}" in "".join(d.prose.splitlines())
        await d.press("a")
        assert "no module call is on the screen" in d.lines[-1]
        files.may_read.set()
        await d.settle()
        assert "The modules cannot be judged" in d.text
        assert "there is no block “modul” here" in d.prose
        lock_in(folder).unlink()
        (folder / "main.tf").write_text("# nothing\n")
        await d.press("r")
        await d.settle()
        assert "calls no module" in d.prose
        (folder / "main.tf").write_text(MAIN)
        await d.press("r")
        await d.settle()
        assert "4 module calls" in d.text
        await d.press("j")
        assert key_of(d) == "cluster"

    drive(modules_app(folder, files), scenario, size=(160, 40))


def test_the_list_of_lock_files_opens_them_for_the_selected_file() -> None:
    app = files_app(repository())
    app.setup = replace(app.setup, modules=Meanings())

    async def scenario(d: Driver) -> None:
        folder = d.app.files.current.parent
        await opened_modules(d)
        assert d.shows(ModulesScreen)
        assert f"there is no folder “{folder}”" in d.prose
        await d.press("escape")
        assert d.shows(FilesScreen)

    drive(app, scenario, size=(140, 40))


def test_in_a_folder_without_a_configuration_nothing_is_said_of_other_files(tmp_path: Path) -> None:
    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        assert "there is no configuration in it → r reads it again" in d.prose

    drive(modules_app(tmp_path), scenario, size=(120, 40))


def test_without_a_configuration_the_key_says_so() -> None:
    async def scenario(d: Driver) -> None:
        await d.press("M")
        assert d.shows(ReviewScreen)
        assert "there is no configuration here to look at" in d.lines[-1]

    drive(app_of(every_verdict()), scenario)


@pytest.mark.parametrize(
    "size", [(80, 24), *(pytest.param(each, marks=pytest.mark.thorough) for each in ((120, 40), (60, 20)))]
)
def test_hostile_text_is_inert(tmp_path: Path, size: tuple[int, int]) -> None:
    folder = configuration(tmp_path, main=f'module "m[/b]" {{\n  source = "{OCI}//[@click=app.quit]x[/]?tag=2.0"\n}}\n')
    (folder / "x[$error @click=app.quit].tf").write_text("module {")
    raw, files = "\x1b]0;owned\x07\u202e[/b][@click=app.quit]x[/]", Meanings()
    source = f"{OCI}//[@click=app.quit]x[/]?tag=2.0"
    files.meanings = {source: Resolved(revision=DIGEST, how=raw, pinned=source.replace("tag=2.0", f"digest={DIGEST}"))}

    async def scenario(d: Driver) -> None:
        await opened_modules(d)
        for keys in ((), ("j",), ("r",), ("l",), ("p",)):
            d.hit(*keys)
            await d.handled()
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", d.text)
            assert not [text for text, meta in d.segments if "@click" in meta]
        await d.reach(FileDiffScreen)
        assert "[@click=app.quit]x[/]" in "".join(d.prose.split())

    drive(modules_app(folder, files), scenario, size=size)
